// Labels: broken into lines, and as many shown as fit without one lying on another.
"use strict";

import { SLOT } from "./layout.js";

const LETTERS = { least: 13, most: 22 }; // on a line
const LETTER = 6.4; // pixels, about
const LINE_HEIGHT = 14;
const BETWEEN = 6; // labels of two rows, at least
export const RADIUS = 11;
export const GAP = 5; // between a node and its label
export const LINES = 3; // at most

// How many letters a line and how many lines a label has where a row is so many pixels high.
export function roomAt(scale, row) {
  const letters = Math.floor((SLOT.width * scale - 2 * RADIUS - 2 * GAP) / LETTER);
  return {
    letters: Math.max(LETTERS.least, Math.min(LETTERS.most, letters)),
    lines: Math.max(1, Math.min(LINES, Math.floor((row * scale - BETWEEN) / LINE_HEIGHT))),
  };
}

export function linesOf(text, { letters, lines: most }) {
  const lines = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    if (line && line.length + word.length >= letters) {
      lines.push(line);
      line = word;
    } else line = line ? `${line} ${word}` : word;
  }
  lines.push(line);
  const kept = lines.slice(0, most).map((one) => shortened(one, letters));
  if (lines.length > most) kept[most - 1] = shortened(`${kept[most - 1].replace(/[.,;:…\s]+$/, "")}…`, letters);
  return kept;
}

function shortened(line, letters) {
  return line.length > letters + 1 ? `${line.slice(0, letters).replace(/…$/, "")}…` : line;
}

// Decides node by node, the most important first, whether there is room for its label, and on which
// side: to the right, unless that is beyond the stage.
export function choose(nodes, width, importance) {
  const taken = nodes.map((node) => ({ node, ...mark(node) }));
  for (const node of [...nodes].sort((a, b) => importance(b) - importance(a))) {
    const box = label(node, width);
    node.labelled = !taken.some((other) => other.node !== node && overlap(box, other));
    if (node.labelled) taken.push({ node, ...box });
  }
}

function mark(node) {
  return { left: node.px - RADIUS, right: node.px + RADIUS, top: node.py - RADIUS, bottom: node.py + RADIUS };
}

function label(node, width) {
  const long = Math.max(...node.lines.map((line) => line.length)) * LETTER;
  const half = (node.lines.length * LINE_HEIGHT) / 2;
  const near = node.px + RADIUS + GAP;
  node.flipped = near + long > width && node.px <= width;
  const left = node.flipped ? node.px - RADIUS - GAP - long : near;
  return { left, right: left + long, top: node.py - half, bottom: node.py + half };
}

// How far below the middle of a node the line of a label stands.
export function offset(line, lines) {
  return (line - (lines - 1) / 2) * LINE_HEIGHT + 4;
}

function overlap(a, b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
