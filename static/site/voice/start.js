// The buttons for speaking and listening. What they do is loaded when first wanted.

import { say } from "../notice.js";

const dictate = document.getElementById("dictate");
const aloud = document.getElementById("aloud");

wire(dictate, async () => (await import("./dictation.js")).toggle());
wire(aloud, async () => (await import("./aloud.js")).choose());
if (aloud && wantsReading()) import("./aloud.js").then((reading) => reading.goOn(), () => {});

function wire(button, act) {
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", () => act().catch(() => say("again")));
  // The cursor stays in the text box, and a phone's keyboard where it is.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
}

function wantsReading() {
  try {
    return JSON.parse(localStorage.getItem("interviewsite:aloud"))?.on;
  } catch {
    return false;
  }
}
