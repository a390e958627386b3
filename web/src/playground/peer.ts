// The selected peer: whom it knows, and what that costs by purpose.

import { h } from "../dom";
import { short } from "../format";
import type { Belief, Link } from "./engine";

const kPurposes: [label: string, hint: string][] = [
  ["updates", "States of its own player."], ["guidance", "Predictions for replicas out of focus."], ["agreement", "Requests to owners."],
  ["overlay", "Who is where: handshakes and the overlay's messages."], ["relay", "Updates of other peers, passed on."], ["events", ""], ["reliable", "Messages that must arrive."],
  ["clock", "Session time."], ["link headers", ""], ["acknowledgements", ""], ["seal", "Room for encryption, 20 bytes per datagram."], ["UDP and IP", "28 bytes per datagram."],
];
const kWindow = 4;  // times shown: costs are rates over the last two seconds before the reader's eyes

export class PeerPanel {
  readonly element = h("section", { class: "peer", "aria-live": "off", "aria-label": "Selected peer" });
  private history: { at: number; bytes: number[] }[] = [];
  private peer = -1;

  show(peer: number, at: number, alive: boolean, bytes: number[], links: Link[], beliefs: Belief[]): void {
    if (peer !== this.peer) this.history = [];
    this.peer = peer;
    if (peer < 0) return this.element.replaceChildren(h("p", { class: "hint" }, "Click a player, or press N, to see what it believes and what that costs."));
    if (!alive) return this.element.replaceChildren(h("h3", {}, `Peer ${peer}`), h("p", {}, "It crashed."));
    this.history = [...this.history.filter((one) => one.at < at).slice(-kWindow), { at, bytes }];
    this.element.replaceChildren(h("h3", {}, `Peer ${peer}`), this.summary(links, beliefs), this.costs());
  }

  private summary(links: Link[], beliefs: Belief[]): HTMLElement {
    const near = links.filter((link) => link.near).length;
    const focus = links.filter((link) => link.focus).length;
    const guided = beliefs.filter((belief) => belief.guided).length;
    const age = beliefs.reduce((sum, belief) => sum + belief.age, 0) / Math.max(beliefs.length, 1);
    return h("p", {}, `${links.length} links: ${near} near, ${links.length - near} beyond sight, ${focus} in focus. `,
      `Its screen shows ${beliefs.length} others, ${guided} of them guided; the newest updates are ${short(age, 3)} ms old.`);
  }

  private costs(): HTMLElement {
    const [first, last] = [this.history[0], this.history.at(-1)];
    if (!first || !last || last.at <= first.at) return h("p", { class: "hint" }, "Measuring.");
    const rate = (i: number): number => (((last.bytes[i] ?? 0) - (first.bytes[i] ?? 0)) * 8) / (last.at - first.at);
    const rates = kPurposes.map(([label, hint], i) => ({ label, hint, kbps: rate(i) })).filter((one) => one.kbps >= 0.05);
    const most = Math.max(...rates.map((one) => one.kbps), 1);
    const rows = rates.sort((a, b) => b.kbps - a.kbps).map((one) => h("tr", { title: one.hint }, h("th", { scope: "row" }, one.label),
      h("td", {}, h("span", { class: "rate", style: `width: ${(100 * one.kbps) / most}%` })), h("td", { class: "number" }, short(one.kbps, 3))));
    const total = rates.reduce((sum, one) => sum + one.kbps, 0);
    return h("table", {}, h("caption", {}, `sends ${short(total, 3)} kbit/s, receives ${short(rate(kPurposes.length), 3)}`), h("tbody", {}, ...rows));
  }
}
