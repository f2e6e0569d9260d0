"use strict";
// Making elements, and how numbers are written.

const SVG = "http://www.w3.org/2000/svg";

const byId = (id) => document.getElementById(id);

/** An element with attributes. Texts are always set as text, never read as HTML. */
function element(parent, name, attributes = {}, text = "") {
  const made = parent instanceof SVGElement
    ? document.createElementNS(SVG, name)
    : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  parent.append(made);
  return made;
}

const count = (number) => number.toLocaleString("en");
const counted = (number, one) => `${count(number)} ${one}${number === 1 ? "" : "s"}`;
const decimals = (number, digits) =>
  number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A probability, as `plyzip explain` writes it. */
function percent(probability) {
  const share = 100 * probability;
  if (share < 0.01) return "<0.01 %";
  if (share < 0.995) return `${share.toFixed(2)} %`;
  if (share < 9.95) return `${share.toFixed(1)} %`;
  if (share < 99.5 || probability >= 1) return `${share.toFixed(0)} %`;
  return ">99 %";
}
