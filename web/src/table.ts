// The rows of a plan, sortable by every column.

import { h } from "./dom";
import type { Cell, Plan } from "./data";
import { withInterval } from "./format";

const kFirstRows = 60;
const kInterval = "_ci95";

interface Column {
  name: string;
  index: number;
  interval: number;
}

function columnsOf(plan: Plan, all: boolean): Column[] {
  const wanted = all || plan.show.length === 0 ? plan.columns : [...plan.varied, ...plan.show];
  const names = [...new Set(wanted)].filter((name) => plan.columns.includes(name) && !name.endsWith(kInterval));
  return names.map((name) => ({
    name,
    index: plan.columns.indexOf(name),
    interval: plan.columns.indexOf(name + kInterval),
  }));
}

/// Numbers before texts, nothing last.
function compare(a: Cell, b: Cell): number {
  const rank = (value: Cell): number => (value === null ? 2 : typeof value === "number" ? 0 : 1);
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b));
}

function cellOf(row: Cell[], column: Column): HTMLTableCellElement {
  const value = row[column.index] ?? null;
  const ci = row[column.interval];
  const shown = withInterval(value, typeof ci === "number" ? ci : null);
  return h("td", { class: typeof value === "number" ? "number" : "" }, shown);
}

export function tableOf(plan: Plan): HTMLElement {
  let all = false;
  let sortedBy = -1;
  let descending = false;
  let limit = kFirstRows;
  const place = h("div", { class: "table-place" });

  function sortedRows(): Cell[][] {
    if (sortedBy < 0) return plan.rows;
    const sign = descending ? -1 : 1;
    return [...plan.rows].sort((a, b) => sign * compare(a[sortedBy] ?? null, b[sortedBy] ?? null));
  }

  function header(column: Column): HTMLElement {
    const state = sortedBy !== column.index ? "none" : descending ? "descending" : "ascending";
    const sign = state === "none" ? "" : descending ? " ▼" : " ▲";
    const sort = () => {
      descending = sortedBy === column.index && !descending;
      sortedBy = column.index;
      draw(column.index);
    };
    const button = h("button", { type: "button", click: sort, "data-column": String(column.index), title: plan.meanings[column.name] ?? "" });
    column.name.split("_").forEach((part, i) => {
      if (i > 0) button.append("_", h("wbr"));
      button.append(part);
    });
    button.append(sign);
    return h("th", { "aria-sort": state, scope: "col" }, button);
  }

  function more(): HTMLElement | null {
    if (plan.rows.length <= limit) return null;
    const show = () => {
      limit = plan.rows.length;
      draw();
    };
    return h("button", { type: "button", click: show }, `Show all ${plan.rows.length} rows`);
  }

  function draw(focus = -1): void {
    const columns = columnsOf(plan, all);
    const head = h("tr", {}, ...columns.map(header));
    const body = h("tbody", {}, ...sortedRows().slice(0, limit).map((row) => h("tr", {}, ...columns.map((one) => cellOf(row, one)))));
    const toggle = () => {
      all = !all;
      draw();
    };
    const scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table of ${plan.name}` },
      h("table", {}, h("thead", {}, head), body));
    const cut = plan.rowsInAll > plan.rows.length &&
      h("p", { class: "note" }, `The first ${plan.rows.length} of ${plan.rowsInAll} rows; all of them are in rows.csv.`);
    place.replaceChildren(scroll, h("p", { class: "tools" },
      h("button", { type: "button", click: toggle }, all ? "Only the main columns" : `All ${columnsOf(plan, true).length} columns`), more()), cut || "");
    if (focus >= 0) place.querySelector<HTMLElement>(`[data-column="${focus}"]`)?.focus();
  }

  draw();
  return place;
}
