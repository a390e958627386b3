// The field from above: players, links, and what the selected peer believes.

import type { Belief, Dot, Link } from "./engine";

export const kColors = { near: "#3fae5a", sensor: "#5b92e5", focus: "#ffb000", guided: "#00d5e8", belief: "#ff6ad5", link: "#8a8f94", self: "#f5f2ea" };
const kFieldSize = 1000;
const kManyLinks = 2500;

export interface Scene {
  dots: Dot[];
  links: Float64Array;
  selected: number;
  beliefs: Belief[];
  linksOf: Link[];
  vision: number;
}

export class Field {
  private readonly pen: CanvasRenderingContext2D;
  private scale = 1;
  private dots: Dot[] = [];

  constructor(readonly canvas: HTMLCanvasElement, select: (peer: number) => void) {
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("this browser draws no canvas");
    this.pen = pen;
    canvas.addEventListener("click", (event) => select(this.nearest(event)));
  }

  private nearest(event: MouseEvent): number {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) / box.width) * kFieldSize, ((event.clientY - box.top) / box.height) * kFieldSize];
    let best = -1;
    let least = 40;
    this.dots.forEach((dot, index) => {
      const distance = Math.hypot(dot.x - x, dot.y - y);
      if (!dot.alive || distance >= least) return;
      [best, least] = [index, distance];
    });
    return best;
  }

  draw(scene: Scene): void {
    this.dots = scene.dots;
    this.resize();
    this.ground();
    this.drawLinks(scene);
    if (scene.selected >= 0) this.drawSelected(scene);
    scene.dots.forEach((dot, index) => this.drawDot(dot, index === scene.selected));
  }

  private resize(): void {
    const size = Math.round(this.canvas.clientWidth * window.devicePixelRatio);
    if (this.canvas.width !== size) [this.canvas.width, this.canvas.height] = [size, size];
    this.scale = size / kFieldSize;
  }

  private ground(): void {
    const pen = this.pen;
    pen.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    const light = pen.createLinearGradient(0, 0, 0, kFieldSize);
    light.addColorStop(0, "#222a33");
    light.addColorStop(1, "#171b20");
    pen.fillStyle = light;
    pen.fillRect(0, 0, kFieldSize, kFieldSize);
    pen.strokeStyle = "#2a313a";
    pen.lineWidth = 1;
    pen.beginPath();
    for (let at = 100; at < kFieldSize; at += 100) {
      pen.moveTo(at, 0);
      pen.lineTo(at, kFieldSize);
      pen.moveTo(0, at);
      pen.lineTo(kFieldSize, at);
    }
    pen.stroke();
  }

  private drawLinks({ dots, links, selected }: Scene): void {
    const pen = this.pen;
    const faint = links.length / 2 > kManyLinks || selected >= 0;
    pen.strokeStyle = kColors.link;
    pen.globalAlpha = faint ? 0.07 : 0.24;
    pen.lineWidth = 1;
    pen.beginPath();
    for (let i = 0; i + 1 < links.length; i += 2) {
      const [a, b] = [dots[links[i] ?? 0], dots[links[i + 1] ?? 0]];
      if (!a || !b) continue;
      pen.moveTo(a.x, a.y);
      pen.lineTo(b.x, b.y);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }

  private drawSelected({ dots, selected, linksOf, beliefs, vision }: Scene): void {
    const self = dots[selected];
    if (!self) return;
    const pen = this.pen;
    pen.fillStyle = "rgba(245, 242, 234, 0.06)";
    pen.strokeStyle = "rgba(245, 242, 234, 0.35)";
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(self.x, self.y, vision, 0, 7);
    pen.fill();
    pen.stroke();
    for (const link of linksOf) this.drawLinkOf(self, dots[link.peer], link);
    for (const belief of beliefs) this.drawBelief(belief, dots[belief.peer]);
  }

  private drawLinkOf(self: Dot, other: Dot | undefined, link: Link): void {
    if (!other?.alive) return;
    const pen = this.pen;
    pen.strokeStyle = link.focus ? kColors.focus : link.near ? kColors.near : kColors.sensor;
    pen.lineWidth = link.focus ? 2.6 : 1.3;
    pen.setLineDash(link.near || link.focus ? [] : [7, 6]);
    pen.globalAlpha = 0.8;
    pen.beginPath();
    pen.moveTo(self.x, self.y);
    pen.lineTo(other.x, other.y);
    pen.stroke();
    pen.setLineDash([]);
    pen.globalAlpha = 1;
    pen.beginPath();
    pen.arc(other.x, other.y, 11, 0, 7);
    pen.stroke();
  }

  private drawBelief(belief: Belief, truth: Dot | undefined): void {
    if (!truth?.alive) return;
    const pen = this.pen;
    pen.strokeStyle = belief.guided ? kColors.guided : kColors.belief;
    pen.lineWidth = 1.6;
    pen.beginPath();
    pen.moveTo(truth.x, truth.y);
    pen.lineTo(belief.x, belief.y);
    pen.rect(belief.x - 6, belief.y - 6, 12, 12);
    pen.stroke();
  }

  private drawDot(dot: Dot, isSelected: boolean): void {
    const pen = this.pen;
    if (!dot.alive) {
      pen.strokeStyle = "#6b4f3a";
      pen.lineWidth = 2;
      pen.beginPath();
      pen.moveTo(dot.x - 5, dot.y - 5);
      pen.lineTo(dot.x + 5, dot.y + 5);
      pen.moveTo(dot.x + 5, dot.y - 5);
      pen.lineTo(dot.x - 5, dot.y + 5);
      pen.stroke();
      return;
    }
    pen.fillStyle = isSelected ? kColors.self : "#d9c9a3";
    pen.strokeStyle = "#14171a";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.arc(dot.x, dot.y, isSelected ? 9 : 6.5, 0, 7);
    pen.fill();
    pen.stroke();
  }
}
