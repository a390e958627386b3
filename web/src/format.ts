// Numbers and verdicts for a person.

import type { Cell, Verdict } from "./data";

export function short(value: number, digits = 4): string {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (!Number.isFinite(value) || size >= 1e15) return value.toPrecision(3);
  const decimals = Math.min(Math.max(digits - 1 - Math.floor(Math.log10(size)), 0), 6);
  const fixed = value.toFixed(decimals);
  const text = decimals > 0 ? fixed.replace(/\.?0+$/, "") : fixed;
  return text === "0" || text === "-0" ? "~0" : text;
}

/// "1.15 ± 0.02"; without the interval if the digits that are shown hide it.
export function withInterval(value: Cell, ci: number | null): string {
  if (value === null) return "–";
  if (typeof value !== "number") return String(value);
  if (ci === null || ci <= Math.abs(value) * 5e-5) return short(value);
  return `${short(value)} ± ${short(ci, 2)}`;
}

export const kSigns: Record<Verdict, string> = { holds: "✓", "in part": "◐", "does not": "✗", "not run": "–" };
export const kClasses: Record<Verdict, string> = {
  holds: "holds",
  "in part": "part",
  "does not": "fails",
  "not run": "open",
};
