// A figure as an SVG, with Observable Plot. The state of the reader (hidden series, zoom, selected point) comes in.

import * as Plot from "@observablehq/plot";

import type { Cell, Figure, Mark } from "./data";
import { withInterval } from "./format";
import { seriesColor } from "./theme";

export interface View {
  hidden: Set<string>;
  zoom: [number, number] | null;
  selected: { series: number; point: number } | null;
}

export interface Spot {
  x: Cell;
  y: number;
  ci: number | null;
  low: number;
  high: number;
  series: string;
  index: number;
  place: string;
  title: string;
}

export const kSymbols = ["circle", "square", "triangle", "diamond", "star", "cross", "wye", "hexagon"] as const;
const kManyPoints = 60;
const kMostUpright = 8;
const kLongNames = 84;

export const letterOf = (index: number): string => String.fromCharCode(65 + (index % 26));
export const isBar = (figure: Figure): boolean => figure.kind === "bar";
/// Numbers on the x axis, so that the reader may zoom.
export const isNumeric = (figure: Figure): boolean => !figure.categories && !isBar(figure);

function readable(figure: Figure, spot: Omit<Spot, "title" | "place">): string {
  const x = figure.x.label ? `${figure.x.label} ${withInterval(spot.x, null)}` : withInterval(spot.x, null);
  const name = spot.series ? `${spot.series}\n` : "";
  return `${name}${x}\n${figure.y.label} ${withInterval(spot.y, spot.ci)}`;
}

/// All points that can be drawn: on a logarithmic axis only those above 0.
export function spotsOf(figure: Figure): Spot[] {
  const drawable = (spot: { x: Cell; y: number }): boolean => {
    if (figure.y.log && spot.y <= 0) return false;
    if (!isNumeric(figure)) return true;
    return typeof spot.x === "number" && !(figure.x.log && spot.x <= 0);
  };
  return figure.series.flatMap((series, index) =>
    series.points.filter(drawable).map(({ x, y, ci }) => {
      const spot = { x, y, ci, low: y - (ci ?? 0), high: y + (ci ?? 0), series: series.name, index };
      return { ...spot, place: String(x), title: readable(figure, spot) };
    }),
  );
}

function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

const style = (): Partial<CSSStyleDeclaration> => ({
  background: "transparent",
  color: css("--text"),
  fontFamily: css("--words"),
  fontSize: "13px",
  overflow: "visible",
});

const colorScale = (figure: Figure): Plot.ScaleOptions => ({
  domain: figure.series.map((series) => series.name),
  range: figure.series.map((_, index) => seriesColor(index)),
});

/// Not those of a series that this version of the plan does not run.
export function drawableMarks(figure: Figure): Mark[] {
  return figure.marks.filter((mark) => !mark.series || figure.series.some((series) => series.name === mark.series));
}

function visibleMarks(figure: Figure, view: View): Mark[] {
  return drawableMarks(figure).filter((mark) => !view.hidden.has(mark.series));
}

function tip(spots: Spot[], channels: Plot.TipOptions, pointer: typeof Plot.pointer): Plot.Markish {
  const box = { title: "title", maxRadius: 240, fill: css("--surface"), stroke: css("--line"), fontSize: 13, ...channels };
  return Plot.tip(spots, pointer(box as never));
}

/// Beside the line, on the side that has more room; higher for each further place.
function placeLabel(place: Mark, index: number, middle: number, options: Plot.TextOptions): Plot.Markish {
  const isRight = Number(place.x) > middle;
  return Plot.text([place], { x: "x", ...options, frameAnchor: "bottom", textAnchor: isRight ? "end" : "start", dx: isRight ? -6 : 6, dy: -12 - 18 * index });
}

