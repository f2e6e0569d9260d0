// The page as a user sees it, against what the program does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  Page, explained, famous, generated, launch, nativeArchive, pageFolder, plyzip, scratchFile,
} from "./harness.mjs";
import { Server } from "./server.mjs";

let browser;
let page;
const sample = readFileSync(famous);

before(async () => {
  browser = await launch();
});
after(() => browser.close());
beforeEach(async () => {
  page = await Page.open(browser);
});
afterEach(async () => {
  const { problems, requests } = page;
  await page.close();
  assert.deepEqual(problems, []);
  assert.deepEqual(requests.filter((url) => !/^(file|blob|data):/.test(url)), []);
});

for (const model of ["none", "standard"]) {
  test(`an archive made with ${model} is the program's, and comes back`, async () => {
    await page.drop(famous);
    await page.shows("#compress-title", /famous\.pgn, 7,850 bytes/);
    const { name, bytes } = await page.compress(model);
    const native = nativeArchive(famous, model);
    assert.equal(name, "famous.pgn.plz");
    assert.ok(bytes.equals(native), `${bytes.length} bytes, and ${native.length} of the program`);
    await page.shows("#found", /^16 games$/);

    // A fresh page knows nothing of it.
    const other = await Page.open(browser);
    await other.drop(scratchFile(`${model}.pgn.plz`, native));
    await other.shows("#figures", new RegExp(`model\\s*${model}|${model}\\s*model`));
    await other.view.locator("#restore").click();
    await other.shows("#said", /All is in order: 16 games, 7,850 bytes/);
    const back = await other.saved("#save-pgn");
    assert.equal(back.name, `${model}.pgn`);
    assert.ok(back.bytes.equals(sample));
    assert.deepEqual(other.problems, []);
    await other.close();
  });

  test(`what moves cost with ${model} is what the program says`, async () => {
    const path = scratchFile(`costs-${model}.plz`, nativeArchive(famous, model));
    const plies = explained(path, 4);
    await page.drop(path);
    await page.shows("#found", /^16 games$/);
    await page.openGame(3);
    const shown = await page.view.locator("#moves button").evaluateAll((buttons) =>
      buttons.map((button) => [button.childNodes[0].textContent, button.querySelector("small").textContent]));
    assert.deepEqual(shown, plies.map((ply) => [ply.move, ply.bits.toFixed(1)]));
    for (const [index, ply] of plies.entries()) {
      await page.view.keyboard.press("ArrowRight");
      const cost = await page.view.locator("#cost").innerText();
      const wanted = ply.legal === 1
        ? "No other move was legal."
        : `${ply.bits.toFixed(2)} bits (expected ${ply.expected_bits.toFixed(2)}): ` +
          `number ${ply.rank + 1} of ${ply.legal} legal moves`;
      assert.equal(cost, wanted, `ply ${index + 1}`);
      const names = await page.view.locator("#likely tr:not(.gap) td:first-child").allInnerTexts();
      assert.deepEqual(names.sort(), [ply.move, ...ply.others.map((other) => other.move)].sort());
      const between = ply.rank - ply.others.length;
      const gaps = await page.view.locator("#likely .gap").allInnerTexts();
      assert.deepEqual(gaps, between > 0 ? [`${between} ${between === 1 ? "move" : "moves"} between`] : []);
    }
  });
}

test("scripts are read right, whichever charset a server names", async () => {
  const server = await Server.start();
  const path = scratchFile("charset.plz", nativeArchive(famous, "standard"));
  for (const charset of ["", "; charset=utf-8", "; charset=windows-1252"]) {
    // Only named files get other headers.
    for (const name of ["plyzip.js", "standard.js"]) server.files.set(name, readFileSync(join(pageFolder, name)));
    server.headers = () => ({ "content-type": `text/javascript${charset}` });
    const served = await Page.open(browser, {}, `${server.origin}/index.html`);
    await served.drop(path);
    await served.shows("#found", /^16 games$/);
    await served.view.locator("#restore").click();
    await served.shows("#said", /All is in order: 16 games, 7,850 bytes/);
    assert.deepEqual(server.log.map(({ name }) => name).sort(), ["plyzip.js", "standard.js"], charset);
    server.log = [];
    assert.deepEqual(served.problems, []);
    await served.close();
  }
  await server.stop();
});

