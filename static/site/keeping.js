// What this browser keeps of an interview until the site has it: the draft, words on their way,
// and the key by which the interview is found again. A browser that refuses to keep things is no
// reason to stop working.

export function keeping(session) {
  const name = (what) => `interviewsite:${what}:${session}`;
  const attempt = (act) => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  return {
    get: (what) => attempt(() => localStorage.getItem(name(what))),
    set: (what, value) => attempt(() => localStorage.setItem(name(what), value)),
    drop: (what) => attempt(() => localStorage.removeItem(name(what))),
  };
}

// Browsers offer randomUUID only over https; getRandomValues is there always.
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
