// What fray report writes into the page (lab/report/page_data.cpp). Results may be damaged or hostile: everything is
// read defensively here, and nothing is put into the page as HTML anywhere.

export type Cell = string | number | boolean | null;
export type Verdict = "holds" | "in part" | "does not" | "not run";

export interface Claim {
  claim: string;
  kind: string;
  holds: boolean;
  paper: string;
  measured: string;
  column: string;
}

export interface Point {
  x: Cell;
  y: number;
  ci: number | null;
}

export interface Series {
  name: string;
  points: Point[];
}

export interface Mark {
  x: Cell;
  y: number | null;
  yLow: number | null;
  yHigh: number | null;
  series: string;
  label: string;
}

export interface Axis {
  label: string;
  log: boolean;
}

export interface Figure {
  title: string;
  paper: string;
  note: string;
  kind: string;
  marksFrom: string;
  categories: boolean;
  x: Axis;
  y: Axis;
  series: Series[];
  marks: Mark[];
  problem: string;
}

export interface Plan {
  name: string;
  paper: string;
  question: string;
  version: string;
  verdict: Verdict;
  columns: string[];
  varied: string[];
  show: string[];
  rows: Cell[][];
  rowsInAll: number;
  claims: Claim[];
  notChecked: string[];
  figures: Figure[];
  meanings: Record<string, string>;
  manifest: [string, string][];
  command: string;
  folder: string;
}

export interface PaperFigure {
  id: string;
  title: string;
  verdict: Verdict;
  reason: string;
  plans: string[];
}

export interface Paper {
  name: string;
  title: string;
  figures: PaperFigure[];
}

export interface Report {
  program: string;
  papers: Paper[];
  plans: Plan[];
  problems: string[];
}

type Json = unknown;

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const field = (value: Json, key: string): Json => (isObject(value) ? value[key] : undefined);
const list = (value: Json): Json[] => (Array.isArray(value) ? value : []);
const text = (value: Json): string => (typeof value === "string" ? value : "");
const texts = (value: Json): string[] => list(value).filter((one): one is string => typeof one === "string");
const number = (value: Json): number | null => (typeof value === "number" && Number.isFinite(value) ? value : null);

function cell(value: Json): Cell {
  if (typeof value === "string" || typeof value === "boolean") return value;
  return number(value);
}

function verdict(value: Json): Verdict {
  return value === "holds" || value === "in part" || value === "does not" ? value : "not run";
}

function claim(json: Json): Claim {
  return {
    claim: text(field(json, "claim")),
    kind: text(field(json, "kind")),
    holds: field(json, "holds") === true,
    paper: text(field(json, "paper")),
    measured: text(field(json, "measured")),
    column: text(field(json, "column")),
  };
}

function point(json: Json): Point[] {
  const [x, y, ci] = list(json);
  const value = number(y);
  return value === null ? [] : [{ x: cell(x), y: value, ci: number(ci) }];
}

function series(json: Json): Series {
  return { name: text(field(json, "name")), points: list(field(json, "points")).flatMap(point) };
}

function mark(json: Json): Mark {
  return {
    x: cell(field(json, "x")),
    y: number(field(json, "y")),
    yLow: number(field(json, "y_low")),
    yHigh: number(field(json, "y_high")),
    series: text(field(json, "series")),
    label: text(field(json, "label")),
  };
}

function axis(json: Json): Axis {
  return { label: text(field(json, "label")), log: field(json, "scale") === "log" };
}

function figure(json: Json): Figure {
  return {
    title: text(field(json, "title")),
    paper: text(field(json, "paper")),
    note: text(field(json, "note")),
    kind: text(field(json, "kind")),
    marksFrom: text(field(json, "marks_from")),
    categories: field(json, "categories") === true,
    x: axis(field(json, "x")),
    y: axis(field(json, "y")),
    series: list(field(json, "series")).map(series),
    marks: list(field(json, "marks")).map(mark),
    problem: text(field(json, "problem")),
  };
}

function plan(json: Json): Plan {
  const meanings = field(json, "meanings");
  const manifest = field(json, "manifest");
  return {
    name: text(field(json, "name")),
    paper: text(field(json, "paper")),
    question: text(field(json, "question")),
    version: text(field(json, "version")),
    verdict: verdict(field(json, "verdict")),
    columns: texts(field(json, "columns")),
    varied: texts(field(json, "varied")),
    show: texts(field(json, "show")),
    rows: list(field(json, "rows")).map((row) => list(row).map(cell)),
    rowsInAll: number(field(json, "rows_in_all")) ?? 0,
    claims: list(field(json, "claims")).map(claim),
    notChecked: texts(field(json, "not_checked")),
    figures: list(field(json, "figures")).map(figure),
    meanings: isObject(meanings) ? Object.fromEntries(Object.entries(meanings).map(([k, v]) => [k, text(v)])) : {},
    manifest: isObject(manifest) ? Object.entries(manifest).map(([k, v]) => [k, String(v)]) : [],
    command: text(field(json, "command")),
    folder: text(field(json, "folder")),
  };
}

function paper(json: Json): Paper {
  return {
    name: text(field(json, "name")),
    title: text(field(json, "title")),
    figures: list(field(json, "figures")).map((one) => ({
      id: text(field(one, "id")),
      title: text(field(one, "title")),
      verdict: verdict(field(one, "verdict")),
      reason: text(field(one, "reason")),
      plans: texts(field(one, "plans")),
    })),
  };
}

export function readReport(source: string): Report {
  const json: Json = JSON.parse(source);
  return {
    program: text(field(json, "program")),
    papers: list(field(json, "papers")).map(paper),
    plans: list(field(json, "plans")).map(plan),
    problems: texts(field(json, "problems")),
  };
}
