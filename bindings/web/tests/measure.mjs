// Bytes that an archive and its index take from nginx. Games a second in the browser, beside those of the program on
// one core: compressing, with the check that it includes, and unpacking. Of $PLYZIP_PGN, or of generated games.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  Page, generated, launch, nativeArchive, nativeIndex, pageFolder, plyzip, scratch, scratchFile,
} from "./harness.mjs";
import { isInstalled, nginx } from "./server.mjs";

const source = process.env.PLYZIP_PGN ? readFileSync(process.env.PLYZIP_PGN) : generated(2000);

/** The first games of the source, as a file. */
function first(games) {
  let end = source.indexOf("[Event ");
  for (let game = 0; game < games && end >= 0; game++) end = source.indexOf("\n[Event ", end + 1);
  return scratchFile(`first-${games}.pgn`, end < 0 ? source : source.subarray(0, end + 1));
}

/** Seconds that work takes. */
async function seconds(work) {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

const browser = await launch();
if (isInstalled("nginx")) {
  const folder = join(scratch, "served");
  mkdirSync(folder);
  for (const name of readdirSync(pageFolder)) copyFileSync(join(pageFolder, name), join(folder, name));
  const archive = nativeArchive(scratchFile("all.pgn", source), "none");
  writeFileSync(join(folder, "all.plz"), archive);
  const index = nativeIndex(join(folder, "all.plz"));
  const server = await nginx(folder);
  const page = await Page.open(browser, {}, `${server.origin}/index.html?archive=all.plz`);
  const found = await page.shows("#found", /game/, 300_000);
  const sent = () => server.sent("all.plz") + server.sent("all.plz.idx");
  console.log(`from nginx, of ${archive.length} bytes and an index of ${index.length}:`);
  const steps = [
    [`the list of ${found}`, async () => {}],
    ["then game 4", () => page.openGame(3)],
    ["then the opening tree", async () => {
      await page.view.locator("#show-tree").click();
      await page.shows("#tree-about", /game/, 300_000);
    }],
  ];
  let before = 0;
  for (const [name, step] of steps) {
    await step();
    console.log(`  ${name}: ${sent() - before} bytes`);
    before = sent();
  }
  await page.close();
  server.stop();
}
console.log(`${"model".padEnd(10)} games  browser: compress, unpack  program -T 1: compress, unpack  (games/s)`);
for (const [model, games] of [["none", 2000], ["standard", 100]]) {
  const page = await Page.open(browser);
  const path = first(games);
  await page.drop(path);
  let made;
  await page.view.locator(`#models input[value="${model}"]`).check();
  const compressing = await seconds(async () => {
    await page.view.locator("#compress-button").click();
    await page.view.locator("#save").waitFor({ timeout: 3_600_000 });
  });
  made = (await page.saved("#save")).bytes;
  const found = await page.shows("#found", /game/);
  const number = Number(found.replace(/\D/g, ""));
  const unpacking = await seconds(async () => {
    await page.view.locator("#restore").click();
    await page.view.locator("#save-pgn").waitFor({ timeout: 3_600_000 });
  });
  await page.close();
  const archive = scratchFile(`${model}.plz`, made);
  let native;
  const times = [
    compressing,
    unpacking,
    await seconds(() => (native = plyzip("compress", path, "--model", model, "-q", "-T", "1", "-o", "-"))),
    await seconds(() => plyzip("decompress", archive, "-q", "-T", "1", "-o", "-")),
  ];
  assert.ok(made.equals(native));
  const speeds = times.map((time) => (number / time).toFixed(1).padStart(8));
  console.log(`${model.padEnd(10)} ${String(number).padStart(5)}  ${speeds.join("  ")}`);
}
await browser.close();
