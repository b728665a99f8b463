// Tells by this device's clock when an interview opens.

const time = document.querySelector("#here time");
const format = { dateStyle: "long", timeStyle: "short" };
time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, format);
time.parentElement.hidden = false;
