"use strict";
// The list of games, some lines at a time: an archive can have millions.

const LINES = 50;

// Cells that are sorted from high to low first: ratings and dates.
const HIGH_FIRST = [2, 4, 6];

/**
 * The list of games. `rows` gives lines from one place to another, `sort` sorts them by a cell, `choose` hears of games
 * that are clicked.
 */
class GameList {
  #rows;
  #sort;
  #choose;
  // What is sorted by; the number of the game at first.
  #order = { cell: 0, descending: false };
  #length = 0;
  #begin = 0;
  #chosen = -1;
  // Lines that were asked for last: those of earlier questions are not drawn.
  #asked = 0;

  constructor({ rows, sort, choose }) {
    this.#rows = rows;
    this.#sort = sort;
    this.#choose = choose;
    for (const button of document.querySelectorAll("#table th button")) {
      button.addEventListener("click", () => this.#sortBy(Number(button.dataset.cell)));
    }
    this.unsort();
  }

  /** Sorts by the number of the game, as from now on lists come. */
  unsort() {
    this.#order = { cell: 0, descending: false };
    this.#markOrder();
  }

  /** Shows the list from its beginning; it has no lines yet. */
  clear() {
    this.#length = 0;
    this.#begin = 0;
    this.#asked++;
    document.querySelector("#table tbody").replaceChildren();
    byId("pager").replaceChildren();
  }

  /** The list has so many lines by now. */
  async grow(length) {
    const isFull = this.#length >= this.#begin + LINES;
    this.#length = length;
    if (isFull) this.#pager();
    else await this.#show(this.#begin);
  }

  /** The list has all of its lines, so many. */
  async finish(length) {
    const { cell, descending } = this.#order;
    this.#length = length;
    if (cell || descending) await this.#sort(cell, descending);
    await this.#show(this.#begin);
  }

  async #sortBy(cell) {
    const isSame = this.#order.cell === cell;
    this.#order = { cell, descending: isSame ? !this.#order.descending : HIGH_FIRST.includes(cell) };
    this.#markOrder();
    await this.#sort(cell, this.#order.descending);
    await this.#show(0);
  }

  #markOrder() {
    for (const button of document.querySelectorAll("#table th button")) {
      const isSorted = Number(button.dataset.cell) === this.#order.cell;
      if (isSorted) button.parentElement.setAttribute("aria-sort", this.#order.descending ? "descending" : "ascending");
      else button.parentElement.removeAttribute("aria-sort");
    }
  }

  /** Marks a game. */
  mark(number) {
    this.#chosen = number;
    for (const row of document.querySelectorAll("#table tbody tr")) {
      if (Number(row.dataset.game) === number) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
  }

  async #show(begin) {
    this.#begin = begin;
    const asked = ++this.#asked;
    const rows = await this.#rows(begin, begin + LINES);
    if (asked !== this.#asked) return;
    const body = document.querySelector("#table tbody");
    body.replaceChildren();
    for (const [number, cells] of rows) this.#line(body, number, cells);
    this.mark(this.#chosen);
    this.#pager();
  }

  #line(body, number, [white, whiteElo, black, blackElo, result, date, event, site]) {
    const row = element(body, "tr", { "data-game": number });
    element(row, "td", { class: "number" }, String(number + 1));
    const button = element(element(row, "td", { title: white }), "button", { type: "button" }, white || "?");
    button.setAttribute("aria-label", `Game ${number + 1}: ${white || "?"} against ${black || "?"}`);
    element(row, "td", { class: "elo" }, whiteElo);
    element(row, "td", { title: black }, black || "?");
    element(row, "td", { class: "elo" }, blackElo);
    element(row, "td", { class: "result" }, result === "1/2-1/2" ? "½-½" : result);
    element(row, "td", { class: "date" }, date.replace(/(\.\?\?)+$/, ""));
    element(row, "td", { class: "event", title: [event, site].filter(Boolean).join(", ") }, event);
    row.addEventListener("click", () => this.#choose(number));
  }

  #pager() {
    const [begin, length] = [this.#begin, this.#length];
    const pager = byId("pager");
    const focused = [...pager.children].indexOf(document.activeElement);
    pager.replaceChildren();
    if (length <= LINES) return;
    const last = Math.floor((length - 1) / LINES) * LINES;
    const button = (text, label, to) => {
      const made = element(pager, "button", { type: "button", "aria-label": label }, text);
      made.disabled = to === begin;
      made.addEventListener("click", () => this.#show(to));
    };
    button("«", "First games", 0);
    button("‹", "Games before", Math.max(0, begin - LINES));
    element(pager, "span", {}, `${count(begin + 1)} to ${count(Math.min(begin + LINES, length))} of ${count(length)}`);
    button("›", "Games after", Math.min(last, begin + LINES));
    button("»", "Last games", last);
    pager.children[focused]?.focus();
  }
}
