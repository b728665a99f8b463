// Tells by this device's clock when an interview opens, where that differs from the bot's.

const here = document.getElementById("here");
const time = here.querySelector("time");
const at = (timeZone) =>
  new Date(time.dateTime).toLocaleString(document.documentElement.lang, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone,
  });
time.textContent = at();
here.hidden = at() === at(here.dataset.zone);
