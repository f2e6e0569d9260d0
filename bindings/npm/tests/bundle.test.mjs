// The package in a bundle of esbuild: in Node.js, and in a browser if there is one.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const root = process.env.PLYZIP_ROOT;
const installed = join(import.meta.dirname, "node_modules", "plyzip");
const scratch = mkdtempSync(join(tmpdir(), "plyzip-npm-"));
after(() => rmSync(scratch, { recursive: true }));

/** What the bundle does: the sizes of archives of a text, and whether it came back. */
const entry = join(import.meta.dirname, "entry.mjs");
writeFileSync(entry, `
  import { GameCodec, compress, decompress, open } from "plyzip";
  export async function use(text) {
    const sizes = {};
    for (const model of ["none", "standard"]) {
      const archive = await compress(text, { model });
      sizes[model] = archive.length;
      const back = new TextDecoder().decode(await decompress(archive));
      if (back !== text) throw new Error("another text came back");
      const opened = await open(archive);
      sizes.games = [...opened.list({ player: "morphy" })].length;
    }
    sizes.game = (await GameCodec.create("none")).encode(["e2e4"]).length;
    return sizes;
  }
`);

const text = readFileSync(join(root, "samples", "famous.pgn"), "utf8");
const wanted = JSON.parse(execFileSync(process.execPath, ["--input-type=module", "--eval", `
  const { use } = await import(${JSON.stringify(entry)});
  console.log(JSON.stringify(await use(${JSON.stringify(text)})));
`]));
const golden = (name) => readFileSync(join(root, "tests", "archives", "1", `famous-${name}.plz`)).length;

/** A bundle in a folder of its own, with the files beside it. */
async function bundled(platform) {
  const folder = mkdtempSync(join(scratch, `${platform}-`));
  const outfile = join(folder, "bundle.mjs");
  const { warnings } = await build({
    entryPoints: [entry], bundle: true, format: "esm", minify: true, platform, outfile, logLevel: "silent",
  });
  assert.deepEqual(warnings, []);
  for (const file of ["plyzip.wasm", "standard.onnx"]) copyFileSync(join(installed, file), join(folder, file));
  return folder;
}

test("without a bundle, the sizes are those of the golden archives", () => {
  assert.deepEqual([wanted.none, wanted.standard], [golden("none"), golden("standard-2")]);
});

test("a bundle for Node.js", async () => {
  const { use } = await import(join(await bundled("node"), "bundle.mjs"));
  assert.deepEqual(await use(text), wanted);
});

const program = process.env.CHROMIUM ?? "/usr/bin/chromium";
test("a bundle for browsers", { skip: !existsSync(program) && "no Chromium" }, async () => {
  const folder = await bundled("browser");
  const types = { html: "text/html", mjs: "text/javascript", wasm: "application/wasm" };
  const server = createServer(({ url }, answer) => {
    const name = basename(new URL(url, "http://localhost").pathname) || "page.html";
    const path = join(folder, name);
    const body = name === "page.html" ? "<!doctype html><title>plyzip</title>" : existsSync(path) && readFileSync(path);
    const type = types[name.split(".").pop()] ?? "application/octet-stream";
    answer.writeHead(body === false ? 404 : 200, { "content-type": type });
    answer.end(body || "");
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const browser = await chromium.launch({
    executablePath: program, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [],
  });
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(`http://127.0.0.1:${server.address().port}/page.html`);
    const found = await page.evaluate(async (pgn) => (await import("/bundle.mjs")).use(pgn), text);
    assert.deepEqual(found, wanted);
  } finally {
    await browser.close();
    server.close();
  }
});
