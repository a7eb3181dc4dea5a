"use strict";
// The token of an e-mailed link stands behind the # of the address. It is put into the form, and leaves the address and the
// history. A page without one shows the field, for whoever has it elsewhere.
const tokenInAddress = () => new URLSearchParams(location.hash.slice(1)).get("token");
// A link that is opened in a tab that shows this page changes nothing but the part behind the #. The page is asked for anew:
// reloading it could repeat a form.
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
  // A refused token stays in sight.
  if (!field.value || field.classList.contains("is-invalid")) return;
  field.closest(".mb-3").hidden = true;
  const hint = document.querySelector("[data-without-token]");
  if (hint) hint.hidden = true;
  if (token && "send" in form.dataset) form.submit();
})();

// A short name is suggested until somebody types their own.
(() => {
  const form = document.querySelector("form[data-slug-form]");
  if (!form) return;
  const { slug } = form.elements;
  const name = form.querySelector("[name=workspace_name], [name=name]");
  const suggested = () => name.value.normalize("NFKD").toLowerCase()
    .replace(/[\u0300-\u036f]/g, "").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 63);
  let own = slug.value !== "";
  slug.addEventListener("input", () => { own = slug.value !== ""; });
  name.addEventListener("input", () => { if (!own) slug.value = suggested(); });
})();
