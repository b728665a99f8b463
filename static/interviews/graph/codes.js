// Comfort for coding: keys, what is chosen, finding, and staying where one was. Without it all forms work.
"use strict";

const form = document.getElementById("codes");
const suggestions = document.getElementById("suggestions");
const place = `codes ${window.location.pathname}${window.location.search}`;

if (form) {
  const bar = form.querySelector(".codes-bar");
  const find = form.querySelector("[type=search]");
  const rows = [...form.querySelectorAll(".codes-code")];
  const boxes = rows.map((row) => row.querySelector("[name=code]"));
  const name = form.elements.name;
  let last = null; // the box that was ticked last, where a range begins

  const shown = () => boxes.filter((box) => box && !box.closest(".codes-code").hidden);
  const chosen = (what) => [...form.querySelectorAll(`[name=${what}]:checked`)];
  const button = (what) => form.querySelector(`[name=do][value=${what}]`);
  const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  function mark() {
    const codes = chosen("code");
    const nodes = chosen("node");
    rows.forEach((row) => row.classList.toggle("codes-chosen", Boolean(row.querySelector("[name=code]:checked"))));
    bar.hidden = !codes.length && !nodes.length;
    bar.querySelector("[data-chosen]").textContent =
      [codes.length && many(codes.length, "code"), nodes.length && many(nodes.length, "statement")].filter(Boolean).join(", ");
    const fits = { codes: codes.length > 1, code: codes.length === 1 && !nodes.length, any: true };
    bar.querySelectorAll("[data-needs]").forEach((one) => (one.disabled = !fits[one.dataset.needs]));
    if (!name.dataset.typed) name.value = codes.length === 1 && !nodes.length ? codes[0].dataset.name : "";
  }

  function filter() {
    const words = find.value.trim().toLocaleLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLocaleLowerCase().includes(words) && !row.querySelector(":checked");
    form.querySelector("[data-found]").textContent = words ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  }

  function range(event) {
    const box = event.target.closest(".codes-code label")?.querySelector("[name=code]");
    if (!box) return;
    if (event.shiftKey && last) {
      const list = shown();
      const [from, to] = [list.indexOf(last), list.indexOf(box)].sort((a, b) => a - b);
      if (from >= 0) list.slice(from, to + 1).forEach((one) => (one.checked = box.checked));
      window.getSelection().removeAllRanges();
    }
    if (event.target === box) last = box;
    mark();
  }

  function clear() {
    [...chosen("code"), ...chosen("node")].forEach((one) => (one.checked = false));
    delete name.dataset.typed;
    mark();
    filter();
  }

  function step(by) {
    const list = shown();
    const here = document.activeElement.closest?.(".codes-code")?.querySelector("[name=code]");
    const next = list[Math.max(0, Math.min(list.length - 1, here ? list.indexOf(here) + by : 0))];
    next?.focus();
    next?.closest(".codes-code").scrollIntoView({ block: "nearest" });
  }

  const KEYS = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    Enter: () => document.activeElement.closest(".codes-code")?.querySelector("summary").click(),
    m: () => button("merge").click(),
    n: () => (name.focus(), name.select()),
    v: () => form.elements.target.focus(),
    r: () => form.elements.type.focus(),
    "/": () => find.focus(),
    Escape: clear,
  };

  function byKey(event) {
    const at = document.activeElement;
    const composing = event.isComposing || event.keyCode === 229; // an input method's own keys
    if (event.target.closest("#suggestions") || event.altKey || composing) return;
    const writes = at.matches("textarea, select, input:not([type=checkbox])");
    if ((event.ctrlKey || event.metaKey) && event.key === "z" && !writes) {
      event.preventDefault();
      button("undo").click();
    }
    if (event.ctrlKey || event.metaKey) return;
    if (at === name && event.key === "Enter") {
      event.preventDefault();
      (chosen("code").length > 1 ? button("merge") : chosen("code").length ? button("rename") : button("move")).click();
    } else if (at === find && ["Enter", "ArrowDown"].includes(event.key)) {
      event.preventDefault();
      shown()[0]?.focus();
    } else if (event.key === "Escape" ? form.contains(at) || at === document.body : !writes && event.key in KEYS) {
      if (event.key === "Enter" && !at.matches("[name=code]")) return;
      if (event.key.startsWith("Arrow") && at !== document.body && !form.contains(at)) return;
      event.preventDefault();
      if (at === find) find.value = "";
      KEYS[event.key]();
    }
  }

  find.parentElement.hidden = false;
  find.addEventListener("input", filter);
  if (bar) {
    bar.querySelector("[data-clear]").hidden = false;
    bar.querySelector("[data-clear]").addEventListener("click", clear);
    name.addEventListener("input", () => (name.dataset.typed = "yes"));
    form.addEventListener("change", mark);
    form.addEventListener("click", range);
    form.addEventListener("mousedown", (event) => event.shiftKey && event.preventDefault()); // selects no text
    document.addEventListener("keydown", byKey);
  }

  // After a step the page is another one: stay where one was.
  window.addEventListener("submit", () => {
    const open = [...form.querySelectorAll(".codes-code details[open]")].map((one) => one.closest(".codes-code").id);
    sessionStorage.setItem(place, JSON.stringify({ y: window.scrollY, words: find.value, open }));
  });
  const before = JSON.parse(sessionStorage.getItem(place));
  sessionStorage.removeItem(place);
  if (before) {
    find.value = before.words;
    for (const id of before.open) document.getElementById(id)?.querySelector("details").setAttribute("open", "");
  }
  filter();
  if (bar) mark();
  const made = document.getElementById(window.location.hash.slice(1));
  if (made?.matches(".codes-code")) made.hidden = false;
  if (before) {
    made?.querySelector?.(".codes-code [name=code]")?.focus({ preventScroll: true });
    window.scrollTo(0, before.y);
    if (made?.matches(".codes-code")) made.scrollIntoView({ block: "nearest" });
  }
}

if (suggestions) {
  const all = suggestions.querySelector("[data-all]");
  if (all) {
    all.hidden = false;
    all.addEventListener("change", () =>
      suggestions.querySelectorAll("[name=suggestion]").forEach((one) => (one.checked = all.checked)));
  }
  suggestions.addEventListener("submit", ({ submitter }) => {
    if (submitter?.dataset.slow) submitter.textContent = submitter.dataset.slow;
  });
}
