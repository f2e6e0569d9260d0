"use strict";
// Stepping through a game.

// Moves of fewer bits are no surprises: one in 32.
const SURPRISE = 5;
// The most that are marked in a game.
const SURPRISES = 8;

/** Number and name of a move, such as `12... Nf6`. */
const nameOf = (ply) => `${ply.number}${ply.white ? "." : "..."} ${ply.san}`;

/** A game on the board: its moves, what each cost, and what was likelier. */
class Replay {
  #board = new Board(byId("board"));
  #curve = new Curve(byId("curve"));
  #game = { start: "", plies: [] };
  #surprises = new Set();
  #buttons = [];
  #at = 0;

  constructor() {
    const keys = {
      ArrowRight: () => this.show(this.#at + 1),
      ArrowLeft: () => this.show(this.#at - 1),
      ArrowDown: () => this.#surprise(1),
      ArrowUp: () => this.#surprise(-1),
      Home: () => this.show(0),
      End: () => this.show(this.#game.plies.length),
      f: () => this.#board.turn(),
    };
    document.addEventListener("keydown", (event) => {
      if (byId("game").hidden || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.target.matches?.("input, select, textarea, pre")) return;
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
    const clicks = {
      first: keys.Home, back: keys.ArrowLeft, next: keys.ArrowRight, last: keys.End, surprise: keys.ArrowDown,
      flip: keys.f,
    };
    for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);
  }

  /** How many plies have been played in the position that is shown. */
  get ply() {
    return this.#at;
  }

  /** Shows a game from its start on, with what its moves cost if that is known. */
  open(game) {
    this.#game = game;
    // Elements of SVG have no property `hidden`.
    for (const id of ["curve", "about-curve", "legend", "surprise"]) byId(id).toggleAttribute("hidden", !game.costs);
    if (!game.costs) {
      this.#surprises = new Set();
      this.#list(0);
      this.show(0);
      return;
    }
    const byBits = game.plies.map((ply, index) => [ply.bits, index + 1]).filter(([bits]) => bits >= SURPRISE);
    byBits.sort(([one], [other]) => other - one);
    this.#surprises = new Set(byBits.slice(0, SURPRISES).map(([, ply]) => ply));
    const full = Math.max(8, ...game.plies.map((ply) => ply.bits));
    this.#list(full);
    this.#curve.draw(game.plies, full, this.#surprises, (ply) => this.show(ply));
    this.show(0);
  }

  /** Shows the position after so many plies. */
  show(ply) {
    this.#at = Math.min(Math.max(ply, 0), this.#game.plies.length);
    byId("game").dataset.ply = String(this.#at);
    this.#position();
    this.#move();
    this.#place();
    if (this.#game.costs) this.#curve.mark(this.#at);
  }

  // The next surprise after the move that is shown, or the one before it; from the last on to the first.
  #surprise(step) {
    const places = [...this.#surprises].sort((one, other) => one - other);
    if (!places.length) return;
    this.show(step > 0
      ? places.find((ply) => ply > this.#at) ?? places[0]
      : places.findLast((ply) => ply < this.#at) ?? places[places.length - 1]);
  }

  #position() {
    const ply = this.#game.plies[this.#at - 1];
    if (!ply) {
      this.#board.show({ pieces: this.#game.start, label: "The position at the start" });
      return;
    }
    const [expected] = ply.others ?? [];
    this.#board.show({
      pieces: ply.board,
      label: `The position after ${nameOf(ply)}`,
      moved: [ply.from, ply.to],
      arrow: expected && expected.probability > ply.probability ? [expected.from, expected.to] : null,
    });
  }

  #move() {
    const table = byId("likely");
    table.replaceChildren();
    const ply = this.#game.plies[this.#at - 1];
    if (!ply) {
      byId("move").textContent = "Start";
      const hint = "Step with the arrow keys or the buttons.";
      byId("cost").textContent = this.#game.plies.length ? hint : "There are no moves.";
      return;
    }
    byId("move").textContent = nameOf(ply);
    if (!this.#game.costs) {
      byId("cost").textContent = "";
      return;
    }
    byId("cost").textContent = ply.legal === 1
      ? "No other move was legal."
      : `${decimals(ply.bits, 2)} bits (expected ${decimals(ply.expectedBits, 2)}): ` +
        `number ${ply.rank + 1} of ${ply.legal} legal moves`;
    const likely = [{ ...ply, played: true }, ...ply.others];
    likely.sort((one, other) => other.probability - one.probability);
    for (const move of likely) {
      // The move that was played may be far below the likeliest.
      const between = move.played ? ply.rank - ply.others.length : 0;
      if (between > 0) {
        element(element(table, "tr", { class: "gap" }), "td", { colspan: "3" }, `${counted(between, "move")} between`);
      }
      const row = element(table, "tr", move.played ? { class: "played" } : {});
      element(row, "td", {}, move.san);
      element(row, "td", {}, percent(move.probability));
      element(element(row, "td"), "i").style.width = `${100 * move.probability}%`;
    }
  }

  #list(full) {
    const list = byId("moves");
    list.replaceChildren();
    let row = null;
    this.#buttons = this.#game.plies.map((ply, index) => {
      if (!row || ply.white) {
        row = element(list, "li");
        element(row, "span", {}, String(ply.number));
        if (!ply.white) element(row, "em");
      }
      const button = element(row, "button", { type: "button" }, ply.san);
      if (this.#game.costs) {
        const bits = decimals(ply.bits, 1);
        button.title = `${bits} bits, ${percent(ply.probability)}`;
        element(button, "small", {}, bits);
        if (this.#surprises.has(index + 1)) button.className = "surprising";
        element(button, "i").style.width = `${(95 * ply.bits) / full}%`;
      }
      button.addEventListener("click", () => this.show(index + 1));
      return button;
    });
  }

  #place() {
    const list = document.querySelector(".list");
    if (!this.#at) list.scrollTop = 0;
    this.#buttons.forEach((button, index) => {
      if (index !== this.#at - 1) {
        button.removeAttribute("aria-current");
        return;
      }
      button.setAttribute("aria-current", "true");
      // Only the list is scrolled, not the page.
      const [row, box] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
      if (row.top < box.top) list.scrollTop += row.top - box.top;
      if (row.bottom > box.bottom) list.scrollTop += row.bottom - box.bottom;
    });
  }
}
