// What this browser keeps of an interview until the site has it: the draft, words on their way,
// and the key by which the interview is found again. A browser that refuses to keep things is no
// reason to stop working.

// What that refuses counts as nothing.
export function attempt(act) {
  try {
    return act();
  } catch {
    return null;
  }
}

export function keeping(session) {
  let forgotten = false; // whoever has withdrawn leaves nothing, also when a page is closed later
  const name = (what) => `interviewsite:${what}:${session}`;
  return {
    get: (what) => attempt(() => localStorage.getItem(name(what))),
    set: (what, value) => forgotten || attempt(() => localStorage.setItem(name(what), value)),
    drop: (what) => attempt(() => localStorage.removeItem(name(what))),
    forget() {
      forgotten = true;
      attempt(() => forget(session));
    },
  };
}

// Takes out all that is kept of that interview, its address by htmx included.
export function forget(session) {
  for (const area of [localStorage, sessionStorage]) {
    const own = Object.entries(area).filter((entry) => entry.some((part) => part.includes(session)));
    for (const [name] of own) area.removeItem(name);
  }
}

// Shows the key for the cookie; gives the status of the reply, 0 where none came.
export async function exchange(session, key) {
  try {
    const reply = await fetch(`/s/${session}/enter/`, {
      method: "POST",
      headers: { "HX-Request": "true" },
      body: new URLSearchParams({ key }),
    });
    return reply.status;
  } catch {
    return 0;
  }
}

// Browsers offer randomUUID only over https; getRandomValues is there always.
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
