"use strict";
// What makes pages lively. Everything here works without it, by links and forms.

// An address of this workspace, as scripts write it.
const inWorkspace = (path) => `${document.documentElement.dataset.base ?? ""}${path}`;

// Requests of htmx carry the form token of the page.
document.addEventListener("htmx:configRequest", (event) => {
  const token = document.querySelector("meta[name=form-token]").content;
  event.detail.headers["X-Form-Token"] = token;
});

// Messages stand at the head of a page, the newest first. Those with a way back stay beside newer ones, a few of them; of those without,
// and of those about one card, only the newest stays.
const MOST_NOTICES = 3;
const notices = () => document.getElementById("notices");
const makeRoom = (card) => {
  for (const one of [...notices().children]) {
    if (!one.querySelector("form") || (card && one.dataset.card === card)) one.remove();
  }
};
const dropOldest = () => { for (const one of [...notices().querySelectorAll(":scope > :has(form)")].slice(MOST_NOTICES)) one.remove(); };
const notify = (alert) => {
  if (!notices()) return;
  makeRoom(alert.dataset.card);
  notices().prepend(alert);
  dropOldest();
};
document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
  if (target.id === "notices") makeRoom(fragment.querySelector("[data-card]")?.dataset.card);
});
document.addEventListener("htmx:oobAfterSwap", ({ detail: { target } }) => { if (target.id === "notices") dropOldest(); });
document.addEventListener("click", (event) => event.target.closest?.(".notice-close")?.closest(".alert").remove());
const alertOf = (text, kind) => {
  const [alert, words, close] = ["div", "div", "button"].map((name) => document.createElement(name));
  alert.className = `alert alert-${kind} told`;
  alert.setAttribute("role", "alert");
  words.textContent = text;
  close.type = "button";
  close.className = "btn btn-sm btn-icon notice-close";
  close.setAttribute("aria-label", connection().dataset.close);
  close.textContent = "×";
  alert.append(words, close);
  return alert;
};

// Where the session has ended, or another one has begun, nothing that was typed is lost: the page stays, and says what to do.
const renewToken = (token) => {
  document.querySelector("meta[name=form-token]").content = token;
  for (const field of document.querySelectorAll("input[name=_token]")) field.value = token;
};
// What the server tells of the session. Where another person opened the page, whoever is signed in now decides whether to go on.
const sessionIn = (header) => {
  const [signIn, token, now] = ["X-Sign-In", "X-Form-Token", "X-Now-Signed-In"].map(header);
  if (token && !now) renewToken(token);
  return { signIn, token, now: now && decodeURIComponent(now) };
};
const tellSession = ({ signIn, token, now }) => {
  const { dataset } = connection();
  const alert = document.createElement("div");
  alert.className = "alert alert-warning";
  alert.setAttribute("role", "alert");
  alert.textContent = signIn ? dataset.sessionOver : now ? dataset.sessionOther.replace("{name}", () => now) : dataset.sessionRenewed;
  if (now) {
    // What scripts send again and again is told once.
    if (document.getElementById("continue-as")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "btn btn-sm";
    button.id = "continue-as";
    button.textContent = dataset.continue.replace("{name}", () => now);
    button.addEventListener("click", () => { renewToken(token); alert.remove(); });
    alert.append(" ", button);
  }
  if (signIn) {
    const link = document.createElement("a");
    link.className = "alert-link";
    link.href = signIn;
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = dataset.signIn;
    alert.append(" ", link);
  }
  notify(alert);
  alert.scrollIntoView({ block: "nearest" });
};
document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  const session = sessionIn((name) => xhr.getResponseHeader(name));
  if (!session.signIn && !session.token) return;
  event.detail.shouldSwap = false;
  tellSession(session);
  sayUnsent(requestConfig.elt);
});
// What scripts send is sent again by themselves, if only its token was that of an earlier session.
const withFreshToken = async (send) => {
  const answer = await send();
  const session = sessionIn((name) => answer.headers.get(name));
  if (session.now) tellSession(session);
  return session.token && !session.now && !session.signIn ? send() : answer;
};

