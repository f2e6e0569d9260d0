// What tsc looks at: the example of README.md with its types, and uses that have to be errors.

import { Archive, GameCodec, compress, decompress, open, type Conditions, type Ply } from "plyzip";

const packed: Uint8Array = await compress("1. e4 *", { model: "none", onProgress: (bytes: number) => void bytes });
const archive: Archive = await open(packed);
const conditions: Conditions = { player: ["morphy", "anderssen"], date: "1850..1860", plies: 20 };
for (const { number, tags } of archive.list(conditions, { invert: true })) void [number.toFixed(), tags.Event];
for (const { pgn, bytes } of archive.filter({ result: "1-0" })) void [pgn.length, bytes.length];
const plies: Ply[] = archive.replay(0).plies;
void plies.map(({ san, bits, others }) => [san, bits, others[0]?.probability]);
archive.free();
const pgn: Uint8Array = await decompress(packed);
const codec = await GameCodec.create("none");
const moves: string[] = codec.decode(codec.encode(["e2e4"], { White: "Reti" }), { White: "Reti" });
void [pgn, moves];

// @ts-expect-error: open() makes archives.
new Archive();
// @ts-expect-error: there is no such result.
archive.list({ result: "2-0" });
// @ts-expect-error: there is no such condition.
archive.list({ colour: "red" });
// @ts-expect-error: an archive is no text.
await open("games.plz");