/// Levels, bands and places of the paper across the whole figure.
function paperLines(marks: Mark[], upright: boolean, middle = 0): Plot.Markish[] {
  const color = css("--paper-mark");
  const levels = marks.filter((mark) => mark.y !== null && mark.x === null);
  const bands = marks.filter((mark) => mark.yLow !== null && mark.x === null);
  const places = marks.filter((mark) => mark.y === null && mark.yLow === null && typeof mark.x === "number");
  if (!upright) return [Plot.ruleX(levels, { x: "y", stroke: color, strokeDasharray: "6 4", strokeWidth: 1.5 })];
  const label = { text: "label", fill: color, stroke: css("--surface"), strokeWidth: 5, paintOrder: "stroke" } as Plot.TextOptions;
  return [
    Plot.rect(bands, { y1: "yLow", y2: "yHigh", fill: color, fillOpacity: 0.16 }),
    Plot.ruleY(levels, { y: "y", stroke: color, strokeDasharray: "6 4", strokeWidth: 1.5 }),
    Plot.ruleX(places, { x: "x", stroke: color, strokeDasharray: "2 4", strokeWidth: 1.5 }),
    Plot.text(levels, { y: "y", ...label, frameAnchor: "right", textAnchor: "end", dx: -4, dy: -9 }),
    Plot.text(bands, { y: "yHigh", ...label, frameAnchor: "right", textAnchor: "end", dx: -4, dy: 11 }),
    ...places.map((place, i) => placeLabel(place, i, middle, label)),
  ];
}

/// Points of the paper: hollow diamonds, and thick bars for a range.
function paperPoints(marks: Mark[]): Plot.Markish[] {
  const color = css("--paper-mark");
  const points = marks.filter((mark) => mark.y !== null && mark.x !== null);
  const ranges = marks.filter((mark) => mark.yLow !== null && mark.x !== null);
  const title = (mark: Mark): string => `paper: ${mark.label}`;
  const label = { text: "label", fill: color, stroke: css("--surface"), strokeWidth: 5, paintOrder: "stroke", textAnchor: "start", dx: 11 } as const;
  return [
    Plot.ruleX(ranges, { x: "x", y1: "yLow", y2: "yHigh", stroke: color, strokeWidth: 9, strokeOpacity: 0.4 }),
    Plot.dot(points, { x: "x", y: "y", symbol: "diamond", r: 8, stroke: color, strokeWidth: 2.5, title }),
    Plot.text(points, { x: "x", y: "y", ...label }),
    Plot.text(ranges, { x: "x", y: "yHigh", ...label }),
  ];
}

function selectedSpot(figure: Figure, view: View): Spot[] {
  if (!view.selected) return [];
  const name = figure.series[view.selected.series]?.name;
  const spot = spotsOf(figure).filter((one) => one.series === name)[view.selected.point];
  return spot ? [spot] : [];
}

function lineMarks(figure: Figure, spots: Spot[]): Plot.Markish[] {
  const many = Math.max(...figure.series.map((series) => series.points.length)) > kManyPoints;
  const withInterval = spots.filter((spot) => spot.ci !== null);
  const channels = { x: "x", y: "y", z: "series" };
  const line = Plot.line(spots, { ...channels, stroke: "series", strokeWidth: many ? 1.4 : 2.2 });
  if (many) return [Plot.areaY(withInterval, { x: "x", y1: "low", y2: "high", z: "series", fill: "series", fillOpacity: 0.18 }), line];
  return [
    Plot.ruleX(withInterval, { x: "x", y1: "low", y2: "high", stroke: "series", strokeWidth: 1.6, strokeOpacity: 0.7 }),
    line,
    Plot.dot(spots, { x: "x", y: "y", fill: "series", symbol: "series", r: 4.6 }),
  ];
}

function stepMarks(spots: Spot[]): Plot.Markish[] {
  const channels = { x: "x", z: "series", curve: "step-after" as const };
  return [
    Plot.areaY(spots, { ...channels, y1: 0, y2: "y", fill: "series", fillOpacity: 0.3 }),
    Plot.lineY(spots, { ...channels, y: "y", stroke: "series", strokeWidth: 1.8 }),
    Plot.ruleY([0]),
  ];
}

