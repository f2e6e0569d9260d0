"use strict";
// What the worker gets packed.

/** The bytes that gzip packed. */
async function unpacked(packed) {
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}
