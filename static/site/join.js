// On the page of an invitation: shows the secret behind the #, which browsers keep to themselves,
// to the site, and leaves none of it in the address.

function enter() {
  const key = new URLSearchParams(location.hash.slice(1)).get("key");
  if (!key) return;
  document.getElementById("missing").hidden = true;
  document.getElementById("looking").hidden = false;
  history.replaceState(null, "", location.pathname);
  const form = document.getElementById("enter");
  form.elements.key.value = key;
  form.submit();
}

enter();
addEventListener("hashchange", enter);
// Back from the interview: the page as it was kept still says that it is opening.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