test("bytes of all kinds are the program's", async () => {
  const odd = Buffer.concat([
    Buffer.from(sample.toString().replaceAll("\n", "\r\n")),
    Buffer.from('[Event "\xff\xfe"]\n[White "M\xfcller \\"K\\" <b>"]\n\n1. e4 e5 2. Ke3 Zz9 {open\n\n', "latin1"),
    Buffer.from('[Variant "Chess960"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n'),
    Buffer.from("1. e4 e5 *\n"),
    readFileSync(new URL(import.meta.url)),
  ]);
  for (const [name, bytes] of [["odd.pgn", odd], ["empty.pgn", Buffer.alloc(0)], ["many.pgn", generated(700)]]) {
    const path = scratchFile(name, bytes);
    await page.drop(path);
    await page.shows("#compress-title", new RegExp(name));
    const made = await page.compress("none");
    assert.ok(made.bytes.equals(nativeArchive(path, "none")), name);
    await page.view.locator("#restore").click();
    await page.shows("#said", /All is in order/);
    assert.ok((await page.saved("#save-pgn")).bytes.equals(bytes), name);
  }
});

test("names are text, and never anything else", async () => {
  const name = '<img src=x onerror="document.title=1">';
  const white = name.replaceAll('"', '\\"');
  const pgn = `[Event "<b>"]\n[White "${white}"]\n[Black "M\xfcller"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`;
  const path = scratchFile("names.pgn", Buffer.from(pgn, "latin1"));
  await page.drop(path);
  await page.compress("none");
  await page.shows("#found", /^1 game$/);
  const [[number, one, , other]] = await page.rows();
  assert.deepEqual([number, one, other], ["1", name, "Müller"]);
  await page.openGame(0);
  await page.shows("#players", /<img src=x/);
  assert.equal(await page.view.title(), "plyzip");
});

test("games are searched", async () => {
  await page.drop(scratchFile("search.plz", nativeArchive(famous, "none")));
  await page.shows("#found", /^16 games$/);
  const search = async (fields, found) => {
    await page.view.locator("#search button[type=reset]").click();
    await page.shows("#found", /^16 games$/);
    await page.view.locator("#search details").evaluate((details) => (details.open = true));
    for (const [name, value] of Object.entries(fields)) {
      const field = page.view.locator(`#search [name=${name}]`);
      if (name === "result") await field.selectOption(value);
      else if (name === "negated") await field.check();
      else await field.fill(value);
    }
    await page.view.locator("#search button.main").click();
    await page.shows("#found", found);
    return page.rows();
  };
  const morphy = await search({ player: "morphy" }, / of 16$/);
  assert.ok(morphy.length > 0 && morphy.every((row) => /Morphy/.test(row[1] + row[3])));
  const others = await search({ player: "morphy", negated: true }, / of 16$/);
  assert.equal(others.length, 16 - morphy.length);
  const draws = await search({ result: "1/2-1/2" }, / of 16$/);
  assert.ok(draws.every((row) => row[5] === "½-½"));
  const gambits = await search({ moves: "e4 e5 f4" }, / of 16$/);
  assert.ok(gambits.length > 0 && gambits.some((row) => /Kieseritzky/.test(row[3])));
  await search({ date: "1851", tag: "Site=London" }, /^\d+ games? of 16$/);
  await search({ player: "nobody at all" }, /^0 games of 16$/);
  // A condition that makes no sense is said, and the page goes on.
  await page.view.locator("#search [name=date]").fill("yesterday");
  await page.view.locator("#search button.main").click();
  await page.shows("#error", /date/);
  await search({ player: "anderssen" }, / of 16$/);
});

