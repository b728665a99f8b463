// The text box: what is typed stays typed, and what is sent arrives once.
//
// Words on their way are kept with an id of their own. They are sent again under the same id until
// the site has answered, through reloads, outages and restarts; the site takes each id once.

import { attempt, newId } from "./keeping.js";
import { keepMeasures, measureAnew, measures, measureTurn, watch } from "./paradata.js";
import { hush, isMissing, isNews, lastPosition, said, say, state } from "./talk.js";

const form = document.getElementById("composer");
const box = document.getElementById("text");
const sendButton = document.getElementById("send");
const left = document.getElementById("left");
const main = document.getElementById("main");
const longest = Number(main.dataset.longest);
const send = sendButton.textContent;
const figures = new Intl.NumberFormat(document.documentElement.lang);

const LONGEST_WAIT = 20_000; // milliseconds between two tries
const NEAR_LIMIT = 1_000; // characters left from which on they are shown
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffc\u{1d159}]/u; // as for the site
const HAS_MOUSE = matchMedia("(hover: hover) and (pointer: fine)");
const WAITING = ["offline", "unsent", "toomany"]; // why words on their way haven't arrived yet
const GIVEN_BACK = [400, 409, 413, 422]; // not taken; the words are the participant's to change

let kept = null;
let pending = null; // {id, text, answering, paradata} while words are on their way
let tries = 0;
let slow = 0; // tries that took too long
let retryTimer = 0;
let draftTimer = 0;
let drafted = ""; // the draft as this window found or left it
let turn = ""; // for which the cursor was last put into the box
let ends = false; // whether this window has done what may end the interview

export function compose(keeping) {
  kept = keeping;
  pending = attempt(() => JSON.parse(kept.get("pending"))); // on their way when the page was left
  drafted = kept.get("draft") ?? "";
  ends = state().phase === "over" && !box.value && !pending;
  if (pending) box.value = pending.text;
  else if (!box.value) box.value = drafted;
  watch(box, kept);
  form.addEventListener("submit", onSubmit);
  form.addEventListener("htmx:afterRequest", onReply);
  form.addEventListener("htmx:timeout", () => (slow += 1));
  form.addEventListener("click", onClick, true);
  document.body.addEventListener("htmx:configRequest", fillIn);
  box.addEventListener("keydown", onKey);
  box.addEventListener("input", onInput);
  // Pressing a button must not fold the phone's keyboard away.
  sendButton.addEventListener("pointerdown", (event) => event.preventDefault());
  addEventListener("pagehide", keepDraft);
  document.addEventListener("visibilitychange", keepDraft);
  show();
  takeTurn();
  if (pending) addEventListener("load", push, { once: true });
}

// Once more, where what this browser kept has been cleared meanwhile.
export function keepWords() {
  if (pending) kept.set("pending", JSON.stringify(pending));
  drafted = "";
  keepDraft();
}

// -- typing

function onKey(event) {
  const anotherLine = event.shiftKey || event.altKey; // with Ctrl or Cmd it sends, as elsewhere
  const composing = event.isComposing || event.keyCode === 229; // an input method's own Enter
  if (event.key !== "Enter" || anotherLine || composing) return;
  event.preventDefault();
  form.requestSubmit(sendButton);
}

export function isPending() {
  return pending !== null;
}

export function isEmpty() {
  return !VISIBLE.test(box.value);
}

function onInput() {
  if (!["offline", "disconnected"].includes(said())) hush();
  show();
  clearTimeout(draftTimer);
  draftTimer = setTimeout(keepDraft, 300);
}

function keepDraft() {
  clearTimeout(draftTimer);
  if (pending) return;
  // Another window has written or sent since, and this one hasn't: the draft is that one's.
  if (box.value === drafted && (kept.get("draft") ?? "") !== drafted) return;
  drafted = state().phase === "over" ? "" : box.value;
  if (drafted) kept.set("draft", drafted);
  else kept.drop("draft");
  keepMeasures();
}

