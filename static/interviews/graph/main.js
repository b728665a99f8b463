// The drawing of a graph. Its data stand in the page (#graph-data), its words in tables below, which
// are all there is without this script.
"use strict";

import { bend, curve } from "./edges.js";
import { GAP, LINES, RADIUS, choose, linesOf, offset, roomAt } from "./labels.js";
import { laidOut } from "./layout.js";
import { filled } from "./panel.js";

const LARGEST = 3; // times the size at which labels have room
const CLOSE = 0.55; // below it nodes stand close, and are drawn smaller
const TINY = 0.25; // and below this one without their numbers
const EDGE = 14; // pixels around all of it
const KEYS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

const part = document.querySelector("[data-graph]");
const graph = JSON.parse(document.getElementById("graph-data").textContent);
const find = part.querySelector("[type=search]");
const told = part.querySelector("[data-found]");
const panel = part.querySelector("[data-panel]");
const stage = part.querySelector("[data-stage]");
let bands;
let chosen = null;
let current = null; // the node that Tab comes to
let pointed = null; // the node under the pointer or with the focus
let seenWidth = 0; // of the stage
let found = null; // a set of nodes while something is searched for
const hidden = new Set(); // rungs that are left out

function start() {
  part.hidden = false;
  document.querySelectorAll("[data-graph-tables]").forEach((tables) => tables.removeAttribute("open"));
  prepare();
  const [width, height] = [stage.clientWidth, stage.clientHeight];
  bands = laidOut(graph.nodes, graph.edges, graph.rungs, width - 2 * EDGE, height);
  for (const edge of graph.edges) bend(edge, graph.nodes, bands, bands.scale);
  build();
  fit();
  listen();
  byAddress();
}

function prepare() {
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  for (const edge of graph.edges) {
    edge.source = byId.get(edge.source);
    edge.target = byId.get(edge.target);
  }
  for (const node of graph.nodes) {
    node.near = new Set([node]);
    node.plain = node.text.toLocaleLowerCase();
  }
  for (const edge of graph.edges) {
    edge.source.near.add(edge.target);
    edge.target.near.add(edge.source);
  }
  current = graph.nodes[0];
}

// -- what is drawn

let view;
const zoom = d3.behavior.zoom().on("zoom", place);
const drag = d3.behavior.drag()
  .origin((node) => ({ x: node.px, y: node.py }))
  .on("dragstart", () => d3.event.sourceEvent.stopPropagation())
  .on("drag", moved);

function build() {
  const svg = d3.select(stage).append("svg").attr("role", "group").attr("aria-label", stage.dataset.stage);
  arrows(svg.append("defs"));
  view = { svg };
  view.bands = svg.append("g").attr("aria-hidden", "true").selectAll("g").data(bands.list).enter().append("g").attr("class", "graph-band");
  view.bands.append("line");
  view.edges = svg.append("g").attr("aria-hidden", "true").selectAll("path").data(graph.edges).enter().append("path").attr("class", edgeClass);
  view.edges.style("stroke-width", (edge) => (edge.weight ? `${1.25 + 2.75 * edge.weight}px` : null)).append("title").text(edgeWords);
  view.names = svg.append("g").attr("aria-hidden", "true").selectAll("text").data(bands.list).enter().append("text").attr("class", "graph-rung").text((band) => band.name);
  view.nodes = svg.append("g").selectAll("g").data(graph.nodes).enter().append("g");
  view.nodes.attr("role", "button").attr("aria-label", nodeWords).attr("data-node", (node) => node.id).call(drag);
  view.nodes.append("title").text((node) => node.text);
  view.nodes.append("circle").attr("class", (node) => `graph-rung-${node.rung + 1}`).attr("r", RADIUS);
  view.nodes.append("text").attr("class", (node) => (node.mark.length > 2 ? "graph-number graph-long" : "graph-number")).attr("dy", "0.35em").text((node) => node.mark);
  view.labels = svg.append("g").attr("aria-hidden", "true").selectAll("text").data(graph.nodes).enter().append("text");
  view.labels.selectAll("tspan").data(d3.range(LINES)).enter().append("tspan");
  svg.call(zoom);
}

function arrows(defs) {
  const size = graph.edges.some((edge) => edge.weight) ? 11 : 8;
  for (const kind of ["", "-near"]) {
    const marker = defs.append("marker").attr("id", `graph-arrow${kind}`).attr("class", `graph-arrow${kind}`);
    marker.attr("viewBox", "0 0 8 8").attr("refX", 8).attr("refY", 4).attr("markerWidth", size).attr("markerHeight", size);
    marker.attr("markerUnits", "userSpaceOnUse").attr("orient", "auto").append("path").attr("d", "M0,0L8,4L0,8z");
  }
}

function edgeClass(edge) {
  return edge.relation === Object.keys(graph.relations)[0] ? "graph-edge" : "graph-edge graph-other";
}