test("a board is there from the start, and famous games at once", async () => {
  await page.view.locator("#start-board").waitFor({ state: "visible" });
  assert.equal(await page.view.locator("#start-board use").count(), 32);
  await page.view.locator("#famous").click();
  await page.shows("#found", /^16 games$/);
  await page.shows("#players", /Legall/);
  assert.equal(await page.view.locator("#start-board").isVisible(), false);
  await page.view.keyboard.press("End");
  await page.shows("#move", /^7\. Nd5#$/);
  await page.shows("#legend", /1 bit if it had a chance of 1 in 2/);
  const { bytes } = await page.saved("#save");
  assert.ok(bytes.equals(nativeArchive(famous, "none")));
});

test("models say in words what they are", async () => {
  await page.drop(famous);
  assert.match(await page.shows("#models label:has(input[value=none])", /Fast/), /no neural network/);
  assert.match(await page.shows("#models label:has(input[value=standard])", /Dense/), /neural network, 8 MB/);
});

test("the list is sorted by each of its columns", async () => {
  // Beyond the lines that are shown, with cells that are missing.
  const rated = Array.from({ length: 120 }, (_, at) =>
    `[Event "E"]\n[White "${at % 2 ? "b" : "A"}${String((at * 37) % 120).padStart(3, "0")}"]\n[Black "x"]\n` +
    `[Date "${at % 7 ? 1900 + ((at * 11) % 120) : "????"}.??.??"]\n` +
    (at % 5 ? `[WhiteElo "${(at * 53) % 3000}"]\n` : "") + "\n1. e4 *\n\n").join("");
  await page.drop(scratchFile("sorted.plz", nativeArchive(scratchFile("sorted.pgn", rated), "none")));
  await page.shows("#found", /^120 games$/);
  const all = async () => {
    const rows = [];
    await page.view.getByRole("button", { name: "First games" }).click({ force: true }).catch(() => {});
    for (;;) {
      rows.push(...(await page.rows()));
      const next = page.view.getByRole("button", { name: "Games after" });
      if (await next.isDisabled()) return rows;
      await next.click();
      await page.shows("#pager", new RegExp(`^\\D*${rows.length + 1} to`));
    }
  };
  const sort = (cell) => page.view.locator("#table th button").nth(cell).click();
  const order = (cell) => page.view.locator("#table th").nth(cell).getAttribute("aria-sort");
  const isSorted = (values, before) => values.every((value, at) => at === 0 || before(values[at - 1], value));
  await sort(1);
  await page.shows("#table tbody tr:first-child", /A000/);
  assert.equal(await order(1), "ascending");
  const names = (await all()).map((row) => row[1].toLowerCase());
  assert.ok(names.length === 120 && isSorted(names, (one, other) => one <= other));
  await sort(2);
  await page.shows("#pager", /1 to 50/);
  assert.deepEqual([await order(1), await order(2)], [null, "descending"]);
  const ratings = (await all()).map((row) => row[2]);
  const known = ratings.filter(Boolean).map(Number);
  // Numbers and no words, and what has none comes last, in both directions.
  assert.ok(known.length === 96 && isSorted(known, (one, other) => one >= other));
  assert.ok(ratings.slice(96).every((rating) => rating === ""));
  await sort(2);
  await page.shows("#pager", /1 to 50/);
  assert.equal(await order(2), "ascending");
  const upward = (await all()).map((row) => row[2]);
  assert.deepEqual(upward, [...known].reverse().map(String).concat(ratings.slice(96)));
  // A search is sorted, too, and another archive is not.
  await page.view.locator("#search [name=player]").fill("b");
  await page.view.locator("#search button.main").click();
  await page.shows("#found", /^0 games|of 120$/);
  await page.view.locator("#search button[type=reset]").click();
  await page.shows("#found", /^120 games$/);
  assert.deepEqual((await all()).map((row) => row[2]), upward);
  await sort(0);
  await sort(0);
  await page.shows("#table tbody tr:first-child", /^120/);
  await page.drop(scratchFile("other.plz", nativeArchive(famous, "none")));
  await page.shows("#found", /^16 games$/);
  assert.equal((await page.rows())[0][0], "1");
});

test("the opening tree is the program's, and leads to games", async () => {
  const path = scratchFile("tree.plz", nativeArchive(famous, "none"));
  await page.drop(path);
  await page.shows("#found", /^16 games$/);
  await page.view.locator("#show-tree").click();
  const shown = () => page.view.locator("#tree-moves tbody tr").evaluateAll((rows) => rows.map((row) => {
    const share = (name) => row.querySelector(`.${name}`)?.textContent ?? "0 %";
    const cells = [...row.cells].map((cell) => cell.textContent);
    return [cells[0], cells[1], share("white"), share("drawn"), share("black"), cells[3], cells[5]];
  }));
  const lines = [["", 16]];
  // All the way down along the moves that most games go on with.
  for (const moves = []; moves.length < 6;) {
    const words = moves.length ? ["--moves", moves.join(" ")] : [];
    const tree = JSON.parse(plyzip("tree", path, ...words, "--json", "-q").toString());
    const side = moves.length % 2 ? "Black" : "White";
    await page.shows("#tree-about", new RegExp(`^${tree.games} games?, ${side} to move`));
    const percent = (part, all, digits) => `${((100 * part) / all).toFixed(digits)} %`;
    const years = (next) => next.first_year === next.last_year
      ? String(next.first_year ?? "")
      : `${next.first_year}–${next.last_year}`;
    const wanted = tree.next.map((next) => [
      next.move, `${next.games} (${percent(next.games, tree.games, 1)})`, percent(next.white, next.games, 0),
      percent(next.draws, next.games, 0), percent(next.black, next.games, 0), next.score.toFixed(1), years(next),
    ]);
    assert.deepEqual(await shown(), wanted, moves.join(" "));
    moves.push(tree.next[0].move);
    lines.push([moves.join(" "), tree.next[0].games]);
    await page.view.locator("#tree-moves button").first().click();
    await page.shows("#tree-path", new RegExp(`${tree.next[0].move}$`));
  }
  // Back by the path, and to the games.
  await page.view.locator("#tree-path button").nth(2).click();
  await page.shows("#tree-about", new RegExp(`^${lines[2][1]} games?, White`));
  await page.view.locator("#tree-list").click();
  await page.shows("#found", new RegExp(`^${lines[2][1]} games? of 16$`));
  // The tree is that of the list.
  await page.shows("#tree-about", new RegExp(`^${lines[2][1]} games?, White`));
});

test("a game is stepped through by keys and by clicks", async () => {
  await page.drop(scratchFile("step.plz", nativeArchive(famous, "none")));
  await page.shows("#found", /^16 games$/);
  await page.openGame(0);
  const at = () => page.view.locator("#game").getAttribute("data-ply");
  const pieces = () => page.view.locator("#board use").count();
  const keys = async (...names) => {
    for (const name of names) await page.view.keyboard.press(name);
  };
  assert.deepEqual([await at(), await pieces()], ["0", 32]);
  await keys("ArrowRight", "ArrowRight", "ArrowRight");
  await page.shows("#move", /^2\. Nf3$/);
  await keys("ArrowLeft");
  assert.equal(await at(), "2");
  await keys("End", "ArrowRight");
  await page.shows("#move", /^7\. Nd5#$/);
  assert.equal(await at(), "13");
  assert.ok((await pieces()) < 32);
  const place = () => page.view.locator('#board use[href="#piece-k"].white').getAttribute("y");
  const before = await place();
  await keys("f");
  assert.equal(Number(await place()), 7 * 45 - Number(before));
  await keys("f", "ArrowDown");
  const surprising = await page.view.locator("#moves button.surprising").count();
  assert.ok(surprising > 0);
  assert.equal(await page.view.locator("#moves button.surprising[aria-current]").count(), 1);
  await page.view.locator("#moves button").nth(4).click();
  await page.shows("#move", /^3\. Bc4$/);
  await page.view.locator("#curve .place").nth(1).click();
  await page.shows("#move", /^1\.\.\. e5$/);
  // Keys belong to a field while one is typed in.
  await page.view.locator("#search [name=player]").press("ArrowRight");
  assert.equal(await at(), "2");
});

test("what cannot be read is said, and the page goes on", async () => {
  const archive = nativeArchive(famous, "none");
  const damaged = Buffer.from(archive);
  damaged[Math.floor(archive.length / 2)] ^= 4;
  const newer = Buffer.from(archive);
  newer[4] = 99;
  const random = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * at * 31 + 7 * at) % 251));
  const cases = [
    ["random.plz", random, /damaged archive/],
    ["random.bin", random, /neither an archive of plyzip nor PGN/],
    ["cut.plz", archive.subarray(0, archive.length - 9), /damaged archive/],
    ["tail.plz", Buffer.concat([archive, Buffer.from("more")]), /damaged archive/],
    ["empty.plz", Buffer.alloc(0), /damaged archive/],
    ["newer.plz", newer, /unsupported archive/],
    ["games.pgn.gz", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0]), /packed by gzip/],
    ["wrong.onnx", random, /unusable model/],
  ];
  for (const [name, bytes, message] of cases) {
    await page.drop(scratchFile(name, bytes));
    const text = await page.shows("#error", message);
    assert.ok(text.startsWith(`${name}: `), text);
  }
  // The index is whole, and so the list may be: what is damaged is found when all is decoded.
  await page.drop(scratchFile("damaged.plz", damaged));
  await page.view.locator("#archive:not([hidden]), #error:not([hidden])").first().waitFor();
  if (await page.view.locator("#archive").isVisible()) await page.view.locator("#restore").click();
  await page.shows("#error", /^damaged\.plz: damaged archive/);
  await page.drop(scratchFile("sound.plz", archive));
  await page.shows("#found", /^16 games$/);
  assert.equal(await page.view.locator("#error").isVisible(), false);
});

