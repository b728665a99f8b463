// The conversation as it stands on the page: what arrives, in which order, and what is in view.
//
// News comes as parts of HTML by three ways (websocket, the reply to a form, asking now and then),
// so the same entry may arrive twice and an older state after a newer one. Entries are known by
// their position, states by their sequence; whatever is known already is dropped.

const log = document.getElementById("log");
const draft = document.getElementById("draft");
const draftWords = document.getElementById("draft-words");
const dots = document.getElementById("dots");
const slow = document.getElementById("slow");
const aside = document.getElementById("aside");
const minutes = document.getElementById("minutes");
const box = document.getElementById("text");
const notice = document.getElementById("notice");
const top = document.querySelector(".top");
const texts = document.getElementById("main").dataset;

const LONG = 12_000; // milliseconds of silence after which the page says that it takes long
const NEAR = 160; // pixels from the end within which the page follows what arrives
const ABOVE = 40; // pixels kept free above what has arrived, with its label

let stale = false; // whether the news being taken in is older than what the page shows
let readAt = performance.now(); // when the state on the page arrived; no clock is set back here
let heardAt = performance.now();
let follows = true;
let longTimer = 0;
let whenChanged = () => {};

export const state = () => document.getElementById("state").dataset;
export const lastPosition = () => Number(log.lastElementChild?.dataset.position ?? 0);
export const silence = () => performance.now() - heardAt;
export const heard = () => (heardAt = performance.now());

// Where the site is away, what stands before it may answer in its place, with whatever page it likes.
export const isNews = (xhr) => xhr.responseText.includes(`id="state"`);
export const isMissing = (xhr) => xhr.status === 404 && xhr.responseText.includes(`id="missing"`);

export function listen(onChange) {
  whenChanged = onChange;
  history.scrollRestoration = "manual"; // after a reload too, the page opens at the open question
  document.body.addEventListener("htmx:oobBeforeSwap", sift);
  document.body.addEventListener("htmx:wsBeforeMessage", heard);
  document.body.addEventListener("htmx:beforeSwap", rememberPlace);
  addEventListener("scroll", noticePlace, { passive: true });
  new ResizeObserver(keepInView).observe(document.getElementById("now"));
  setInterval(tick, 5_000);
  settle([]);
  if (state().phase === "over") toEnding();
  else keepInView();
}

// -- what arrives

function sift(event) {
  const { target, fragment } = event.detail;
  if (target.id === "log") event.detail.shouldSwap = takeEntries(fragment);
  if (target.id === "state" && !(stale = isStale(fragment))) keepFocus(target);
  if (target.id === "state") event.detail.shouldSwap = !stale;
  if (target.id === "progress") event.detail.shouldSwap = !stale;
  if (target.id === "draft-words") event.detail.shouldSwap = takeDraft(fragment);
}

function takeEntries(fragment) {
  const last = lastPosition();
  const entries = [...fragment.querySelectorAll("[data-position]")];
  const fresh = entries.filter((entry) => Number(entry.dataset.position) > last);
  entries.filter((entry) => !fresh.includes(entry)).forEach((entry) => entry.remove());
  if (fresh.length && last && Number(fresh[0].dataset.position) > last + 1) location.reload();
  queueMicrotask(() => settle(fresh)); // once all parts of this news are in place
  return fresh.length > 0;
}

function isStale(fragment) {
  const sequence = Number(fragment.firstElementChild.dataset.sequence);
  const shown = Number(state().sequence);
  // After the end there is something to fill in, which the same state once more must not empty.
  if (sequence < shown || (sequence === shown && state().phase === "over")) return true;
  readAt = performance.now();
  return false;
}

// Whoever is at a button that is replaced by its newer self is at that one then.
function keepFocus(target) {
  const { id } = document.activeElement ?? {};
  if (!id || !target.contains(document.activeElement)) return;
  queueMicrotask(() => document.getElementById(id)?.focus({ preventScroll: true }));
}