function edgeWords(edge) {
  const words = `${edge.source.text} – ${graph.relations[edge.relation]} – ${edge.target.text}`;
  return edge.note ? `${words} (${edge.note})` : words;
}

function nodeWords(node) {
  const ties = node.near.size - 1;
  return `${node.text}. ${graph.rungs[node.rung]}, ${ties === 1 ? "1 tie" : `${ties} ties`}.`;
}

// -- where it is drawn

function place() {
  const scale = zoom.scale();
  const [left, top] = zoom.translate();
  const room = roomAt(scale, bands.row);
  for (const node of graph.nodes) {
    node.px = node.x * scale + left;
    node.py = node.y * scale + top;
    node.out = hidden.has(node.rung);
    node.lines = linesOf(node.text, room);
  }
  choose(graph.nodes.filter((node) => !node.out), stage.clientWidth, importance);
  view.svg.classed("graph-close-by", scale < CLOSE).classed("graph-tiny", scale < TINY);
  view.bands.attr("transform", (band) => `translate(0,${band.top * scale + top})`);
  view.bands.select("line").attr("x2", stage.clientWidth);
  view.names.attr("x", 10).attr("y", (band) => band.top * scale + top + 16);
  view.nodes.attr("transform", (node) => `translate(${node.px},${node.py})`);
  view.labels.attr("transform", (node) => `translate(${node.px},${node.py})`);
  view.labels.each(function lined(node) {
    d3.select(this).attr("text-anchor", node.flipped ? "end" : "start").selectAll("tspan")
      .attr("x", (RADIUS + GAP) * (node.flipped ? -1 : 1))
      .attr("y", (_, i) => offset(i, node.lines.length))
      .text((_, i) => node.lines[i] ?? "");
  });
  view.edges.attr("d", curve);
  mark();
}

function importance(node) {
  const asked = (node === chosen ? 1e6 : 0) + (found?.has(node) ? 1e5 : 0) + (chosen?.near.has(node) ? 1e4 : 0);
  return asked + node.near.size;
}

// What stands out, what stands back, and what can be reached by Tab.
function mark() {
  const near = chosen && !found ? chosen.near : found;
  const faint = (node) => Boolean(near) && !near.has(node) && node !== chosen && node !== pointed;
  const shown = (node) => !node.out && (node.labelled || [chosen, pointed].includes(node));
  view.nodes.attr("class", "graph-node").classed("graph-chosen", (node) => node === chosen).classed("graph-faint", faint);
  view.labels.attr("class", "graph-label").classed("graph-chosen", (node) => node === chosen || node === pointed).classed("graph-faint", faint);
  view.labels.style("display", (node) => (shown(node) ? null : "none"));
  view.nodes.style("display", (node) => (node.out ? "none" : null));
  view.nodes.attr("tabindex", (node) => (node === current ? 0 : -1));
  view.nodes.attr("aria-pressed", (node) => String(node === chosen));
  view.edges.classed("graph-near", (edge) => chosen && (edge.source === chosen || edge.target === chosen));
  view.edges.classed("graph-faint", (edge) => near && !(edge.source === chosen || edge.target === chosen));
  view.edges.style("display", (edge) => (edge.source.out || edge.target.out ? "none" : null));
}

function fit() {
  const [width, height] = [stage.clientWidth, stage.clientHeight];
  seenWidth = width;
  const scale = Math.min(1.15, (width - 2 * EDGE) / bands.width, height / bands.height);
  zoom.scaleExtent([Math.min(scale, 0.3), LARGEST]).scale(scale);
  zoom.translate([(width - bands.width * scale) / 2, (height - bands.height * scale) / 2]);
  zoom.event(view.svg);
}

function zoomed(factor) {
  const [width, height] = [stage.clientWidth / 2, stage.clientHeight / 2];
  const before = zoom.scale();
  const after = Math.max(zoom.scaleExtent()[0], Math.min(LARGEST, before * factor));
  const [left, top] = zoom.translate();
  zoom.scale(after).translate([width - ((width - left) * after) / before, height - ((height - top) * after) / before]);
  zoom.event(view.svg);
}

// How much of the stage's width the panel leaves free.
function seen() {
  const over = !panel.hidden && getComputedStyle(panel).position === "absolute";
  return stage.clientWidth - (over ? panel.offsetWidth + 8 : 0);
}

// So that a node can be seen, with nothing moved further than that takes; at another scale it comes
// to the middle.
function intoSight(node, scale = zoom.scale()) {
  const [width, height] = [seen(), stage.clientHeight];
  const [left, top] = zoom.translate();
  const there = [width / 2 - node.x * scale, height / 2 - node.y * scale];
  const near = [left + into(node.px, 30, width - 170), top + into(node.py, 50, height - 40)];
  const same = scale === zoom.scale();
  zoom.scale(scale).translate(same ? near : [covering(there[0], bands.width * scale, width), covering(there[1], bands.height * scale, height)]);
  zoom.event(view.svg);
}

