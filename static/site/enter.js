// On the page for what isn't there: looks whether this browser has a key to the interview, in the
// address behind the # or kept from before, and exchanges it for the cookie.

const address = location.pathname.match(/^\/s\/([0-9a-f-]{36})\//i);
const JUST = 10_000; // milliseconds; a key that has just been taken and still doesn't open, won't

function remembered(area, name) {
  try {
    return area().getItem(name);
  } catch {
    return null;
  }
}

function remember(area, name, value) {
  try {
    area().setItem(name, value);
  } catch {
    // without it the key is asked for again, no more
  }
}

function show(looking) {
  document.getElementById("looking").hidden = !looking;
  document.getElementById("missing").hidden = looking;
}

async function enter() {
  const kept = `interviewsite:key:${address[1].toLowerCase()}`;
  const given = new URLSearchParams(location.hash.slice(1)).get("key");
  const key = given ?? remembered(() => localStorage, kept);
  const tried = Number(remembered(() => sessionStorage, `${kept}:tried`) ?? 0);
  if (!key || Date.now() - tried < JUST) return;
  show(true);
  if (!(await exchange(key))) return show(false);
  remember(() => localStorage, kept, key);
  remember(() => sessionStorage, `${kept}:tried`, String(Date.now()));
  history.replaceState(null, "", `/s/${address[1]}/`);
  location.reload();
}

async function exchange(key) {
  try {
    const reply = await fetch(`/s/${address[1]}/enter/`, {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams({ key }),
    });
    return reply.ok;
  } catch {
    return false;
  }
}

if (address) {
  enter();
  addEventListener("hashchange", enter);
}
