// Where nodes stand: a band for each rung, the lowest at the bottom; within a band what is tied
// stands near, and no two labels at the same place. All of the stage is used.
"use strict";

export const SLOT = { width: 178, height: 50 }; // a node with its label, which stands to its right
const LEFT = 24; // of a slot, as far as the middle of its node
const PASSES = 24;
const NAME = 26; // pixels at the top of a band, for its name, once all of it is seen
const BELOW = 8;

export function laidOut(nodes, edges, rungs, width, height) {
  const bands = bandsFor(nodes, rungs, width, height);
  const near = neighbours(nodes, edges);
  const lines = bands.list.map((band) => ({ band, nodes: nodes.filter((node) => node.rung === band.rung) }));
  seed(nodes, near, bands);
  order(lines, near);
  for (const line of lines) settle(line, bands);
  trim(nodes, bands);
  bands.scale = Math.min(1, width / bands.width, height / bands.height);
  return bands;
}

// As many nodes side by side as lets the whole be drawn largest.
function bandsFor(nodes, rungs, width, height) {
  const counts = rungs.map((_, rung) => nodes.filter((node) => node.rung === rung).length);
  let best = null;
  for (let perRow = 1; perRow <= Math.max(...counts, 1); perRow += 1) {
    const tried = bandsOf(counts, rungs, perRow, width, SLOT.height);
    tried.scale = Math.min(1, width / tried.width, height / tried.height);
    if (!best || tried.scale >= best.scale) best = tried;
  }
  const spare = height / Math.min(1, width / best.width) - best.height;
  return bandsOf(counts, rungs, best.perRow, width, SLOT.height + Math.max(0, spare / best.rows));
}

function bandsOf(counts, rungs, perRow, width, row) {
  const list = rungs.map((name, rung) => ({ name, rung, rows: Math.max(1, Math.ceil(counts[rung] / perRow)) }));
  const shift = list.some((band) => band.rows > 1) ? SLOT.width / 2 : 0; // of every other row
  const wide = Math.max(perRow, 2) * SLOT.width + shift;
  const name = NAME / Math.min(1, width / wide);
  let top = 0;
  for (const band of [...list].reverse()) {
    band.top = top;
    band.first = top + name;
    top += name + band.rows * row + BELOW;
  }
  return { list, perRow, row, shift, rows: list.reduce((sum, band) => sum + band.rows, 0), width: wide, height: top };
}

function neighbours(nodes, edges) {
  const near = new Map(nodes.map((node) => [node, []]));
  for (const edge of edges) {
    near.get(edge.source).push(edge.target);
    near.get(edge.target).push(edge.source);
  }
  return near;
}

// Every beginning is the same, so every drawing of a graph is: what hangs together side by side, the
// largest group first.
function seed(nodes, near, bands) {
  const seen = new Set();
  const groups = nodes.map((node) => reached(node, near, seen)).sort((a, b) => b.length - a.length);
  groups.flat().forEach((node, place) => {
    node.x = ((place + 0.5) / nodes.length) * bands.width;
  });
}

function reached(node, near, seen) {
  const found = seen.has(node) ? [] : [node];
  found.forEach((one) => seen.add(one));
  for (let i = 0; i < found.length; i += 1) {
    for (const other of near.get(found[i])) {
      if (!seen.has(other)) {
        seen.add(other);
        found.push(other);
      }
    }
  }
  return found;
}

// Up and down the bands, each node goes where the middle of what it is tied to is.
function order(lines, near) {
  const down = [...lines].reverse();
  for (let pass = 0; pass < PASSES; pass += 1) {
    for (const line of pass % 2 ? down : lines) arrange(line, near);
  }
}

function arrange({ band, nodes }, near) {
  for (const node of nodes) node.wish = near.get(node).length ? mean(near.get(node).map((one) => one.x)) : node.x;
  nodes.sort((a, b) => a.wish - b.wish || a.x - b.x);
  const places = spread(nodes.map((node) => node.wish), SLOT.width / band.rows);
  nodes.forEach((node, place) => {
    node.x = places[place];
  });
}

// Rows within a band; in each row nobody nearer than a slot, and everybody moved as little as can be.
function settle({ band, nodes }, bands) {
  for (let row = 0; row < band.rows; row += 1) {
    const line = nodes.filter((_, place) => place % band.rows === row);
    const least = row % 2 ? bands.shift : 0;
    const most = least + bands.width - bands.shift - SLOT.width;
    spread(line.map((node) => node.x), SLOT.width, least, most).forEach((x, place) => {
      line[place].x = x;
      line[place].y = band.first + (row + 0.5) * bands.row;
    });
  }
}

// What nobody stands on is left out to both sides.
function trim(nodes, bands) {
  const places = nodes.map((node) => node.x);
  const least = Math.min(...places);
  for (const node of nodes) node.x += LEFT - least;
  bands.width = Math.max(...places) - least + SLOT.width;
}

// Wished places, in order -> places so far apart at least, by least squares, between two bounds.
function spread(wished, apart, least = -Infinity, most = Infinity) {
  const blocks = [];
  wished.forEach((x, place) => {
    blocks.push([x - place * apart]);
    while (blocks.length > 1 && mean(blocks.at(-2)) >= mean(blocks.at(-1))) blocks.push(blocks.splice(-2).flat());
  });
  const last = most - (wished.length - 1) * apart;
  const begins = blocks.flatMap((block) => block.map(() => Math.max(least, Math.min(last, mean(block)))));
  return begins.map((x, place) => x + place * apart);
}

function mean(numbers) {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}
