// Keeps the page's websocket open, whatever closes it.
//
// htmx's extension opens it and takes in what it brings. By itself it would come back after some
// close codes only; so its own way of coming back is put to sleep, and this one comes back after
// every code but those that say that this browser may not, or that nothing is left to show.

const NEVER = 2 ** 31 - 1; // milliseconds; the longest that a timer can wait
const NOT_YOURS = 4404;
const WITHDRAWN = 4410;
const STEADY = 10_000; // open for so long, the connection counts as good again
const LONGEST = 15_000;

export function keepOpen({ after, onOpen, onLost, onDenied, onWithdrawn }) {
  let socket = null;
  let wrapper = null;
  let tries = 0;
  let timer = 0;
  let openedAt = 0;

  htmx.config.wsReconnectDelay = () => NEVER;
  htmx.createWebSocket = (url) => {
    socket?.close();
    socket = open(`${url}?after=${after()}`);
    return socket;
  };

  document.body.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    openedAt = performance.now();
    onOpen();
  });

  document.body.addEventListener("htmx:wsClose", (event) => {
    const { event: close, socketWrapper } = event.detail;
    if (close.target !== socket) return; // one that was replaced
    wrapper = socketWrapper;
    if (close.code === NOT_YOURS) return onDenied();
    if (close.code === WITHDRAWN) return onWithdrawn();
    if (openedAt && performance.now() - openedAt > STEADY) tries = 0;
    openedAt = 0;
    onLost();
    clearTimeout(timer);
    timer = setTimeout(again, delay(tries++));
  });

  function again() {
    clearTimeout(timer);
    wrapper?.reconnect();
  }

  function ifLost() {
    if (!document.hidden && socket?.readyState > WebSocket.OPEN) again();
  }

  // A connection that outlived a time offline may be dead without knowing it.
  addEventListener("online", again);
  addEventListener("pageshow", ifLost);
  document.addEventListener("visibilitychange", ifLost);
  return { isOpen: () => socket?.readyState === 1 };
}

function delay(tries) {
  return 200 + Math.random() * Math.min(LONGEST, 500 * 2 ** tries);
}

// Where websockets are forbidden altogether the page lives on by asking now and then.
function open(url) {
  try {
    return new WebSocket(url);
  } catch {
    return { readyState: 3, addEventListener() {}, close() {} };
  }
}
