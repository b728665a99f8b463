// The chat page: wires the conversation, the text box, the websocket and the menu together.
// Without any of this the page works by plain forms; with it, it is quicker and forgives outages.

import { compose, isEmpty, isPending, keepWords, push, turnChanged } from "./composer.js";
import { exchange, keeping } from "./keeping.js";
import { keepOpen } from "./socket.js";
import {
  heard,
  hush,
  isMissing,
  keepInView,
  lastPosition,
  listen,
  say,
  silence,
  state,
} from "./talk.js";
import "./zone.js";

const ASK_SOON = 2_000; // milliseconds of silence while the interviewer's words are awaited
const ASK_IDLE = 30_000; // the same on the participant's turn, without a websocket
const TOLD = [409, 422]; // the site's reply says itself why not
const PATIENCE = 4_000; // a shorter loss of the connection isn't worth a word

const session = document.getElementById("main").dataset.session;
const look = document.getElementById("look");
const kept = keeping(session);

let socket = null;

keepKey();
const knownKey = kept.get("key");
if (window.htmx) wire();

// All or nothing: htmx leaves the page alone until it is marked (its disableSelector), so where one
// of these files didn't arrive, its forms do everything.
function wire() {
  document.body.dataset.wired = "";
  compose(kept);
  listen(turnChanged);
  socket = keepOpen({
    after: lastPosition,
    onOpen: connected,
    onLost: lost,
    onDenied: missing,
    onWithdrawn: leave,
  });
  setInterval(ask, 1_000);
  watchNetwork();
  wireMenu();
  wireLink();
  wireFailures();
  wireKeyboardOfPhones();
}

// A personal link brings its key behind the #. It is kept here and taken out of the address.
function keepKey() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  kept.set("key", key);
  history.replaceState(null, "", location.pathname);
}

// -- connection

let lostTimer = 0;

function connected() {
  heard();
  clearTimeout(lostTimer);
  hush("connecting", "offline", "disconnected");
  push();
}

function lost() {
  clearTimeout(lostTimer);
  lostTimer = setTimeout(() => {
    if (!socket.isOpen() && navigator.onLine && state().phase === "asking") say("connecting");
  }, PATIENCE);
}

// Withdrawn on another page or device: nothing of it stays here either.
function leave() {
  kept.forget();
  location.replace(state().withdrawn);
}

// Not found any more. Where its key has gone as well, another window of this browser has withdrawn,
// or the data of this browser was cleared; then the key still opens it.
async function missing() {
  if (isCleared()) {
    if ((await exchange(session, knownKey)) === 404) return leave();
    keepAnew();
  }
  location.reload();
}

function isCleared() {
  return knownKey !== null && kept.get("key") === null;
}

function keepAnew() {
  kept.set("key", knownKey);
  keepWords();
}

function ask() {
  const { phase } = state();
  if (phase !== "asking" && socket.isOpen()) return;
  const due = phase === "asking" ? ASK_SOON : ASK_IDLE;
  if (document.hidden || silence() < due) return;
  heard(); // asked now; the next time comes after as long a silence
  htmx.trigger(look, "look");
}

function watchNetwork() {
  addEventListener("offline", sayOffline);
  addEventListener("online", () => {
    hush("offline", "disconnected", "unsent");
    push();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && !socket.isOpen()) htmx.trigger(look, "look");
  });
  if (!navigator.onLine) sayOffline();
}

function sayOffline() {
  if (isPending()) say("offline");
  else if (!["paused", "over"].includes(state().phase)) say("disconnected");
}

// -- menu and dialogs

function wireMenu() {
  const menu = document.getElementById("menu");
  const dialog = document.getElementById("finish-dialog");
  document.getElementById("finish").addEventListener("click", (event) => {
    event.preventDefault();
    menu.open = false;
    document.getElementById("finish-unsent").hidden = isEmpty();
    dialog.showModal();
  });
  dialog.querySelector("form").addEventListener("htmx:beforeRequest", () => dialog.close());
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target)) menu.open = false;
    if (event.target.closest?.("[data-close]")) event.target.closest("dialog").close();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
}

function wireLink() {
  const dialog = document.getElementById("link-dialog");
  document.body.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target.id !== "link-place") return;
    document.getElementById("menu").open = false;
    dialog.querySelector("[data-copy]").hidden = false;
    dialog.showModal();
  });
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (button) await copy(button);
  });
}

async function copy(button) {
  const field = document.querySelector(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    document.execCommand("copy"); // the only way without https
  }
  button.textContent = button.dataset.done;
}

// -- what can fail

// The answers' form looks after itself; the other buttons say that they failed.
function wireFailures() {
  document.body.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (isMissing(xhr)) return missing();
    if (xhr.status === 403 && isCleared()) keepAnew(); // for the page that is loaded again
    if (elt.id === "composer") return;
    if (xhr.status === 204) heard();
    const worked = xhr.status >= 200 && xhr.status < 300;
    if (elt.id === "look" || worked || TOLD.includes(xhr.status)) return;
    if (isPending() && !navigator.onLine) return say("offline");
    say(xhr.status === 403 ? "old" : "again");
  });
}

// Where the keyboard covers the page instead of shrinking it, the text box is lifted above it.
function wireKeyboardOfPhones() {
  const view = window.visualViewport;
  if (!view) return;
  const lift = () => {
    const covered = Math.max(0, innerHeight - view.height - view.offsetTop);
    const keyboard = view.scale === 1 ? covered : 0; // zooming in is no keyboard
    document.documentElement.style.setProperty("--keyboard", `${keyboard}px`);
  };
  view.addEventListener("resize", () => (lift(), keepInView()));
  view.addEventListener("scroll", lift); // whoever looks further up stays there
}
