// The text of a file: its lines are numbered, and a problem leads to its line. The Tab key goes on
// to the next field, as everywhere.
"use strict";

function numbered(area) {
  const around = document.createElement("div");
  const lines = document.createElement("div");
  around.className = "ladder-written";
  lines.className = "ladder-lines";
  lines.setAttribute("aria-hidden", "true");
  area.before(around);
  around.append(area, lines);
  const wrong = new Set([...document.querySelectorAll("[data-line]")].map((one) => Number(one.dataset.line)));
  let shown = 0;
  const show = () => {
    const count = area.value.split("\n").length;
    if (count !== shown) number(lines, count, wrong);
    shown = count;
    lines.scrollTop = area.scrollTop;
  };
  area.addEventListener("input", show);
  area.addEventListener("scroll", show, { passive: true });
  show();
}

function number(lines, count, wrong) {
  const rows = document.createDocumentFragment();
  for (let line = 1; line <= count; line += 1) {
    const row = document.createElement(wrong.has(line) ? "b" : "span");
    row.textContent = line;
    rows.append(row, "\n");
  }
  rows.append("\n\n"); // room below, as a scroll bar takes it in the text
  lines.replaceChildren(rows);
}

function goToLine(area, line) {
  const before = area.value.split("\n").slice(0, line - 1).join("\n");
  const start = before.length + (line > 1 ? 1 : 0);
  const end = area.value.indexOf("\n", start);
  area.focus();
  area.setSelectionRange(start, end < 0 ? area.value.length : end);
  area.scrollTop = Math.max(0, (line - 6) * parseFloat(getComputedStyle(area).lineHeight));
  area.scrollLeft = 0;
}

// A change in the form or in the text closes the other until it is saved: both always say the same.
function freezeOther(event) {
  const here = event.target.closest("[data-place]");
  if (!here || document.querySelector(".ladder-frozen")) return;
  document.querySelectorAll("[data-place]").forEach((place) => {
    if (place === here) return;
    const note = document.createElement("p");
    note.className = "ladder-frozen-note";
    note.textContent = "You are changing the other tab. Save to see your changes here.";
    place.prepend(note);
    place.classList.add("ladder-frozen");
    place.querySelectorAll("input, textarea, select, button").forEach((field) => {
      if (field.name === "source") field.readOnly = true;
      else if (field.type !== "hidden") field.disabled = true;
    });
  });
}

function addRow(button) {
  const list = button.closest("[data-rows]");
  const total = list.querySelector("[name$=-TOTAL_FORMS]");
  const made = document.createElement("template");
  made.innerHTML = list.querySelector("template").innerHTML.replaceAll("__prefix__", total.value);
  total.value = Number(total.value) + 1;
  const row = made.content.querySelector(".ladder-row");
  list.querySelector("div").append(row);
  row.querySelector("input, textarea").focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-add-row]");
  if (button) addRow(button);
});
document.addEventListener("input", freezeOther);
document.addEventListener("DOMContentLoaded", () => {
  const area = document.querySelector("textarea[name=source]");
  if (!area) return;
  numbered(area);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-line]");
    if (button) goToLine(area, Number(button.dataset.line));
  });
});
