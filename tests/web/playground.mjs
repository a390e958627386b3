// Opens the playground in Chromium and plays with it. Run by playground_test.py:
//   node playground.mjs PAGE SETTINGS TRACE [PICTURES]
// TRACE: the hash that the native simulator gives for SETTINGS. Exit code 1 and a line per failure.
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.FRAY_SOURCE_DIR, "web", "package.json"));
const { chromium } = require("playwright-core");
const [page_file, settings, trace, pictures] = process.argv.slice(2);

const failures = [];
const check = (holds, what) => { if (!holds) failures.push(what); };
const browser = await chromium.launch({ executablePath: process.env.FRAY_CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
page.on("console", (message) => message.type() === "error" && failures.push(`console: ${message.text()}`));
page.on("pageerror", (error) => failures.push(`error: ${error.message}`));
page.on("request", (request) => !/^(file|data|blob):/.test(request.url()) && failures.push(`request: ${request.url()}`));

async function open(link) {
  await page.goto("about:blank");
  await page.goto(`file://${page_file}${link}`);
  await page.waitForSelector("canvas");
  await page.locator("#speed").selectOption("8");
}
const virtual_seconds = () => page.evaluate(() => Number(/, (\d+) s/.exec(document.getElementById("pace").textContent)?.[1] ?? 0));
async function run_until(seconds) {
  await page.waitForFunction((least) => Number(/, (\d+) s/.exec(document.getElementById("pace").textContent)?.[1] ?? 0) >= least, seconds, { timeout: 90000 });
  await page.waitForTimeout(700);  // the curves are drawn twice per second
}
const value = async (name) => Number(await page.locator(`output[data-value="${name}"]`).textContent());
const restarted = () => page.evaluate(() => { document.getElementById("pace").textContent = ""; });

// It starts by itself, with a scenario.
await open("");
check((await page.locator(".scenario").count()) === 5, "there are not five scenarios");
await run_until(2);
check(/^\d+ of 150 peers$/.test(await page.locator(".status").textContent()), "the first scenario does not run");

// A link gives the same run as the native simulator.
await open(`#${settings}`);
await page.waitForFunction(() => document.getElementById("trace").textContent !== "–", null, { timeout: 90000 });
const shown = await page.locator("#trace").textContent();
check(shown === trace, `the trace hash is ${shown}, natively ${trace}`);
check((await page.evaluate(() => location.hash)).includes(settings.split("&")[0]), "the link does not carry the settings");

// Less upload: older updates.
await open("#players=40&overlay=mesh&vision=600&upload=512");
await run_until(9);
const young = await value("age");
const many_links = await value("links");
await page.locator("#upload").focus();
await page.keyboard.press("Home");
await restarted();
check((await page.evaluate(() => location.hash)).includes("upload=16&"), "the slider does not change the link");
await run_until(9);
const old = await value("age");
check(young > 0 && old > 2 * young, `less upload gives no older updates: ${young} and ${old} ms`);

// pSense: fewer links.
await open("#players=40&overlay=mesh&vision=150&upload=512");
await page.locator("#overlay-mesh").focus();
await page.keyboard.press("ArrowRight");
check(await page.locator("#overlay-psense").isChecked(), "the arrow keys do not choose an overlay");
await restarted();
await run_until(9);
const few_links = await value("links");
check(many_links === 780 && few_links > 0 && few_links < many_links / 2, `pSense has no fewer links: ${few_links} of ${many_links}`);

// Half of them crash, and the others know each other again.
await page.locator("#crash").press("Enter");
const crashed_at = await virtual_seconds();
await page.waitForFunction(() => /^20 of 40/.test(document.querySelector(".status").textContent), null, { timeout: 30000 });
await run_until(crashed_at + 8);
const known = await value("known");
check(known >= 95, `after the crash only ${known} % in sight are known`);

// With the keyboard a peer is selected, and its costs are shown.
await page.locator("canvas").focus();
await page.keyboard.press("n");
await page.waitForSelector(".peer table tr");
check(/^Peer \d+$/.test(await page.locator(".peer h3").textContent()), "N selects no peer");
check(/kbit\/s/.test(await page.locator(".peer caption").textContent()), "a peer's costs are not shown");
await page.keyboard.press("Escape");
check((await page.locator(".peer h3").count()) === 0, "Escape does not end the selection");
const box = await page.locator("canvas").boundingBox();
let clicked = false;
for (let i = 1; i < 60 && !clicked; ++i) {
  await page.mouse.click(box.x + (box.width * ((i * 37) % 100)) / 100, box.y + (box.height * ((i * 61) % 100)) / 100);
  clicked = (await page.locator(".peer h3").count()) > 0;
}
check(clicked, "a click selects no peer");

// A link with nonsense says what is wrong with it.
await open("#players=9999&overlay=%3Cb%3E");
await page.waitForTimeout(200);
check((await page.locator(".status").textContent()).includes("players must be a whole number between 2 and 200"), "a wrong link is not explained");

if (pictures) {
  for (const [link, name, peers] of [["#players=150&vision=130&upload=512", "playground", 20], ["#players=32&overlay=mesh&vision=600&upload=108&interest=focus&guidance=1&latency=10", "playground_focus", 2]]) {
    await open(link);
    for (let i = 0; i < peers; ++i) await page.keyboard.press("n");
    await page.locator("#speed").selectOption("2");
    await run_until(14);
    await page.screenshot({ path: join(pictures, `${name}.png`) });
  }
}
await open("#players=200&vision=100&upload=512");
await page.locator("#speed").selectOption("1");
await run_until(12);
console.log(`age ${young} and ${old} ms, links ${many_links} and ${few_links}, known ${known} %; 200 peers: ${await page.locator("#pace").textContent()}`);
await browser.close();
failures.forEach((line) => console.log(`FAILED ${line}`));
process.exit(failures.length > 0 ? 1 : 0);
