"use strict";
(() => {
  const games = JSON.parse(document.getElementById("games").textContent);
  // The game that is shown, and its moves.
  let game = games[0];
  let plies = game.plies;
  const byId = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  // The side of a square of the board.
  const SIDE = 45;
  let at = 0;
  let turned = false;

  // An element with attributes. Texts are always set as text, never read as HTML.
  const element = (parent, name, attributes = {}, text = "") => {
    const made = parent instanceof SVGElement
      ? document.createElementNS(SVG, name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text) made.textContent = text;
    parent.append(made);
    return made;
  };

  // Where a square, 0 for a8 to 63 for h1, is drawn.
  const place = (square) => {
    const seen = turned ? 63 - square : square;
    return [(seen % 8) * SIDE, Math.floor(seen / 8) * SIDE];
  };

  const arrow = (board, from, to) => {
    const middle = (square) => place(square).map((edge) => edge + SIDE / 2);
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
    const [x, y] = [x2 - 14 * dx, y2 - 14 * dy];
    element(board, "line", { class: "arrow", x1, y1, x2: x, y2: y });
    const points = [[x2, y2], [x - 9 * dy, y + 9 * dx], [x + 9 * dy, y - 9 * dx]];
    element(board, "polygon", { class: "arrowhead", points: points.join(" ") });
  };

  const drawBoard = () => {
    const board = byId("board");
    board.replaceChildren();
    const pieces = at ? plies[at - 1].board : game.start;
    const ply = at ? plies[at - 1] : null;
    for (let square = 0; square < 64; square++) {
      const [x, y] = place(square);
      const light = (Math.floor(square / 8) + square) % 2 === 0;
      element(board, "rect", { class: light ? "l" : "d", x, y, width: SIDE, height: SIDE });
      if (ply && (square === ply.from || square === ply.to)) {
        element(board, "rect", { class: "moved", x, y, width: SIDE, height: SIDE });
      }
      if (y === 7 * SIDE) {
        const file = "abcdefgh"[square % 8];
        element(board, "text", { class: "coordinate", x: x + 38, y: y + 42 }, file);
      }
      if (x === 0) {
        const rank = String(8 - Math.floor(square / 8));
        element(board, "text", { class: "coordinate", x: x + 2, y: y + 9 }, rank);
      }
      const piece = pieces[square];
      if (piece !== ".") {
        const side = piece === piece.toUpperCase() ? "white" : "black";
        const href = "#piece-" + piece.toLowerCase();
        element(board, "use", { class: side, href, x, y, width: SIDE, height: SIDE });
      }
    }
    // What was expected instead.
    if (ply && ply.others.length && ply.others[0].probability > ply.probability) {
      arrow(board, ply.others[0].from, ply.others[0].to);
    }
    board.setAttribute("aria-label", at ? "The position after " + ply.name : "The position at the start");
  };

  const drawMove = () => {
    const table = byId("likely");
    table.replaceChildren();
    if (!at) {
      byId("move").textContent = "Start";
      byId("cost").textContent = plies.length ? "Step with the arrow keys or the buttons." : "There are no moves.";
      return;
    }
    const ply = plies[at - 1];
    byId("move").textContent = ply.name;
    byId("cost").textContent = ply.about;
    const likely = [{ san: ply.san, chance: ply.chance, probability: ply.probability, played: true }];
    likely.push(...ply.others);
    likely.sort((one, other) => other.probability - one.probability);
    for (const move of likely) {
      const row = element(table, "tr", move.played ? { class: "played" } : {});
      element(row, "td", {}, move.san);
      element(row, "td", {}, move.chance);
      const bar = element(element(row, "td"), "i");
      bar.style.width = 100 * move.probability + "%";
    }
  };

  // As many bits as there is room for.
  let full = 8;
  let buttons = [];

  const makeList = () => {
    const list = byId("moves");
    list.replaceChildren();
    buttons = [];
    let row = null;
    plies.forEach((ply, index) => {
      if (!row || ply.white || index === 0) {
        row = element(list, "li");
        element(row, "span", {}, ply.count);
        if (!ply.white) element(row, "em");
      }
      const button = element(row, "button", { type: "button", title: ply.about }, ply.san);
      if (ply.surprising) button.className = "surprising";
      element(button, "i").style.width = (100 * ply.bits) / full + "%";
      button.addEventListener("click", () => show(index + 1));
      buttons.push(button);
    });
  };

  let here = null;
  const makeCurve = () => {
    const curve = byId("curve");
    curve.replaceChildren();
    const first = plies.length && !plies[0].white ? 1 : 0;
    const columns = Math.max(1, Math.ceil((plies.length + first) / 2));
    curve.setAttribute("viewBox", `0 0 ${columns * 10} 200`);
    for (const y of [0, 100, 200]) element(curve, "line", { x1: 0, x2: columns * 10, y1: y, y2: y });
    here = element(curve, "rect", { class: "here", width: 10, height: 100, visibility: "hidden" });
    plies.forEach((ply, index) => {
      const x = Math.floor((index + first) / 2) * 10;
      const height = Math.max(1, (99 * ply.bits) / full);
      const y = ply.white ? 99 - height : 101;
      const name = "bar" + (ply.surprising ? " surprising" : "");
      element(curve, "rect", { class: name, x: x + 1, y, width: 8, height });
      const spot = { class: "place", x, y: ply.white ? 0 : 100, width: 10, height: 100 };
      const target = element(curve, "rect", spot);
      element(target, "title", {}, ply.name + ": " + ply.about);
      target.addEventListener("click", () => show(index + 1));
    });
  };

  const drawPlace = () => {
    const spots = byId("curve").querySelectorAll(".place");
    here.setAttribute("visibility", at ? "visible" : "hidden");
    buttons.forEach((button, index) => {
      if (index === at - 1) {
        button.setAttribute("aria-current", "true");
        for (const edge of ["x", "y"]) here.setAttribute(edge, spots[index].getAttribute(edge));
        // Only the list is scrolled, not the page.
        const list = document.querySelector(".list");
        const [row, box] = [button.getBoundingClientRect(), list.getBoundingClientRect()];
        if (row.top < box.top) list.scrollTop += row.top - box.top;
        if (row.bottom > box.bottom) list.scrollTop += row.bottom - box.bottom;
      } else {
        button.removeAttribute("aria-current");
      }
    });
    if (!at) document.querySelector(".list").scrollTop = 0;
  };

  const show = (ply) => {
    at = Math.min(Math.max(ply, 0), plies.length);
    document.body.dataset.ply = String(at);
    drawBoard();
    drawMove();
    drawPlace();
  };

  // The next surprise after the move that is shown, or the one before it; from the last on to the first.
  const surprise = (step) => {
    const places = plies.map((ply, index) => (ply.surprising ? index + 1 : 0)).filter(Boolean);
    if (!places.length) return;
    const found = step > 0
      ? places.find((ply) => ply > at) ?? places[0]
      : places.findLast((ply) => ply < at) ?? places[places.length - 1];
    show(found);
  };

  const turn = () => {
    turned = !turned;
    drawBoard();
  };

  const keys = {
    ArrowRight: () => show(at + 1),
    ArrowLeft: () => show(at - 1),
    ArrowDown: () => surprise(1),
    ArrowUp: () => surprise(-1),
    Home: () => show(0),
    End: () => show(plies.length),
    f: turn,
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target === byId("choose")) return;
    const action = keys[event.key];
    if (action) {
      event.preventDefault();
      action();
    }
  });
  const clicks = {
    first: keys.Home,
    back: keys.ArrowLeft,
    next: keys.ArrowRight,
    last: keys.End,
    surprise: keys.ArrowDown,
    flip: turn,
  };
  for (const [id, action] of Object.entries(clicks)) byId(id).addEventListener("click", action);

  // Shows a game at its first surprise.
  const open = (number) => {
    game = games[number];
    plies = game.plies;
    full = Math.max(8, ...plies.map((ply) => ply.bits));
    byId("title").textContent = game.title;
    byId("figures").textContent = game.figures;
    makeList();
    makeCurve();
    show(plies.findIndex((ply) => ply.surprising) + 1);
  };

  const choose = byId("choose");
  games.forEach((one, number) => element(choose, "option", { value: number }, `${one.number}. ${one.title}`));
  choose.addEventListener("change", () => open(Number(choose.value)));
  byId("choice").hidden = games.length < 2;
  open(0);
})();
