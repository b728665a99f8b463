// Speech recognised by the browser itself. It ends after every silence, so it is begun again for as
// long as it is wanted.

const Recognition = window.SpeechRecognition ?? window.webkitSpeechRecognition;
const BREATH = 250; // milliseconds until it is begun again
const SOON = 1_000; // milliseconds; ending so early counts as failing
const TRIES = 5; // failures in a row
const CODES = {
  "not-allowed": "denied",
  "service-not-allowed": "denied",
  "audio-capture": "nomic",
  network: "away",
  "language-not-supported": "language",
};
// There the end of a sentence comes only with the end of the recognition, and what is called final
// before, with no confidence, is provisional.
const PIECEMEAL = /Android/.test(navigator.userAgent);

export function listen({ language, onReady, onHeard, onEnd }) {
  if (!Recognition) return onEnd("unsupported");
  let wanted = true;
  let failures = 0;
  let startedAt = 0;
  let landed = 0; // results of this run that are in the box
  let provisional = "";
  let code = "";
  let running = false;
  const recognition = new Recognition();
  recognition.lang = spoken(language);
  recognition.continuous = !PIECEMEAL;
  recognition.interimResults = true;
  recognition.onstart = onReady;
  recognition.onresult = take;
  recognition.onerror = ({ error }) => (code = CODES[error] ?? code);
  recognition.onend = ended;
  begin();

  function begin() {
    if (!wanted) return;
    landed = 0;
    startedAt = Date.now();
    try {
      recognition.start();
      running = true;
    } catch {
      ended();
    }
  }

  function take({ results }) {
    failures = 0;
    provisional = "";
    for (const [place, result] of [...results].entries()) {
      if (place < landed) continue;
      const words = result[0].transcript.trim();
      if (isFinal(result)) {
        landed = place + 1;
        onHeard(words, true);
      } else provisional = `${provisional} ${words}`.trim();
    }
    onHeard(provisional, false);
  }

  function ended() {
    running = false;
    if (provisional) onHeard(provisional, true);
    provisional = "";
    failures = Date.now() - startedAt < SOON ? failures + 1 : 0;
    if (failures >= TRIES) code ||= "away";
    if (wanted && !code) return setTimeout(begin, BREATH);
    wanted = false;
    onEnd(code);
  }

  return {
    stop() {
      wanted = false;
      if (running) recognition.stop();
      else onEnd(code);
    },
    abort() {
      wanted = false;
      recognition.onresult = recognition.onend = null;
      recognition.abort();
    },
  };
}

function isFinal(result) {
  return result.isFinal && !(PIECEMEAL && result[0].confidence === 0);
}

// The participant's own kind of that language, as en-GB for en.
function spoken(language) {
  return navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
}
