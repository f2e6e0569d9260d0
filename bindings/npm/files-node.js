// The package's files, in Node.js.

import { readFile } from "node:fs/promises";

/** The bytes of a file that is named by an URL. */
export async function read(url) {
  if (url.protocol === "file:") return readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}
