// Edges: straight, unless that led over a node that they have nothing to do with; then bent around it.
"use strict";

import { RADIUS } from "./labels.js";

const BENDS = [0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32]; // of an edge's length, to one side or the other
const STEPS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const CLEAR = RADIUS + 3; // pixels from the middle of a node

// Gives an edge the smallest bend by which it meets the fewest nodes at that scale, and stays inside.
export function bend(edge, nodes, bands, scale) {
  const others = nodes.filter((node) => node !== edge.source && node !== edge.target);
  edge.bend = 0;
  let fewest = Infinity;
  // one that lies level would lead through a label
  for (const tried of edge.source.y === edge.target.y ? BENDS.slice(1) : BENDS) {
    const met = meets(edge, tried, others, bands, CLEAR / scale);
    if (met < fewest) [edge.bend, fewest] = [tried, met];
    if (!met) return;
  }
}

function meets(edge, tried, nodes, { width, height }, clear) {
  const points = STEPS.map((part) => along(edge.source, edge.target, tried, part));
  if (tried && points.some(([x, y]) => x < 0 || x > width || y < 0 || y > height)) return Infinity;
  return nodes.filter((node) => points.some(([x, y], i) => near(node, [x, y], points[i + 1] ?? [x, y], clear))).length;
}

// Whether a node lies nearer than that to a short piece of a line.
function near(node, [x, y], [x2, y2], clear) {
  const [dx, dy] = [x2 - x, y2 - y];
  const part = Math.max(0, Math.min(1, ((node.x - x) * dx + (node.y - y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(node.x - x - part * dx, node.y - y - part * dy) < clear;
}

function along(from, to, bent, part) {
  const [mx, my] = middle(from.x, from.y, to.x, to.y, bent);
  const rest = 1 - part;
  const at = (a, b, c) => rest * rest * a + 2 * rest * part * b + part * part * c;
  return [at(from.x, mx, to.x), at(from.y, my, to.y)];
}

// Where a curve from one point to another pulls to.
function middle(x, y, x2, y2, bent) {
  return [(x + x2) / 2 - 2 * bent * (y2 - y), (y + y2) / 2 + 2 * bent * (x2 - x)];
}

// The curve from the rim of one node to that of the other, as it is drawn.
export function curve({ source, target, bend: bent }) {
  const [mx, my] = middle(source.px, source.py, target.px, target.py, bent);
  const [x, y] = rim(source, mx, my);
  const [x2, y2] = rim(target, mx, my);
  return `M${x},${y}Q${mx},${my} ${x2},${y2}`;
}

function rim(node, x, y) {
  const [dx, dy] = [x - node.px, y - node.py];
  const long = Math.hypot(dx, dy) || 1;
  const away = Math.min(RADIUS + 2, long);
  return [node.px + (dx / long) * away, node.py + (dy / long) * away];
}