test("work is stopped, the page answers meanwhile, and goes on", async () => {
  const path = scratchFile("long.pgn", generated(3000));
  await page.drop(path);
  await page.view.locator('#models input[value="standard"]').check();
  await page.view.locator("#compress-button").click();
  const progress = page.view.locator("#progress[value]");
  await progress.waitFor({ state: "visible", timeout: 60_000 });
  // The longest time in which the page did not run.
  const longest = await page.view.evaluate(async () => {
    let [longest, last] = [0, performance.now()];
    for (const end = last + 1500; last < end;) {
      await new Promise((resume) => setTimeout(resume, 10));
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }
    return longest;
  });
  assert.ok(longest < 500, `${longest} ms without an answer`);
  const one = Number(await progress.getAttribute("value"));
  await page.view.waitForFunction((one) => document.querySelector("#progress").value > one, one);
  await page.view.locator("#stop").click();
  await page.shows("#said", /Stopped/);
  await page.drop(famous);
  const { bytes } = await page.compress("none");
  assert.ok(bytes.equals(nativeArchive(famous, "none")));
});

test("ten thousand games stay fluent", async () => {
  const pgn = scratchFile("ten-thousand.pgn", generated(10_000));
  await page.drop(scratchFile("ten-thousand.plz", nativeArchive(pgn, "none")));
  await page.shows("#found", /^10,000 games$/);
  assert.equal((await page.rows()).length, 50);
  await page.shows("#pager", /1 to 50 of 10,000/);
  const begun = Date.now();
  await page.view.getByRole("button", { name: "Last games" }).click();
  await page.shows("#pager", /9,951 to 10,000 of 10,000/);
  assert.ok(Date.now() - begun < 1000);
  assert.equal((await page.rows()).at(-1)[0], "10000");
  await page.openGame(49);
  assert.match(await page.view.locator("#about-game").innerText(), /Game 10000;/);
});