function show() {
  const over = state().phase === "over";
  box.readOnly = Boolean(pending) || over;
  form.classList.toggle("unsent", over && !ends && !pending && !isEmpty());
  sendButton.setAttribute("aria-disabled", String(Boolean(pending) || state().phase === "asking"));
  sendButton.textContent = pending && WAITING.includes(said()) ? main.dataset.waiting : send;
  showSpare(longest - size(box.value));
  if (CSS.supports("field-sizing", "content")) return;
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight + 2}px`;
}

function showSpare(spare) {
  const count = Math.abs(spare);
  const text = main.dataset[(spare < 0 ? "over" : "left") + (count === 1 ? "One" : "")];
  left.textContent = spare < NEAR_LIMIT ? text.replace("{n}", figures.format(count)) : "";
  left.classList.toggle("over", spare < 0);
}

// Characters as the site counts them: an emoji is one, so is a letter with its accent, and what is
// blank around the words is none.
function size(text) {
  const near = text.length > longest - NEAR_LIMIT;
  return near ? [...text.trim().normalize()].length : text.length;
}

// -- sending

// The second click of a double click may meet the next question already, which nobody has read yet.
function onClick(event) {
  if (event.detail < 2 || !event.target.closest("[formaction]")) return;
  event.preventDefault();
  event.stopPropagation();
}

function onSubmit(event) {
  event.preventDefault();
  if (box.readOnly) return;
  const text = box.value;
  if (isEmpty()) return box.focus();
  if (size(text) > longest) return say("toolong");
  if (state().phase === "asking") return say("busy");
  pending = { id: newId(), text, answering: state().length, paradata: measures() };
  kept.set("pending", JSON.stringify(pending));
  kept.set("draft", text);
  tries = 0;
  hush();
  push();
}

export function push() {
  if (!pending) return;
  clearTimeout(retryTimer);
  show();
  htmx.trigger(form, "send");
}

function fillIn(event) {
  const { elt, parameters } = event.detail;
  if (elt === form) event.detail.timeout *= 2 ** Math.min(slow, 3); // many words, or a slow line
  parameters.after = lastPosition();
  if (elt.id === "look") parameters.sequence = state().sequence;
  if (elt.closest("form")) fillForm(elt, parameters);
}

function fillForm(elt, parameters) {
  parameters.message_id = newId();
  parameters.answering = state().length;
  parameters.paradata = measures(true);
  if (elt !== form && elt.closest("#now, dialog") && state().phase !== "over") ends = true;
  if (elt !== form) return;
  parameters.message_id = pending.id;
  parameters.answering = pending.answering;
  parameters.text = pending.text;
  parameters.paradata = pending.paradata;
}

function onReply(event) {
  if (event.detail.elt !== form) return;
  const { xhr } = event.detail;
  const { status } = xhr;
  if (status >= 200 && status < 300 && isNews(xhr)) return arrived();
  if (GIVEN_BACK.includes(status)) return givenBack(status);
  if (status === 403) return say("old");
  if (isMissing(xhr)) return; // chat.js leaves this page
  if (status === 429) return tooMany(xhr);
  retryTimer = setTimeout(push, wait(tries++));
  say(navigator.onLine ? "unsent" : "offline");
  show();
}

function arrived() {
  if (kept.get("draft") === pending.text) kept.drop("draft");
  letGo();
  box.value = drafted = "";
  measureAnew();
  hush();
  show();
  takeTurn(true);
}

function givenBack(status) {
  box.value = pending.text;
  letGo();
  if (status === 400) say("again");
  show();
  box.focus({ preventScroll: true });
}

// Sent too often, from here or from the same network: the site says when to try again.
function tooMany(xhr) {
  const seconds = Number(xhr.getResponseHeader("Retry-After")) || 10;
  retryTimer = setTimeout(push, seconds * 1_000 + wait(0));
  say("toomany");
  show();
}

function letGo() {
  pending = null;
  tries = slow = 0;
  clearTimeout(retryTimer);
  kept.drop("pending");
}

function wait(tried) {
  return (0.5 + Math.random() / 2) * Math.min(LONGEST_WAIT, 1_000 * 2 ** tried);
}

// -- taking turns

export function turnChanged(fresh) {
  takeSaid(fresh.filter((entry) => entry.matches(".you")));
  const { phase, length } = state();
  if (phase !== "asking") hush("busy", "connecting");
  if (["yours", "paused"].includes(phase)) ends = false;
  if (turn !== `${phase} ${length}`) hush("again"); // it has worked since, or is past
  if (phase === "over") kept.drop("draft");
  measureTurn();
  show();
  takeTurn();
}

// The words stand in the conversation already: the reply to the form is still to come, or another
// window has sent them. If that one has sent other words, it has taken the draft of these away.
function takeSaid(mine) {
  const sent = (entry) => entry.querySelector(".words")?.textContent.trim() === box.value.trim();
  if (mine.some(sent)) {
    box.value = drafted = "";
    measureAnew();
  } else if (mine.length) keepWords();
}

// Puts the cursor into the box, unless the participant is at something else; once a turn, if they
// are at one of its buttons. On a phone that would bring up the keyboard uncalled, so there it
// stays as they left it. A pause focuses Continue, and the end its heading.
function takeTurn(now = false) {
  const { phase, length } = state();
  const mine = phase === "yours" || now;
  const isNew = now || turn !== `${phase} ${length}`;
  const instead = isNew && turn ? { paused: "go-on", over: "ending" }[phase] : "";
  turn = `${phase} ${length}`;
  const at = document.activeElement;
  const gone = at === null || at === document.body || at.getClientRects().length === 0;
  if (document.querySelector("dialog[open]")) return;
  if (gone && instead) document.getElementById(instead).focus({ preventScroll: true });
  if (mine && (gone || (isNew && form.contains(at))) && HAS_MOUSE.matches) {
    box.focus({ preventScroll: true });
  }
}