// Where the drawing begins so that none of the stage is left empty that it could cover.
function covering(begin, size, room) {
  const [least, most] = [room - EDGE - size, EDGE];
  return least < most ? Math.max(least, Math.min(most, begin)) : (least + most) / 2;
}

// What is to be added so that a place lies between two others.
function into(place, least, most) {
  return place < least ? least - place : Math.min(0, most - place);
}

// Phones change their height while they scroll; only another width asks for another view.
function resized() {
  if (stage.clientWidth === seenWidth) place();
  else fit();
}

function moved(node) {
  const [left, top] = zoom.translate();
  node.x = (d3.event.x - left) / zoom.scale();
  node.y = (d3.event.y - top) / zoom.scale();
  for (const edge of graph.edges) if (edge.source === node || edge.target === node) bend(edge, graph.nodes, bands, zoom.scale());
  place();
}

// -- what people do

function listen() {
  view.nodes.on("click", (node) => d3.event.defaultPrevented || open(node));
  view.nodes.on("mouseenter", point).on("mouseleave", () => point(null)).on("blur", () => point(null));
  view.nodes.on("focus", focused);
  stage.addEventListener("keydown", byKey);
  panel.addEventListener("keydown", (event) => event.key === "Escape" && close());
  find.addEventListener("input", search);
  find.addEventListener("keydown", (event) => event.key === "Enter" && nextFound(event));
  part.querySelectorAll("[data-rung]").forEach((box) => box.addEventListener("change", () => filter(box)));
  part.querySelector("[data-zoom=in]").addEventListener("click", () => zoomed(1.4));
  part.querySelector("[data-zoom=out]").addEventListener("click", () => zoomed(1 / 1.4));
  part.querySelector("[data-zoom=all]").addEventListener("click", fit);
  window.addEventListener("resize", resized);
  window.addEventListener("hashchange", byAddress);
}

// What is being pressed stays where it is, or the press would end beside it.
function focused(node) {
  current = node;
  if (this.matches(":focus-visible")) intoSight(node);
  point(node);
}

function point(node) {
  pointed = node;
  mark();
}

function byKey(event) {
  if (event.key === "Escape") close();
  else if (["Enter", " "].includes(event.key)) open(current);
  else if (event.key in KEYS) step(KEYS[event.key]);
  else if (event.key === "Home") focusOn(graph.nodes.find((node) => !node.out));
  else if (event.key === "End") focusOn(graph.nodes.findLast((node) => !node.out));
  else return;
  event.preventDefault();
}

function step(by) {
  const shown = graph.nodes.filter((node) => !node.out);
  focusOn(shown[(shown.indexOf(current) + by + shown.length) % shown.length]);
}

function focusOn(node) {
  if (!node) return;
  current = node;
  mark();
  drawn(node).focus({ preventScroll: true });
}

function drawn(node) {
  return stage.querySelector(`[data-node="${CSS.escape(node.id)}"]`);
}

function open(node) {
  chosen = current = node;
  place();
  const title = beside(node);
  intoSight(node);
  title.focus({ preventScroll: true });
  panel.scrollIntoView({ block: "nearest" });
}

// Fills the panel; its title comes back.
function beside(node) {
  panel.hidden = false;
  return filled(panel, node, graph, open, close);
}

function close() {
  const before = chosen;
  chosen = null;
  panel.hidden = true;
  place();
  if (before) focusOn(before);
}

function search() {
  const words = find.value.trim().toLocaleLowerCase();
  found = words ? new Set(graph.nodes.filter((node) => !node.out && node.plain.includes(words))) : null;
  told.textContent = found ? `${found.size} of ${graph.nodes.length} found` : "";
  place();
}

function nextFound(event) {
  event.preventDefault();
  if (!found?.size) return;
  const list = [...found];
  chosen = current = list[(list.indexOf(chosen) + 1) % list.length];
  beside(chosen);
  place();
  intoSight(chosen, Math.max(1, zoom.scale()));
}

function filter(box) {
  if (box.checked) hidden.delete(Number(box.dataset.rung));
  else hidden.add(Number(box.dataset.rung));
  place();
  if (current.out) current = graph.nodes.find((node) => !node.out) ?? current;
  search();
}

// #n3 in the address opens that node; the rows of the table give their names up for it.
function byAddress() {
  const node = graph.nodes.find((one) => `#${one.id}` === window.location.hash);
  document.querySelectorAll("[data-row]").forEach((row) => row.removeAttribute("id"));
  if (!node) return;
  part.scrollIntoView({ block: "start" });
  open(node);
  intoSight(node, Math.max(1, zoom.scale()));
}

start();