function takeDraft(fragment) {
  if (state().phase !== "asking") return false;
  showThinking(fragment.textContent === "");
  queueMicrotask(() => {
    draft.style.minHeight = `${draft.offsetHeight}px`; // words that are replaced move nothing
    keepInView();
  });
  return true;
}

// -- how it is shown

function settle(fresh) {
  heard();
  const asking = state().phase === "asking";
  if (!asking || fresh.some((entry) => entry.matches(".interviewer"))) clearDraft();
  if (asking && draft.hidden) begin();
  if (!asking) finish();
  tick();
  if (fresh.some((entry) => entry.matches(".you"))) follows = true;
  keepInView();
  whenChanged(fresh);
}

function clearDraft() {
  draftWords.replaceChildren();
  showThinking(true);
}

function begin() {
  draft.hidden = false;
  aside.textContent = texts.thinking;
  showThinking(true);
}

function finish() {
  draft.hidden = true;
  draft.style.minHeight = "";
  aside.textContent = "";
  clearTimeout(longTimer);
}

function showThinking(silent) {
  dots.hidden = !silent;
  slow.hidden = true;
  clearTimeout(longTimer);
  if (silent) longTimer = setTimeout(sayLong, LONG);
}

function sayLong() {
  if (draft.hidden) return;
  slow.textContent = aside.textContent = texts.long;
  slow.hidden = false;
  keepInView();
}

// Server's figure, and the time since it came; the clock of this device doesn't matter.
function tick() {
  const { elapsed, ticking } = state();
  const since = ticking === "yes" ? (performance.now() - readAt) / 1000 : 0;
  const now = String(Math.floor((Number(elapsed) + since) / 60));
  if (minutes.textContent !== now) minutes.textContent = now;
}

// -- what is in view

function noticePlace() {
  follows = document.documentElement.scrollHeight - innerHeight - scrollY < NEAR;
}

// Goes down with what arrives, but never so far that the beginning of the reply leaves the page;
// and with an answer that grows, so that the question stays in sight above it.
export function keepInView() {
  const writing = state().phase === "yours" && document.activeElement === box && box.value !== "";
  if (!follows && !writing) return;
  const newest = draft.hidden ? firstOfReply() : draft;
  const end = document.documentElement.scrollHeight - innerHeight;
  const start = newest && !writing ? placeOf(newest) : end;
  const wanted = Math.min(end, start);
  if (wanted > scrollY) scrollTo({ top: wanted, behavior: "instant" });
}

function placeOf(part) {
  return part.getBoundingClientRect().top + scrollY - top.offsetHeight - ABOVE;
}

function firstOfReply() {
  let entry = log.lastElementChild;
  while (entry?.previousElementSibling?.matches(".interviewer") && entry.matches(".interviewer")) {
    entry = entry.previousElementSibling;
  }
  return entry;
}

// Who comes back finds the reward first, and what was said above it.
function toEnding() {
  scrollTo({ top: placeOf(document.querySelector(".ending")), behavior: "instant" });
}

// Earlier entries come in above what is being read; that must not move.
function rememberPlace(event) {
  if (event.detail.target.id !== "more") return;
  const anchor = document.querySelector(".talk [data-position]");
  const before = anchor.getBoundingClientRect().top;
  const hadFocus = event.detail.target.contains(document.activeElement);
  queueMicrotask(() => {
    scrollBy({ top: anchor.getBoundingClientRect().top - before, behavior: "instant" });
    if (hadFocus) document.querySelector("#more a")?.focus({ preventScroll: true });
  });
}

// -- the notice above the text box: what has just happened to the participant's words

export function say(code) {
  if (said() === code) return;
  const line = document.createElement(code === "old" ? "a" : "span");
  if (code === "old") line.href = location.pathname; // some apps show no button to reload
  line.dataset.code = code;
  line.textContent = texts[code];
  notice.replaceChildren(line);
}

export function said() {
  return notice.firstElementChild?.dataset.code ?? "";
}

// Takes the line away: whichever it is, or only one of those named.
export function hush(...codes) {
  if (codes.length === 0 || codes.includes(said())) notice.replaceChildren();
}
