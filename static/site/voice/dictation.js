// Dictation: the microphone's switch, what is said about it, and all that switches it off.
//
// Who recognises (browser.js, site.js) has one form: listen({onReady, onHeard, onEnd}) gives stop,
// after which the last words still come, and abort, after which none do.

import { attempt } from "../keeping.js";
import { flush, held, land } from "./landing.js";

const QUIET = 20_000; // milliseconds without a word until that is said
const SILENT = 120_000; // and until the microphone is switched off
const PATIENCE = 10_000; // milliseconds for the last words
const SHOWN = 6_000; // milliseconds that "off" stands on the page

const place = document.getElementById("voice");
const texts = place.dataset;
const button = document.getElementById("dictate");
const status = document.getElementById("voice-status");
const line = document.getElementById("provisional");
const stopButton = document.getElementById("voice-stop");
const dialog = document.getElementById("voice-dialog");
const box = document.getElementById("text");

let source = null; // who listens now
let heard = ""; // provisional words
let timers = [];
let why = ""; // it was switched off
let cursor = []; // in the text box; a dialog that closes moves it

button.setAttribute("aria-pressed", "false");
stopButton.addEventListener("click", () => stop());
dialog.querySelector("[data-yes]").addEventListener("click", agree);
dialog.addEventListener("close", () => box.setSelectionRange(...cursor));
box.addEventListener("input", onInput);
box.addEventListener("dictated", showWords);
document.addEventListener("submit", () => settle(), true);
document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick, true);
document.addEventListener("visibilitychange", () => document.hidden && settle("left"), true);
addEventListener("pagehide", () => settle("left"), true);
document.body.addEventListener("htmx:oobAfterSwap", onNews);

// -- the switch

export function toggle() {
  if (source) return stop();
  if (agreed()) return begin();
  cursor = [box.selectionStart, box.selectionEnd];
  dialog.showModal();
}

async function begin() {
  if (!isSecureContext) return tell("insecure");
  const token = (source = { stop: () => end(""), abort() {} }); // until somebody listens
  why = heard = "";
  document.dispatchEvent(new CustomEvent("dictating"));
  show("opening");
  const { listen } = await (texts.way === "browser" ? import("./browser.js") : import("./site.js"))
    .catch(() => ({ listen: ({ onEnd }) => onEnd("lost") }));
  if (source !== token) return;
  const own = listen({
    language: texts.spoken,
    session: texts.session,
    onReady: () => status.dataset.code === "opening" && (show("on"), wait()),
    onHeard: (words, final) => source && hear(words, final),
    onEnd: (code) => source && end(code),
  });
  if (source === token) source = own ?? null;
}

// The last words still come.
function stop(code = "") {
  why = code;
  if (!source) return;
  timers.forEach(clearTimeout);
  timers = [setTimeout(() => settle(why), PATIENCE)];
  show("stopping");
  source.stop();
}

// No more words come; those on the page are taken as they stand.
function settle(code = "") {
  if (!source) return;
  source.abort();
  end(code);
}

function end(code) {
  source = null;
  timers.forEach(clearTimeout);
  const last = heard;
  heard = "";
  land(last);
  flush(true);
  tell(code || why || "off");
}

// -- what is heard

function hear(words, final) {
  heard = final ? "" : words;
  if (final) land(words);
  if (words && status.dataset.code === "quiet") show("on");
  if (words) wait();
  showWords();
}

function wait() {
  timers.forEach(clearTimeout);
  if (status.dataset.code === "stopping") return;
  timers = [setTimeout(() => show("quiet"), QUIET), setTimeout(() => stop("silence"), SILENT)];
}

// -- what is shown

function show(code) {
  status.dataset.code = code;
  status.textContent = texts[code] ?? "";
  const on = Boolean(source);
  place.classList.toggle("open", on);
  const goes = !on || code === "stopping";
  if (goes && document.activeElement === stopButton) button.focus({ preventScroll: true });
  stopButton.hidden = goes;
  button.setAttribute("aria-pressed", String(on));
  showWords();
}

// All that doesn't stand in the text box yet.
function showWords() {
  line.textContent = [held(), heard].filter(Boolean).join(" ");
}

// Who goes on writing has read what is said; words that land late are nobody's writing.
function onInput(event) {
  if (!source && event.isTrusted) show("");
}

function tell(code) {
  show(texts[code] ? code : "away");
  if (code !== "off") return;
  setTimeout(() => status.dataset.code === "off" && show(""), SHOWN);
}

// -- what switches it off

function onKey(event) {
  const elsewhere = document.querySelector("dialog[open], .menu[open]");
  if (event.key === "Escape" && !event.isComposing && source && !elsewhere) stop();
}

// Skipping and pausing are no sending, but end what is being said all the same.
function onClick(event) {
  if (event.target.closest?.("#composer button[type=submit]:not(#send)")) settle();
}

function onNews(event) {
  if (event.detail.target.id !== "state") return;
  const { phase } = document.getElementById("state").dataset;
  if (phase === "paused" || phase === "over") settle();
}

// -- whether it was said where the sound goes

function agree() {
  remember();
  dialog.close();
  begin();
}

const told = () => `interviewsite:dictation:${texts.way}:${texts.service}`;
const agreed = () => attempt(() => localStorage.getItem(told()) === "told");
const remember = () => attempt(() => localStorage.setItem(told(), "told"));
