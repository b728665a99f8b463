// Coding: takes what is selected in an utterance, by mouse, touch or keys, to the bar below.
"use strict";

let back = ""; // where the focus belongs after a change
let typed = []; // fields of forms that were changed and not sent

const bar = () => document.querySelector(".coding-bar");
const words = (node) => (node?.nodeType === Node.TEXT_NODE ? node.parentElement : node)?.closest?.(".coding-words");
const codePoints = (text) => [...text].length;

function textBetween(from, node, offset) {
  const range = document.createRange();
  range.selectNodeContents(from);
  range.setEnd(node, offset);
  return range.toString();
}

// The selection as far as it lies in one utterance: that in which it begins.
function selected() {
  const selection = window.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return null;
  const range = selection.getRangeAt(0);
  const within = words(range.startContainer) ?? words(range.endContainer);
  if (!within) return null;
  const start = words(range.startContainer) === within ? textBetween(within, range.startContainer, range.startOffset) : "";
  const end = words(range.endContainer) === within ? textBetween(within, range.endContainer, range.endOffset) : within.textContent;
  const quote = end.slice(start.length);
  return quote.trim() ? { within, start: codePoints(start), end: codePoints(end), quote } : null;
}

function show(place) {
  const form = bar();
  const { position, start, end, quote } = form.elements;
  position.value = place.within.dataset.position;
  start.value = place.start;
  end.value = place.end;
  quote.value = place.quote;
  form.querySelector("[data-selected]").textContent = `“${place.quote.trim()}”`;
  form.hidden = false;
}

function close() {
  const form = bar();
  const at = document.querySelector(`.coding-words[data-position="${form.elements.position.value}"]`);
  form.hidden = true;
  window.getSelection().removeAllRanges();
  at?.focus();
}

// Selects the next or previous word; with Shift, moves the selection's end by a word.
function byWord(within, forward, more) {
  const selection = window.getSelection();
  const inside = selection.rangeCount && within.contains(selection.focusNode);
  if (!inside) selection.collapse(within, forward ? 0 : within.childNodes.length);
  const way = forward ? "forward" : "backward";
  if (!more && inside && !selection.isCollapsed) {
    const range = selection.getRangeAt(0);
    selection.collapse(...(forward ? [range.endContainer, range.endOffset] : [range.startContainer, range.startOffset]));
  }
  selection.modify("extend", way, "word");
  if (!within.contains(selection.focusNode)) {
    selection.extend(within, forward ? within.childNodes.length : 0);
  }
}

function toNext(within, by) {
  const all = [...document.querySelectorAll(".coding-words")];
  all[all.indexOf(within) + by]?.focus();
}

function onKey(event) {
  const form = bar();
  if (!form || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Escape" && !form.hidden) {
    event.preventDefault();
    close();
    return;
  }
  const within = event.target.closest?.(".coding-words");
  if (!within) return;
  const forward = getComputedStyle(within).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const keys = {
    ArrowDown: () => toNext(within, 1),
    ArrowUp: () => toNext(within, -1),
    ArrowLeft: () => byWord(within, forward === "ArrowLeft", event.shiftKey),
    ArrowRight: () => byWord(within, forward === "ArrowRight", event.shiftKey),
    Enter: () => {
      if (selected()?.within !== within) window.getSelection().selectAllChildren(within);
      show(selected());
      form.elements.code.focus();
    },
  };
  if (!(event.key in keys)) return;
  event.preventDefault();
  keys[event.key]();
}

const fields = () => [...document.querySelectorAll("#coding form:not(.coding-bar) :is(input, textarea), #coding [form]")];
const isTyped = (one) => (one.type === "checkbox" ? one.checked !== one.defaultChecked : one.value !== one.defaultValue);

// Puts what was typed back, where its field is now.
function restore() {
  for (const old of typed) {
    const now = fields().find((one) => one.name === old.name && (old.type !== "checkbox" || one.value === old.value));
    if (!now) continue;
    if (old.type === "checkbox") now.checked = old.checked;
    else now.value = old.value;
    if (isTyped(now)) now.closest("details")?.setAttribute("open", "");
  }
}

function ready() {
  bar()?.querySelector("[data-cancel]").addEventListener("click", close);
  const all = document.querySelector("[data-all]");
  if (!all) return;
  all.parentElement.hidden = false;
  all.addEventListener("change", () =>
    document.querySelectorAll("[name=suggestion]").forEach((one) => (one.checked = all.checked)));
}

document.addEventListener("selectionchange", () => {
  const form = bar();
  if (!form || form.contains(document.activeElement)) return;
  const place = selected();
  if (place) show(place);
  else form.hidden = true;
});
document.addEventListener("keydown", onKey);
document.addEventListener("htmx:beforeRequest", (event) => {
  const form = bar();
  const within = event.target === form && `#e${form.elements.position.value} .coding-words`;
  back = within || event.target.closest("[data-back]")?.dataset.back || "";
});
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.target.id !== "coding") return;
  const changed = new Set(fields().filter(isTyped).map((one) => one.form));
  changed.delete(event.detail.requestConfig.elt);
  typed = fields().filter((one) => changed.has(one.form));
});
document.addEventListener("htmx:afterSettle", (event) => {
  if (event.target.id !== "coding") return;
  restore();
  ready();
  document.querySelector(back)?.focus({ preventScroll: true });
});
ready();
