// One plan: the question, its figures, claims, table and origin.

import type { Claim, Plan } from "./data";
import { h, idOf } from "./dom";
import { figureOf } from "./figure";
import { badge } from "./overview";
import { tableOf } from "./table";

const kKinds: Record<string, string> = { paper: "paper", promise: "promise", aim: "aim" };

function claimRow(claim: Claim): HTMLElement {
  const sign = claim.holds ? "✓ yes" : "✗ no";
  return h("tr", { class: claim.holds ? "held" : "failed" }, h("td", { class: "sign" }, sign), h("td", {}, kKinds[claim.kind] ?? claim.kind),
    h("td", {}, claim.claim), h("td", {}, claim.paper || "–"), h("td", {}, claim.measured || "–"));
}

function claimTable(claims: Claim[], caption: string, isCaptionShown = true): HTMLElement | null {
  if (claims.length === 0) return null;
  const head = ["holds", "of", "claim", "the paper says", "measured"].map((name) => h("th", { scope: "col" }, name));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    h("table", { class: "claims" }, h("caption", { class: isCaptionShown ? "" : "hidden" }, caption), h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...claims.map(claimRow))));
}

function claimsOf(plan: Plan): HTMLElement {
  const failed = plan.claims.filter((claim) => !claim.holds);
  const held = plan.claims.filter((claim) => claim.holds);
  const unchecked = plan.notChecked.length > 0 &&
    h("details", {}, h("summary", {}, `${plan.notChecked.length} claims are not checked in this version (${plan.version})`),
      h("ul", {}, ...plan.notChecked.map((claim) => h("li", {}, claim))));
  return h("div", {}, claimTable(failed, `What does not hold (${failed.length})`),
    held.length > 0 && h("details", { open: held.length <= 12 }, h("summary", {}, `What holds (${held.length})`), claimTable(held, "What holds", false)), unchecked);
}

function copyButton(command: string): HTMLElement {
  const button = h("button", { type: "button" }, "Copy");
  button.addEventListener("click", () => {
    navigator.clipboard?.writeText(command).then(() => (button.textContent = "Copied"), () => (button.textContent = "Not allowed here"));
  });
  return button;
}

function originOf(plan: Plan): HTMLElement {
  const entries = plan.manifest.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]);
  return h("div", { class: "origin" }, h("p", { class: "command" }, h("code", {}, plan.command), copyButton(plan.command)),
    h("details", {}, h("summary", {}, "Where these numbers come from"), h("dl", {}, h("dt", {}, "folder"), h("dd", {}, plan.folder), ...entries)));
}

export function planOf(plan: Plan): HTMLElement {
  return h("section", { id: idOf("plan", plan.name), class: "plan", "data-plan": plan.name, "aria-label": plan.name },
    h("h2", {}, plan.name, " ", badge(plan.verdict), h("span", { class: "version" }, plan.version)),
    h("p", { class: "lead" }, plan.question), h("p", { class: "reason" }, plan.paper),
    plan.figures.length === 0 && h("p", { class: "note" }, "These results describe no figures: an older version of Fray made them."),
    ...plan.figures.map((figure, index) => figureOf(figure, plan, index)),
    h("h3", {}, "Claims"), claimsOf(plan), h("h3", {}, "Table"), tableOf(plan), h("h3", {}, "Repeat it"), originOf(plan));
}
