"use strict";
// What the moves cost, as bars.

/** A bar for each move of a game, White's upward and Black's downward; `choose` hears of clicks. */
class Curve {
  #svg;
  #here = null;
  #places = [];

  constructor(svg) {
    this.#svg = svg;
  }

  /** Draws the moves of a game; `full` bits are as high as there is room. */
  draw(plies, full, surprises, choose) {
    const curve = this.#svg;
    curve.replaceChildren();
    this.#places = [];
    const first = plies.length && !plies[0].white ? 1 : 0;
    const columns = Math.max(1, Math.ceil((plies.length + first) / 2));
    curve.setAttribute("viewBox", `0 0 ${columns * 10} 200`);
    for (const y of [0, 100, 200]) element(curve, "line", { x1: 0, x2: columns * 10, y1: y, y2: y });
    this.#here = element(curve, "rect", { class: "here", width: 10, height: 100, visibility: "hidden" });
    plies.forEach((ply, index) => {
      const x = Math.floor((index + first) / 2) * 10;
      const height = Math.max(1, (99 * ply.bits) / full);
      const y = ply.white ? 99 - height : 101;
      const name = surprises.has(index + 1) ? "bar surprising" : "bar";
      element(curve, "rect", { class: name, x: x + 1, y, width: 8, height });
      const spot = { class: "place", x, y: ply.white ? 0 : 100, width: 10, height: 100 };
      const target = element(curve, "rect", spot);
      element(target, "title", {}, `${nameOf(ply)}: ${decimals(ply.bits, 1)} bits`);
      target.addEventListener("click", () => choose(index + 1));
      this.#places.push(spot);
    });
  }

  /** Marks the move that is shown, from 1 on; 0 is none. */
  mark(ply) {
    this.#here?.setAttribute("visibility", ply ? "visible" : "hidden");
    if (ply) for (const edge of ["x", "y"]) this.#here.setAttribute(edge, this.#places[ply - 1][edge]);
  }
}
