// Puts heard words into the text box: at the cursor, beside whatever stands there, over nothing.
// While somebody marks text there, an input method is at work, or an answer is on its way, the words
// wait.

const box = document.getElementById("text");
let waiting = [];
let insisted = false; // they wait for the box alone
let composing = false;

box.addEventListener("compositionstart", () => (composing = true));
box.addEventListener("compositionend", () => {
  composing = false;
  flush();
});
for (const done of ["keyup", "pointerup", "blur"]) box.addEventListener(done, () => flush());
new MutationObserver(() => flush()).observe(box, { attributeFilter: ["readonly"] });

// Words that were heard but don't stand in the box yet.
export const held = () => waiting.join(" ");

export function land(words) {
  if (words) waiting.push(words);
  flush();
}

export function flush(now = false) {
  insisted ||= now;
  if (box.readOnly || (!insisted && isBusy())) return;
  const words = held();
  waiting = [];
  insisted = false;
  if (!words) return;
  put(words);
  box.dispatchEvent(new CustomEvent("dictated", { detail: { characters: words.length } }));
  box.dispatchEvent(new Event("input", { bubbles: true }));
}

function isBusy() {
  const marks = document.activeElement === box && box.selectionStart !== box.selectionEnd;
  return composing || marks;
}

function put(words) {
  const at = place();
  const before = box.value.slice(0, at);
  const after = box.value.slice(at);
  const gap = before && !/\s$/.test(before) && !/^[,.;:!?…،؟]/.test(words) ? " " : "";
  const rest = after && !/^[\s,.;:!?…،؟]/.test(after) ? " " : "";
  const marked = box.selectionStart !== box.selectionEnd;
  box.setRangeText(gap + words + rest, at, at, marked ? "preserve" : "end");
  if (!after) box.scrollTop = box.scrollHeight;
}

// Where nobody has put a cursor yet, words go on at the end.
function place() {
  const untouched = box.selectionEnd === 0 && document.activeElement !== box;
  return untouched ? box.value.length : box.selectionEnd;
}
