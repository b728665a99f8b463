// On the page for what isn't there: looks whether this browser has a key to the interview, in the
// address behind the # or kept from before, and exchanges it for the cookie. A key that was kept
// and opens nothing any more means that the interview is gone.

import { attempt, exchange, forget } from "./keeping.js";

const address = location.pathname.match(/^\/s\/([0-9a-f-]{36})\//i);
const JUST = 10_000; // milliseconds; a key that has just been taken and still doesn't open, won't

function show(which) {
  for (const id of ["looking", "missing", "gone"]) {
    document.getElementById(id).hidden = id !== which;
  }
}

async function enter() {
  const kept = `interviewsite:key:${address[1].toLowerCase()}`;
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  const key = given ?? attempt(() => localStorage.getItem(kept));
  if (!key && hasWithdrawn()) return show("gone");
  const tried = Number(attempt(() => sessionStorage.getItem(`${kept}:tried`)));
  if (!key || Math.abs(Date.now() - tried) < JUST) return;
  show("looking");
  const status = await exchange(address[1], key);
  if (status === 409) return ask(key);
  if (status === 404 && given === null) return gone();
  if (status !== 204) return show("missing");
  attempt(() => localStorage.setItem(kept, key));
  attempt(() => sessionStorage.setItem(`${kept}:tried`, Date.now()));
  history.replaceState(null, "", `/s/${address[1]}/`);
  location.reload();
}

// Back to a page of the interview that was withdrawn in this tab.
function hasWithdrawn() {
  const [visit] = performance.getEntriesByType("navigation");
  return window.name === "withdrawn" && visit?.type === "back_forward";
}

// Another person's interview is open in this browser: the page that asks which one to continue.
function ask(key) {
  history.replaceState(null, "", `/s/${address[1]}/`);
  const form = document.querySelector("#missing form");
  form.elements.link.value = `${location.href}#key=${key}`;
  form.submit();
}

function gone() {
  forget(address[1].toLowerCase());
  show("gone");
}

if (address) {
  enter();
  addEventListener("hashchange", enter);
}
