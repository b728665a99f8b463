// Speech recognised by way of the site: the microphone's sound goes over a websocket, words come
// back. What can't be sent at once waits here for a while; nothing of it is kept.

const FIRST = 35_000; // milliseconds until the site is ready
const LAST = 8_000; // milliseconds for the last words
const WINDOW = 50; // tenths of a second under way
const MOST = 300; // tenths of a second that may wait
const CODES = { NotAllowedError: "denied", SecurityError: "denied" };
const OPEN = 1;

export function listen({ session, onReady, onHeard, onEnd }) {
  const frames = [];
  let microphone = null;
  let socket = null;
  let over = false;
  let ready = false;
  let stopping = false;
  let sent = 0;
  let taken = 0;
  let timer = setTimeout(() => end("away"), FIRST);
  openMicrophone(keep, () => end("nomic")).then(opened, (error) => end(CODES[error.name] ?? "nomic"));

  function opened(own) {
    microphone = own;
    if (over) return microphone.close();
    socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws/s/${session}/voice/`);
    socket.onmessage = ({ data }) => take(JSON.parse(data));
    socket.onclose = () => end("lost");
  }

  function keep(frame) {
    if (stopping || over) return;
    frames.push(frame);
    if (frames.length > MOST) return end("slow");
    flow();
  }

  function flow() {
    while (ready && frames.length && sent - taken < WINDOW && socket.readyState === OPEN) {
      socket.send(frames.shift());
      sent += 1;
    }
    if (ready && stopping && !frames.length) tellStop();
  }

  function tellStop() {
    if (socket.readyState === OPEN) socket.send("stop");
    ready = false;
  }

  function take(news) {
    if (news.kind === "ready") begin();
    if (news.kind === "heard") onHeard(news.text, news.final);
    if (news.kind === "taken") taken = news.frames;
    if (news.kind === "done") return end(news.code);
    flow();
  }

  function begin() {
    ready = true;
    if (stopping) return;
    clearTimeout(timer);
    onReady();
  }

  function end(code) {
    if (over) return;
    finish();
    onEnd(code);
  }

  function finish() {
    over = true;
    clearTimeout(timer);
    microphone?.close();
    socket?.close();
  }

  return {
    stop() {
      if (stopping || over) return;
      stopping = true;
      microphone?.close();
      clearTimeout(timer);
      timer = setTimeout(() => end(""), LAST);
      if (socket) flow();
      else end("");
    },
    abort: finish,
  };
}

// Raises what getUserMedia raises. `onLost` is called when the microphone is unplugged.
async function openMicrophone(onFrame, onLost) {
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  });
  const context = new AudioContext();
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
    if (context.state !== "closed") context.close();
  };
  try {
    await context.audioWorklet.addModule(new URL("./worklet.js", import.meta.url));
    const recorder = new AudioWorkletNode(context, "recorder");
    recorder.port.onmessage = ({ data }) => onFrame(data);
    context.createMediaStreamSource(stream).connect(recorder);
    stream.getAudioTracks()[0].onended = onLost;
    await context.resume();
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}
