// Light and dark: as the system has it, unless the reader chooses.

type Listener = () => void;
const listeners: Listener[] = [];
const system = window.matchMedia("(prefers-color-scheme: dark)");
let chosen: boolean | null = null;
let isPrinting = false;  // paper is light

export const isDark = (): boolean => !isPrinting && (chosen ?? system.matches);

function apply(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const listener of listeners) listener();
}

export function onThemeChange(listener: Listener): void {
  listeners.push(listener);
}

export function toggleTheme(): void {
  chosen = !isDark();
  apply();
}

export function startTheme(): void {
  system.addEventListener("change", apply);
  for (const [name, prints] of [["beforeprint", true], ["afterprint", false]] as const)
    window.addEventListener(name, () => {
      isPrinting = prints;
      apply();
    });
  apply();
}

/// The players' colours of the game, darker on light paper, in an order that keeps neighbours apart.
const kDarkPalette = ["#5B92E5", "#E07F2E", "#3FAE5A", "#CF68C6", "#C79A00", "#00A5C8", "#E5645A", "#9B7BE6", "#8EAA1F", "#E05F97", "#00AE9A", "#9AA5B1"];
const kLightPalette = ["#2F66BA", "#B4570A", "#23803C", "#A03F98", "#8A6A00", "#00738C", "#BF3B31", "#6B4BBF", "#5F7510", "#B43A70", "#007A6C", "#566270"];

export function seriesColor(index: number): string {
  const palette = isDark() ? kDarkPalette : kLightPalette;
  return palette[index % palette.length] ?? "#888";
}
