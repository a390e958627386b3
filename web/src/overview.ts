// What holds, at a glance: every figure and table of the papers.

import type { Paper, PaperFigure, Report, Verdict } from "./data";
import { h, idOf } from "./dom";
import { kClasses, kSigns } from "./format";

export function badge(verdict: Verdict): HTMLElement {
  return h("span", { class: `badge ${kClasses[verdict]}` }, h("span", { "aria-hidden": "true" }, `${kSigns[verdict]} `), verdict);
}

function plansOf(figure: PaperFigure, report: Report): HTMLElement {
  const links = figure.plans.map((name) =>
    report.plans.some((plan) => plan.name === name) ? h("a", { href: `#${idOf("plan", name)}` }, name) : h("span", {}, name));
  return h("span", { class: "links" }, ...links);
}

function paperCard(paper: Paper, report: Report): HTMLElement {
  const rows = paper.figures.map((figure) =>
    h("tr", { "data-figure": `${paper.name} ${figure.id}` }, h("th", { scope: "row" }, figure.id), h("td", {}, figure.title,
      figure.reason ? h("span", { class: "reason" }, figure.reason) : "", plansOf(figure, report)), h("td", {}, badge(figure.verdict))));
  return h("section", { class: "paper", "aria-label": paper.name }, h("h3", {}, paper.name), h("p", { class: "reason" }, paper.title),
    h("table", {}, h("tbody", {}, ...rows)));
}

function tally(report: Report, kinds: string[]): [number, number] {
  const claims = report.plans.flatMap((plan) => plan.claims).filter((claim) => kinds.includes(claim.kind));
  return [claims.filter((claim) => claim.holds).length, claims.length];
}

function tile(label: string, [held, all]: [number, number]): HTMLElement {
  const share = all === 0 ? 0 : Math.round((100 * held) / all);
  const bar = h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: `width: ${share}%` }));
  return h("div", { class: "tile" }, h("strong", {}, `${held} of ${all}`), h("span", {}, label), bar);
}

function versions(report: Report): string {
  const counts = new Map<string, number>();
  for (const plan of report.plans) counts.set(plan.version, (counts.get(plan.version) ?? 0) + 1);
  return [...counts].map(([version, count]) => `${count} ${version}`).join(", ");
}

export function overviewOf(report: Report): HTMLElement {
  const problems = report.problems.map((problem) => h("li", {}, problem));
  const quick = report.plans.some((plan) => plan.version === "quick");
  return h("section", { id: "overview", "aria-label": "Overview" }, h("h2", {}, "What holds"),
    h("p", { class: "lead" }, `${report.plans.length} plans with results (${versions(report)}). `,
      quick ? "Quick runs are small: they check fewer claims, with fewer players, rounds and seeds than the papers." : ""),
    problems.length > 0 && h("div", { class: "problems", role: "alert" }, h("strong", {}, "Left out:"), h("ul", {}, ...problems)),
    h("div", { class: "tiles" }, tile("claims of papers hold", tally(report, ["paper"])), tile("promises of Fray are kept", tally(report, ["promise"])),
      tile("aims of Fray are reached", tally(report, ["aim"]))),
    h("h2", {}, "Every figure and table of the four papers"), h("div", { class: "papers" }, ...report.papers.map((paper) => paperCard(paper, report))));
}
