// Who withdraws leaves nothing in this browser either: no draft, no words on their way, no key.

import { forget } from "./keeping.js";

const form = document.querySelector("form[data-withdraw]");

form.addEventListener("submit", () => {
  try {
    forget(form.dataset.withdraw);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
});