/// Nothing unless all values are nearly equal: then at least 2 % of them, so that noise does not look like a shape.
function valueDomain(figure: Figure, spots: Spot[], marks: Mark[]): [number, number] | undefined {
  const values = [...spots.flatMap((spot) => [spot.low, spot.high]), ...marks.flatMap((mark) => [mark.y, mark.yLow, mark.yHigh])].filter((one): one is number => one !== null);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = Math.abs(high) * 0.02;
  if (figure.y.log || figure.kind === "step" || values.length === 0 || high - low >= least || least === 0) return undefined;
  return [low - (least - (high - low)) / 2, high + (least - (high - low)) / 2];
}

function numericChart(figure: Figure, view: View, spots: Spot[], width: number): Plot.Plot {
  const zoom = view.zoom;
  const inside = zoom ? spots.filter((spot) => Number(spot.x) >= zoom[0] && Number(spot.x) <= zoom[1]) : spots;
  const marks = visibleMarks(figure, view);
  const selected = selectedSpot(figure, view);
  const xs = inside.map((spot) => Number(spot.x));
  return Plot.plot({
    width,
    height: 380,
    marginLeft: 64,
    marginBottom: 46,
    marginTop: 30,
    style: style() as never,
    x: { label: figure.x.label, type: figure.x.log ? "log" : "linear", domain: zoom ?? undefined, nice: !zoom, labelAnchor: "center", labelArrow: false, ...(figure.x.log ? { ticks: 6, tickFormat: "~s" } : {}) } as never,
    y: { label: figure.y.label, type: figure.y.log ? "log" : "linear", grid: true, nice: true, ticks: 7, labelArrow: false, domain: valueDomain(figure, inside, marks), ...(figure.y.log ? { ticks: 6, tickFormat: "~s" } : {}) } as never,
    color: colorScale(figure),
    symbol: { domain: figure.series.map((series) => series.name), range: figure.series.map((_, i) => kSymbols[i % kSymbols.length]) } as never,
    clip: zoom !== null,
    marks: [
      Plot.frame({ stroke: css("--line") }),
      ...(figure.kind === "step" ? stepMarks(inside) : lineMarks(figure, inside)),
      ...paperLines(marks, true, (Math.min(...xs) + Math.max(...xs)) / 2),
      ...paperPoints(marks),
      Plot.dot(selected, { x: "x", y: "y", r: 10, stroke: css("--text"), strokeWidth: 2 }),
      tip(inside, { x: "x", y: "y" }, Plot.pointer),
    ],
  });
}

function placesOf(spots: Spot[]): string[] {
  return [...new Set(spots.map((spot) => spot.place))];
}

/// Bars side by side, unless the names of their places would overlap.
export function isUpright(figure: Figure): boolean {
  const places = placesOf(spotsOf(figure));
  const letters = places.reduce((sum, place) => sum + place.length + 2, 0);
  return places.length * figure.series.length <= kMostUpright * 5 && places.length <= kMostUpright && letters <= kLongNames;
}

function shortened(place: string): string {
  return place.length > 46 ? `${place.slice(0, 45)}…` : place;
}

