// Sliders, choices, scenarios and buttons.

import { h } from "../dom";
import { kChoices, kScenarios, kSliders, type Choice, type Settings, type Slider } from "./settings";

export interface Actions {
  change(settings: Settings): void;
  scenario(index: number): void;
}

export class Controls {
  readonly element = h("form", { class: "controls", "aria-label": "Settings", submit: (event) => event.preventDefault() });
  private readonly shown: ((settings: Settings) => void)[] = [];
  private settings: Settings = {};

  constructor(private readonly actions: Actions) {
    const scenarios = kScenarios.map((scenario, index) =>
      h("button", { type: "button", class: "scenario", title: scenario.says, click: () => actions.scenario(index) }, h("strong", {}, scenario.name), h("span", {}, scenario.paper)));
    this.element.append(h("div", { class: "scenarios", role: "group", "aria-label": "Scenarios" }, ...scenarios),
      ...kSliders.map((slider) => this.slider(slider)), ...kChoices.map((choice) => this.choice(choice)), this.seed());
  }

  show(settings: Settings): void {
    this.settings = settings;
    this.shown.forEach((show) => show(settings));
  }

  private set(name: string, value: string): void {
    this.actions.change({ ...this.settings, [name]: value });
  }

  private slider({ name, label, unit, low, high, step, hint }: Slider): HTMLElement {
    const input = h("input", { type: "range", id: name, min: String(low), max: String(high), step: String(step), name });
    const value = h("output", { for: name });
    const print = (text: string) => (value.textContent = `${text} ${unit}`);
    input.addEventListener("input", () => print(input.value));
    input.addEventListener("change", () => this.set(name, input.value));
    this.shown.push((settings) => {
      input.value = settings[name] ?? "";
      print(settings[name] ?? "");
    });
    return h("div", { class: "slider", title: hint }, h("label", { for: name }, label), value, input);
  }

  private choice({ name, label, hint, options }: Choice): HTMLElement {
    const buttons = options.map(([value, text, explained]) => {
      const input = h("input", { type: "radio", name, value, id: `${name}-${value}` });
      input.addEventListener("change", () => this.set(name, value));
      this.shown.push((settings) => (input.checked = settings[name] === value));
      return h("span", {}, input, h("label", { for: `${name}-${value}`, title: explained || hint }, text));
    });
    return h("fieldset", { title: hint }, h("legend", {}, label), ...buttons);
  }

  private seed(): HTMLElement {
    const input = h("input", { type: "number", id: "seed", min: "0", max: "2000000000", name: "seed" });
    input.addEventListener("change", () => this.set("seed", String(Math.min(Math.max(Math.round(Number(input.value)) || 0, 0), 2e9))));
    this.shown.push((settings) => (input.value = settings["seed"] ?? "1"));
    return h("div", { class: "slider", title: "The same settings and seed give the same run, datagram by datagram, for everybody." }, h("label", { for: "seed" }, "Seed"), input);
  }
}
