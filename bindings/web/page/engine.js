"use strict";
// The worker, as the page sees it.

// The digit 0 in the text of a file, and the base of its digits; plyzip-web-script writes them.
const FIRST_LETTER = 0x2030;
const RADIX = 46341;

/** The bytes of a file that a script of the folder holds, 31 bits in two letters: a page from a file may read no files. */
function bytesOfText({ length, text }) {
  const bytes = new Uint8Array(length);
  let pending = 0;
  let count = 0;
  let end = 0;
  const take = (bits, value) => {
    pending = (pending << bits) | value;
    count += bits;
    while (count >= 8 && end < length) {
      count -= 8;
      bytes[end++] = pending >> count;
    }
    pending &= (1 << count) - 1;
  };
  for (let at = 0; at < text.length; at += 2) {
    const value = (text.charCodeAt(at) - FIRST_LETTER) * RADIX + text.charCodeAt(at + 1) - FIRST_LETTER;
    take(16, value >> 15);
    take(15, value & 0x7fff);
  }
  return bytes;
}

/** The work was stopped because the user wanted it so. */
class Stopped extends Error {}

/** A worker with the module in it. `stop` ends whatever it does; the next call starts another one. */
class Engine {
  #worker = null;
  #calls = new Map();
  #last = 0;
  // Models by name, for the next worker.
  #models = new Map();

  /** Hears of progress. */
  onprogress = () => {};

  /** Does `method`; an error says in words what is wrong. */
  async call(method, argument) {
    if (!this.#worker) this.#start();
    return this.#send(method, argument);
  }

  /** Has this and all later workers know a model, from the bytes of its file. Tells its name. */
  async addModel(bytes) {
    const name = await this.call("addModel", bytes);
    this.#models.set(name, bytes);
    return name;
  }

  /** The names of the models that were added. */
  get models() {
    return [...this.#models.keys()];
  }

  /** Whether there is a worker, which has an archive open if one was opened. */
  get isRunning() {
    return this.#worker !== null;
  }

  /** Whether it has calls to answer. */
  get isBusy() {
    return this.#calls.size > 0;
  }

  /** Ends all work. An archive that was open is not any more. */
  stop(reason = new Stopped("stopped")) {
    this.#worker?.terminate();
    this.#worker = null;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(reason);
  }

  #start() {
    const source = new Blob([bytesOfText(PLYZIP.worker)], { type: "text/javascript" });
    const url = URL.createObjectURL(source);
    this.#worker = new Worker(url);
    this.#worker.onmessage = ({ data }) => this.#hear(data);
    this.#worker.onerror = (event) => this.stop(new Error(event.message || "the worker could not be started"));
    const ready = this.#send("start", bytesOfText(PLYZIP.module));
    // Who has called hears of it, too, if the worker fails.
    ready.catch(() => {}).finally(() => URL.revokeObjectURL(url));
    for (const bytes of this.#models.values()) this.#send("addModel", bytes).catch(() => {});
  }

  #send(method, argument) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject });
      this.#worker.postMessage({ id, method, argument });
    });
  }

  #hear({ id, result, error, fatal, progress }) {
    if (progress) {
      this.onprogress(progress);
      return;
    }
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (error === undefined) {
      call?.resolve(result);
      return;
    }
    call?.reject(new Error(error));
    if (fatal) this.stop(new Error(error));
  }
}