// What somebody sends, or asks for by typing or clicking, is answered by the part of a page that was asked for, or by the one that says
// what is wrong with it. Any other answer, and none, leaves the page as it is, with all that was typed, and a message says what to do.
const BY_HAND = ["click", "submit", "input", "change", "search", "toggle"];
const isByHand = ({ triggeringEvent }) => BY_HAND.includes(triggeringEvent?.type);
const readPage = (html) => new DOMParser().parseFromString(html, "text/html");
const isExpected = ({ xhr, select, requestConfig }) => {
  const part = xhr.getResponseHeader("HX-Reselect") ?? select ?? requestConfig.elt.closest("[hx-select]")?.getAttribute("hx-select");
  const isError = xhr.status >= 400;
  if (!part) return !isError;
  // What is in a part may be nothing, but there is no page without the part.
  const isOptional = !isError && (!isByHand(requestConfig) || !/^#[\w-]+$/.test(part));
  return isOptional || readPage(xhr.responseText).querySelector(part) !== null;
};
// The words for an answer: `after` is when to try again, in seconds, and `message` what the page of the error says.
const wordsOf = ({ status, after, message, isSent }) => {
  const { dataset } = connection();
  if (status === 429) {
    const seconds = Number(after) || 60;
    return seconds === 1 ? dataset.tooManyOne : dataset.tooMany.replace("{seconds}", () => String(seconds));
  }
  if (status === 404) return dataset.notThere;
  if (status >= 400 && status < 500) return (message ?? dataset.refused).replace(/[^.!?…]$/, "$&.");
  return isSent ? dataset.unsent : dataset.unanswered;
};
// What moves parts of a page before it is answered puts them back, and may say of what the message is.
const sayUnsent = (elt) => {
  const detail = { elt, lead: "" };
  document.dispatchEvent(new CustomEvent("console:unsent", { detail }));
  return detail.lead;
};
// What another page says, with the token of this one.
const taken = (alert) => {
  const token = document.querySelector("meta[name=form-token]").content;
  for (const field of alert.querySelectorAll("input[name=_token]")) field.value = token;
  return alert;
};
// What was opened was deleted: who did it, and a form that restores it.
const goneIn = (page) => {
  const gone = page.getElementById("gone");
  return gone && taken(gone);
};
const tellUnexpected = ({ xhr, requestConfig: { elt, verb, path, triggeringEvent } }) => {
  const page = readPage(xhr.responseText);
  const form = elt.closest("form");
  const isTyped = form?.querySelector("input:not([type=hidden], [type=checkbox], [type=radio]), textarea");
  const typed = isTyped ? connection().dataset.typed : "";
  let alert = xhr.status === 404 ? goneIn(page) : null;
  if (alert) {
    document.getElementById("gone")?.remove();
    alert.dataset.here = "";
    alert.firstElementChild.append(" ", sayUnsent(elt), " ", typed);
  } else {
    const message = page.getElementById("error-message")?.textContent;
    const isSent = verb !== "get" && path !== inWorkspace("/preview");
    const answer = { status: xhr.status, after: xhr.getResponseHeader("Retry-After"), message, isSent };
    const words = [sayUnsent(elt), wordsOf(answer), typed];
    alert = alertOf(words.filter(Boolean).join(" "), "warning");
    alert.dataset.unanswered = "";
  }
  // What was done all the same, such as before a redirect that was not answered, is told with its way back.
  for (const told of page.querySelectorAll("#notices > .alert")) notify(taken(told));
  const isInPlace = elt.isConnected && form?.matches(".record-form");
  if (isInPlace) {
    for (const told of form.parentElement.querySelectorAll(":scope > .alert")) told.remove();
    form.before(alert);
  } else notify(alert);
  // Whoever types goes on typing.
  if (triggeringEvent.type !== "input") alert.scrollIntoView({ block: "nearest" });
};
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap) return;
  const asked = isByHand(detail.requestConfig);
  if (isExpected(detail)) {
    if (asked) for (const told of document.querySelectorAll("#notices > [data-unanswered]")) told.remove();
    return;
  }
  detail.shouldSwap = false;
  if (asked) tellUnexpected(detail);
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, ({ detail }) => { if (isByHand(detail.requestConfig)) tellUnexpected(detail); });
}
// A record that is restored from there leaves the page as it is, too, so that what was typed can be sent again.
document.addEventListener("submit", async (event) => {
  const gone = event.target.closest?.("#gone[data-here]");
  if (!gone || event.defaultPrevented) return;
  event.preventDefault();
  const { action } = event.target;
  const body = () => new URLSearchParams(new FormData(event.target));
  let told = { status: 0, isSent: true };
  try {
    const answer = await withFreshToken(() => fetch(action, { method: "POST", body: body(), headers: { "HX-Request": "true" } }));
    if (keptHere.isSignedOut(answer)) { tellSession({ signIn: answer.headers.get("X-Sign-In") }); return; }
    if (answer.ok) {
      const restored = alertOf(connection().dataset.restored, "success");
      restored.dataset.unanswered = "";
      gone.replaceWith(restored);
      return;
    }
    told = { ...told, status: answer.status, after: answer.headers.get("Retry-After") };
  } catch { showConnection(true); }
  notify(alertOf(wordsOf(told), "warning"));
});

