// plyzip for JavaScript. plyzip.d.ts describes what is exported.

import { read } from "#files";
import { lastPanic, observed } from "./events.js";
import * as glue from "./glue.js";

// Larger archives would leave no memory for the work: WebAssembly has 4 GiB.
const LARGEST_ARCHIVE = 2 ** 30;
// Bytes of an original that are taken at a time.
const CHUNK = 1 << 20;

// The module is one for all who import this file: so are its models.
let loading = null;
let models = null;
let standardFile = new URL("./standard.onnx", import.meta.url);

/** Why the module has stopped, or nothing. */
let broken = null;

export function load({ module = new URL("./plyzip.wasm", import.meta.url), standard } = {}) {
  if (standard) standardFile = standard;
  loading ??= start(module).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function start(source) {
  const module = source instanceof URL || typeof source === "string" ? await fileOf(source) : source;
  await glue.default({ module_or_path: module });
  models = new glue.Models();
}

/** Bytes, or those behind an address. */
async function fileOf(source) {
  return source instanceof URL || typeof source === "string" ? read(new URL(source)) : bytesOf(source);
}

/** Calls the module. After a defect it cannot be used any more, and says so. */
function call(work, onProgress) {
  if (broken) throw broken;
  try {
    return observed(onProgress, work);
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error;
    const text = lastPanic()
      ? `a defect of plyzip, please report it: ${lastPanic()}`
      : "the memory does not suffice, or plyzip has a defect";
    broken = new Error(text, { cause: error });
    throw broken;
  }
}

/** The bytes of what may be text or a file. */
async function bytesOf(source) {
  if (typeof source === "string") return new TextEncoder().encode(source);
  if (source instanceof Uint8Array) return source;
  if (source instanceof ArrayBuffer) return new Uint8Array(source);
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof Blob) return new Uint8Array(await source.arrayBuffer());
  throw new TypeError("bytes, a Blob or a string are wanted");
}

/** The bytes of a source, some at a time. */
async function* pieces(source) {
  if (source instanceof Blob) {
    for (let at = 0; at < source.size; at += CHUNK) yield bytesOf(source.slice(at, at + CHUNK));
  } else if (source?.[Symbol.asyncIterator]) {
    for await (const piece of source) yield bytesOf(piece);
  } else {
    const bytes = await bytesOf(source);
    for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK);
  }
}

/** The bytes of an archive, of which the module can hold all. */
async function archiveOf(source) {
  const size = source?.size ?? source?.byteLength;
  if (size > LARGEST_ARCHIVE) throw new RangeError("archives of more than 1 GiB take the program");
  if (typeof source === "string") throw new TypeError("an archive is no text");
  return bytesOf(source);
}

let standardLoading = null;

/** Has the module know `standard`. */
function loadStandard() {
  standardLoading ??= fileOf(standardFile)
    .then((bytes) => void call(() => models.add(bytes)))
    .catch((error) => {
      standardLoading = null;
      throw error;
    });
  return standardLoading;
}

/** Has the module know the model of this name, if it is one of the package: `standard`, or one made from it. */
async function know(name) {
  if (name === "standard" || name.startsWith("standard@")) await loadStandard();
}

/** Has the module know what an archive was coded with. */
async function knowModelsOf(figures) {
  for (const { name } of figures.models) await know(name);
}

export async function addModel(file) {
  await load();
  const bytes = await bytesOf(file);
  return call(() => models.add(bytes));
}

export async function version() {
  await load();
  return call(() => glue.version());
}

export async function compress(original, { model = "standard", onProgress } = {}) {
  await load();
  await know(model);
  const compressor = call(() => new glue.Compressor(models, model));
  try {
    for await (const piece of pieces(original)) call(() => compressor.push(piece), onProgress);
  } catch (error) {
    if (!broken) compressor.free();
    throw error;
  }
  // Both take what they are called on with them.
  return call(() => compressor.finish().bytes(), onProgress);
}

