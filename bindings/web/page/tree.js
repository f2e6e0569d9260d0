"use strict";
// The opening tree: which moves the games of the list go on with, and what came of them.

/** A place in the tree of first moves, with a board; a click on a move goes on with it. */
class OpeningTree {
  #board = new Board(byId("tree-board"));
  // The moves that lead to the place, as UCI writes them, and their names.
  #moves = [];
  #names = [];
  // Whether the worker has counted the games of this list.
  #isCounted = false;

  constructor() {
    byId("show-tree").addEventListener("click", () => (this.#isOpen ? this.close() : this.#open()));
    byId("tree-list").addEventListener("click", () => this.#list());
  }

  get #isOpen() {
    return !byId("tree").hidden;
  }

  /** Closes the tree. */
  close() {
    this.#moves = [];
    this.#toggle(false);
  }

  /** The list has other games from now on. */
  forget() {
    this.#isCounted = false;
  }

  /** Shows the tree of the list that there is now, if it is open. */
  async refresh() {
    if (this.#isOpen && !this.#isCounted) await this.#show(this.#moves);
  }

  async #open() {
    this.#toggle(true);
    if (!(await this.#show(this.#moves))) this.#toggle(false);
  }

  #toggle(isOpen) {
    byId("tree").hidden = !isOpen;
    byId("show-tree").setAttribute("aria-expanded", String(isOpen));
  }

  /** Shows the place behind these moves. Whether it could. */
  async #show(moves) {
    const isDone = await attempt(
      archive.source.name,
      "Counting first moves",
      async () => {
        if (!this.#isCounted) this.#isCounted = (await withMoves(() => engine.call("growTree"))) !== false;
        const place = await engine.call("tree", moves);
        // Not of a list that has gone.
        if (place) this.#draw(moves, place);
      },
      ({ share }) => share ?? null,
    );
    return isDone;
  }

  #draw(moves, place) {
    this.#moves = moves;
    this.#names = place.moves;
    const [best] = place.next;
    this.#board.show({
      pieces: place.board,
      label: place.moves.length ? `The position after ${place.moves.join(" ")}` : "The position at the start",
      arrow: best ? [best.from, best.to] : null,
    });
    this.#path();
    const side = place.whiteToMove ? "White" : "Black";
    const score = place.score === null ? "" : `, White scores ${decimals(place.score, 1)} %`;
    const ended = place.ended ? `, ${counted(place.ended, "game")} ended here` : "";
    const deepest = place.isDeepest ? ". The tree is no deeper" : "";
    byId("tree-about").textContent = `${counted(place.games, "game")}, ${side} to move${score}${ended}${deepest}.`;
    byId("tree-list").disabled = !moves.length;
    const body = document.querySelector("#tree-moves tbody");
    body.replaceChildren();
    for (const next of place.next) this.#line(body, place.games, next);
  }

  #line(body, all, next) {
    const row = element(body, "tr");
    const button = element(element(row, "td"), "button", { type: "button", "data-uci": next.uci }, next.san);
    element(row, "td", {}, `${count(next.games)} (${decimals((100 * next.games) / all, 1)} %)`);
    const bar = element(element(row, "td", { class: "bars" }), "div", { class: "shares" });
    for (const [name, games] of [["white", next.white], ["drawn", next.draws], ["black", next.black]]) {
      if (!games) continue;
      const share = `${decimals((100 * games) / next.games, 0)} %`;
      const part = element(bar, "span", { class: name, title: `${name}: ${share}` }, share);
      part.style.flexGrow = String(games);
    }
    element(row, "td", {}, next.score === null ? "–" : decimals(next.score, 1));
    element(row, "td", { class: "elo" }, next.elo === null ? "" : String(next.elo));
    const { firstYear, lastYear } = next;
    const years = firstYear === lastYear ? String(firstYear ?? "") : `${firstYear}–${lastYear}`;
    element(row, "td", { class: "years" }, years);
    const goOn = () => this.#show([...this.#moves, next.uci]);
    row.addEventListener("click", goOn);
    // Else the row would hear of it, too.
    button.addEventListener("click", (event) => {
      event.stopPropagation();
      goOn();
    });
  }

  #path() {
    const path = byId("tree-path");
    path.replaceChildren();
    ["Start", ...this.#names].forEach((name, ply) => {
      const number = ply % 2 ? `${(ply + 1) / 2}. ` : "";
      const button = element(path, "button", { type: "button" }, `${number}${name}`);
      if (ply === this.#moves.length) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => this.#show(this.#moves.slice(0, ply)));
    });
  }

  /** Lists the games that go through this place, among those that are listed. */
  async #list() {
    byId("search").elements.moves.value = this.#names.join(" ");
    byId("search").querySelector("details").open = true;
    byId("search").requestSubmit();
  }
}
