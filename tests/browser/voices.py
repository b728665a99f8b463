"""A browser's own ears and voices, played by scripts that a page is given before its own."""

from typing import Any

from playwright.sync_api import Page

# `hearing` is the recognition last made; a test speaks through it.
EARS = """
window.SpeechRecognition = window.webkitSpeechRecognition = class {
  constructor() { window.hearing = this; this.starts = 0; this.running = false; this.results = []; }
  start() {
    if (this.running) throw new DOMException("already", "InvalidStateError");
    this.running = true; this.starts += 1; this.results = [];
    setTimeout(() => this.onstart?.());
  }
  stop() { setTimeout(() => this.running && this.ends()); }
  abort() { this.running = false; this.aborted = true; }
  says(text, isFinal) {
    if (this.results.at(-1)?.isFinal === false) this.results.pop();
    const result = [{transcript: " " + text, confidence: 0.9}];
    result.isFinal = isFinal;
    this.results.push(result);
    this.onresult?.({resultIndex: this.results.length - 1, results: this.results});
  }
  fails(error) { this.onerror?.({error}); this.ends(); }
  ends() { this.running = false; this.onend?.(); }
};
"""
DEAF = "delete window.SpeechRecognition; window.SpeechRecognition = undefined;"
DEAF += "window.webkitSpeechRecognition = undefined;"

# `spoken` is what was read, `reads` what is still to be.
VOICES = """
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
window.spoken = []; window.cancelled = 0;
const voices = [
  {voiceURI: "far", name: "Clara", lang: "en-US", localService: false},
  {voiceURI: "near", name: "Martha", lang: "en-GB", localService: true},
  {voiceURI: "nonna", name: "Nonna", lang: "it-IT", localService: true},
];
const reads = window.reads = [];
Object.defineProperty(window, "speechSynthesis", {value: {
  getVoices: () => voices,
  addEventListener() {},
  speak: (one) => { reads.push(one); spoken.push([one.text, one.voice?.voiceURI, one.rate]); },
  cancel: () => { cancelled += 1; reads.splice(0).forEach((one) => one.onerror?.()); },
}});
window.readOn = () => reads.shift()?.onend?.();
"""


def says(page: Page, text: str, final: bool = True) -> None:
    """The browser, which listens by now, has recognised this."""
    page.wait_for_function("() => window.hearing?.onresult")
    page.evaluate("([text, final]) => hearing.says(text, final)", [text, final])


def spoken(page: Page) -> list[Any]:
    """What was read aloud until now, as [text, voice, rate]."""
    return list(page.evaluate("spoken"))
