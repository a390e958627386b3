// The playground: the library runs a swarm in this page, and the reader changes its world.

import { h } from "../dom";
import { Controls } from "./controls";
import { Curves, type Sample } from "./curves";
import { Engine } from "./engine";
import { Field, kColors } from "./field";
import { PeerPanel } from "./peer";
import "./playground.css";
import { fromText, kDefaults, kScenarios, toText, type Settings } from "./settings";

const kFrameBudgetMs = 20;      // of simulation in a picture
const kLeastPictureMs = 60;     // of real time between two pictures, if the run is behind
const kSliceMs = 50;            // of virtual time that is simulated at once
const kSampleMs = 250;          // of virtual time between two samples
const kCurvesEveryMs = 500;     // of real time between two drawings of the curves
const kHashAtMs = 10_000;       // when two readers of a link compare
const kMostSamples = 1200;

const kLegend: [string, string][] = [["near node", kColors.near], ["beyond sight: sensor node (dashed)", kColors.sensor], ["in focus", kColors.focus], ["believed (box)", kColors.belief], ["guided (box)", kColors.guided]];

class Playground {
  private settings: Settings = kDefaults;
  private at = 0;
  private aim = 0;
  private speed = 1;
  private selected = -1;
  private samples: Sample[] = [];
  private lastFrame = 0;
  private lastCurves = 0;
  private lastDrawn = 0;
  private measured = { real: 0, virtual: 0, speed: 1 };

  private readonly status = h("p", { class: "status", role: "status" });
  private readonly says = h("p", { class: "says" });
  private readonly hash = h("code", { id: "trace" }, "–");
  private readonly pace = h("output", { id: "pace" });
  private readonly canvas = h("canvas", { tabindex: "0", role: "img", "aria-label": "The field from above. N selects the next player, Escape none." });
  private readonly curves = new Curves();
  private readonly panel = new PeerPanel();
  private readonly field = new Field(this.canvas, (peer) => this.select(peer));
  private readonly controls = new Controls({ change: (settings) => this.restart(settings), scenario: (index) => this.play(index) });

  constructor(private readonly engine: Engine, app: HTMLElement) {
    const legend = h("ul", { class: "legend" }, ...kLegend.map(([name, color]) => h("li", {}, h("span", { class: "key", style: `background: ${color}` }), name)));
    app.replaceChildren(h("header", {}, h("h1", {}, "Fray ", h("span", {}, "playground")), this.says, this.buttons()),
      h("main", {}, this.controls.element, h("div", { class: "stage" }, this.canvas, legend, this.status), h("aside", {}, this.curves.element, this.panel.element)));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("hashchange", () => location.hash.slice(1) !== toText(this.settings) && this.restart(fromText(location.hash)));
    this.select(-1);
    if (location.hash.length > 1) this.restart(fromText(location.hash));
    else this.play(0);
    requestAnimationFrame((now) => this.frame(now));
  }

  private buttons(): HTMLElement {
    const speed = h("select", { id: "speed", title: "Of time" }, ...["0", "0.25", "1", "2", "4", "8"].map((value) => h("option", { value, selected: value === "1" }, value === "0" ? "paused" : `${value} ×`)));
    speed.addEventListener("change", () => (this.speed = Number(speed.value)));
    const copy = h("button", { type: "button", title: "A link with these settings and this seed: who opens it sees the same run." }, "Copy link");
    copy.addEventListener("click", () => {
      navigator.clipboard?.writeText(location.href).then(() => (copy.textContent = "Copied"), () => (copy.textContent = "Copy it from the address"));
    });
    return h("div", { class: "buttons" },
      h("button", { type: "button", class: "crash", id: "crash", title: "Every second peer ends at once, without a goodbye.", click: () => this.engine.crashHalf() }, "Crash half"),
      h("button", { type: "button", id: "again", click: () => this.restart(this.settings) }, "Again"), h("label", {}, "Speed ", speed), this.pace, copy,
      h("span", { title: "Over every datagram of the first ten seconds: equal for everybody with this link." }, "trace at 10 s ", this.hash));
  }

