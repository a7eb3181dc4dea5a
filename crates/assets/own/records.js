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
    pickers.set(box, { box, input, list: box.querySelector("[role=listbox]"), id: hidden("_id."), name: hidden("_name."), timer: 0, requests: 0 });
  }
  return pickers.get(box);
};
const optionsOf = (picker) => [...picker.list.querySelectorAll("[role=option]")];
const closePicker = (picker) => {
  picker.list.hidden = true;
  picker.input.setAttribute("aria-expanded", "false");
  picker.input.removeAttribute("aria-activedescendant");
};
const markOption = (picker, option) => {
  for (const other of optionsOf(picker)) other.setAttribute("aria-selected", String(other === option));
  if (option) {
    picker.input.setAttribute("aria-activedescendant", option.id);
    option.scrollIntoView({ block: "nearest" });
  }
};
const takeOption = (picker, option) => {
  picker.input.value = option.dataset.name;
  picker.id.value = option.dataset.id;
  picker.name.value = option.dataset.name;
  // A choice for the former text no longer applies.
  const offers = picker.box.nextElementSibling?.matches(".picker-offers") ? picker.box.nextElementSibling : null;
  for (const offer of offers?.querySelectorAll("input") ?? []) offer.checked = false;
  closePicker(picker);
};
const fetchOptions = async (picker) => {
  const typed = picker.input.value.trim();
  const request = ++picker.requests;
  if (!typed) { closePicker(picker); return; }
  let page;
  try {
    const answer = await fetch(`${picker.box.dataset.pick}?q=${encodeURIComponent(typed)}`, { headers: { "HX-Request": "true" } });
    if (tabDrafts.isSignedOut(answer)) { reportSession({ signIn: answer.headers.get("X-Sign-In") }); return; }
    page = readPage(await answer.text());
    if (!answer.ok) {
      const message = document.createElement("li");
      message.className = "picker-none";
      message.textContent = messageOf({ status: answer.status, after: answer.headers.get("Retry-After") });
      page.body.replaceChildren(message);
    }
  } catch { return; }
  if (request !== picker.requests) return;
  picker.list.replaceChildren(...page.querySelectorAll("li"));
  optionsOf(picker).forEach((option, index) => { option.id = `${picker.list.id}-${index}`; });
  picker.list.hidden = false;
  picker.input.setAttribute("aria-expanded", "true");
};
document.addEventListener("input", (event) => {
  const picker = event.target.matches?.("[role=combobox]") && pickerOf(event.target);
  if (!picker) return;
  clearTimeout(picker.timer);
  picker.timer = setTimeout(() => fetchOptions(picker), PICK_DELAY);
});
document.addEventListener("keydown", (event) => {
  const picker = event.target.matches?.("[role=combobox]") && pickerOf(event.target);
  if (!picker || picker.list.hidden) return;
  const all = optionsOf(picker);
  const index = all.findIndex((option) => option.getAttribute("aria-selected") === "true");
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    const step = event.key === "ArrowDown" ? 1 : -1;
    markOption(picker, all[(index + step + all.length) % all.length]);
  } else if (event.key === "Enter" && index >= 0) {
    event.preventDefault();
    takeOption(picker, all[index]);
  } else if (event.key === "Escape") {
    event.stopPropagation();
    closePicker(picker);
  }
});
document.addEventListener("mousedown", (event) => {
  const option = event.target.closest?.(".picker-list [role=option]");
  if (!option) return;
  event.preventDefault();
  takeOption(pickerOf(option.closest("[data-pick]").querySelector("[role=combobox]")), option);
});
document.addEventListener("focusout", (event) => {
  const picker = event.target.matches?.("[role=combobox]") && pickerOf(event.target);
  if (picker) closePicker(picker);
});

// In-place editing: a click on a value opens its field, Escape closes it, and the focus returns to the value.
// The element that opened or submitted the form, and the name of the field.
let edited = null;
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
  const form = event.detail.target.matches("#record, [id^=form-]") && event.target.closest?.("[id^=form-]");
  if (form) edited = { by: event.detail.elt, name: form.id.slice("form-".length) };
});
document.addEventListener("htmx:afterSettle", (event) => {
  // Keeps the focus of a user who is typing when another part of the page changes.
  if (!edited || event.detail.requestConfig?.elt !== edited.by) return;
  const { name } = edited;
  edited = null;
  const control = document.querySelector(`#form-${name} .record-form :is(input:not([type=hidden]), select, textarea)`) ?? document.getElementById(`edit-${name}`);
  control?.closest("details")?.setAttribute("open", "");
  control?.focus();
  if (control?.matches("input[type=text], textarea")) control.select?.();
});

// After this page has saved a change, the other forms of the record use the new version, so that the save is not taken for a change by
// somebody else.
let saving = null;
document.addEventListener("htmx:beforeSwap", ({ detail: { target, requestConfig, shouldSwap } }) => {
  if (shouldSwap && target.id === "record" && requestConfig.verb === "post") saving = { path: requestConfig.path, before: target.dataset.version };
});
document.addEventListener("htmx:afterSwap", () => {
  const now = document.getElementById("record")?.dataset.version;
  if (!saving || !now) return;
  const { path, before } = saving;
  saving = null;
  // A larger step means that others changed the record, too: the user must see that first.
  if (Number(now) !== Number(before) + 1) return;
  for (const version of document.querySelectorAll("main input[name=_version]")) {
    const action = version.form.getAttribute("action");
    if (version.value === before && (action === path || action.startsWith(`${path}/`))) version.value = now;
  }
});

// A live update does not replace what the user is typing or selecting.
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
    if (tabDrafts.isSignedOut(answer)) {
      tabDrafts.put("comment", form.elements.body.value, form.elements.body.defaultValue);
      tabDrafts.showSignedOut(state, state.dataset);
      return;
    }
    if (answer.ok) tabDrafts.remove("comment");
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
  const unsaved = field && tabDrafts.take("comment", field.defaultValue);
  if (unsaved && field.value === field.defaultValue) {
    field.value = unsaved;
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
