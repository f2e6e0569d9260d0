"use strict";
// The board.

// The side of a square.
const SIDE = 45;

/** A board that shows positions: 64 letters from a8 on, `.` for an empty square. */
class Board {
  #svg;
  #turned = false;
  #shown = null;

  constructor(svg) {
    this.#svg = svg;
  }

  /** Shows the board from the other side. */
  turn() {
    this.#turned = !this.#turned;
    if (this.#shown) this.show(this.#shown);
  }

  /** Shows a position with the name `label`; `moved` are squares to mark, `arrow` two squares to connect, if there. */
  show({ pieces, label, moved = [], arrow = null }) {
    this.#shown = { pieces, label, moved, arrow };
    this.#svg.replaceChildren();
    for (let square = 0; square < 64; square++) this.#square(square, pieces[square], moved.includes(square));
    if (arrow) this.#arrow(...arrow);
    this.#svg.setAttribute("aria-label", label);
  }

  // Where a square, 0 for a8 to 63 for h1, is drawn.
  #place(square) {
    const seen = this.#turned ? 63 - square : square;
    return [(seen % 8) * SIDE, Math.floor(seen / 8) * SIDE];
  }

  #square(square, piece, moved) {
    const board = this.#svg;
    const [x, y] = this.#place(square);
    const place = { x, y, width: SIDE, height: SIDE };
    const light = (Math.floor(square / 8) + square) % 2 === 0;
    element(board, "rect", { class: light ? "l" : "d", ...place });
    if (moved) element(board, "rect", { class: "moved", ...place });
    if (y === 7 * SIDE) element(board, "text", { class: "coordinate", x: x + 38, y: y + 42 }, "abcdefgh"[square % 8]);
    if (x === 0) {
      element(board, "text", { class: "coordinate", x: x + 2, y: y + 9 }, String(8 - Math.floor(square / 8)));
    }
    if (piece !== ".") {
      const side = piece === piece.toUpperCase() ? "white" : "black";
      element(board, "use", { class: side, href: `#piece-${piece.toLowerCase()}`, ...place });
    }
  }

  #arrow(from, to) {
    const middle = (square) => this.#place(square).map((edge) => edge + SIDE / 2);
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [x, y] = [x2 - 14 * dx, y2 - 14 * dy];
    element(this.#svg, "line", { class: "arrow", x1, y1, x2: x, y2: y });
    const points = [[x2, y2], [x - 9 * dy, y + 9 * dx], [x + 9 * dy, y - 9 * dx]];
    element(this.#svg, "polygon", { class: "arrowhead", points: points.join(" ") });
  }
}
