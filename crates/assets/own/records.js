"use strict";
// Records: pickers that search while typing, fields that are edited in place, and row selection.

// A field for a record or member: the server searches, the list shows suggestions, arrows and Enter select one.
const PICK_DELAY = 150;
const pickers = new WeakMap();

const pickerOf = (input) => {
  const box = input.closest("[data-pick]");
  if (!box) return null;
  if (!pickers.has(box)) {
    const hidden = (prefix) => box.querySelector(`input[type=hidden][name="${prefix}${input.name}"]`);
    pickers.set(box, { box, input, list: box.querySelector("[role=listbox]"), id: hidden("_id."), name: hidden("_name."), timer: 0, asked: 0 });
  }
  return pickers.get(box);
};
const offers = (picker) => [...picker.list.querySelectorAll("[role=option]")];
const closePicker = (picker) => {
  picker.list.hidden = true;
  picker.input.setAttribute("aria-expanded", "false");
  picker.input.removeAttribute("aria-activedescendant");
};
const markOffer = (picker, offer) => {
  for (const other of offers(picker)) other.setAttribute("aria-selected", String(other === offer));
  if (offer) {
    picker.input.setAttribute("aria-activedescendant", offer.id);
    offer.scrollIntoView({ block: "nearest" });
  }
};
const takeOffer = (picker, offer) => {
  picker.input.value = offer.dataset.name;
  picker.id.value = offer.dataset.id;
  picker.name.value = offer.dataset.name;
  closePicker(picker);
};
const askOffers = async (picker) => {
  const typed = picker.input.value.trim();
  const asked = ++picker.asked;
  if (!typed) { closePicker(picker); return; }
  let page;
  try {
    const answer = await fetch(`${picker.box.dataset.pick}?q=${encodeURIComponent(typed)}`, { headers: { "HX-Request": "true" } });
    if (keptHere.isSignedOut(answer)) { tellSession({ signIn: answer.headers.get("X-Sign-In") }); return; }
    page = readPage(await answer.text());
    if (!answer.ok) {
      const words = document.createElement("li");
      words.className = "picker-none";
      words.textContent = wordsOf({ status: answer.status, after: answer.headers.get("Retry-After") });
      page.body.replaceChildren(words);
    }
  } catch { return; }
  if (asked !== picker.asked) return;
  picker.list.replaceChildren(...page.querySelectorAll("li"));
  offers(picker).forEach((offer, place) => { offer.id = `${picker.list.id}-${place}`; });
  picker.list.hidden = false;
  picker.input.setAttribute("aria-expanded", "true");
};
document.addEventListener("input", (event) => {
  const picker = event.target.matches?.("[role=combobox]") && pickerOf(event.target);
  if (!picker) return;
  clearTimeout(picker.timer);
  picker.timer = setTimeout(() => askOffers(picker), PICK_DELAY);
});
document.addEventListener("keydown", (event) => {
  const picker = event.target.matches?.("[role=combobox]") && pickerOf(event.target);
  if (!picker || picker.list.hidden) return;
  const all = offers(picker);
  const place = all.findIndex((offer) => offer.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    markOffer(picker, all[(place + step + all.length) % all.length]);
  } else if (event.key === "Enter" && place >= 0) {
    event.preventDefault();
    takeOffer(picker, all[place]);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    closePicker(picker);
  }
});
document.addEventListener("mousedown", (event) => {
  const offer = event.target.closest?.(".picker-list [role=option]");
  if (!offer) return;
  event.preventDefault();
  takeOffer(pickerOf(offer.closest("[data-pick]").querySelector("[role=combobox]")), offer);
});
document.addEventListener("focusout", (event) => {
  const picker = event.target.matches?.("[role=combobox]") && pickerOf(event.target);
  if (picker) closePicker(picker);
});

// In-place editing: a click on a value opens its field, Escape closes it, and the focus returns to the value.
// The element that requested or sent the form, and the name of the field.
let changed = null;
document.addEventListener("click", (event) => {
  const value = event.target.closest?.(".record-value");
  if (!value || event.target.closest("a, button, input, select, textarea, summary, label")) return;
  if (window.getSelection().toString()) return;
  value.querySelector(".record-edit")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.target.closest?.(".record-form")?.querySelector(".record-cancel")?.click();
});
document.addEventListener("htmx:beforeRequest", (event) => {
  const place = event.detail.target.matches("#record, [id^=form-]") && event.target.closest?.("[id^=form-]");
  if (place) changed = { by: event.detail.elt, name: place.id.slice("form-".length) };
});
document.addEventListener("htmx:afterSettle", (event) => {
  // Keeps the focus of a user who is typing when another part of the page changes.
  if (!changed || event.detail.requestConfig?.elt !== changed.by) return;
  const { name } = changed;
  changed = null;
  const control = document.querySelector(`#form-${name} .record-form :is(input:not([type=hidden]), select, textarea)`) ?? document.getElementById(`edit-${name}`);
  control?.closest("details")?.setAttribute("open", "");
  control?.focus();
  if (control?.matches("input[type=text], textarea")) control.select?.();
});

