"use strict";
// The token of an e-mailed link follows the # of the address. It is moved into the form, and removed from the address and the
// history. A page without a token shows the field, so that it can be pasted.
const tokenInAddress = () => new URLSearchParams(location.hash.slice(1)).get("token");
// Opening a link in a tab that already shows this page changes only the part after the #. The page is requested again, not
// reloaded, which could submit a form twice.
window.addEventListener("hashchange", () => {
  if (tokenInAddress()) location.replace(`${location.pathname}?${location.hash}`);
});
(() => {
  const form = document.querySelector("form[data-token-form]");
  if (!form) return;
  const field = form.elements.token;
  const token = tokenInAddress();
  if (token) {
    field.value = token;
    history.replaceState(null, "", location.pathname);
  }
  // A refused token stays visible.
  if (!field.value || field.classList.contains("is-invalid")) return;
  field.closest(".mb-3").hidden = true;
  const hint = document.querySelector("[data-without-token]");
  if (hint) hint.hidden = true;
  if (token && "send" in form.dataset) form.submit();
})();

// Suggests a short name until the user types one.
(() => {
  const form = document.querySelector("form[data-slug-form]");
  if (!form) return;
  const { slug } = form.elements;
  const name = form.querySelector("[name=workspace_name], [name=name]");
  const suggested = () => name.value.normalize("NFKD").toLowerCase()
    .replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 63);
  let isTyped = slug.value !== "";
  slug.addEventListener("input", () => { isTyped = slug.value !== ""; });
  name.addEventListener("input", () => { if (!isTyped) slug.value = suggested(); });
})();
