// Age, error and upload over the last minute.

import * as Plot from "@observablehq/plot";

import { h } from "../dom";
import { short } from "../format";
import type { Overview } from "./engine";

export interface Sample extends Overview { at: number }

interface Curve { key: keyof Overview; label: string; unit: string; hint: string; color: string }
const kCurves: Curve[] = [
  { key: "age", label: "Age", unit: "ms", hint: "How old the newest update of a player in sight is, on average.", color: "#ffb000" },
  { key: "error", label: "Error", unit: "units", hint: "How far from the truth a player in sight is drawn, on average.", color: "#ff6ad5" },
  { key: "upload", label: "Upload", unit: "kbit/s", hint: "What a peer sends, headers included.", color: "#5b92e5" },
  { key: "known", label: "Known", unit: "%", hint: "Of the players in sight, so many are on the screen.", color: "#3fae5a" },
  { key: "links", label: "Links", unit: "", hint: "Pairs of peers that are linked.", color: "#b0b3b3" },
];
const kShownSeconds = 60;

export class Curves {
  readonly element = h("div", { class: "curves" });
  private readonly boxes = kCurves.map((curve) => {
    const value = h("output", { "data-value": curve.key });
    const chart = h("div", { class: "curve", "aria-hidden": "true" });
    this.element.append(h("section", { title: curve.hint }, h("h3", {}, curve.label, " ", value, ` ${curve.unit}`), chart));
    return { curve, value, chart };
  });

  draw(samples: Sample[]): void {
    const now = samples.at(-1);
    if (!now) return;
    const shown = samples.filter((sample) => sample.at > now.at - kShownSeconds * 1000);
    for (const { curve, value, chart } of this.boxes) {
      value.textContent = short(now[curve.key], 3);
      chart.replaceChildren(this.plot(curve, shown, chart.clientWidth || 240));
    }
  }

  private plot(curve: Curve, samples: Sample[], width: number): SVGElement | HTMLElement {
    const points = samples.map((sample) => ({ x: sample.at / 1000, y: sample[curve.key] }));
    return Plot.plot({
      width,
      height: 80,
      margin: 4,
      marginLeft: 38,
      marginBottom: 20,
      style: { background: "transparent", color: "#b0b3b3", fontSize: "10px" },
      x: { label: null, ticks: 4 },
      y: { label: null, ticks: 3, grid: true, zero: true, nice: true },
      marks: [
        Plot.areaY(points, { x: "x", y: "y", fill: curve.color, fillOpacity: 0.16 }),
        Plot.lineY(points, { x: "x", y: "y", stroke: curve.color, strokeWidth: 1.8 }),
      ],
    });
  }
}