// Changes saved by this page are not changes by others: the other forms of the record continue with the new version.
let saving = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { target, requestConfig, shouldSwap } }) => {
  if (shouldSwap && target.id === "record" && requestConfig.verb === "post") saving = { path: requestConfig.path, before: target.dataset.version };
});
document.addEventListener("htmx:afterSwap", () => {
  const now = document.getElementById("record")?.dataset.version;
  if (!saving || !now) return;
  const { path, before } = saving;
  saving = null;
  // If changes by others are among them, the user must see those first.
  if (Number(now) !== Number(before) + 1) return;
  for (const version of document.querySelectorAll("main input[name=_version]")) {
    const action = version.form.getAttribute("action");
    if (version.value === before && (action === path || action.startsWith(`${path}/`))) version.value = now;
  }
});

// Changes by others do not replace what is being typed or selected.
document.addEventListener("input", (event) => {
  const form = event.target.closest?.("[data-live] form, [data-live-record] form, [data-live-own] form");
  if (form && !event.target.matches("[type=search]")) form.dataset.busy = "";
});

// Saves text on the server while it is typed, so that it is not lost. Tickets have their own drafts.
const DRAFT_DELAY = 800;
const drafts = new WeakMap();
const saveDraft = async (form) => {
  clearTimeout(drafts.get(form));
  const state = form.querySelector(".draft-state");
  try {
    const body = () => new URLSearchParams(new FormData(form));
    const answer = await withFreshToken(() => fetch(form.dataset.draft, { method: "POST", body: body(), headers: { "HX-Request": "true" }, keepalive: true }));
    if (keptHere.isSignedOut(answer)) {
      keptHere.put("comment", form.elements.body.value, form.elements.body.defaultValue);
      keptHere.tellSignedOut(state, state.dataset);
      return;
    }
    if (answer.ok) keptHere.remove("comment");
    state.textContent = answer.ok ? state.dataset.saved : state.dataset.failed;
  } catch { state.textContent = state.dataset.failed; }
};
document.addEventListener("input", (event) => {
  const form = event.target.closest?.('form[data-draft^="/"]');
  if (!form) return;
  clearTimeout(drafts.get(form));
  drafts.set(form, setTimeout(() => saveDraft(form), DRAFT_DELAY));
});
for (const form of document.querySelectorAll('form[data-draft^="/"]')) {
  const field = form.elements.body;
  const unkept = field && keptHere.take("comment", field.defaultValue);
  if (unkept && field.value === field.defaultValue) {
    field.value = unkept;
    saveDraft(form);
  }
}
document.addEventListener("submit", (event) => {
  clearTimeout(drafts.get(event.target));
  drafts.delete(event.target);
});
window.addEventListener("pagehide", () => {
  for (const form of document.querySelectorAll('form[data-draft^="/"][data-busy]')) if (drafts.has(form)) saveDraft(form);
});
window.addEventListener("online", () => {
  for (const form of document.querySelectorAll('form[data-draft^="/"][data-busy]')) saveDraft(form);
});

// One checkbox selects all rows. The number of selected rows is shown next to the actions, which need a selection.
const countSelected = () => {
  for (const count of document.querySelectorAll(".bulk-count")) {
    const selected = count.closest("form").querySelectorAll("input[name=selected]:checked").length;
    count.textContent = selected ? `${selected} ${count.dataset.text}` : "";
  }
  // Records on other pages can be selected only if all rows on this page are.
  for (const all of document.querySelectorAll(".bulk-all")) {
    const boxes = [...all.closest("form").querySelectorAll("input[name=selected]")];
    all.hidden = !boxes.length || !boxes.every((box) => box.checked);
    if (all.hidden) all.querySelector("input").checked = false;
  }
  for (const button of document.querySelectorAll(".bulk-bar button")) {
    button.disabled = !button.form.querySelector("input[name=selected]:checked");
  }
};
const showSelectAll = () => {
  for (const all of document.querySelectorAll(".select-all")) all.hidden = false;
  countSelected();
};
document.addEventListener("DOMContentLoaded", showSelectAll);
document.addEventListener("htmx:afterSettle", showSelectAll);
// When going back to a page, browsers restore checked boxes.
window.addEventListener("pageshow", countSelected);
document.addEventListener("change", (event) => {
  if (event.target.matches?.(".select-all")) {
    for (const box of event.target.closest("form").querySelectorAll("input[name=selected]")) box.checked = event.target.checked;
  } else if (!event.target.matches?.("input[name=selected]")) return;
  countSelected();
});

// A form that creates something contains a number, so that submitting it twice creates one record. Going back to the page loads a new
// form. It gets the old number again, so that a request whose response was lost does not create a second record.
const numbered = () => [...document.querySelectorAll("form[action] input[name=_once]")];
const actionOf = (field) => field.form.getAttribute("action");
const keepNumbers = () => {
  const once = Object.fromEntries(numbered().map((field) => [actionOf(field), field.value]));
  if (JSON.stringify(once) !== JSON.stringify(history.state?.once ?? {})) history.replaceState({ ...history.state, once }, "");
};
document.addEventListener("DOMContentLoaded", () => {
  const kept = history.state?.once ?? {};
  for (const field of numbered()) field.value = kept[actionOf(field)] ?? field.value;
  keepNumbers();
});
document.addEventListener("htmx:afterSettle", keepNumbers);