  private play(index: number): void {
    const scenario = kScenarios[index];
    if (!scenario) return;
    this.restart({ ...kDefaults, ...scenario.settings });
    this.says.textContent = scenario.says;
  }

  private restart(settings: Settings): void {
    this.settings = settings;
    this.controls.show(settings);
    const text = toText(settings);
    if (location.hash.slice(1) !== text) history.replaceState(null, "", `#${text}`);
    const problem = this.engine.start(text);
    this.status.textContent = problem;
    this.running = problem === "";
    [this.at, this.aim, this.samples] = [0, 0, []];
    this.hash.textContent = "–";
    this.says.textContent = "";
    if (this.selected >= Number(settings["players"])) this.select(-1);
  }
  private running = false;

  private select(peer: number): void {
    this.selected = peer;
    this.panel.show(peer, 0, true, [], [], []);
  }

  private key(event: KeyboardEvent): void {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.key === "n" || event.key === "N") this.select(this.nextLiving());
    if (event.key === "Escape") this.select(-1);
  }

  private nextLiving(): number {
    const dots = this.engine.peers();
    for (let step = 1; step <= dots.length; ++step) {
      const peer = (this.selected + step) % dots.length;
      if (dots[peer]?.alive) return peer;
    }
    return -1;
  }

  private frame(now: number): void {
    const passed = Math.min(now - this.lastFrame, 100);
    this.lastFrame = now;
    try {
      if (this.running) this.advance(passed * this.speed);
      // While the run is behind its time, pictures wait for it.
      const behind = this.aim - this.at > 2 * kSliceMs;
      if (this.running && (!behind || now - this.lastDrawn > kLeastPictureMs)) this.draw(now);
    } catch (error) {
      this.running = false;
      this.status.textContent = `The run ended: ${String(error)}`;
    }
    requestAnimationFrame((next) => this.frame(next));
  }

  /// As much virtual time as passed, or as the budget of a picture allows.
  private advance(ms: number): void {
    const start = performance.now();
    const before = this.at;
    this.aim += ms;
    while (this.at + kSliceMs <= this.aim && performance.now() - start < kFrameBudgetMs) {
      this.at += kSliceMs;
      this.engine.runUntil(this.at);
      if (this.at === kHashAtMs) this.hash.textContent = this.engine.hash();
      if (this.at % kSampleMs === 0) this.samples.push({ at: this.at, ...this.engine.overview() });
    }
    this.aim = Math.min(this.aim, this.at + 4 * kSliceMs);
    if (this.samples.length > kMostSamples) this.samples.splice(0, kMostSamples / 2);
    this.measured.real += ms / Math.max(this.speed, 1e-9);
    this.measured.virtual += this.at - before;
    if (this.measured.real < 1000) return;
    this.pace.textContent = `${(this.measured.virtual / this.measured.real).toFixed(1)} × real time, ${(this.at / 1000).toFixed(0)} s`;
    this.measured = { real: 0, virtual: 0, speed: this.speed };
  }

  private draw(now: number): void {
    this.lastDrawn = now;
    const dots = this.engine.peers();
    const [beliefs, linksOf] = this.selected >= 0 ? [this.engine.beliefs(this.selected), this.engine.linksOf(this.selected)] : [[], []];
    this.field.draw({ dots, links: this.engine.links(), selected: this.selected, beliefs, linksOf, vision: Number(this.settings["vision"]) });
    if (now - this.lastCurves < kCurvesEveryMs) return;
    this.lastCurves = now;
    this.curves.draw(this.samples);
    if (this.selected >= 0) this.panel.show(this.selected, this.at, dots[this.selected]?.alive ?? false, this.engine.traffic(this.selected), linksOf, beliefs);
    const living = dots.filter((dot) => dot.alive).length;
    this.status.textContent = `${living} of ${dots.length} peers`;
  }
}

async function start(): Promise<void> {
  const app = document.getElementById("app");
  if (!app) return;
  try {
    new Playground(await Engine.load(document.getElementById("wasm")?.textContent ?? ""), app);
  } catch (error) {
    app.replaceChildren(h("p", { class: "wait", role: "alert" }, `The playground cannot run here: ${String(error)}`));
  }
}

void start();
