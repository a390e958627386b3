import { readReport, type Plan, type Report } from "./data";
import { h, idOf } from "./dom";
import { kSigns } from "./format";
import { overviewOf } from "./overview";
import { planOf } from "./plan";
import "./style.css";
import { startTheme, toggleTheme } from "./theme";

function navigation(report: Report): HTMLElement {
  const groups = new Map<string, Plan[]>();
  for (const plan of report.plans) {
    const group = plan.name.split("_")[0] ?? plan.name;
    groups.set(group, [...(groups.get(group) ?? []), plan]);
  }
  const link = (plan: Plan) => h("li", {}, h("a", { href: `#${idOf("plan", plan.name)}` },
    h("span", { class: "sign", title: plan.verdict, "aria-label": plan.verdict }, kSigns[plan.verdict]), plan.name.split("_").slice(1).join(" ") || plan.name));
  const lists = [...groups].flatMap(([name, plans]) => [h("h2", {}, name), h("ul", {}, ...plans.map(link))]);
  return h("nav", { "aria-label": "Plans" }, h("a", { href: "#overview", class: "home" }, "What holds"), ...lists);
}

function page(report: Report): HTMLElement[] {
  const header = h("header", {}, h("h1", {}, "Fray ", h("span", {}, "results")), h("p", {}, report.program),
    h("button", { type: "button", class: "theme", click: toggleTheme }, "Light or dark"));
  const main = h("main", { id: "main", tabindex: "-1" }, overviewOf(report), ...report.plans.map(planOf));
  return [header, h("div", { class: "columns" }, navigation(report), main)];
}

function start(): void {
  const app = document.getElementById("app");
  if (!app) return;
  startTheme();
  try {
    app.replaceChildren(...page(readReport(document.getElementById("data")?.textContent ?? "")));
  } catch (error) {
    app.replaceChildren(h("p", { class: "problems", role: "alert" }, `The data of this page cannot be read: ${String(error)}`));
  }
}

start();
