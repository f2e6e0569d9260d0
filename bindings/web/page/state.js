"use strict";
// What is open, and who does the work.

const engine = new Engine();
const replay = new Replay();
const list = new GameList((begin, end) => engine.call("rows", { begin, end }), (number) => openGame(number));

// The file that was dropped last.
let dropped = null;
// The archive that is open: its file, and its figures.
let archive = null;
// The game that was asked for last, and whether one is being decoded.
let wanted = -1;
let isDecoding = false;
// Counts files, so that what a file of before still does is not shown.
let turn = 0;
