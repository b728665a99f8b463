// Who withdraws leaves nothing in this browser either: no draft, no words on their way, no key.
// Most browsers show the form only once this has run (blocking="render" in its page).

import { attempt, forget } from "./keeping.js";

const form = document.querySelector("form[data-withdraw]");

form.addEventListener("submit", () => {
  window.name = "withdrawn"; // for enter.js, when this tab comes back here
  attempt(() => form.dataset.withdraw.split(" ").forEach(forget));
});
