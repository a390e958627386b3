// Opens a page of fray report in Chromium and checks what a reader sees and does. Run by report_page_test.py:
//   node report_page.mjs PAGE RESULTS [PICTURES]
// RESULTS: the folder that the page was made from, to compare values with. Exit code 1 and a line per failure.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.FRAY_SOURCE_DIR, "web", "package.json"));
const { chromium } = require("playwright-core");
const [page_file, results, pictures] = process.argv.slice(2);

const failures = [];
const checks = { figures: 0, values: 0, texts: 0 };
function check(holds, what) {
  if (!holds) failures.push(what);
}

const noise = [];
const browser = await chromium.launch({ executablePath: process.env.FRAY_CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1360, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
page.on("console", (message) => message.type() === "error" && noise.push(`console: ${message.text()}`));
page.on("pageerror", (error) => noise.push(`error: ${error.message}`));
page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && noise.push(`request: ${request.url()}`));
page.on("dialog", (dialog) => { noise.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
await page.goto(`file://${page_file}`);
await page.waitForSelector("main");

/// The values that are drawn, read back from the geometry: [value on the value axis], in the order of the drawing.
function drawnValues(figure) {
  const svg = figure.querySelector(".chart svg");
  if (!svg) return null;
  const all = (label, element) => [...svg.querySelectorAll(`g[aria-label="${label}"] ${element}`)];
  const near = (scale, at) => svg.scale(scale).invert(at);
  const bars = all("bar", "rect");
  if (bars.length > 0) {
    const upright = svg.scale("fx") !== undefined;
    const zero = svg.scale(upright ? "y" : "x").apply(0);
    return bars.map((bar) => {
      const box = ["x", "y", "width", "height"].map((name) => Number(bar.getAttribute(name)));
      const [from, to] = upright ? [box[1], box[1] + box[3]] : [box[0], box[0] + box[2]];
      return near(upright ? "y" : "x", Math.abs(from - zero) > Math.abs(to - zero) ? from : to);
    });
  }
  const dots = all("dot", "path[transform], circle[cy]").filter((dot) => dot.getAttribute("stroke") === null && dot.parentElement.getAttribute("stroke") === null);
  const height = (dot) => Number(dot.getAttribute("cy") ?? /,\s*([-\d.e]+)\)/.exec(dot.getAttribute("transform"))[1]);
  if (dots.length > 0) return dots.map((dot) => near("y", height(dot)));
  const lines = all("line", "path");
  return lines.flatMap((line) => line.getAttribute("d").split(/[ML]/).filter((part) => part).map((part) => near("y", Number(part.split(",")[1]))));
}

const folders = readdirSync(results, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map((entry) => entry.name);
const read = (folder) => { try { return JSON.parse(readFileSync(join(results, folder, "result.json"), "utf8")); } catch { return null; } };
// A hostile result is on the page, too, but only sound ones have values to compare.
const plans = folders.map(read).filter((plan) => plan?.figures?.every && /^[a-z0-9_]+$/.test(plan.plan));
check(plans.length > 0, "no result has figures");

for (const plan of plans) {
  for (const [index, figure] of plan.figures.entries()) {
    const name = `${plan.plan}, figure ${index + 1}`;
    const box = page.locator(`figure[data-plan="${plan.plan}"][data-index="${index}"]`);
    check((await box.count()) === 1, `${name} is not on the page`);
    if ((await box.count()) !== 1) continue;
    if (figure.problem) {
      check((await box.textContent()).includes(`Not drawn: ${figure.problem}`), `${name} does not say why it is not drawn`);
      continue;
    }
    await box.scrollIntoViewIfNeeded();
    await box.locator(".chart svg").first().waitFor({ timeout: 5000 }).catch(() => check(false, `${name} is not drawn`));
    checks.figures += 1;
    if (figure.kind === "step") continue;  // an area: the values are compared below, as text
    const isDrawable = ([x, y]) => typeof y === "number" && (figure.y.scale !== "log" || y > 0) && (figure.kind === "bar" || figure.categories || (typeof x === "number" && (figure.x.scale !== "log" || x > 0)));
    const wanted = figure.series.flatMap((series) => series.points.filter(isDrawable).map((point) => point[1]));
    const drawn = await box.evaluate(drawnValues);
    const range = Math.max(...wanted.map(Math.abs), 1e-9);
    const sorted = [[...wanted], [...(drawn ?? [])]].map((list) => list.sort((a, b) => a - b));
    check(sorted[0].length === sorted[1].length, `${name}: ${sorted[1].length} values are drawn, ${sorted[0].length} are in result.json`);
    const worst = Math.max(0, ...sorted[0].map((value, i) => Math.abs(value - sorted[1][i]) / range));
    check(worst < 0.01, `${name}: a value is drawn ${(100 * worst).toFixed(1)} % off`);
    checks.values += wanted.length;
  }
}

// Every figure and table of the papers has a verdict.
const verdicts = await page.locator("tr[data-figure] .badge").allTextContents();
check(verdicts.length === 30, `${verdicts.length} figures and tables are listed, 30 were expected`);
check(verdicts.every((text) => /holds|in part|does not|not run/.test(text)), "a figure has no verdict");

// Values as text.
const first = page.locator("figure:has(.chart svg)").first();
await first.locator("summary").click();
const shown = await first.locator("details tbody tr").count();
check(shown > 0, "the values of a figure are not listed");

// Series on and off.
const several = page.locator("figure:has(.legend button):has(.chart svg)").first();
const marks = () => several.evaluate((figure) => figure.querySelectorAll('.chart g[aria-label="dot"] path, .chart g[aria-label="dot"] circle, .chart g[aria-label="bar"] rect, .chart g[aria-label="line"] path').length);
const before = await marks();
await several.locator(".legend button").first().click();
check((await several.locator(".legend button").first().getAttribute("aria-pressed")) === "false", "a hidden series is not marked as hidden");
check((await marks()) < before, "a hidden series is still drawn");
await several.locator(".legend button").first().press("Enter");
check((await marks()) === before, "a series that is shown again is not drawn");

// Zoom, with the keyboard and by dragging.
const zoomed = page.locator("figure:has(.tools button):has(.chart svg)").first();
const domain = () => zoomed.evaluate((figure) => { const [a, b] = figure.querySelector(".chart svg").scale("x").domain; return b - a; });
const whole = await domain();
await zoomed.getByRole("button", { name: "Zoom in" }).press("Enter");
check((await domain()) < whole * 0.7, "Zoom in does not narrow the x axis");
await zoomed.getByRole("button", { name: "Whole range" }).press("Enter");
check(Math.abs((await domain()) - whole) < 1e-6 * whole, "Whole range does not restore the x axis");
await zoomed.locator(".chart").evaluate((chart) => chart.scrollIntoView({ block: "center", behavior: "instant" }));
const area = await zoomed.locator(".chart svg").boundingBox();
await page.mouse.move(area.x + area.width * 0.3, area.y + 150);
await page.mouse.down();
await page.mouse.move(area.x + area.width * 0.6, area.y + 160, { steps: 5 });
await page.mouse.up();
check((await domain()) < whole * 0.7, "dragging does not zoom");
await zoomed.getByRole("button", { name: "Whole range" }).click();

// The keyboard goes from value to value; the pointer shows one.
const chart = first.locator(".chart");
await chart.focus();
await page.keyboard.press("ArrowRight");
const one = await first.locator(".readout").textContent();
await page.keyboard.press("ArrowRight");
const two = await first.locator(".readout").textContent();
check(one.length > 3 && two.length > 3 && one !== two, `the arrow keys do not go from value to value: "${one}", "${two}"`);
const place = await first.locator(".chart svg").boundingBox();
await page.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
await page.waitForTimeout(100);
check((await first.locator('g[aria-label="tip"] text').count()) > 0, "the pointer shows no value");

// The table sorts.
const table = page.locator(".table-place").first();
const column = table.locator("th button").nth(await table.locator("th").count() - 1);
const index = (await table.locator("th").count()) - 1;
const cells = async () => (await table.locator(`tbody tr td:nth-child(${index + 1})`).allTextContents()).map((text) => parseFloat(text)).filter((value) => !Number.isNaN(value));
await column.focus();
await page.keyboard.press("Enter");
const up = await cells();
check(up.length > 1 && up.every((value, i) => i === 0 || up[i - 1] <= value), `the table does not sort: ${up.slice(0, 8)}`);
check((await table.locator("th").nth(index).getAttribute("aria-sort")) === "ascending", "the sorted column is not marked");
await page.keyboard.press("Enter");
const down = await cells();
check(down.every((value, i) => i === 0 || down[i - 1] >= value), "the table does not sort the other way");

// Contrast of all texts, in both themes (WCAG AA).
function poorContrast() {
  const parse = (color) => (color.match(/[\d.]+/g) ?? []).map(Number);
  const unit = (color) => (color.startsWith("color(") ? parse(color).map((c, i) => (i < 3 ? c * 255 : c)) : parse(color));
  const over = (top, below) => { const a = top[3] ?? 1; return [0, 1, 2].map((i) => top[i] * a + below[i] * (1 - a)); };
  const background = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(unit(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255]);
  };
  const luminance = (color) => color.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const poor = [];
  let count = 0;
  for (const element of document.querySelectorAll("body *")) {
    if (element.closest("svg") || element.classList.contains("skip") || !element.offsetParent || element.closest("header")) continue;
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own) continue;
    const [a, b] = [luminance(unit(getComputedStyle(element).color)), luminance(background(element))].sort((x, y) => y - x);
    count += 1;
    if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(`${element.tagName}.${element.className} "${element.textContent.trim().slice(0, 30)}" ${((a + 0.05) / (b + 0.05)).toFixed(2)}`);
  }
  return { count, poor: [...new Set(poor)].slice(0, 5) };
}
for (const theme of ["light", "dark"]) {
  const { count, poor } = await page.evaluate(poorContrast);
  checks.texts += count;
  check(count > 100, `${theme}: only ${count} texts were looked at`);
  check(poor.length === 0, `${theme}: too little contrast: ${poor.join("; ")}`);
  if (theme === "light") await page.getByRole("button", { name: "Light or dark" }).press("Enter");
}
const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
check((await theme()) === "dark", "the button does not switch to dark");
await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
check((await theme()) === "light", "a dark page is printed dark");
await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
check((await theme()) === "dark", "after printing the page is not dark again");

if (pictures) {
  mkdirSync(pictures, { recursive: true });
  const top = () => page.evaluate(() => { window.scrollTo(0, 0); document.activeElement?.blur(); });
  await top();
  await page.screenshot({ path: join(pictures, "report_dark.png") });
  await page.getByRole("button", { name: "Light or dark" }).click();
  await top();
  await page.screenshot({ path: join(pictures, "report.png") });
  for (const [plan, index, name] of [["psense_scalability", 0, "psense"], ["consistency_table", 1, "consistency"], ["time_warp_behaviour", 0, "time_warp"]]) {
    const figure = page.locator(`figure[data-plan="${plan}"][data-index="${index}"]`);
    if ((await figure.count()) === 0) continue;
    await figure.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    await figure.screenshot({ path: join(pictures, `report_${name}.png`) });
  }
}

noise.forEach((line) => failures.push(line));
await browser.close();
check(checks.figures > 0 && checks.values > 0, "nothing was compared");
console.log(`${plans.length} plans, ${checks.figures} figures, ${checks.values} drawn values, ${checks.texts} texts`);
failures.forEach((line) => console.log(`FAILED ${line}`));
process.exit(failures.length > 0 ? 1 : 0);
