"use strict";
// What scripts of the folder hold packed; the page and its worker both have this.

/** The bytes that gzip packed. */
async function unpacked(packed) {
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}