// Addresses of lists have the filters that are set, and no empty ones.
document.addEventListener("htmx:configRequest", (event) => {
  const { verb, formData } = event.detail;
  if (verb !== "get") return;
  for (const name of new Set(formData.keys())) {
    const values = formData.getAll(name);
    formData.delete(name);
    for (const value of values) if (value !== "") formData.append(name, value);
  }
  for (const name of new Set(formData.keys())) {
    if (name.startsWith("_zone.") && !formData.has(name.slice("_zone.".length))) formData.delete(name);
  }
});

// Times are typed in the zone shown next to their field. A page rendered before the server knew the browser's zone shows another one: its
// fields are switched to the browser's zone and keep their instants.
document.addEventListener("htmx:load", (event) => {
  if (document.documentElement.dataset.zoneChosen !== undefined) return;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const two = (number) => String(number).padStart(2, "0");
  for (const zone of event.detail.elt.querySelectorAll("input[type=hidden][name^='_zone.']")) {
    const field = zone.parentElement.querySelector(":scope > input[type=datetime-local]");
    // A value that was already typed keeps the zone it was typed in.
    if (!own || zone.value === own || field.value !== field.defaultValue || (field.value && !zone.dataset.instant)) continue;
    if (zone.dataset.instant) {
      const at = new Date(zone.dataset.instant);
      const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
      field.value = field.defaultValue = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
    }
    zone.value = zone.defaultValue = own;
    zone.parentElement.querySelector(":scope > [id$='-zone'] > span").textContent = own;
  }
});

// What is wrong with a filter stands beside its field. The fields stay as they are: somebody types there.
document.addEventListener("htmx:afterRequest", (event) => {
  const { elt: form, xhr } = event.detail;
  if (!form.matches?.(".list-filters") || !xhr.responseText) return;
  const answer = readPage(xhr.responseText);
  if (!answer.getElementById("list")) return;
  for (const message of form.querySelectorAll(".invalid-feedback")) message.remove();
  for (const field of form.querySelectorAll(".filter-fields :is(input.form-control, select)")) {
    const message = answer.getElementById(`${field.name}-error`);
    field.classList.toggle("is-invalid", message !== null);
    field.removeAttribute("aria-invalid");
    if (!message) continue;
    field.setAttribute("aria-invalid", "true");
    field.after(message);
  }
});

// A lost connection is said, and nothing that was typed is lost: the page stays as it is.
const connection = () => document.getElementById("connection");
// Whether there may be none: the browser says so, a request failed, or the stream of changes broke.
let mayBeLost = !navigator.onLine;
const showConnection = (lost) => {
  mayBeLost = lost;
  connection().hidden = !lost;
};
document.addEventListener("htmx:sendError", () => showConnection(true));
document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) showConnection(false); });
window.addEventListener("offline", () => showConnection(true));
window.addEventListener("online", () => showConnection(false));

