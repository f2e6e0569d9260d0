// Archives at addresses: what is fetched of them, what their indexes save, and all that a network can do wrong.

import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  Page, famous, generated, launch, nativeArchive, nativeIndex, pageFolder, plyzip, scratch, scratchFile,
} from "./harness.mjs";
import { Server, isInstalled, nginx, python } from "./server.mjs";

const GAMES = 1500;
// What their list may take. `ci/web.sh measure` tells what real games take.
const MOST_OF_LIST = 30_000;

let browser;
let server;
const pages = [];
const many = { path: "", archive: null, index: null };
const few = { path: "", archive: null, index: null };

before(async () => {
  browser = await launch();
  many.path = scratchFile("many.plz", nativeArchive(scratchFile("many.pgn", generated(GAMES)), "none"));
  few.path = scratchFile("few.plz", nativeArchive(famous, "standard"));
  for (const archive of [many, few]) {
    archive.index = nativeIndex(archive.path);
    archive.archive = readFileSync(archive.path);
  }
});
after(() => browser.close());
beforeEach(async () => {
  server = await Server.start();
  server.files.set("many.plz", many.archive);
  server.files.set("few.plz", few.archive);
});
afterEach(async () => {
  for (const page of pages.splice(0)) {
    await page.close();
    // That a request has failed is told by the browser whatever the page does about it.
    assert.deepEqual(page.problems.filter((text) => !/Failed to load resource|CORS policy/.test(text)), []);
  }
  await server.stop();
});

/** The page, which opens the archive at an address. */
async function open(address, origin = server.origin) {
  const page = await Page.open(browser, {}, `${origin}/index.html?archive=${encodeURIComponent(address)}`);
  pages.push(page);
  return page;
}

const fetched = async (page) => {
  const fact = await page.shows("#figures div", /bytes loaded/);
  return Number(fact.replace(/\D/g, ""));
};
const asksForModel = (page) => page.requests.some((url) => /standard/.test(url));

/** Searches; the text that says how many games were found. */
async function search(page, fields) {
  await page.view.locator("#search details").evaluate((details) => (details.open = true));
  for (const [name, value] of Object.entries(fields)) await page.view.locator(`#search [name=${name}]`).fill(value);
  await page.view.locator("#search button.main").click();
  return page.shows("#found", / of /);
}

test("a list takes a small part of the archive", async () => {
  const page = await open("many.plz");
  await page.shows("#found", /^1,500 games$/);
  const bytes = server.sent("many.plz");
  assert.ok(bytes < MOST_OF_LIST && bytes < many.archive.length / 2, `${bytes} of ${many.archive.length} bytes`);
  assert.equal(await fetched(page), bytes);
  assert.equal(server.log.filter(({ name }) => name !== "many.plz").length, 0);
  assert.ok(server.log.every(({ range }) => range));
  const dropped = await Page.open(browser);
  pages.push(dropped);
  await dropped.drop(many.path);
  await dropped.shows("#found", /^1,500 games$/);
  assert.deepEqual(await page.rows(), await dropped.rows());

  // What was fetched is there. A game takes its page, and nothing is fetched twice.
  const [[, player]] = await page.rows();
  assert.doesNotMatch(await search(page, { player }), /^0 games/);
  assert.equal(server.sent("many.plz"), bytes);
  await page.openGame(0);
  const more = server.sent("many.plz") - bytes;
  assert.ok(more > 0 && more < 30_000, `${more} bytes for a game`);
  const ranges = server.log.filter(({ name }) => name === "many.plz").map(({ range }) => range);
  ranges.sort(([one], [other]) => one - other);
  for (let at = 1; at < ranges.length; at++) assert.ok(ranges[at - 1][1] <= ranges[at][0], String(ranges));
  // All of it can still be had.
  await page.view.locator("#restore").click();
  await page.shows("#said", /All is in order: 1,500 games/, 300_000);
  assert.ok(server.sent("many.plz") <= many.archive.length + 16_384);
});

test("an index beside the archive is read by ranges, and answers", async () => {
  server.files.set("many.plz.idx", many.index);
  const page = await open("many.plz");
  await page.shows("#found", /^1,500 games$/);
  assert.equal(server.sent("many.plz.idx"), 0);
  const count = Number(plyzip("extract", many.path, "--moves", "e4 e5 f4", "--count", "-q"));
  const before = server.sent("many.plz");
  assert.match(await search(page, { moves: "e4 e5 f4" }), new RegExp(`^${count.toLocaleString("en")} games of 1,500$`));
  // From the index alone: no page was fetched.
  assert.equal(server.sent("many.plz"), before);
  assert.ok(server.sent("many.plz.idx") > 0);
  await page.shows("#figures div", /index\s*yes|yes\s*index/);
});

