// Reads the interviewer's new words aloud, by the voices of this device: whole, once, and only while
// somebody listens.

import { attempt } from "../keeping.js";

const NAME = "interviewsite:aloud";
const PIECE = 200; // characters; some voices fall silent in the middle of more

const speech = window.speechSynthesis;
const box = document.getElementById("text");
const log = document.getElementById("log");
const place = document.getElementById("voice");
const texts = place.dataset;
const dialog = document.getElementById("aloud-dialog");
const [on, voice, rate] = ["aloud-on", "aloud-voice", "aloud-rate"].map(byId);
const note = byId("aloud-note");
const menu = byId("menu");
const stopButton = byId("aloud-stop");
const language = texts.spoken.split("-")[0];
const kept = attempt(() => JSON.parse(localStorage.getItem(NAME)));
const wish = { on: false, voices: {}, rate: "1", ...kept }; // a voice for each language

let last = newest(); // position of the last words that need no reading
let saying = 0; // which reading is under way

if (speech) wire();

// -- what the page calls

// Opens the settings, or says that this browser has no voice.
export async function choose() {
  menu.open = false;
  offer(speech?.getVoices() ?? []);
  dialog.showModal();
}

// Without a voice there is nothing to choose.
function offer(voices) {
  const able = voices.length > 0;
  note.textContent = able ? "" : texts.mute;
  for (const part of [voice, rate]) part.parentElement.hidden = !able;
  for (const part of [on, byId("aloud-again")]) part.disabled = !able;
}

function wire() {
  on.checked = wish.on;
  rate.value = wish.rate;
  list();
  speech.addEventListener("voiceschanged", list);
  on.addEventListener("change", switched);
  voice.addEventListener("change", () =>
    keep({ voices: { ...wish.voices, [language]: voice.value } }),
  );
  rate.addEventListener("change", () => keep({ rate: rate.value }));
  byId("aloud-again").addEventListener("click", () => read(present()));
  stopButton.addEventListener("click", stop);
  box.addEventListener("input", stop);
  document.addEventListener("dictating", stop);
  document.addEventListener("keydown", (event) => event.key === "Escape" && stop());
  addEventListener("pagehide", stop);
  new MutationObserver(arrived).observe(log, { childList: true });
}

// -- what is read

function arrived() {
  const fresh = words((entry) => Number(entry.dataset.position) > last);
  last = newest();
  if (wish.on && fresh.length && !isHeard()) read(fresh);
}

// A microphone that is on would take what is read for an answer.
function isHeard() {
  return byId("dictate")?.getAttribute("aria-pressed") === "true";
}

// What the interviewer said last, from the participant's last words on.
function present() {
  const mine = [...log.querySelectorAll(".you")].at(-1);
  const after = Number(mine?.dataset.position ?? 0);
  return words((entry) => Number(entry.dataset.position) > after);
}

function words(wanted) {
  const entries = [...log.querySelectorAll(".interviewer")].filter(wanted);
  return entries.map((entry) => entry.querySelector(".words").textContent.trim()).filter(Boolean);
}

function newest() {
  return Number(log.lastElementChild?.dataset.position ?? 0);
}

// -- reading

function read(utterances) {
  stop();
  const pieces = utterances.flatMap(cut);
  if (!pieces.length) return;
  const own = ++saying;
  stopButton.hidden = false;
  const spoken = pieces.map(utterance);
  spoken.at(-1).onend = () => own === saying && quiet();
  for (const one of spoken) {
    one.onerror = () => own === saying && stop();
    speech.speak(one);
  }
}

function stop() {
  if (stopButton.hidden) return;
  quiet();
  speech.cancel();
}

function quiet() {
  saying += 1;
  const wasAt = document.activeElement === stopButton;
  stopButton.hidden = true;
  // The menu is where reading is switched on. If the next reading begins, the button is back.
  if (wasAt) queueMicrotask(() => stopButton.hidden && menu.firstElementChild.focus());
}

function utterance(piece) {
  const made = new SpeechSynthesisUtterance(piece);
  made.lang = texts.spoken;
  made.rate = Number(wish.rate);
  const chosen = speech.getVoices().find((one) => one.voiceURI === voice.value);
  if (chosen) [made.voice, made.lang] = [chosen, chosen.lang];
  return made;
}

// Sentences, put together as long as they are short.
function cut(text) {
  const pieces = [];
  for (const sentence of sentences(text)) {
    const joined = `${pieces.at(-1) ?? ""}${sentence}`;
    if (pieces.length && joined.length <= PIECE) pieces[pieces.length - 1] = joined;
    else pieces.push(sentence);
  }
  return pieces.map((piece) => piece.trim()).filter(Boolean);
}

function sentences(text) {
  if (!Intl.Segmenter) return text.match(/[^.!?…]+[.!?…]*\s*/g) ?? [text];
  const found = new Intl.Segmenter(texts.spoken, { granularity: "sentence" }).segment(text);
  return [...found].map((one) => one.segment);
}

// -- settings

function switched() {
  keep({ on: on.checked });
  if (on.checked) read(present());
  else stop();
}

// Voices of the interview's language; of those, first the ones that need no other computer.
function list() {
  const all = speech.getVoices();
  const fitting = all.filter((one) => one.lang.split(/[-_]/)[0] === language);
  const rest = all.filter((one) => !fitting.includes(one));
  const options = [...fitting.sort(nearFirst), ...rest].map(option);
  voice.replaceChildren(...options);
  offer(all);
  const wanted = wish.voices[language];
  if (options.some((one) => one.value === wanted)) voice.value = wanted;
}

function nearFirst(a, b) {
  return Number(b.localService) - Number(a.localService);
}

function option(one) {
  const online = one.localService ? "" : ` (${texts.online})`;
  const made = new Option(`${one.name} · ${one.lang}${online}`, one.voiceURI);
  made.lang = one.lang;
  return made;
}

function keep(change) {
  Object.assign(wish, change);
  attempt(() => localStorage.setItem(NAME, JSON.stringify(wish)));
}

function byId(id) {
  return document.getElementById(id);
}
