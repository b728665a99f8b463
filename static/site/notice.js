// The one line above the text box: what has just happened to the participant's words.

const place = document.getElementById("notice");
const texts = document.getElementById("main").dataset;

export function say(code) {
  if (said() === code) return;
  const line = document.createElement(code === "old" ? "a" : "span");
  if (code === "old") line.href = location.pathname; // some apps show no button to reload
  line.dataset.code = code;
  line.textContent = texts[code];
  place.replaceChildren(line);
}

export function said() {
  return place.firstElementChild?.dataset.code ?? "";
}

// Takes the line away: whichever it is, or only one of those named.
export function hush(...codes) {
  if (codes.length === 0 || codes.includes(said())) place.replaceChildren();
}
