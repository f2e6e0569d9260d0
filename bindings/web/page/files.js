"use strict";
// What a file is, by its first bytes.

const MAGIC_BYTES = 4096;

const PACKED = [
  ["gzip", [0x1f, 0x8b]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  ["Zstandard", [0x28, 0xb5, 0x2f, 0xfd]],
  ["zip", [0x50, 0x4b, 0x03, 0x04]],
];

const begins = (bytes, magic) => magic.every((byte, at) => bytes[at] === byte);

/** `archive`, `model` or `pgn`; an error says in words why a file is none of them. */
async function kindOf(file) {
  const head = new Uint8Array(await file.slice(0, MAGIC_BYTES).arrayBuffer());
  if (/\.onnx$/i.test(file.name)) return "model";
  if (/\.plz$/i.test(file.name) || begins(head, PLYZIP.magic)) return "archive";
  const packed = PACKED.find(([, magic]) => begins(head, magic));
  if (packed) throw new Error(`it is packed by ${packed[0]}: unpack it first, or use the program`);
  if (head.includes(0)) throw new Error("it is neither an archive of plyzip nor PGN: it has bytes that no text has");
  return "pgn";
}

/** A link that saves a blob; the last one in `parent` with this `id` goes. */
function downloadLink(parent, id, blob, name) {
  const last = byId(id);
  if (last) {
    URL.revokeObjectURL(last.href);
    last.remove();
  }
  const link = element(parent, "a", { class: "button", id, download: name }, `Save ${name}`);
  link.href = URL.createObjectURL(blob);
  return link;
}
