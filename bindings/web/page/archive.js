"use strict";
// The archive that is open: its figures, its list, its games.

/** Opens the archive of { name, file } or of { name, address }; `index` is a file beside it, if it was given. */
async function openArchive(source) {
  let figures = null;
  const isDone = await attempt(
    source.name,
    `Opening ${source.name}`,
    async () => {
      figures = await engine.call("open", source);
    },
    ({ whole, share }) => {
      const isWhole = whole !== undefined;
      if (isWhole) byId("doing").textContent = `The server serves no ranges: all of ${source.name} is loaded`;
      return share ?? null;
    },
  );
  if (!isDone) return;
  archive = { source, figures, index: null };
  closeGame();
  tree.close();
  list.unsort();
  for (const id of ["save", "save-pgn"]) byId(id)?.remove();
  byId("search").reset();
  byId("archive").hidden = false;
  byId("archive-title").textContent = source.name;
  drawFigures();
  if (figures.hasRanges === false) say(`The server serves no ranges, so that all of ${source.name} was loaded.`);
  await search([], false);
}

function drawFigures() {
  const { figures, source, index } = archive;
  const facts = [
    ["games", count(figures.games)],
    ["plies", count(figures.moves)],
    ["bytes", count(figures.archiveBytes)],
    ["bytes of PGN", count(figures.originalBytes)],
    ["bytes a game", figures.bytesPerGame === null ? "–" : decimals(figures.bytesPerGame, 1)],
    ["bits a move", figures.bitsPerMove === null ? "–" : decimals(figures.bitsPerMove, 2)],
    ["model", figures.models.map((model) => model.name).join(", ") || "none"],
  ];
  if (source.address) facts.push(["bytes loaded", count(figures.fetched)]);
  if (index?.games) facts.push(["index", index.games === figures.games ? "yes" : counted(index.games, "game")]);
  byId("figures").replaceChildren();
  for (const [name, value] of facts) {
    const pair = element(byId("figures"), "div");
    element(pair, "dt", {}, name);
    element(pair, "dd", {}, value);
  }
}

/** Hears how many bytes have come from addresses. */
function countFetched(bytes) {
  if (!archive?.source.address) return;
  archive.figures.fetched = bytes;
  drawFigures();
}

/** Looks for the index of the archive, once. Whether all games have their moves there: then no model is needed. */
async function findIndex() {
  const opened = archive;
  if (!opened.index) {
    const { index: file, address } = opened.source;
    let index = { games: 0, fault: null };
    if (file) index = await engine.call("openIndex", { file });
    else if (address) index = await engine.call("openIndex", { address: indexAddress(address) });
    opened.index = index;
    if (file && index.fault) say(`${file.name} is not used: ${index.fault}.`);
    if (opened === archive) drawFigures();
  }
  return opened.index.games > 0 && opened.index.games === opened.figures.games;
}

/** Where the index of an archive is looked for. */
function indexAddress(address) {
  const place = new URL(address);
  place.pathname += ".idx";
  return place.href;
}

/** Does work for which moves are decoded: with the index, if there is one, else with the model of the archive. */
async function withMoves(work) {
  const opened = archive;
  if (!(await findIndex())) {
    await loadModelOf(opened.figures);
    return work();
  }
  try {
    return await work();
  } catch (error) {
    // What is wrong with an index shows when it is read. From then on the archive does without.
    opened.index = await engine.call("index");
    if (opened.index.games || !isModelMissing(error)) throw error;
    drawFigures();
    await loadModelOf(opened.figures);
    return work();
  }
}

// Conditions that only the moves answer.
const DEEP = ["eco", "plies", "moves", "material", "position"];

async function search(conditions, negated) {
  const { source, figures } = archive;
  showError("");
  list.clear();
  tree.forget();
  byId("found").textContent = "";
  let found = null;
  const isDone = await attempt(
    source.name,
    conditions.length ? "Searching" : "Reading the list",
    async () => {
      // Tags that the moves foretell take the moves, too.
      const isDeep = conditions.some(([name, value]) => DEEP.includes(name) || /^(ECO|Opening|Variation)=/.test(value));
      const ask = () => engine.call("list", { conditions, negated });
      found = await (isDeep ? withMoves(ask) : ask());
      if (found !== false) await list.finish(found);
    },
    ({ share }) => share ?? null,
  );
  if (isDone && found !== false) {
    byId("found").textContent = conditions.length
      ? `${counted(found, "game")} of ${count(figures.games)}`
      : counted(found, "game");
    await tree.refresh();
  }
}