function barChart(figure: Figure, view: View, spots: Spot[], width: number): Plot.Plot {
  const upright = isUpright(figure);
  const shown = figure.series.filter((series) => !view.hidden.has(series.name)).map((series) => series.name);
  const places = placesOf(spotsOf(figure));
  const widest = Math.max(...places.map((place) => shortened(place).length));
  const letter = (name: string): string => letterOf(figure.series.findIndex((series) => series.name === name));
  const marks = visibleMarks(figure, view);
  const points = marks.filter((mark) => mark.y !== null && mark.x !== null).map((mark) => ({ ...mark, place: String(mark.x) }));
  const ranges = marks.filter((mark) => mark.yLow !== null && mark.x !== null).map((mark) => ({ ...mark, place: String(mark.x) }));
  // A quantity that is never negative has no interval below 0, whatever its spread.
  const intervals = spots.filter((spot) => spot.ci !== null).map((spot) => ({ ...spot, low: spot.y >= 0 ? Math.max(spot.low, 0) : spot.low }));
  const selected = selectedSpot(figure, view);
  const color = css("--paper-mark");
  const facet = { label: figure.x.label || null, labelOffset: 38, domain: places, padding: 0.12, tickFormat: shortened };
  const group = { label: null, domain: shown, padding: 0.08, tickFormat: letter, axis: figure.series.length > 1 ? undefined : null };
  const value = { label: figure.y.label, grid: true, nice: true, ticks: 7, labelArrow: false, zero: true };
  const common = { width, style: style() as never, color: colorScale(figure), marginTop: figure.x.label ? 52 : 34 };
  const title = (mark: Mark): string => `paper: ${mark.label}`;
  if (upright) {
    return Plot.plot({
      ...common,
      height: 380,
      marginLeft: 64,
      marginBottom: 34,
      fx: facet as never,
      x: group as never,
      y: value as never,
      marks: [
        Plot.barY(spots, { fx: "place", x: "series", y: "y", fill: "series" }),
        Plot.ruleX(intervals, { fx: "place", x: "series", y1: "low", y2: "high", stroke: css("--text"), strokeWidth: 1.5 }),
        ...paperLines(marks, true),
        Plot.ruleY(points.filter((mark) => !mark.series), { fx: "place", y: "y", stroke: color, strokeDasharray: "6 4", strokeWidth: 2, title } as never),
        Plot.ruleX(ranges, { fx: "place", x: "series", y1: "yLow", y2: "yHigh", stroke: color, strokeWidth: 9, strokeOpacity: 0.45 }),
        Plot.dot(points.filter((mark) => mark.series), { fx: "place", x: "series", y: "y", symbol: "diamond", r: 6.5, fill: css("--surface"), stroke: color, strokeWidth: 2.5, title } as never),
        Plot.dot(selected, { fx: "place", x: "series", y: "y", r: 10, stroke: css("--text"), strokeWidth: 2 }),
        Plot.ruleY([0]),
        tip(spots, { fx: "place", x: "series", y: "y" } as never, Plot.pointerX),
      ],
    });
  }
  return Plot.plot({
    ...common,
    height: 70 + places.length * (12 + Math.max(shown.length, 1) * 17),
    marginLeft: figure.series.length > 1 ? 34 : 10,
    marginRight: Math.min(widest * 7.2 + 16, width * 0.45),
    marginBottom: 44,
    fy: { ...facet, label: null } as never,
    y: group as never,
    x: { ...value, labelAnchor: "center" } as never,
    marks: [
      Plot.barX(spots, { fy: "place", y: "series", x: "y", fill: "series" }),
      Plot.ruleY(intervals, { fy: "place", y: "series", x1: "low", x2: "high", stroke: css("--text"), strokeWidth: 1.5 }),
      ...paperLines(marks, false),
      Plot.ruleX(points.filter((mark) => !mark.series), { fy: "place", x: "y", stroke: color, strokeDasharray: "6 4", strokeWidth: 2, title } as never),
      Plot.dot(points.filter((mark) => mark.series), { fy: "place", y: "series", x: "y", symbol: "diamond", r: 6.5, fill: css("--surface"), stroke: color, strokeWidth: 2.5, title } as never),
      Plot.dot(selected, { fy: "place", y: "series", x: "y", r: 9, stroke: css("--text"), strokeWidth: 2 }),
      Plot.ruleX([0]),
      tip(spots, { fy: "place", y: "series", x: "y" } as never, Plot.pointerY),
    ],
  });
}

export function chartOf(figure: Figure, view: View, width: number): Plot.Plot {
  const spots = spotsOf(figure).filter((spot) => !view.hidden.has(spot.series));
  return isNumeric(figure) ? numericChart(figure, view, spots, width) : barChart(figure, view, spots, width);
}

declare module "@observablehq/plot" {
  interface Plot extends SVGSVGElement {
    scale(name: string): { invert?: (value: number) => number; domain: Iterable<unknown> } | undefined;
  }
}
