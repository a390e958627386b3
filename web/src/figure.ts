// A figure with its legend, zoom, keyboard and values.

import { chartOf, drawableMarks, isBar, isNumeric, letterOf, spotsOf, type View } from "./chart";
import type { Figure, Plan } from "./data";
import { h, idOf } from "./dom";
import { withInterval } from "./format";
import { onThemeChange, seriesColor } from "./theme";

const kWidest = 960;

const kSources: Record<string, string> = {
  printed: "Diamonds: the numbers that the paper prints.",
  text: "The paper's figure prints no numbers. Amber: what its text says.",
};

const kShapes = ["●", "■", "▲", "◆", "★", "✚", "Y", "⬢"];

class FigureBox {
  readonly element: HTMLElement;
  private readonly view: View = { hidden: new Set(), zoom: null, selected: null };
  private readonly chart = h("div", { class: "chart", tabindex: "0", role: "group" });
  private readonly readout = h("p", { class: "readout", "aria-live": "polite" });
  private readonly tools = h("p", { class: "tools" });
  private drawn = false;

  constructor(private readonly figure: Figure, private readonly plan: Plan, index: number) {
    const title = figure.paper ? `${figure.paper}. ${figure.title}` : figure.title;
    // The plan's paper stands above its figures; a short reference is repeated, a sentence is not.
    const reference = figure.paper !== plan.paper || figure.paper.length < 32 ? figure.paper : "";
    this.element = h("figure", { id: idOf("figure", plan.name, String(index)), class: "figure", "data-plan": plan.name, "data-index": String(index) },
      h("figcaption", {}, h("strong", {}, reference), " ", figure.title));
    if (figure.problem || figure.series.length === 0) {
      this.element.append(h("p", { class: "note" }, `Not drawn: ${figure.problem || "no values"}.`));
      return;
    }
    this.chart.setAttribute("aria-label", `${title}. Arrow keys go from value to value.`);
    this.chart.addEventListener("keydown", (event) => this.step(event));
    this.element.append(this.legend(), this.chart, this.readout, this.tools, this.notes(), this.values());
    if (isNumeric(figure)) this.addZoom();
    onThemeChange(() => (this.drawn ? this.redraw() : this.paintSwatches()));
    this.paintSwatches();
    new ResizeObserver(() => this.drawn && this.draw()).observe(this.element);
    new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.drawOnce(), { rootMargin: "900px" }).observe(this.element);
    window.addEventListener("beforeprint", () => this.drawOnce());
  }

  private drawOnce(): void {
    if (!this.drawn) this.draw();
  }

  private draw(): void {
    const width = Math.min(Math.max(this.element.clientWidth - 32, 280), kWidest);
    if (this.drawn && width === this.lastWidth && !this.stale) return;
    this.drawn = true;
    this.stale = false;
    this.lastWidth = width;
    this.paintSwatches();
    try {
      const chart = chartOf(this.figure, this.view, width);
      chart.setAttribute("role", "img");
      chart.setAttribute("aria-label", this.figure.title);
      this.chart.replaceChildren(chart);
    } catch (error) {
      this.chart.replaceChildren(h("p", { class: "note" }, `Not drawn: ${String(error)}`));
    }
  }

  private lastWidth = 0;
  private stale = true;
  private swatches: (() => void)[] = [];

  private paintSwatches(): void {
    this.swatches.forEach((paint) => paint());
  }

  private redraw(): void {
    this.stale = true;
    this.draw();
  }

  private legend(): HTMLElement {
    const list = h("div", { class: "legend", role: "group", "aria-label": "Series" });
    if (this.figure.series.length < 2) return list;
    this.figure.series.forEach((series, index) => {
      const sign = isBar(this.figure) ? letterOf(index) : (kShapes[index % kShapes.length] ?? "●");
      const swatch = h("span", { class: isBar(this.figure) ? "swatch letter" : "swatch", "aria-hidden": "true" }, sign);
      this.swatches.push(() => swatch.style.setProperty("--series", seriesColor(index)));
      const button = h("button", { type: "button", "aria-pressed": "true", "data-series": series.name }, swatch, series.name);
      button.addEventListener("click", () => this.toggle(series.name, button));
      list.append(button);
    });
    return list;
  }

  private toggle(name: string, button: HTMLElement): void {
    const hidden = this.view.hidden;
    if (!hidden.delete(name)) hidden.add(name);
    button.setAttribute("aria-pressed", String(!hidden.has(name)));
    this.view.selected = null;
    this.readout.textContent = "";
    this.redraw();
  }

  private notes(): HTMLElement {
    const marks = this.figure.marks.length > 0 || this.figure.marksFrom === "text" ? (kSources[this.figure.marksFrom] ?? "") : "";
    const quick = marks && this.plan.version === "quick" ? "A quick run: smaller than the paper's experiment." : "";
    const absent = this.figure.marks.length - drawableMarks(this.figure).length;
    const left = absent > 0 ? `${absent} of the paper's marks belong to series that this version does not run.` : "";
    const intervals = this.figure.series.some((series) => series.points.some((point) => point.ci !== null))
      ? "Bars and bands: 95 % confidence intervals." : "One run: no confidence interval.";
    return h("p", { class: "note" }, [this.figure.note, marks, quick, left, intervals].filter((part) => part).join(" "));
  }

  /// The values as a table: for screen readers, and to copy.
  private values(): HTMLElement {
    const body = h("tbody");
    const details = h("details", {}, h("summary", {}, "Values"),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Values of the figure" },
        h("table", {}, h("thead", {}, h("tr", {}, ...["series", this.figure.x.label || "place", this.figure.y.label].map((name) => h("th", { scope: "col" }, name)))), body)));
    details.addEventListener("toggle", () => {
      if (body.childElementCount > 0) return;
      for (const spot of spotsOf(this.figure))
        body.append(h("tr", {}, h("td", {}, spot.series), h("td", {}, withInterval(spot.x, null)), h("td", { class: "number" }, withInterval(spot.y, spot.ci))));
    });
    return details;
  }

  private step(event: KeyboardEvent): void {
    const moves: Record<string, [number, number]> = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    const move = moves[event.key];
    if (event.key === "Escape") this.select(null);
    if (!move) return;
    event.preventDefault();
    const shown = this.figure.series.map((_, i) => i).filter((i) => !this.view.hidden.has(this.figure.series[i]?.name ?? ""));
    if (shown.length === 0) return;
    const at = this.view.selected ?? { series: shown[0] ?? 0, point: -move[1] };
    const place = Math.max(shown.indexOf(at.series), 0) + move[0];
    const series = shown[(place + shown.length) % shown.length] ?? 0;
    const count = spotsOf(this.figure).filter((spot) => spot.index === series).length;
    this.select({ series, point: Math.min(Math.max(at.point + move[1], 0), count - 1) });
  }

  private select(selected: View["selected"]): void {
    this.view.selected = selected;
    const spots = selected ? spotsOf(this.figure).filter((spot) => spot.index === selected.series) : [];
    this.readout.textContent = selected ? (spots[selected.point]?.title.replace(/\n/g, ", ") ?? "") : "";
    this.redraw();
  }

  private extent(): [number, number] {
    const xs = spotsOf(this.figure).map((spot) => Number(spot.x));
    return [Math.min(...xs), Math.max(...xs)];
  }

  private zoomTo(domain: [number, number] | null): void {
    const [low, high] = this.extent();
    this.view.zoom = domain && domain[1] - domain[0] > (high - low) / 1000 ? domain : null;
    this.redraw();
  }

  private zoomBy(factor: number): void {
    const [low, high] = this.extent();
    const [a, b] = this.view.zoom ?? [low, high];
    const middle = (a + b) / 2;
    const half = ((b - a) / 2) * factor;
    const wider: [number, number] = [Math.max(low, middle - half), Math.min(high, middle + half)];
    this.zoomTo(wider[0] <= low && wider[1] >= high ? null : wider);
  }

  private addZoom(): void {
    const button = (label: string, act: () => void) => h("button", { type: "button", click: act }, label);
    this.tools.append(button("Zoom in", () => this.zoomBy(0.5)), button("Zoom out", () => this.zoomBy(2)),
      button("Whole range", () => this.zoomTo(null)), h("span", { class: "hint" }, "or drag across the figure"));
    this.addDrag();
  }

  private addDrag(): void {
    const band = h("div", { class: "band", hidden: true });
    let start: number | null = null;
    const local = (event: PointerEvent) => event.clientX - this.chart.getBoundingClientRect().left;
    this.chart.addEventListener("pointerdown", (event) => {
      start = event.button === 0 ? local(event) : null;
    }, true);  // before Plot, which keeps a press beside a value for itself
    this.chart.addEventListener("pointermove", (event) => {
      if (start === null || Math.abs(local(event) - start) < 6) return;
      if (!band.parentElement) this.chart.append(band);
      band.hidden = false;
      band.style.left = `${Math.min(start, local(event))}px`;
      band.style.width = `${Math.abs(local(event) - start)}px`;
    });
    window.addEventListener("pointerup", (event) => {
      if (start === null) return;
      const [from, to] = [start, local(event)].sort((a, b) => a - b) as [number, number];
      start = null;
      band.hidden = true;
      if (to - from >= 6) this.zoomTo(this.rangeOf(from, to));
    });
  }

  private rangeOf(from: number, to: number): [number, number] | null {
    const svg = this.chart.querySelector("svg") as unknown as { scale(name: string): { invert(value: number): number } } | null;
    if (!svg) return null;
    const invert = svg.scale("x").invert;
    const [low, high] = this.extent();
    return [Math.max(low, invert(from)), Math.min(high, invert(to))];
  }
}

export function figureOf(figure: Figure, plan: Plan, index: number): HTMLElement {
  return new FigureBox(figure, plan, index).element;
}