// A form that is a page of its own would leave what was typed for the browser's page about the error. Where there may be no
// connection, it is sent once the service answers.
const isReachable = async () => {
  try {
    await fetch(document.querySelector("link[rel=icon]").href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch { return false; }
};
// A stream that broke begins again by itself, soon in most cases: where it does not, the service is asked whether it is there.
const STREAM_PAUSE = 3000;
let streamTimer = 0;
const watchConnection = async () => {
  const timer = streamTimer;
  const isThere = await isReachable();
  if (timer !== streamTimer) return;
  connection().hidden = isThere;
  // A stream that ended for good, such as after signing out, is no lost connection.
  streamTimer = isThere ? 0 : setTimeout(watchConnection, STREAM_PAUSE);
};
document.addEventListener("console:connected", (event) => {
  if (event.detail) {
    clearTimeout(streamTimer);
    streamTimer = 0;
    showConnection(false);
  } else {
    mayBeLost = true;
    if (!streamTimer) streamTimer = setTimeout(watchConnection, STREAM_PAUSE);
  }
});
document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const isSentByScript = form.matches("[hx-post], [hx-get]") || submitter?.matches("[hx-post], [hx-get]");
  const seemsThere = !mayBeLost && navigator.onLine;
  if (seemsThere || isSentByScript || form.method === "dialog") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const isThere = await isReachable();
  showConnection(!isThere);
  if (isThere) form.requestSubmit(submitter);
}, true);

// Whoever leaves a form that is a page of its own is warned of what was typed and not sent. Forms with drafts lose nothing.
const WRITTEN = "form.card-body[method=post]:not([data-draft], [hx-post])";
const unsaved = new Set();
document.addEventListener("input", (event) => {
  const form = event.target.closest?.(WRITTEN);
  if (form) unsaved.add(form);
});
document.addEventListener("submit", (event) => { if (!event.defaultPrevented) unsaved.delete(event.target); });
window.addEventListener("beforeunload", (event) => {
  for (const form of unsaved) if (form.isConnected) event.preventDefault();
});

// After a small form the focus is where it was, for the next one.
const REFOCUS = "refocus";
document.addEventListener("submit", (event) => {
  const field = event.target.dataset?.refocus;
  if (field && !event.defaultPrevented) sessionStorage.setItem(REFOCUS, field);
});
document.addEventListener("DOMContentLoaded", () => {
  const field = sessionStorage.getItem(REFOCUS);
  sessionStorage.removeItem(REFOCUS);
  if (field) document.getElementById(field)?.focus();
});

// A text that cannot be saved because the session is over stays in this tab, for the same person on the same page.
const keptHere = {
  isSignedOut: (answer) => answer.headers.has("X-Sign-In"),
  key: (name) => `unsaved:${document.querySelector("script[data-user]")?.dataset.user}:${location.pathname}:${name}`,
  put(name, text, saved) {
    try { sessionStorage.setItem(this.key(name), JSON.stringify({ text, saved })); } catch { /* A full store. */ }
  },
  remove(name) { sessionStorage.removeItem(this.key(name)); },
  // What is to be put back into a field with this text; what was saved elsewhere meanwhile stays before it.
  take(name, now) {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(this.key(name))); } catch { /* Somebody else's. */ }
    this.remove(name);
    if (!kept || kept.text === now) return null;
    return now === kept.saved || kept.text.startsWith(now) ? kept.text : `${now}\n\n${kept.text}`;
  },
  tellSignedOut(place, { signedOut, signIn }) {
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = signIn;
    place.replaceChildren(`${signedOut} `, link);
  },
};

// A menu that is replaced next to a list stays open.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const replacement = detail.fragment.firstElementChild;
  if (detail.target.open && replacement?.matches("details")) replacement.open = true;
});

// Menus close by Escape and by a click elsewhere.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details[open].filter-menu")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details[open].filter-menu")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// A picture from another site is loaded on a click; with a key held, or if it cannot be loaded here, its link opens it.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-picture]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const picture = document.createElement("img");
  picture.referrerPolicy = "no-referrer";
  picture.alt = link.dataset.picture;
  picture.tabIndex = -1;
  picture.onerror = () => {
    link.removeAttribute("data-picture");
    picture.replaceWith(link);
    link.focus();
  };
  picture.src = link.href;
  link.replaceWith(picture);
  picture.focus();
});
