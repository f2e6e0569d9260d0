"use strict";
// The archive that is open: its figures, its list, its games.

async function openArchive(file) {
  let figures = null;
  const isDone = await attempt(file.name, `Opening ${file.name}`, async () => {
    figures = await engine.call("open", file);
  });
  if (!isDone) return;
  archive = { file, figures };
  closeGame();
  for (const id of ["save", "save-pgn"]) byId(id)?.remove();
  byId("search").reset();
  byId("archive").hidden = false;
  byId("archive-title").textContent = file.name;
  drawFigures(figures);
  await search([], false);
}

function drawFigures(figures) {
  const facts = [
    ["games", count(figures.games)],
    ["plies", count(figures.moves)],
    ["bytes", count(figures.archiveBytes)],
    ["bytes of PGN", count(figures.originalBytes)],
    ["bytes a game", figures.bytesPerGame === null ? "–" : decimals(figures.bytesPerGame, 1)],
    ["bits a move", figures.bitsPerMove === null ? "–" : decimals(figures.bitsPerMove, 2)],
    ["model", figures.models.map((model) => model.name).join(", ") || "none"],
  ];
  byId("figures").replaceChildren();
  for (const [name, value] of facts) {
    const pair = element(byId("figures"), "div");
    element(pair, "dt", {}, name);
    element(pair, "dd", {}, value);
  }
}

// Conditions that only the moves answer.
const DEEP = ["eco", "plies", "moves", "material", "position"];

async function search(conditions, negated) {
  const { file, figures } = archive;
  showError("");
  list.clear();
  byId("found").textContent = "";
  let found = null;
  const isDone = await attempt(
    file.name,
    conditions.length ? "Searching" : "Reading the list",
    async () => {
      // Tags that the moves foretell take the moves, too.
      const isDeep = conditions.some(([name, value]) => DEEP.includes(name) || /^(ECO|Opening|Variation)=/.test(value));
      if (isDeep) await loadModelOf(figures);
      found = await engine.call("list", { conditions, negated });
      if (found !== false) await list.grow(found);
    },
    ({ share }) => share ?? null,
  );
  if (isDone && found !== false) {
    byId("found").textContent = conditions.length
      ? `${counted(found, "game")} of ${count(figures.games)}`
      : counted(found, "game");
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

async function decodeGame(number) {
  const { file, figures } = archive;
  showError("");
  let game = null;
  let plies = 0;
  const isDone = await attempt(
    file.name,
    `Decoding game ${number + 1}`,
    async () => {
      await loadModelOf(figures);
      const games = await engine.call("awaited", number);
      if (games) byId("doing").textContent = `Decoding game ${number + 1} and its page of ${counted(games, "game")}`;
      plies = (games * figures.moves) / Math.max(1, figures.games);
      game = await engine.call("explain", number);
    },
    (progress) => (plies ? progress.plies / plies : null),
  );
  if (!isDone) return false;
  if (number === wanted) showGame(game);
  return true;
}

function showGame(game) {
  const tag = (name) => game.tags.find(([known]) => known === name)?.[1] ?? "";
  const known = (name) => tag(name).replace(/(\.\?\?)+$/, "").replace(/^[?]+$/, "");
  byId("game").hidden = false;
  byId("panes").classList.add("open");
  const player = (side) => `${known(side) || "?"}${known(`${side}Elo`) ? ` (${known(`${side}Elo`)})` : ""}`;
  byId("players").textContent = `${player("White")} – ${player("Black")}`;
  const where = ["Event", "Site", "Date", "ECO", "Opening", "Result"].map(known).filter(Boolean).join(", ");
  const sum = `${decimals(game.moveBits, 0)} bits for ${counted(game.plies.length, "ply").replace("plys", "plies")}`;
  const how = game.alone ? `predicted alone by ${game.model}` : `predicted by ${game.model}`;
  byId("about-game").textContent = `${where}. Game ${game.number + 1}; ${sum}, ${how}.`;
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
  const { file, figures } = archive;
  showError("");
  let restored = null;
  const isDone = await attempt(
    file.name,
    `Checking and unpacking ${file.name}`,
    async () => {
      await loadModelOf(figures);
      restored = await engine.call("restore");
    },
    ({ originalBytes }) => originalBytes / figures.originalBytes,
  );
  if (!isDone) return;
  const name = figures.file ?? file.name.replace(/\.plz$/i, "");
  downloadLink(byId("actions"), "save-pgn", restored.blob, /\.\w+$/.test(name) ? name : `${name}.pgn`);
  say(`All is in order: ${counted(restored.figures.games, "game")}, ${counted(restored.blob.size, "byte")}.`);
}