test("with an index, games are found and shown without the model", async () => {
  server.files.set("few.plz.idx", few.index);
  const page = await open("few.plz");
  await page.shows("#found", /^16 games$/);
  const count = plyzip("extract", few.path, "--moves", "e4 e5 f4", "--count", "-q").toString().trim();
  assert.match(await search(page, { moves: "e4 e5 f4" }), new RegExp(`^${count} games? of 16$`));
  await page.view.locator("#search button[type=reset]").click();
  await page.shows("#found", /^16 games$/);
  await page.openGame(3);
  const moves = () => page.view.locator("#moves button").evaluateAll((buttons) =>
    buttons.map((button) => button.childNodes[0].textContent));
  const without = await moves();
  assert.ok(without.length > 20);
  assert.equal(await page.view.locator("#moves small").count(), 0);
  assert.equal(await page.view.locator("#curve").isVisible(), false);
  assert.equal(asksForModel(page), false);
  // What the moves cost takes the model, and the game stays where it is.
  for (let ply = 0; ply < 5; ply++) await page.view.keyboard.press("ArrowRight");
  await page.view.locator("#explain").click();
  await page.view.locator("#moves small").first().waitFor({ timeout: 120_000 });
  assert.ok(asksForModel(page));
  assert.deepEqual(await moves(), without);
  assert.equal(await page.view.locator("#game").getAttribute("data-ply"), "5");
  await page.shows("#cost", /bits/);
});

test("an index that is damaged, stale or of another archive is passed over", async () => {
  const damaged = Buffer.from(few.index);
  for (let at = 5; at < 60; at++) damaged[at] ^= 0x55;
  const indexes = { damaged, cut: few.index.subarray(0, 40), stale: many.index, none: Buffer.from("no index at all") };
  const count = plyzip("extract", few.path, "--moves", "e4 e5 f4", "--count", "-q").toString().trim();
  for (const [name, index] of Object.entries(indexes)) {
    server.files.set("few.plz.idx", index);
    const page = await open("few.plz");
    await page.shows("#found", /^16 games$/);
    assert.match(await search(page, { moves: "e4 e5 f4" }), new RegExp(`^${count} games? of 16$`), name);
    assert.ok(server.log.some((entry) => entry.name === "few.plz.idx"));
    assert.ok(asksForModel(page), name);
    assert.equal(await page.view.locator("#error").isVisible(), false, name);
  }
});

test("an index is dropped with its archive, or behind it", async () => {
  const page = await Page.open(browser);
  pages.push(page);
  await page.drop(few.path, `${few.path}.idx`);
  await page.shows("#found", /^16 games$/);
  await page.openGame(0);
  await page.shows("#ask-costs", /What did each move cost/);
  const other = await Page.open(browser);
  pages.push(other);
  await other.drop(few.path);
  await other.shows("#found", /^16 games$/);
  await other.drop(`${few.path}.idx`);
  await other.shows("#found", /^16 games$/);
  await other.openGame(0);
  await other.shows("#ask-costs", /What did each move cost/);
  assert.equal(asksForModel(other), false);
});

test("without ranges, all of the file is loaded, and this is said", async () => {
  server.ranges = false;
  const page = await open("many.plz");
  await page.shows("#said", /The server serves no ranges, so that all of many\.plz was loaded/);
  await page.shows("#found", /^1,500 games$/);
  assert.equal(server.sent("many.plz"), many.archive.length);
  assert.equal(server.log.filter(({ name }) => name === "many.plz").length, 1);
});

test("what goes wrong at first is said", async () => {
  const other = await Server.start();
  other.files.set("many.plz", many.archive);
  server.files.set("empty.plz", Buffer.alloc(0));
  server.files.set("text.plz", Buffer.from("no archive at all".repeat(2000)));
  const answer = (status) => (request, response) => Boolean(response.writeHead(status).end("no"));
  const cases = [
    ["missing.plz", null, /^missing\.plz: the server has no such file \(status 404\)/],
    ["many.plz", answer(403), /does not give this file to everybody \(status 403\)/],
    ["many.plz", answer(503), /fails at the moment, try again later \(status 503\)/],
    ["many.plz", answer(418), /answers with status 418/],
    ["many.plz", (request) => Boolean(request.socket.destroy()), /cannot be reached, or has cut the connection/],
    ["empty.plz", null, /damaged archive/],
    ["text.plz", null, /damaged archive/],
    // Another site, which does not permit it, and a port where nobody listens.
    [`${other.origin}/many.plz`, null, /127\.0\.0\.1:\d+ cannot be reached.*\(CORS\)/],
    ["http://127.0.0.1:9/many.plz", null, /127\.0\.0\.1:9 cannot be reached/],
    ["data:text/plain,x", null, /may read no other files/],
  ];
  for (const [address, fault, message] of cases) {
    server.fault = fault ?? (() => false);
    const page = await open(address);
    await page.shows("#error", message);
    // The page goes on.
    await page.drop(few.path);
    await page.shows("#found", /^16 games$/);
  }
  // Another site that permits it, and keeps all headers to itself but these.
  other.headers = () => ({ "access-control-allow-origin": "*" });
  other.log.length = 0;
  const page = await open(`${other.origin}/many.plz`);
  await page.shows("#found", /^1,500 games$/);
  assert.ok(other.sent("many.plz") < MOST_OF_LIST);
  assert.deepEqual(page.problems, []);
  await other.stop();
});