export async function decompress(archive, { onProgress } = {}) {
  const parts = [];
  for await (const part of blocks(archive, { onProgress })) parts.push(part);
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export async function* blocks(archive, { onProgress } = {}) {
  await load();
  const bytes = await archiveOf(archive);
  const opened = call(() => new glue.Archive(bytes, models));
  const figures = JSON.parse(call(() => opened.figures()));
  opened.free();
  await knowModelsOf(figures);
  const restorer = call(() => new glue.Restorer(bytes, models));
  try {
    for (;;) {
      const block = call(() => restorer.nextBlock(), onProgress);
      if (!block) break;
      yield block;
    }
  } finally {
    if (!broken) restorer.free();
  }
}

export async function open(source) {
  await load();
  const bytes = await archiveOf(source);
  const opened = call(() => new glue.Archive(bytes, models));
  try {
    const figures = JSON.parse(call(() => opened.figures()));
    await knowModelsOf(figures);
    call(() => opened.useModels(models));
    return new Archive(opened, figures);
  } catch (error) {
    if (!broken) opened.free();
    throw error;
  }
}

/** Conditions as the module reads them: a list of names and values. */
function conditionsOf(conditions) {
  const pairs = Object.entries(conditions).flatMap(([name, value]) =>
    [value].flat().filter((one) => one !== undefined && one !== null).map((one) => [name, String(one)]));
  return JSON.stringify(pairs);
}

/** UTF-8, or else Latin-1, as old PGN has it. */
function textOf(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return text;
  }
}

/** A game with its text. */
function gameOf(found) {
  const number = found.number;
  const bytes = found.bytes();
  return { number, bytes, pgn: textOf(bytes) };
}

export class Archive {
  #opened;
  #figures;

  constructor(opened, figures) {
    if (!(opened instanceof glue.Archive)) throw new TypeError("open() makes archives");
    this.#opened = opened;
    this.#figures = figures;
  }

  get figures() {
    return this.#figures;
  }

  get length() {
    return this.#figures.games;
  }

  #checked(number) {
    if (!Number.isInteger(number) || number < 0 || number >= this.length) {
      throw new RangeError(`there is no game ${number}: the archive has ${this.length}, which count from 0 on`);
    }
    return number;
  }

  *list(conditions = {}, { invert = false } = {}) {
    const wanted = conditionsOf(conditions);
    const last = call(() => this.#opened.blocks());
    for (let block = 0; block < last; block++) {
      for (const [number, tags] of JSON.parse(call(() => this.#opened.listedInBlock(block, wanted, invert)))) {
        yield { number, tags: Object.fromEntries(tags) };
      }
    }
  }

  *filter(conditions = {}, { invert = false } = {}) {
    const wanted = conditionsOf(conditions);
    let end = 0;
    for (const { number } of this.list(conditions, { invert })) {
      // The games of a page are decoded together, and come together.
      if (number < end) continue;
      end = call(() => this.#opened.pageOfGame(number))[1];
      const found = call(() => this.#opened.gamesWithin(number, end, wanted, invert));
      for (const game of found) yield gameOf(game);
    }
  }

  game(number) {
    this.#checked(number);
    const [game] = call(() => this.#opened.gamesWithin(number, number + 1, "[]", false));
    return gameOf(game);
  }

  replay(number) {
    this.#checked(number);
    const { costs, ...replay } = JSON.parse(call(() => this.#opened.explain(number)));
    return { ...replay, ...costs, tags: Object.fromEntries(replay.tags) };
  }

  free() {
    this.#opened?.free();
    this.#opened = null;
  }
}

export class GameCodec {
  #codec;

  constructor(codec) {
    if (!(codec instanceof glue.GameCodec)) throw new TypeError("GameCodec.create() makes codecs");
    this.#codec = codec;
  }

  static async create(model = "standard") {
    await load();
    await know(model);
    return new GameCodec(call(() => new glue.GameCodec(models, model)));
  }

  encode(moves, tags = {}) {
    const [line, known] = [JSON.stringify([...moves]), JSON.stringify(Object.entries(tags))];
    return call(() => this.#codec.encode(line, known));
  }

  decode(bytes, tags = {}) {
    return JSON.parse(call(() => this.#codec.decode(bytes, JSON.stringify(Object.entries(tags)))));
  }

  free() {
    this.#codec?.free();
    this.#codec = null;
  }
}
