// A script's sections and questions: dragged by the theme's own x-sort, moved by keys, added, deleted
// and timed. The order of the page is written into the fields `position` and `home` before it is sent.
"use strict";

const all = (what, within = editor) => [...within.querySelectorAll(what)];
const field = (row, name) => row.querySelector(`[name$="-${name}"]`);
const stays = (row) => !field(row, "DELETE").checked && !row.parentElement.closest(".script-gone");
let editor;
let unsaved = false;

function seconds(written) {
  const [, minutes, rest] = /^\s*(\d+)(?::([0-5]\d))?\s*$/.exec(written) ?? [0, 0, 0];
  return 60 * minutes + Number(rest ?? 0);
}

function spoken(time) {
  const total = Math.ceil(time / 60);
  const hours = Math.floor(total / 60);
  return [hours ? `${hours} h` : "", total % 60 || !hours ? `${total % 60} min` : ""].filter(Boolean).join(" ");
}

function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

// What is shown of the order: numbers and times.
function show() {
  const sections = all("[data-section]").filter(stays);
  let number = 0;
  let time = 0;
  all("[data-number]").forEach((one) => (one.textContent = ""));
  for (const section of sections) {
    const questions = all("[data-question]", section).filter(stays);
    const took = questions.reduce((sum, one) => sum + seconds(field(one, "block_seconds").value), 0);
    questions.forEach((one) => (one.querySelector("[data-number]").textContent = number += 1));
    section.querySelector("[data-time]").textContent = `${counted(questions.length, "question")} · ${spoken(took)}`;
    time += took;
  }
  editor.querySelector("[data-total]").innerHTML =
    `<b>${spoken(time)}</b> ${counted(number, "question")} in ${counted(sections.length, "section")}`;
}

function reorder() {
  unsaved = true;
  all("[data-section]").forEach((section, place) => {
    field(section, "position").value = place;
    all("[data-question]", section).forEach((question, at) => {
      field(question, "home").value = section.dataset.section;
      field(question, "position").value = at;
    });
  });
  show();
}

function say(row) {
  const section = row.closest("[data-section]");
  const rows = [...row.parentElement.children];
  const where = row === section ? "" : ` of ${field(section, "title").value}`;
  editor.querySelector("[data-said]").textContent = `Moved to place ${rows.indexOf(row) + 1} of ${rows.length}${where}`;
}

// A question leaves its section at the ends of its list.
function step(row, up) {
  const next = up ? row.previousElementSibling : row.nextElementSibling;
  if (next) return up ? next.before(row) : next.after(row);
  if (!row.matches("[data-question]")) return;
  const lists = all("[data-questions]");
  const list = lists[lists.indexOf(row.parentElement) + (up ? -1 : 1)];
  if (list) up ? list.append(row) : list.prepend(row);
}

function moved(row, handle) {
  reorder();
  say(row);
  handle.focus();
}

function added(template, list, prefix) {
  const total = editor.querySelector(`[name=${prefix}-TOTAL_FORMS]`);
  const made = document.createElement("template");
  made.innerHTML = editor.querySelector(template).innerHTML.replaceAll("__prefix__", total.value);
  total.value = Number(total.value) + 1;
  const row = made.content.querySelector("[x-sort\\:item]");
  list.append(row);
  reorder();
  row.querySelector("details").open = row.matches("[data-question]");
  row.querySelector("textarea, input[type=text]").focus();
}

function toggleDeleted(button) {
  const row = button.closest("[data-question], [data-section]");
  const gone = row.classList.toggle("script-gone");
  field(row, "DELETE").checked = gone;
  row.querySelector("[data-fields]").hidden = gone;
  button.textContent = gone ? `Keep this ${button.dataset.name}` : "Delete";
  reorder();
}

function listSections(select) {
  const here = select.closest("[data-section]");
  const named = (title) => title.value || title.placeholder;
  select.replaceChildren(
    ...all("[data-section]").map(
      (one) => new Option(named(field(one, "title")), one.dataset.section, false, one === here),
    ),
  );
}

const CLICKS = {
  "[data-add-section]": () => added("[data-section-template]", editor.querySelector("[data-sections]"), "sections"),
  "[data-add-question]": (button) =>
    added("[data-question-template]", button.parentElement.querySelector("[data-questions]"), "questions"),
  "[data-delete]": toggleDeleted,
  "[data-fold]": (button) => {
    const open = button.textContent.startsWith("Open");
    all("[data-question] details").forEach((one) => (one.open = open));
    button.textContent = open ? "Close all questions" : "Open all questions";
  },
};

function begin() {
  editor.addEventListener("click", (event) => {
    for (const [what, act] of Object.entries(CLICKS)) {
      const button = event.target.closest(what);
      if (button) act(button);
    }
  });
  editor.addEventListener("keydown", (event) => {
    const handle = event.target.closest(".script-handle");
    if (!handle || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    const row = handle.closest("[x-sort\\:item]");
    step(row, event.key === "ArrowUp");
    moved(row, handle);
  });
  editor.addEventListener("change", (event) => {
    if (!event.target.matches("[data-move]")) return;
    const row = event.target.closest("[data-question]");
    editor.querySelector(`[data-section="${event.target.value}"] [data-questions]`).append(row);
    moved(row, event.target);
  });
  editor.addEventListener("toggle", (event) => all("[data-move]", event.target).forEach(listSections), true);
  editor.addEventListener("input", show);
  editor.addEventListener("end", reorder); // of a drag
  all(".script-more[open] [data-move]").forEach(listSections);
  show();
}

function guard(form) {
  form.addEventListener("input", () => (unsaved = true));
  form.addEventListener("submit", () => (unsaved = false));
  window.addEventListener("beforeunload", (event) => unsaved && event.preventDefault());
}

document.addEventListener("DOMContentLoaded", () => {
  editor = document.querySelector("[data-script]");
  if (!editor) return;
  begin();
  guard(editor.closest("form"));
});
