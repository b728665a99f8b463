// Where nodes stand: a band for each rung, the lowest at the bottom; within a band what is tied
// stands near, and no two labels at the same place.
"use strict";

export const SLOT = { width: 178, height: 50 }; // a node with its label, which stands to its right
export const LEFT = 24; // of a slot, as far as the middle of its node
const TICKS = 220;
const NAME = 26; // pixels at the top of a band, for its name, once all of it is seen
const BELOW = 8;

export function laidOut(nodes, edges, rungs, width, height) {
  const bands = bandsFor(nodes, rungs, width, height);
  seed(nodes, edges, bands);
  pull(nodes, edges, bands);
  settle(nodes, bands);
  return bands;
}

// As many nodes side by side as lets the whole be drawn largest.
function bandsFor(nodes, rungs, width, height) {
  const counts = rungs.map((_, rung) => nodes.filter((node) => node.rung === rung).length);
  let best = null;
  for (let perRow = 1; perRow <= Math.max(...counts, 1); perRow += 1) {
    const tried = bandsOf(counts, rungs, perRow, width);
    tried.scale = Math.min(1, width / tried.width, height / tried.height);
    if (!best || tried.scale >= best.scale) best = tried;
  }
  return best;
}

function bandsOf(counts, rungs, perRow, width) {
  const wide = Math.max(perRow, 2) * SLOT.width;
  const name = NAME / Math.min(1, width / wide);
  const list = rungs.map((title, rung) => ({ name: title, rung, rows: Math.max(1, Math.ceil(counts[rung] / perRow)) }));
  let top = 0;
  for (const band of [...list].reverse()) {
    band.top = top;
    band.first = top + name;
    band.height = name + band.rows * SLOT.height + BELOW;
    top += band.height;
  }
  return { list, width: wide, height: top };
}

// Every beginning is the same, so every drawing of a graph is: what hangs together side by side.
function seed(nodes, edges, bands) {
  const groups = groupsOf(nodes, edges);
  let before = 0;
  for (const group of groups) {
    const middle = ((before + group.length / 2) / nodes.length) * bands.width;
    group.forEach((node, place) => {
      node.x = middle + ((place * 37) % 60) - 30;
      node.y = centre(bands.list[node.rung]);
    });
    before += group.length;
  }
}

function groupsOf(nodes, edges) {
  const near = new Map(nodes.map((node) => [node, []]));
  for (const edge of edges) {
    near.get(edge.source).push(edge.target);
    near.get(edge.target).push(edge.source);
  }
  const seen = new Set();
  return nodes.filter((node) => !seen.has(node)).map((node) => reached(node, near, seen)).filter((group) => group.length);
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

function pull(nodes, edges, bands) {
  const force = d3.layout.force()
    .nodes(nodes)
    .links(edges)
    .size([bands.width, bands.height])
    .gravity(0.01)
    .charge(-260)
    .chargeDistance(SLOT.width * 3)
    .linkDistance(SLOT.height)
    .linkStrength(0.5)
    .on("tick", () => nodes.forEach((node) => hold(node, bands)));
  force.start();
  for (let i = 0; i < TICKS; i += 1) force.tick();
  force.stop();
}

function hold(node, bands) {
  node.y = centre(bands.list[node.rung]);
  node.x = Math.max(SLOT.width / 2, Math.min(bands.width - SLOT.width / 2, node.x));
}

// Rows within a band; in each row nobody nearer than a slot, and everybody moved as little as can be.
function settle(nodes, bands) {
  for (const band of bands.list) {
    const inside = nodes.filter((node) => node.rung === band.rung).sort((a, b) => a.x - b.x);
    for (let row = 0; row < band.rows; row += 1) {
      const line = inside.filter((_, place) => place % band.rows === row);
      const stagger = band.rows > 1 ? ((row % 2) - 0.5) * (SLOT.width / 2) : 0;
      spread(line.map((node) => node.x + stagger)).forEach((x, place) => {
        line[place].x = x;
        line[place].y = band.first + (row + 0.5) * SLOT.height;
      });
    }
  }
  const left = Math.min(...nodes.map((node) => node.x)) - LEFT;
  for (const node of nodes) node.x -= left;
  bands.width = Math.max(...nodes.map((node) => node.x)) + SLOT.width - LEFT;
}

// Wished places, in order -> places a slot apart at least, by least squares.
function spread(wished) {
  const blocks = [];
  wished.forEach((x, place) => {
    blocks.push({ sum: x - place * SLOT.width, count: 1 });
    while (blocks.length > 1 && mean(blocks.at(-2)) >= mean(blocks.at(-1))) {
      const last = blocks.pop();
      blocks.at(-1).sum += last.sum;
      blocks.at(-1).count += last.count;
    }
  });
  return blocks.flatMap((block) => Array(block.count).fill(mean(block))).map((x, place) => x + place * SLOT.width);
}

function mean(block) {
  return block.sum / block.count;
}

function centre(band) {
  return band.top + band.height / 2;
}
