"use strict";
// What is open, and who does the work.

const engine = new Engine();
const replay = new Replay();
const tree = new OpeningTree();
const list = new GameList({
  rows: (begin, end) => engine.call("rows", { begin, end }),
  sort: (cell, descending) => engine.call("sort", { cell, descending }),
  choose: (number) => openGame(number),
});

// The file that was dropped last.
let dropped = null;
// The archive that is open: its source, its figures, and its index once it was looked for.
let archive = null;
// The game that was asked for last, and whether one is being decoded.
let wanted = -1;
let isDecoding = false;
// Counts files, so that what a file of before still does is not shown.
let turn = 0;