test("a page from a file says that it may read no others", async () => {
  const page = await Page.open(browser, {}, `${pathToFileURL(join(pageFolder, "index.html")).href}?archive=many.plz`);
  pages.push(page);
  await page.shows("#error", /many\.plz: a page that was opened from a file may read no other files/);
});

test("what goes wrong later is said, and what was cut is fetched again", async () => {
  const begin = async () => {
    server.fault = () => false;
    const page = await open("many.plz");
    await page.shows("#found", /^1,500 games$/);
    return page;
  };
  const cut = (request, response, [begin, end]) => {
    const range = `bytes ${begin}-${end - 1}/${many.archive.length}`;
    const headers = { "content-length": end - begin, "content-range": range };
    response.writeHead(206, headers);
    response.write(many.archive.subarray(begin, begin + 100), () => request.socket.destroy());
    return true;
  };
  // Once is forgiven.
  let page = await begin();
  let cuts = 0;
  server.fault = (...what) => cuts++ === 0 && cut(...what);
  await page.openGame(0);
  assert.ok(cuts > 1);

  const other = Buffer.concat([many.archive, many.archive]);
  const changed = Buffer.from(many.archive);
  changed[changed.length - 40] ^= 1;
  const cases = [
    [() => (server.fault = cut), /cut the connection|connection was cut/],
    [() => (server.fault = (_, response) => Boolean(response.writeHead(404).end())), /no such file \(status 404\)/],
    [() => (server.ranges = false), /sent all of the file where a range was asked for/],
    [() => server.files.set("many.plz", other), /the file has changed on the server/],
    [() => server.files.set("many.plz", changed), /the file has changed on the server/],
    [() => server.files.set("many.plz", changed.subarray(0, 3)), /the file has changed on the server/],
    [() => (server.headers = () => ({ "content-range": "bytes 5-6/7" })), /changed on the server|another range/],
  ];
  for (const [spoil, message] of cases) {
    page = await begin();
    spoil();
    await page.view.locator("#table tbody tr").nth(0).locator("button").click();
    const text = await page.shows("#error", message);
    assert.match(text, /^many\.plz: /);
    // It goes on when the server does.
    server.ranges = true;
    server.headers = () => ({});
    server.files.set("many.plz", many.archive);
    server.fault = () => false;
    await page.openGame(0);
  }
});

test("without an address, the page connects to nothing", async () => {
  const other = await Server.start();
  other.files.set("many.plz", many.archive);
  other.headers = () => ({ "access-control-allow-origin": "*" });
  const page = await Page.open(browser, {}, `${server.origin}/index.html`);
  const reach = (address) => page.view.evaluate((address) => fetch(address).then(() => true, () => false), address);
  assert.equal(await reach(`${other.origin}/many.plz`), false);
  assert.equal(other.log.length, 0);
  await page.close();
  await other.stop();
});

/** A folder with the page and the archives, for a real server. */
function published() {
  const folder = join(scratch, "published");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(pageFolder)) copyFileSync(join(pageFolder, name), join(folder, name));
  writeFileSync(join(folder, "many.plz"), many.archive);
  writeFileSync(join(folder, "many.plz.idx"), many.index);
  return folder;
}

test("nginx: a list by ranges", { skip: !isInstalled("nginx") && "nginx is not installed" }, async () => {
  const real = await nginx(published());
  try {
    const page = await open("many.plz", real.origin);
    await page.shows("#found", /^1,500 games$/);
    const bytes = await fetched(page);
    assert.ok(bytes < MOST_OF_LIST, `${bytes} bytes`);
    await page.openGame(49);
    await page.shows("#players", /./);
    assert.equal(real.sent("many.plz") + real.sent("many.plz.idx"), await fetched(page));
  } finally {
    real.stop();
  }
});

test("a server without ranges: the whole file", { skip: !isInstalled("python3") && "no Python" }, async () => {
  const real = await python(published());
  try {
    const page = await open("many.plz", real.origin);
    await page.shows("#said", /The server serves no ranges/);
    await page.shows("#found", /^1,500 games$/);
    await page.openGame(49);
  } finally {
    real.stop();
  }
});

const example = process.env.PLYZIP_EXAMPLE;
test("the example of the library reads ranges, too", { skip: !example && "$PLYZIP_EXAMPLE is not set" }, async () => {
  const run = (...words) => new Promise((resume) => {
    execFile(example, words, { maxBuffer: 1 << 26 }, (error, out, told) => resume({ error, out, told }));
  });
  server.files.set("few.plz.idx", few.index);
  const list = await run(`${server.origin}/many.plz`);
  assert.equal(list.out.trim().split("\n").length, GAMES);
  assert.match(list.told, new RegExp(`^${server.sent("many.plz")} bytes fetched`));
  assert.ok(server.sent("many.plz") < MOST_OF_LIST);
  const game = await run(`${server.origin}/few.plz`, "4");
  assert.equal(game.out, plyzip("extract", few.path, "--games", "4", "-o", "-", "-q").toString());
  server.ranges = false;
  assert.match((await run(`${server.origin}/many.plz`)).told, /serves no ranges/);
});