/** Shows a game; of several that are asked for while one is decoded, the last. */
async function openGame(number) {
  wanted = number;
  list.mark(number);
  if (isDecoding) return;
  isDecoding = true;
  while (wanted >= 0 && archive) {
    const asked = wanted;
    if (!(await decodeGame(asked)) || asked === wanted) break;
  }
  isDecoding = false;
}

/** Decodes and shows a game; with what its moves cost, if that is wanted or takes no longer. */
async function decodeGame(number, wantsCosts = false) {
  const { source, figures } = archive;
  showError("");
  let game = null;
  let plies = 0;
  const isDone = await attempt(
    source.name,
    `Decoding game ${number + 1}`,
    async () => {
      const isIndexed = await findIndex();
      if (isIndexed && !wantsCosts && (await engine.call("awaited", number)) > 0) {
        game = await withMoves(() => engine.call("game", number));
        return;
      }
      await loadModelOf(figures);
      const games = await engine.call("awaited", number);
      if (games) byId("doing").textContent = `Decoding game ${number + 1} and its page of ${counted(games, "game")}`;
      plies = (games * figures.moves) / Math.max(1, figures.games);
      game = await engine.call("explain", number);
    },
    (progress) => (plies && progress.plies !== undefined ? progress.plies / plies : null),
  );
  if (!isDone) return false;
  if (number === wanted) showGame(game);
  return true;
}

/** Shows what the moves of the game cost that is shown. */
async function explainGame() {
  const ply = replay.ply;
  if (await decodeGame(wanted, true)) replay.show(ply);
}

function showGame(game) {
  const tag = (name) => game.tags.find(([known]) => known === name)?.[1] ?? "";
  const known = (name) => tag(name).replace(/(\.\?\?)+$/, "").replace(/^[?]+$/, "");
  byId("game").hidden = false;
  byId("panes").classList.add("open");
  const player = (side) => `${known(side) || "?"}${known(`${side}Elo`) ? ` (${known(`${side}Elo`)})` : ""}`;
  byId("players").textContent = `${player("White")} – ${player("Black")}`;
  const where = ["Event", "Site", "Date", "ECO", "Opening", "Result"].map(known).filter(Boolean).join(", ");
  const { costs } = game;
  const length = counted(game.plies.length, "ply").replace("plys", "plies");
  let sum = length;
  if (costs) {
    const by = costs.model === "none" ? "without a network" : `by the model ${costs.model}`;
    const alone = costs.alone ? ", from this game alone" : "";
    sum = `${decimals(costs.moveBits, 0)} bits for ${length}, predicted ${by}${alone}`;
  }
  byId("about-game").textContent = `${where}. Game ${game.number + 1}; ${sum}.`;
  byId("ask-costs").hidden = costs !== null;
  byId("pgn").textContent = game.pgn;
  const blob = new Blob([game.pgn], { type: "application/x-chess-pgn" });
  downloadLink(byId("game-actions"), "save-game", blob, `game-${game.number + 1}.pgn`);
  replay.open(game);
  byId("game").focus({ preventScroll: true });
  // Beside the list or instead of it, the whole board is in sight.
  if (byId("last").getBoundingClientRect().bottom > innerHeight) byId("panes").scrollIntoView();
}

function closeGame() {
  wanted = -1;
  byId("game").hidden = true;
  byId("panes").classList.remove("open");
  list.mark(-1);
}

async function restore() {
  const { source, figures } = archive;
  showError("");
  let restored = null;
  const isDone = await attempt(
    source.name,
    `Checking and unpacking ${source.name}`,
    async () => {
      await loadModelOf(figures);
      restored = await engine.call("restore");
    },
    ({ originalBytes }) => originalBytes / figures.originalBytes,
  );
  if (!isDone) return;
  const name = figures.file ?? source.name.replace(/\.plz$/i, "");
  downloadLink(byId("actions"), "save-pgn", restored.blob, /\.\w+$/.test(name) ? name : `${name}.pgn`);
  say(`All is in order: ${counted(restored.figures.games, "game")}, ${counted(restored.blob.size, "byte")}.`);
}
