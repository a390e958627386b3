// What the reader can choose. The limits are those of playground/settings.cpp, which refuses everything else.

export interface Slider { name: string; label: string; unit: string; low: number; high: number; step: number; hint: string }
export interface Choice { name: string; label: string; hint: string; options: [value: string, label: string, hint: string][] }
export type Settings = Record<string, string>;

export const kSliders: Slider[] = [
  { name: "players", label: "Players", unit: "", low: 2, high: 200, step: 1, hint: "Each is a peer of its own: nobody is a server." },
  { name: "vision", label: "Vision range", unit: "units", low: 40, high: 600, step: 10, hint: "How far a player sees. The field is 1000 units wide." },
  { name: "upload", label: "Upload", unit: "kbit/s", low: 16, high: 1024, step: 8, hint: "Of each peer. With less, updates wait or are left out, and what others see is older." },
  { name: "latency", label: "Latency", unit: "ms", low: 0, high: 400, step: 5, hint: "One way, between any two peers." },
  { name: "jitter", label: "Jitter", unit: "ms", low: 0, high: 200, step: 5, hint: "Added to the latency, at random." },
  { name: "loss", label: "Loss", unit: "‰", low: 0, high: 300, step: 5, hint: "Of every thousand datagrams, so many never arrive." },
];

export const kChoices: Choice[] = [
  { name: "overlay", label: "Overlay", hint: "Which peers are linked.", options: [
    ["mesh", "Mesh", "Everybody with everybody: links grow with the square of the players."],
    ["psense", "pSense", "Only with players in sight, and with sensor nodes that tell who comes into sight."]] },
  { name: "interest", label: "Interest", hint: "Which updates go first when the upload is full.", options: [
    ["broadcast", "Broadcast", "All in turn."],
    ["nearest", "Nearest", "To the nearest players first."],
    ["focus", "Focus sets", "Every frame to the players that look at you, the rest now and then."]] },
  { name: "consistency", label: "Consistency", hint: "Which moment of another player the screen shows.", options: [
    ["everquest", "Extrapolate", "The latest update, continued at constant velocity (EverQuest)."],
    ["local_lag", "Local lag", "All screens, also the own one, 100 ms late."],
    ["half_life", "Interpolate", "Others as they were 100 ms ago, between two updates (Half-Life)."],
    ["adaptive", "Adaptive", "Fray's own: a small lag that follows the network, and corrections blended in."]] },
  { name: "relays", label: "Relays", hint: "With pSense: peers pass on updates for senders whose upload is full.", options: [["1", "On", ""], ["0", "Off", ""]] },
  { name: "guidance", label: "Guidance", hint: "With focus sets: replicas out of focus walk to where their owners predict them.", options: [["1", "On", ""], ["0", "Off", ""]] },
];

export const kDefaults: Settings = {
  players: "60", vision: "180", upload: "256", latency: "40", jitter: "5", loss: "10",
  overlay: "psense", interest: "broadcast", consistency: "everquest", relays: "1", guidance: "0", seed: "1",
};

export interface Scenario { name: string; paper: string; says: string; settings: Settings }

export const kScenarios: Scenario[] = [
  { name: "Only those in sight", paper: "pSense", says: "150 players, each linked only with the players it sees and a few sensors. Click one.", settings: { players: "150", vision: "130" } },
  { name: "Everybody with everybody", paper: "the baseline", says: "A mesh of 100 peers has 4,950 links. Their upload is full, so updates are old.", settings: { players: "100", overlay: "mesh", vision: "600", upload: "256" } },
  { name: "Focus on few", paper: "Donnybrook", says: "32 players see each other with 108 kbit/s each. Amber: every frame. The rest is guided.", settings: { players: "32", overlay: "mesh", vision: "600", upload: "108", interest: "focus", guidance: "1", latency: "10" } },
  { name: "A far continent", paper: "Consistency", says: "160 ms one way. Change the consistency and compare the error with the age of what is shown.", settings: { players: "24", vision: "300", latency: "160", jitter: "20", upload: "512" } },
  { name: "Half of them crash", paper: "pSense, section 3.4", says: "200 peers. Press Crash half, and watch the others close the gaps.", settings: { players: "200", vision: "120", upload: "512" } },
];

const kOrder = Object.keys(kDefaults);

/// As in a link. Only names that exist; the library checks the values.
export function toText(settings: Settings): string {
  return kOrder.map((name) => `${name}=${settings[name] ?? kDefaults[name]}`).join("&");
}

export function fromText(text: string): Settings {
  const settings = { ...kDefaults };
  for (const part of text.replace(/^#/, "").split("&")) {
    const [name = "", value = ""] = part.split("=");
    if (name in kDefaults && /^[a-z0-9_]{1,24}$/.test(value)) settings[name] = value;
  }
  return settings;
}
