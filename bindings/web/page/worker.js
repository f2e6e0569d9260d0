"use strict";
// Does the work, in a thread of its own. The page sends { id, method, argument }, and gets { id, result } or
// { id, error, fatal } back, and { progress } in between. build.sh puts the glue of wasm-bindgen, gzip.js and
// address.js in front of this.

// Bytes of a file that are pushed at a time.
const CHUNK = 1 << 20;
// Milliseconds between two reports.
const REPORT_EVERY = 100;
// Larger archives would leave no memory for the work: WebAssembly has 4 GiB.
const LARGEST_ARCHIVE = 2 ** 30;
const TOO_LARGE = "archives of more than 1 GiB take the program, not a browser";

// Until the module is compiled, calls wait.
let ready = null;
let models = null;
let archive = null;
// The list that was asked for last; an earlier one is given up.
let latestList = 0;
let panic = "";
let reported = 0;
// Plies that the present counter had before this call, and has by now.
let pliesBefore = 0;
let pliesSeen = 0;

/** Called by the module while it codes: bytes of the original that are done, and plies that its counter has. */
function plyzipProgress(originalBytes, counted) {
  // Another counter.
  if (counted < pliesSeen) pliesBefore = 0;
  pliesSeen = counted;
  const plies = counted - pliesBefore;
  const now = performance.now();
  if (now - reported < REPORT_EVERY) return;
  reported = now;
  postMessage({ progress: { originalBytes, plies } });
}

/** Called by the module before it stops because of a defect. */
function plyzipPanic(message) {
  panic = message;
}

/** The bytes of a file of which a module can hold all. */
async function bytesOf(file) {
  if (file.size > LARGEST_ARCHIVE) throw new Error(TOO_LARGE);
  return new Uint8Array(await file.arrayBuffer());
}

/** Lets messages be heard. */
const pause = () => new Promise((resume) => setTimeout(resume));

const drop = () => {
  latestList++;
  archive?.free();
  archive = null;
};

const METHODS = {
  /** Compiles the module, from bytes that gzip has packed. */
  async start(packed) {
    await wasm_bindgen({ module_or_path: await unpacked(packed) });
    models = new wasm_bindgen.Models();
    return wasm_bindgen.version();
  },

  /** Takes a model's file, which may be packed as .lzma, and tells its name. */
  addModel(bytes) {
    const name = models.add(bytes);
    archive?.useModels(models);
    return name;
  },

  /** Opens an archive, from a file or from an address, and tells its figures, and what an address gave. */
  async open({ file, address }) {
    drop();
    if (file) {
      archive = new wasm_bindgen.Archive(await bytesOf(file), models);
      return JSON.parse(archive.figures());
    }
    const { number, length, head, bytes } = await openAddress(address, LARGEST_ARCHIVE);
    archive = bytes
      ? new wasm_bindgen.Archive(bytes, models)
      : wasm_bindgen.Archive.atAddress(number, length, head, models);
    return { ...JSON.parse(archive.figures()), hasRanges: !bytes, fetched: AddressedFile.fetched };
  },

  /** Looks for an index of moves; tells how many games it has, and what is wrong with it. */
  async openIndex({ file, address }) {
    if (file) {
      archive.useIndex(await bytesOf(file), models);
    } else {
      // An index is never needed: whatever is wrong with it, the page does without.
      let opened;
      try {
        opened = await openAddress(address, LARGEST_ARCHIVE);
      } catch (error) {
        return { games: 0, fault: error.message };
      }
      const { number, length, head, bytes } = opened;
      if (bytes) archive.useIndex(bytes, models);
      else archive.useIndexAt(number, length, head, models);
    }
    return METHODS.index();
  },

  /** How many games have their moves in an index that is sound as far as anyone has seen, and what is wrong with it. */
  index() {
    return { games: archive.indexedGames(), fault: archive.indexFault() ?? null };
  },

  /** Closes the archive. */
  close: drop,

  /** Lists the games that meet conditions; tells how many they are, and false if another list was asked for. */
  async list({ conditions, negated }) {
    const list = ++latestList;
    archive.beginList(JSON.stringify(conditions), negated);
    let rows = 0;
    const blocks = archive.blocks();
    for (let block = 0; block < blocks; block++) {
      rows = archive.listBlock(block);
      postMessage({ progress: { rows, share: (block + 1) / blocks } });
      await pause();
      if (list !== latestList) return false;
    }
    return rows;
  },

  /** Lines of the list. */
  rows({ begin, end }) {
    return JSON.parse(archive.rows(begin, end));
  },

  /** Sorts the list by a cell, counted from the number of the game on. */
  sort({ cell, descending }) {
    archive.sort(cell, descending);
  },

  /** Counts the first moves of the games of the list; false if another list was asked for. */
  async growTree() {
    const list = latestList;
    archive.beginTree();
    const blocks = archive.blocks();
    let games = 0;
    for (let block = 0; block < blocks; block++) {
      games = archive.treeBlock(block);
      postMessage({ progress: { share: (block + 1) / blocks } });
      await pause();
      if (list !== latestList) return false;
    }
    return games;
  },

  /** A place in the tree, behind moves as UCI writes them. */
  tree(moves) {
    return JSON.parse(archive.tree(moves.join(" ")) ?? "null");
  },

  /** A game without what its moves cost. */
  game(number) {
    return JSON.parse(archive.game(number));
  },

  /** How many games have to be decoded before one can be shown. */
  awaited(game) {
    return archive.awaited(game);
  },

  /** A game with what its moves cost. */
  explain(game) {
    return JSON.parse(archive.explain(game));
  },

  /** Makes an archive of a file. */
  async compress({ file, model }) {
    drop();
    const compressor = new wasm_bindgen.Compressor(models, model);
    for (let at = 0; at < file.size; at += CHUNK) {
      compressor.push(new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()));
    }
    const compressed = compressor.finish();
    const figures = JSON.parse(compressed.figures());
    return { figures, blob: new Blob([compressed.bytes()], { type: "application/octet-stream" }) };
  },

  /** Decodes the whole archive, and checks it. */
  restore() {
    if (JSON.parse(archive.figures()).archiveBytes > LARGEST_ARCHIVE) throw new Error(TOO_LARGE);
    const restorer = new wasm_bindgen.Restorer(archive.bytes(), models);
    try {
      const parts = [];
      for (let part = restorer.nextBlock(); part; part = restorer.nextBlock()) parts.push(new Blob([part]));
      return { figures: JSON.parse(restorer.figures()), blob: new Blob(parts, { type: "application/x-chess-pgn" }) };
    } finally {
      restorer.free();
    }
  },
};

/** What is told of an error; after a fatal one the module cannot be used any more. */
function told(error) {
  if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) {
    return { error: String(error?.message ?? error), fatal: false };
  }
  const text = panic
    ? `a defect of plyzip, please report it: ${panic}`
    : "the memory that a browser gives does not suffice, or plyzip has a defect";
  return { error: text, fatal: true };
}

onmessage = async ({ data: { id, method, argument } }) => {
  pliesBefore = pliesSeen;
  try {
    if (method === "start") ready = METHODS.start(argument);
    const version = await ready;
    postMessage({ id, result: method === "start" ? version : await METHODS[method](argument) });
  } catch (error) {
    postMessage({ id, ...told(error) });
  }
};
