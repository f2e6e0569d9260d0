"use strict";
// Files at addresses, in the worker: their ranges are fetched when the module asks for them. build.sh puts this behind
// the glue of wasm-bindgen and in front of worker.js.

// Bytes that the first request asks for. They tell what the file is, and an archive's list begins with them.
const HEAD = 8192;
// Milliseconds that a server may take for a range.
const ANSWER_WITHIN = 60_000;
// A range is asked for again if the connection was cut.
const ATTEMPTS = 2;

/** The connection failed; another attempt may do. */
class Cut extends Error {}

/** What is said of a connection that failed: a browser does not tell why. */
function unreachable(address) {
  const { origin, host } = new URL(address);
  return origin === self.origin
    ? "the server cannot be reached, or has cut the connection"
    : `${host} cannot be reached, has cut the connection, or does not permit other sites to read the file (CORS)`;
}

/** What is said of an answer without the file. */
function refusal(status) {
  if (status === 404 || status === 410) return `the server has no such file (status ${status})`;
  if (status === 401 || status === 403) return `the server does not give this file to everybody (status ${status})`;
  if (status === 429 || status >= 500) return `the server fails at the moment, try again later (status ${status})`;
  return `the server answers with status ${status}, and not with the file`;
}

/** The numbers of `Content-Range: bytes 0-99/1000`; null if the server does not tell. */
function contentRange(header) {
  const [, begin, end, length] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(header ?? "") ?? [];
  return length === undefined ? null : { begin: Number(begin), end: Number(end) + 1, length: Number(length) };
}

/** A file whose server serves ranges. */
class AddressedFile {
  /** Bytes that have come so far, of all files. */
  static fetched = 0;

  /** `version` tells this file from others that the address may have later. */
  constructor(address, length, version) {
    this.address = address;
    this.length = length;
    this.version = version;
  }

  /** Bytes `begin` to before `end`; waits for them. */
  range(begin, end) {
    for (let attempt = 1; ; attempt++) {
      try {
        return this.#attempt(begin, end);
      } catch (error) {
        if (!(error instanceof Cut) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  // The module reads as from a file, so that this has to wait: in a worker it holds up nobody else.
  #attempt(begin, end) {
    const request = new XMLHttpRequest();
    request.open("GET", this.address, false);
    request.responseType = "arraybuffer";
    request.timeout = ANSWER_WITHIN;
    request.setRequestHeader("Range", `bytes=${begin}-${end - 1}`);
    try {
      request.send();
    } catch (error) {
      if (error.name === "TimeoutError") throw new Error(`no answer within ${ANSWER_WITHIN / 1000} seconds`);
      throw new Cut(unreachable(this.address));
    }
    // Unlike getResponseHeader, this is silent about headers that another site keeps to itself.
    const headers = new Map();
    for (const line of request.getAllResponseHeaders().split("\r\n")) {
      const colon = line.indexOf(":");
      if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
    }
    const bytes = new Uint8Array(request.response ?? new ArrayBuffer(0));
    AddressedFile.fetched += bytes.length;
    postMessage({ progress: { fetched: AddressedFile.fetched } });
    // Another file has another length, and its end may be where none is any more.
    const { status } = request;
    const range = contentRange(headers.get("content-range"));
    const hasChanged = status === 416 || (range && range.length !== this.length) ||
      ([200, 206].includes(status) && this.version.some(([name, value]) => headers.get(name) !== value));
    if (hasChanged) throw new Error("the file has changed on the server since it was opened: load this page again");
    if (status === 200) throw new Error("the server has sent all of the file where a range was asked for");
    if (status !== 206) throw new Error(refusal(status));
    if (range && (range.begin !== begin || range.end !== end)) {
      throw new Error("the server has sent another range than was asked for");
    }
    if (bytes.length !== end - begin) throw new Cut("the connection was cut");
    return bytes;
  }
}

// By the numbers that the module knows them by.
const addressedFiles = [];

/** Called by the module: bytes of a file. What is thrown is a string for it to read. */
function plyzipFetch(number, begin, end) {
  try {
    return addressedFiles[number].range(begin, end);
  } catch (error) {
    throw error.message;
  }
}

/**
 * Opens a file at an address. If its server serves ranges: { number, length, head }, for the module; else { bytes },
 * all of it, of which there may be `most`.
 */
async function openAddress(address, most) {
  if (!/^https?:$/.test(new URL(address).protocol)) {
    throw new Error("a page that was opened from a file may read no other files. Drop the file here, or put the page " +
      "on a web server");
  }
  const options = { cache: "no-cache", referrerPolicy: "no-referrer" };
  const refused = () => {
    throw new Error(unreachable(address));
  };
  const response = await fetch(address, { ...options, headers: { Range: `bytes=0-${HEAD - 1}` } }).catch(refused);
  const header = (name) => response.headers.get(name);
  // No byte of an empty file can be asked for.
  if (response.status === 416 && /^bytes \*\/0$/.test(header("content-range") ?? "bytes */0")) {
    return { bytes: new Uint8Array(0) };
  }
  if (response.status === 200) return { bytes: await wholeBody(response, most) };
  if (response.status !== 206) throw new Error(refusal(response.status));
  const head = new Uint8Array(await response.arrayBuffer().catch(refused));
  AddressedFile.fetched += head.length;
  // Another site may keep this header to itself, but not the length of the whole file.
  let length = contentRange(header("content-range"))?.length;
  if (length === undefined) {
    const whole = await fetch(address, { ...options, method: "HEAD" }).catch(refused);
    length = Number(whole.headers.get("content-length") ?? NaN);
    if (!Number.isSafeInteger(length)) throw new Error("the server does not tell how long the file is");
  }
  if (head.length !== Math.min(HEAD, length)) throw new Error("the connection was cut");
  // A range of another version of the file comes with another of these: If-Range would have all of that version sent.
  const known = ["etag", "last-modified"].map((name) => [name, header(name)]);
  const version = known.filter(([, value]) => value !== null);
  const number = addressedFiles.push(new AddressedFile(address, length, version)) - 1;
  return { number, length, head };
}

/** All of an answer. */
async function wholeBody(response, most) {
  const length = Number(response.headers.get("content-length") ?? 0);
  const parts = [];
  let got = 0;
  const tooLarge = () => {
    if (Math.max(length, got) <= most) return;
    throw new Error("the server serves no ranges, and the file is too large for that");
  };
  tooLarge();
  try {
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      parts.push(part.value);
      got += part.value.length;
      AddressedFile.fetched += part.value.length;
      postMessage({ progress: { fetched: AddressedFile.fetched, whole: length, share: length ? got / length : null } });
      if (got > most) break;
    }
  } catch {
    throw new Error("the connection was cut");
  }
  tooLarge();
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
