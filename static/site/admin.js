// What the admin's theme leaves out for people who use a screen reader.
"use strict";

const MISSING = [
  ["#main, .login #page", "role", "main"],
  ["#nav-sidebar-inner", "aria-label", "Sections"],
  [".simplebar-content-wrapper", "role", "group"],
  [".help-tooltip", "role", "img"],
  [".select2-selection__rendered, .select2-selection__choice", "role", "presentation"],
  [".select2-search__field", "aria-label", "Search"],
];

function complete() {
  for (const [selector, name, value] of MISSING) {
    document.querySelectorAll(selector).forEach((element) => element.setAttribute(name, value));
  }
  document.querySelectorAll("[data-label] :is(input, select, textarea)").forEach((field) => {
    if (!field.labels?.length) field.ariaLabel ??= field.closest("[data-label]").dataset.label;
  });
  document.querySelectorAll("th").forEach((header) => {
    if (header.textContent.trim() || header.querySelector("input, button, a")) return;
    header.innerHTML = '<span class="study-unseen">Actions</span>';
  });
}

window.addEventListener("load", () => window.setTimeout(complete)); // after the theme's own scripts
