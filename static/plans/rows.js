// Rows: new ones open at once, and their order can be changed from the keyboard.
"use strict";

function openNewRow(event) {
  const added = event.target.closest(".add-row");
  if (!added) return;
  const rows = added.closest(".formset").querySelectorAll(":scope > .form-group:not(.empty-form)");
  const row = rows[rows.length - 1];
  if (!row) return;
  window.requestAnimationFrame(() => {
    if (window.Alpine && "openRow" in window.Alpine.$data(row)) window.Alpine.$data(row).openRow = true;
    window.setTimeout(() => firstField(row)?.focus(), 100); // once Alpine has shown it
  });
}

function firstField(row) {
  return row.querySelector("textarea, input[type=text]");
}

function renumber(list) {
  const name = list.dataset.orderingField;
  list.querySelectorAll(":scope > .form-group.original").forEach((row, place) => {
    const input = row.querySelector(`input[name$="-${name}"]`);
    if (input) input.value = place;
  });
}

function moveByKey(event) {
  const handle = event.target.closest("[data-study-handle]");
  if (!handle || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
  event.preventDefault();
  const row = handle.closest(".form-group");
  const next = event.key === "ArrowUp" ? row.previousElementSibling : row.nextElementSibling;
  if (!next || !next.classList.contains("original")) return;
  if (event.key === "ArrowUp") next.before(row);
  else next.after(row);
  renumber(row.parentElement);
  row.querySelector("input[name$='-position']")?.dispatchEvent(new Event("input", { bubbles: true }));
  handle.focus();
}

function nameHandles() {
  document.querySelectorAll(".form-group.original [x-sort\\:handle]").forEach((handle) => {
    handle.dataset.studyHandle = "";
    handle.tabIndex = 0;
    handle.setAttribute("role", "button");
    handle.setAttribute("aria-label", "Move: arrow up or down");
  });
}

document.addEventListener("DOMContentLoaded", nameHandles);
document.addEventListener("click", openNewRow);
document.addEventListener("keydown", moveByKey);
