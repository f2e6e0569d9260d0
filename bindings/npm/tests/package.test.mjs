// The package as somebody has it who installed it, in Node.js, against what the program does.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { GameCodec, addModel, blocks, compress, decompress, open, version } from "plyzip";

const root = process.env.PLYZIP_ROOT;
const famous = join(root, "samples", "famous.pgn");
const sample = readFileSync(famous);
const golden = (name) => readFileSync(join(root, "tests", "archives", "1", `${name}.plz`));
const equal = (found, wanted) => assert.ok(Buffer.from(found).equals(Buffer.from(wanted)));
const described = JSON.parse(readFileSync(join(import.meta.dirname, "node_modules", "plyzip", "package.json")));

test("version and addresses are those of Cargo.toml", async () => {
  const cargo = readFileSync(join(root, "Cargo.toml"), "utf8");
  const of = (name) => cargo.match(new RegExp(`^${name} = "(.*)"$`, "m"))[1];
  assert.equal(await version(), of("version"));
  assert.equal(described.version, of("version"));
  assert.equal(described.license, of("license"));
  assert.equal(described.repository.url, of("repository"));
  assert.equal(described.homepage, of("homepage"));
});

for (const [model, name] of [["none", "famous-none"], ["standard", "famous-standard-2"]]) {
  test(`archives with ${model} are the golden ones, and come back`, async () => {
    let heard = 0;
    const archive = await compress(sample, { model, onProgress: (bytes) => (heard = Math.max(heard, bytes)) });
    equal(archive, golden(name));
    assert.equal(heard, sample.length);
    equal(await decompress(archive), sample);
  });
}

test("originals may be text, files and streams; all bytes come back", async () => {
  const wanted = golden("famous-none");
  const options = { model: "none" };
  equal(await compress(sample.toString("utf8"), options), wanted);
  equal(await compress(new Blob([sample]), options), wanted);
  equal(await compress(createReadStream(famous, { highWaterMark: 777 }), options), wanted);
  equal(await compress(new Uint8Array(sample).buffer, options), wanted);
  const odd = Uint8Array.from({ length: 3000 }, (_, place) => (place * 167) & 255);
  for (const original of [odd, new Uint8Array(0)]) {
    equal(await decompress(await compress(original, options)), original);
  }
  const parts = [];
  for await (const part of blocks(golden("online-pages-none"))) parts.push(part);
  assert.ok(parts.length > 1);
  equal(Buffer.concat(parts), await decompress(golden("online-pages-none")));
});

test("an archive is listed, filtered and replayed", async () => {
  const archive = await open(golden("famous-standard-2"));
  assert.equal(archive.length, 16);
  assert.equal(archive.figures.originalBytes, sample.length);
  const listed = [...archive.list()];
  assert.deepEqual(listed.map(({ number }) => number), [...Array(16).keys()]);
  assert.equal(listed[0].tags.White, "Legall de Kermeur");

  const morphy = [...archive.filter({ player: "morphy" })];
  assert.ok(morphy.length > 0 && morphy.length < 16);
  for (const { number, bytes, pgn } of morphy) {
    assert.match(pgn, /"Morphy/);
    assert.ok(sample.includes(bytes));
    assert.equal(archive.game(number).pgn, pgn);
  }
  const others = [...archive.list({ player: "morphy" }, { invert: true })];
  assert.equal(others.length + morphy.length, 16);
  assert.deepEqual([...archive.list({ player: ["morphy", "nobody"] })], []);
  assert.ok([...archive.list({ moves: "e4 e5" })].length > 3);
  equal(Buffer.concat([...archive.filter()].map(({ bytes }) => bytes)), sample);

  const replay = archive.replay(0);
  assert.equal(replay.model, "standard");
  assert.equal(replay.plies.length, 13);
  assert.equal(replay.tags.White, "Legall de Kermeur");
  assert.equal(replay.plies[0].san, "e4");
  const program = process.env.PLYZIP;
  const path = join(root, "tests", "archives", "1", "famous-standard-2.plz");
  const lines = execFileSync(program, ["explain", path, "--game", "1", "--json"]).toString().trim().split("\n");
  const plies = lines.map((line) => JSON.parse(line)).filter((line) => line.move);
  assert.deepEqual(replay.plies.map(({ san, bits }) => [san, bits.toFixed(3)]),
    plies.map(({ move, bits }) => [move, bits.toFixed(3)]));

  assert.throws(() => archive.game(16), RangeError);
  assert.throws(() => archive.replay(-1), RangeError);
  assert.throws(() => [...archive.list({ date: "soon" })], /date/);
  assert.throws(() => [...archive.list({ colour: "red" })], /no such condition/);
  archive.free();
});

test("single games", async () => {
  // Paul Morphy's game in the Paris opera; the bytes are those of the example in codec/src/game_codec.
  const moves = ("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 " +
    "c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8").split(" ");
  const codec = await GameCodec.create("none");
  const bytes = codec.encode(moves);
  assert.deepEqual([...bytes], [16, 202, 234, 204, 235, 58, 241, 34, 106, 137, 113, 183, 34]);
  assert.deepEqual(codec.decode(bytes), moves);
  const tags = { White: 'A "B" \\ C', WhiteElo: "2700", BlackElo: "2700", Result: "1-0" };
  assert.deepEqual(codec.decode(codec.encode(moves, tags), tags), moves);
  const fen = { FEN: "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", SetUp: "1" };
  assert.deepEqual(codec.decode(codec.encode(["a7a8n"], fen), fen), ["a7a8n"]);
  assert.throws(() => codec.encode(["e2e5"]), /ply 1: e2e5 is illegal/);
  assert.throws(() => codec.decode(bytes.subarray(0, 5)));
  assert.throws(() => codec.decode(new Uint8Array(0)));
  const standard = await GameCodec.create();
  assert.throws(() => standard.decode(bytes));
  assert.deepEqual(standard.decode(standard.encode(moves)), moves);
  codec.free();
});

test("what is wrong is said, and the module goes on", async () => {
  const archive = golden("famous-none");
  for (const wrong of [new Uint8Array(0), sample, archive.subarray(0, archive.length - 9)]) {
    await assert.rejects(decompress(wrong), Error);
    await assert.rejects(open(wrong), Error);
  }
  for (let place = 0; place < archive.length; place += 13) {
    const damaged = Uint8Array.from(archive);
    damaged[place] ^= 0x55;
    await assert.rejects(decompress(damaged), Error);
  }
  await assert.rejects(decompress(golden("game-max")), /max is not at hand|model/);
  await assert.rejects(compress(sample, { model: "nobody" }), /nobody is not at hand/);
  await assert.rejects(addModel(sample), Error);
  await assert.rejects(compress(42), TypeError);
  equal(await decompress(archive), sample);
});

test("a file's model is taken under its name", async () => {
  const file = readFileSync(join(root, "models", "standard.onnx"));
  assert.equal(await addModel(file), "standard");
});
