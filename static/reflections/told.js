// A chosen quote is lit in the transcript, also where others overlap it; a reviewer gets as many rows
// as they need, and takes selected words over as a quote. Without this the anchors lead to the words
// just as well, each save gives another row, and words are typed.
"use strict";

function lightChosen() {
  const chosen = location.hash.slice(1);
  document.querySelectorAll("mark[data-quotes]").forEach((mark) => {
    mark.classList.toggle("is-lit", mark.dataset.quotes.split(" ").includes(chosen));
  });
  document.querySelectorAll("[data-quote]").forEach((link) => {
    if (link.dataset.quote === chosen) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  });
}

function addRow() {
  const rows = document.querySelector(".told-rows");
  const total = document.getElementById("id_told-TOTAL_FORMS");
  const added = document.getElementById("told-row").innerHTML.replaceAll("__prefix__", total.value);
  total.value = Number(total.value) + 1;
  rows.insertAdjacentHTML("beforeend", added);
  rows.lastElementChild.querySelector("textarea").focus();
}

// The words that are selected within one answer, with its number before them; empty without any.
function selectedWords() {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return "";
  const found = selection.getRangeAt(0).commonAncestorContainer;
  const within = found instanceof Element ? found : found.parentElement;
  const answer = within.closest(".report-theirs .report-words")?.closest(".report-theirs");
  const words = selection.toString().replace(/\s+/g, " ").trim();
  return answer && words ? `${answer.id.slice(1)} ${words}` : "";
}

function keepSelected(event) {
  if (event.target.closest(".told-take")) event.preventDefault();
}

function takeWords(event) {
  const button = event.target.closest(".told-take");
  if (!button) return;
  const field = button.parentElement.querySelector("textarea");
  const taken = selectedWords();
  if (taken) field.value = [field.value.trim(), taken].filter(Boolean).join("\n");
  else field.focus();
}

function offerRows() {
  const button = document.querySelector(".told-add");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", addRow);
  if (!document.querySelector(".report-theirs")) return;
  document.documentElement.classList.add("told-can-take");
  document.addEventListener("mousedown", keepSelected);
  document.addEventListener("click", takeWords);
}

window.addEventListener("hashchange", lightChosen);
document.addEventListener("DOMContentLoaded", lightChosen);
document.addEventListener("DOMContentLoaded", offerRows);
