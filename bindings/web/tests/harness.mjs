// The page in a browser, and the program to compare it with.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const named = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`$${name} is not set; ci/web.sh runs the tests`);
  return value;
};

export const root = named("PLYZIP_ROOT");
export const pageFolder = named("PLYZIP_PAGE");
export const shots = named("PLYZIP_SHOTS");
export const famous = join(root, "samples", "famous.pgn");
const program = named("PLYZIP");

export const scratch = mkdtempSync(join(tmpdir(), "plyzip-web-"));

/** What the program prints. */
export const plyzip = (...words) => execFileSync(program, words, { maxBuffer: 1 << 28 });

/** A file in the scratch folder; its path. */
export function scratchFile(name, bytes) {
  const path = join(scratch, name);
  writeFileSync(path, bytes);
  return path;
}

/** The archive that the program makes of a file. */
export const nativeArchive = (path, model) =>
  plyzip("compress", path, "--model", model, "--quiet", "-T", "1", "-o", "-");

/** The index that the program makes of an archive in a file. */
export function nativeIndex(path) {
  plyzip("index", path, "--quiet", "-T", "1");
  return readFileSync(`${path}.idx`);
}

/** So many games, from those of the sample and random ones. */
export function generated(games) {
  const script = join(root, "tests", "portability", "games.awk");
  const options = { maxBuffer: 1 << 28, env: { ...process.env, LC_ALL: "C" } };
  return execFileSync("awk", ["-v", `games=${games}`, "-f", script, famous], options);
}

/** The moves of a game as `plyzip explain --json` has them. */
export function explained(path, game) {
  const lines = plyzip("explain", path, "--game", String(game), "--json").toString().trim().split("\n");
  return lines.map((line) => JSON.parse(line)).filter((line) => line.move);
}

/** Starts a browser without a window. */
export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });

/** A page opened from the folder, without a network, or at an address. */
export class Page {
  /** Opens it; `options` are those of a context of playwright. */
  static async open(browser, options = {}, address = null) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    await context.setOffline(address === null);
    const page = new Page();
    page.context = context;
    page.view = await context.newPage();
    page.problems = [];
    page.requests = [];
    page.view.on("pageerror", (error) => page.problems.push(String(error)));
    page.view.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) page.problems.push(message.text());
    });
    page.view.on("request", (request) => page.requests.push(request.url()));
    await page.view.goto(address ?? pathToFileURL(join(pageFolder, "index.html")).href);
    page.devtools = await context.newCDPSession(page.view);
    return page;
  }

  close() {
    return this.context.close();
  }

  /** Drops files from the disk onto the page, as a hand would. */
  async drop(...files) {
    const data = { items: [], files, dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await this.devtools.send("Input.dispatchDragEvent", { type, x: 200, y: 160, data });
    }
  }

  /** Waits until an element shows text that matches. */
  async shows(selector, pattern, timeout = 60_000) {
    const wanted = this.view.locator(selector).filter({ hasText: pattern });
    await wanted.first().waitFor({ state: "visible", timeout });
    return wanted.first().innerText();
  }

  /** Compresses the file that was dropped; the bytes that the page gives to save. */
  async compress(model, timeout = 300_000) {
    await this.view.locator(`#models input[value="${model}"]`).check();
    await this.view.locator("#compress-button").click();
    await this.view.locator("#save").waitFor({ state: "visible", timeout });
    return this.saved("#save");
  }

  /** The bytes behind a link. */
  async saved(selector) {
    const [download] = await Promise.all([
      this.view.waitForEvent("download"),
      this.view.locator(selector).click(),
    ]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  }

  /** Opens the game on this line of the list. */
  async openGame(line, timeout = 120_000) {
    await this.view.locator("#table tbody tr").nth(line).locator("button").click();
    await this.view.locator("#game").waitFor({ state: "visible", timeout });
  }

  /** The lines of the list: their texts, cell by cell. */
  rows() {
    return this.view.locator("#table tbody tr").evaluateAll((rows) =>
      rows.map((row) => [...row.cells].map((cell) => cell.textContent)));
  }

  async shot(name) {
    await this.view.screenshot({ path: join(shots, `${name}.png`) });
  }
}
