// Comfort for the drawing of a graph: find, leave types out, zoom, arrow keys, and what is tied to the
// node that is open. Without it the drawing stands all the same, and its links open the nodes.
"use strict";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
const LEAST = 0.8; // what is not seen whole at this size is scrolled at its own

const part = document.querySelector("[data-graph]");
const stage = part.querySelector(".graph-stage");
const svg = stage.querySelector("svg");
const find = part.querySelector("[type=search]");
const nodes = [...svg.querySelectorAll(".graph-node")];
const edges = [...svg.querySelectorAll(".graph-edge")];
const natural = svg.width.baseVal.value;
let scale = 1;
let chosen = null;
let found = null; // nodes that hold the words that are looked for

const shown = () => nodes.filter((node) => !node.matches(".graph-out"));
const named = (key) => nodes.find((node) => node.dataset.node === key);

function zoom(to) {
  scale = Math.max(0.1, Math.min(3, to));
  svg.style.width = `${natural * scale}px`;
  svg.style.height = "auto";
}

// Which node the Tab key comes to.
function current(node, focus = false) {
  for (const one of nodes) one.tabIndex = one === node ? 0 : -1;
  if (focus) node?.focus();
}

// What stands out, and what stands back.
function mark() {
  const near = new Set(found ?? [chosen]);
  for (const edge of edges) {
    const ends = [named(edge.dataset.source), named(edge.dataset.target)];
    const tied = !found && ends.includes(chosen);
    if (tied) ends.forEach((end) => near.add(end));
    edge.classList.toggle("graph-near", tied);
    edge.classList.toggle("graph-faint", Boolean(chosen || found) && !tied);
    edge.classList.toggle("graph-out", ends.some((end) => end.matches(".graph-out")));
  }
  for (const node of nodes) {
    node.classList.toggle("graph-chosen", node === chosen);
    node.classList.toggle("graph-faint", Boolean(chosen || found) && !near.has(node) && node !== chosen);
    node.setAttribute("aria-current", String(node === chosen));
  }
}

// Follows a link within the page without the page jumping to where it leads.
function go(address) {
  const at = [window.scrollX, window.scrollY];
  window.location.hash = address;
  window.scrollTo(...at);
}

// Whether the focus is already outside the details of a node that was open.
function movedOn(node) {
  const at = document.activeElement;
  return at !== document.body && !document.getElementById(node.dataset.node).contains(at);
}

// What the address names stands open.
function opened() {
  const before = chosen;
  chosen = named(decodeURIComponent(window.location.hash.slice(1))) ?? null;
  mark();
  if (!chosen) return before && current(before, !movedOn(before));
  current(chosen);
  chosen.scrollIntoView({ block: "nearest", inline: "nearest" });
  const details = document.getElementById(chosen.dataset.node);
  details.parentElement.scrollTop = 0;
  details.scrollIntoView({ block: "nearest" });
  if (document.activeElement !== find) details.querySelector("h2").focus({ preventScroll: true });
  return null;
}

function search() {
  const words = find.value.trim().toLocaleLowerCase();
  const holds = (node) => node.querySelector("title").textContent.toLocaleLowerCase().includes(words);
  found = words ? shown().filter(holds) : null;
  part.querySelector("[data-found]").textContent = found ? `${found.length} of ${nodes.length} found` : "";
  mark();
}

function filter({ target }) {
  for (const node of nodes) if (node.dataset.inRung === target.dataset.rung) node.classList.toggle("graph-out", !target.checked);
  if (!nodes.some((node) => node.tabIndex === 0 && !node.matches(".graph-out"))) current(shown()[0]);
  search();
}

function byKey(event) {
  const list = shown();
  const here = list.indexOf(document.activeElement);
  if (event.key in STEPS) current(list[(here + STEPS[event.key] + list.length) % list.length], true);
  else if (event.key === "Home") current(list[0], true);
  else if (event.key === "End") current(list.at(-1), true);
  else return;
  event.preventDefault();
}

part.querySelector("[data-tools]").hidden = false;
part.querySelectorAll("[data-rung]").forEach((box) => {
  box.hidden = false;
  box.addEventListener("change", filter);
});
part.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (!link) return;
  event.preventDefault();
  go(link.getAttribute("href"));
});
part.addEventListener("keydown", (event) => event.key === "Escape" && chosen && go(`at-${chosen.dataset.node}`));
stage.addEventListener("keydown", byKey);
find.addEventListener("input", search);
find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !found?.length) return;
  go(found[(found.indexOf(chosen) + 1) % found.length].dataset.node);
});
part.querySelector("[data-zoom=in]").addEventListener("click", () => zoom(scale * 1.25));
part.querySelector("[data-zoom=out]").addEventListener("click", () => zoom(scale / 1.25));
part.querySelector("[data-zoom=all]").addEventListener("click", () => zoom(stage.clientWidth / natural));
window.addEventListener("hashchange", opened);
const whole = stage.clientWidth / natural;
zoom(whole < LEAST ? 1 : Math.min(1, whole));
current(nodes[0]);
opened();
