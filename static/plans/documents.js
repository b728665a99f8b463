// Files go one by one, each with its progress and its own word on what is wrong with it. Without
// this the form sends them together.
"use strict";

const AT_ONCE = 2;
const waiting = [];
let sending = 0;

function row(name) {
  const item = document.createElement("li");
  const title = document.createElement("b");
  title.textContent = name;
  const said = document.createElement("span");
  said.className = "study-muted";
  said.textContent = "Waiting";
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.value = 0;
  bar.setAttribute("aria-label", `Upload of ${name}`);
  item.append(title, said, bar);
  document.getElementById("uploads").append(item);
  return { item, said, bar };
}

function refuse(shown, problem) {
  const text = document.createElement("span");
  text.className = "kt-problem";
  text.setAttribute("role", "alert");
  text.textContent = problem;
  const away = document.createElement("button");
  away.type = "button";
  away.textContent = "Dismiss";
  away.addEventListener("click", () => shown.item.remove());
  shown.said.textContent = "Rejected";
  shown.bar.replaceWith(away);
  shown.item.append(text);
}

function add(form, files) {
  for (const file of files) {
    const shown = row(file.name);
    if (file.size > Number(form.dataset.most)) refuse(shown, form.dataset.tooLarge);
    else waiting.push({ file, shown });
  }
  next(form);
}

function next(form) {
  while (sending < AT_ONCE && waiting.length) send(form, waiting.shift());
}

function send(form, { file, shown }) {
  const body = new FormData();
  body.append("csrfmiddlewaretoken", form.elements.csrfmiddlewaretoken.value);
  body.append("files", file);
  const request = new XMLHttpRequest();
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.upload.addEventListener("progress", (event) => {
    if (!event.lengthComputable) return;
    shown.bar.value = event.loaded / event.total;
    shown.said.textContent = `${Math.round((100 * event.loaded) / event.total)} %`;
  });
  request.addEventListener("loadend", () => {
    sending -= 1;
    finish(shown, request);
    next(form);
  });
  sending += 1;
  shown.said.textContent = "0 %";
  request.send(body);
}

function finish(shown, request) {
  const answer = read(request);
  if (!answer) {
    refuse(shown, request.status === 403 ? "You can’t add documents, or you are no longer signed in." : "The site couldn’t be reached, or rejected the file. Try again.");
    return;
  }
  if (answer.problem) refuse(shown, answer.problem);
  else {
    shown.item.remove();
    window.htmx.trigger(document.body, "documents-changed");
  }
}

// What the site said about this one file; nothing where it said something else, or nothing at all.
function read(request) {
  try {
    return JSON.parse(request.responseText).files[0];
  } catch {
    return null;
  }
}

function ready() {
  const form = document.getElementById("upload");
  if (!form) return;
  const input = form.elements.files;
  form.dataset.quick = "";
  const chosen = () => {
    add(form, [...input.files]);
    input.value = "";
  };
  input.addEventListener("change", chosen);
  chosen(); // files chosen before this script loaded
  for (const kind of ["dragenter", "dragover"]) {
    form.addEventListener(kind, (event) => {
      event.preventDefault();
      form.classList.add("kt-over");
    });
  }
  form.addEventListener("dragleave", (event) => {
    if (!form.contains(event.relatedTarget)) form.classList.remove("kt-over");
  });
  form.addEventListener("drop", (event) => {
    event.preventDefault();
    form.classList.remove("kt-over");
    add(form, [...event.dataTransfer.files]);
  });
}

window.addEventListener("beforeunload", (event) => {
  if (sending || waiting.length) event.preventDefault();
});
ready();
