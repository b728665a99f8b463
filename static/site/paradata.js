// How an answer comes about: times and counts of what happens in the text box, never keys or words.
//
// What was written, and how often, goes with the words in the box; how long it took and whether the
// page was left goes with the question. Both are kept with the draft, so that a reload or an outage
// loses nothing, and are sent with the answer. Where the study keeps no such things, neither does
// this page.

import { state } from "./talk.js";

const RELOADED = 5_000; // milliseconds; who is back sooner has but loaded the page again

let box = null;
let kept = null;
let words = null; // {edits, pastes, pasted, dictated}
let question = null; // {at, shown, first, losses, away} and since when: left, gone, resting

const now = () => Date.now();
const noWords = () => ({ edits: 0, pastes: 0, pasted: 0, dictated: false });
const isAway = () => document.hidden || !document.hasFocus();

export function watch(textBox, keeping) {
  box = textBox;
  kept = keeping;
  if (!("measured" in document.getElementById("main").dataset)) return;
  restore();
  box.addEventListener("beforeinput", onWriting);
  box.addEventListener("dictated", onDictated);
  document.addEventListener("visibilitychange", look);
  addEventListener("blur", look);
  addEventListener("focus", look);
  addEventListener("pagehide", leave);
  addEventListener("pageshow", comeBack);
}

function restore() {
  words = noWords();
  question = asked(null);
  try {
    const earlier = JSON.parse(kept.get("paradata"));
    if (box.value) words = { ...words, ...earlier.words };
    if (earlier.question.at === state().length) question = earlier.question;
  } catch {
    return; // nothing was kept
  }
}

export function keepMeasures() {
  if (words) kept.set("paradata", JSON.stringify({ words, question }));
}

// -- the question

function asked(at) {
  const begun = at !== null && box.value ? 0 : null; // written before it was asked
  return { at, shown: now(), first: begun, losses: 0, away: 0, left: 0, gone: 0, resting: 0 };
}

// Whatever has changed in the conversation: another question, a pause, or the end of one.
export function measureTurn() {
  if (!words) return;
  const { phase, length } = state();
  if (phase === "over") return end();
  if (phase === "yours" && question.at !== length) {
    question = asked(length);
    if (!box.value) words = noWords(); // what was deleted again belongs to the question before
  }
  rest(phase === "paused");
  look();
}

function end() {
  words = null;
  kept.drop("paradata");
}

function rest(paused) {
  if (paused && !question.resting) {
    back();
    question.resting = now();
  } else if (!paused && question.resting) {
    question.shown += now() - question.resting;
    question.resting = 0;
  }
}

// -- writing

function onWriting(event) {
  if (!words) return;
  begin();
  const { inputType: type, isComposing } = event;
  const over = box.selectionStart !== box.selectionEnd;
  if (type === "insertFromPaste" || type === "insertFromDrop" || type === "insertFromYank") {
    words.pastes += 1;
    words.pasted += (event.data ?? event.dataTransfer?.getData("text/plain") ?? "").length;
  } else if (isComposing) {
    return; // an input method rewrites a word until it is done; that is plain typing
  } else if (/^(delete|history|insertReplacementText)/.test(type) || over) {
    words.edits += 1;
  }
}

function onDictated() {
  if (!words) return;
  begin();
  words.dictated = true;
}

function begin() {
  question.first ??= question.at === null ? null : now() - question.shown;
}

// -- leaving the page for another

function look() {
  if (question.resting || question.gone) return;
  if (!isAway()) back();
  else if (!question.left) {
    question.left = now();
    question.losses += 1;
  }
}

function back() {
  if (question.left) question.away += now() - question.left;
  question.left = 0;
}

// A page that is closed counts as left only if it was away for longer than a reload takes.
function leave() {
  if (!question.left && !question.resting) question.gone = now();
  keepMeasures();
}

function comeBack() {
  const since = question.gone ? now() - question.gone : 0;
  question.gone = 0;
  if (since > RELOADED) {
    question.losses += 1;
    question.away += since;
  }
  look();
}

// -- sending

// As the site takes them; nothing where nothing is measured. Words that stay in the box when a button
// is pressed keep theirs.
export function measures(byButton = false) {
  if (!words) return "";
  const { edits, pastes, pasted, dictated } = byButton && box.value ? noWords() : words;
  const { shown, first, losses, away, left } = question;
  return JSON.stringify({
    first_key_ms: first,
    edits,
    pastes,
    pasted_characters: pasted,
    focus_losses: losses,
    away_ms: away + (left ? now() - left : 0),
    dictated,
  });
}

// The words have arrived, and the box is empty.
export function measureAnew() {
  if (!words) return;
  words = noWords();
  kept.drop("paradata");
}