const SCREENS = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

for (const [name, viewport] of Object.entries(SCREENS)) {
  for (const colorScheme of ["light", "dark"]) {
    test(`nothing is wider than a ${name}, ${colorScheme}`, async () => {
      const seen = await Page.open(browser, { viewport, colorScheme });
      const shot = async (what) => {
        const width = await seen.view.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(width <= viewport.width, `${what}: ${width}`);
        await seen.shot(`${name}-${colorScheme}-${what}`);
      };
      await shot("empty");
      const board = await seen.view.locator("#start-board").boundingBox();
      assert.ok(board.y + board.height <= viewport.height, "the board is in sight");
      await seen.drop(famous);
      await seen.shows("#compress-title", /famous/);
      await shot("compress");
      await seen.compress("none");
      await seen.shows("#found", /^16 games$/);
      await shot("list");
      await seen.view.locator("#show-tree").click();
      await seen.shows("#tree-about", /16 games/);
      await shot("tree");
      await seen.view.locator("#show-tree").click();
      await seen.openGame(3);
      for (let ply = 0; ply < 31; ply++) await seen.view.keyboard.press("ArrowRight");
      await shot("game");
      await seen.drop(scratchFile("random.plz", Buffer.from("no archive at all")));
      await seen.shows("#error", /damaged/);
      await shot("error");
      assert.deepEqual(seen.problems, []);
      await seen.close();
    });
  }
}
