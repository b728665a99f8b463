// The buttons for speaking and listening. What they do is loaded when first wanted.

import { attempt } from "../keeping.js";
import { say } from "../talk.js";

const dictate = document.getElementById("dictate");
const aloud = document.getElementById("aloud");

wire(dictate, async () => (await import("./dictation.js")).toggle());
wire(aloud, async () => (await import("./aloud.js")).choose());
const wanted = attempt(() => JSON.parse(localStorage.getItem("interviewsite:aloud"))?.on);
if (aloud && wanted) import("./aloud.js").catch(() => {}); // from the next words on

function wire(button, act) {
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => act().catch(() => say("again")));
  // The cursor stays in the text box, and a phone's keyboard where it is.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
}
