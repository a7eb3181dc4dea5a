"use strict";
// Makes pages interactive. Without it, everything still works by links and forms.

// The address of a path in this workspace.
const inWorkspace = (path) => `${document.documentElement.dataset.base ?? ""}${path}`;

// Requests by htmx carry the form token of the page.
const formToken = () => document.querySelector("meta[name=form-token]").content;
document.addEventListener("htmx:configRequest", (event) => { event.detail.headers["X-Form-Token"] = formToken(); });

// Messages are shown at the top of the page, newest first. A few messages with an undo button are kept. Of the others, and of those about
// the same card, only the newest is kept.
const MAX_NOTICES = 3;
const notices = () => document.getElementById("notices");
const makeRoom = (card) => {
  for (const one of [...notices().children]) {
    if (!one.querySelector("form") || (card && one.dataset.card === card)) one.remove();
  }
};
const dropOldest = () => { for (const one of [...notices().querySelectorAll(":scope > :has(form)")].slice(MAX_NOTICES)) one.remove(); };
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
  const [alert, label, close] = ["div", "div", "button"].map((name) => document.createElement(name));
  alert.className = `alert alert-${kind} told`;
  alert.setAttribute("role", "alert");
  label.textContent = text;
  close.type = "button";
  close.className = "btn btn-sm btn-icon notice-close";
  close.setAttribute("aria-label", connection().dataset.close);
  close.textContent = "×";
  alert.append(label, close);
  return alert;
};

// If the session has ended or was replaced, nothing that was typed is lost: the page stays and says what to do.
const renewToken = (token) => {
  document.querySelector("meta[name=form-token]").content = token;
  for (const field of document.querySelectorAll("input[name=_token]")) field.value = token;
};
// What the server says about the session. If another user opened the page, the one who is signed in now decides whether to continue.
const sessionIn = (header) => {
  const [signIn, token, now] = ["X-Sign-In", "X-Form-Token", "X-Now-Signed-In"].map(header);
  if (token && !now) renewToken(token);
  return { signIn, token, now: now && decodeURIComponent(now) };
};
const reportSession = ({ signIn, token, now }) => {
  const { dataset } = connection();
  const alert = document.createElement("div");
  alert.className = "alert alert-warning";
  alert.setAttribute("role", "alert");
  alert.textContent = signIn ? dataset.sessionOver : now ? dataset.sessionOther.replace("{name}", () => now) : dataset.sessionRenewed;
  if (now) {
    // Repeated background requests report it only once.
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
  reportSession(session);
  reportUnsent(requestConfig.elt);
});
// Scripts retry a request that failed only because its token belonged to an earlier session.
const withFreshToken = async (send) => {
  const response = await send();
  const session = sessionIn((name) => response.headers.get(name));
  if (session.now) reportSession(session);
  return session.token && !session.now && !session.signIn ? send() : response;
};

// The response to a user action is the requested part of a page, or the part that says what is wrong. After any other response, or none,
// the page stays as it is, with everything that was typed, and a message says what to do.
const USER_EVENTS = ["click", "submit", "input", "change", "search", "toggle"];
const isUserAction = ({ triggeringEvent }) => USER_EVENTS.includes(triggeringEvent?.type);
const readPage = (html) => new DOMParser().parseFromString(html, "text/html");
const isExpected = ({ xhr, select, requestConfig }) => {
  const part = xhr.getResponseHeader("HX-Reselect") ?? select ?? requestConfig.elt.closest("[hx-select]")?.getAttribute("hx-select");
  const isError = xhr.status >= 400;
  if (!part) return !isError;
  // A part may be empty, but every page contains it.
  const isOptional = !isError && (!isUserAction(requestConfig) || !/^#[\w-]+$/.test(part));
  return isOptional || readPage(xhr.responseText).querySelector(part) !== null;
};
// The text for a response: `after` is the number of seconds until a retry, and `message` is the text of the error page.
const messageOf = ({ status, after, message, isSent }) => {
  const { dataset } = connection();
  if (status === 429) {
    const seconds = Number(after) || 60;
    return seconds === 1 ? dataset.tooManyOne : dataset.tooMany.replace("{seconds}", () => String(seconds));
  }
  if (status === 404) return dataset.notThere;
  if (status >= 400 && status < 500) return (message ?? dataset.refused).replace(/[^.!?…]$/, "$&.");
  return isSent ? dataset.unsent : dataset.unanswered;
};
// Code that moves parts of a page before the response puts them back, and may name what the message is about.
const reportUnsent = (elt) => {
  const detail = { elt, lead: "" };
  document.dispatchEvent(new CustomEvent("console:unsent", { detail }));
  return detail.lead;
};
// The message of another page, with the token of this page.
const withPageToken = (alert) => {
  for (const field of alert.querySelectorAll("input[name=_token]")) field.value = formToken();
  return alert;
};
// For a deleted record: who deleted it, and a form that restores it.
const deletionNoticeIn = (page) => {
  const gone = page.getElementById("gone");
  return gone && withPageToken(gone);
};
const reportUnexpectedResponse = ({ xhr, requestConfig: { elt, verb, path, triggeringEvent } }) => {
  const page = readPage(xhr.responseText);
  const form = elt.closest("form");
  const isTyped = form?.querySelector("input:not([type=hidden], [type=checkbox], [type=radio]), textarea");
  const typed = isTyped ? connection().dataset.typed : "";
  let alert = xhr.status === 404 ? deletionNoticeIn(page) : null;
  if (alert) {
    document.getElementById("gone")?.remove();
    alert.dataset.here = "";
    alert.firstElementChild.append(" ", reportUnsent(elt), " ", typed);
  } else {
    const message = page.getElementById("error-message")?.textContent;
    const isSent = verb !== "get" && path !== inWorkspace("/preview");
    const response = { status: xhr.status, after: xhr.getResponseHeader("Retry-After"), message, isSent };
    const text = [reportUnsent(elt), messageOf(response), typed];
    alert = alertOf(text.filter(Boolean).join(" "), "warning");
    alert.dataset.unanswered = "";
  }
  // A change that was saved anyway, such as before a redirect that failed, is reported with its undo button.
  for (const message of page.querySelectorAll("#notices > .alert")) notify(withPageToken(message));
  const isInPlace = elt.isConnected && form?.matches(".record-form");
  if (isInPlace) {
    for (const message of form.parentElement.querySelectorAll(":scope > .alert")) message.remove();
    form.before(alert);
  } else notify(alert);
  // Keeps the focus of a user who is typing.
  if (triggeringEvent.type !== "input") alert.scrollIntoView({ block: "nearest" });
};
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (!detail.shouldSwap) return;
  const isUserRequest = isUserAction(detail.requestConfig);
  if (isExpected(detail)) {
    if (isUserRequest) for (const message of document.querySelectorAll("#notices > [data-unanswered]")) message.remove();
    return;
  }
  detail.shouldSwap = false;
  if (isUserRequest) reportUnexpectedResponse(detail);
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, ({ detail }) => { if (isUserAction(detail.requestConfig)) reportUnexpectedResponse(detail); });
}
// Restoring the record from there does not replace the page either, so that the typed text can be sent again.
document.addEventListener("submit", async (event) => {
  const gone = event.target.closest?.("#gone[data-here]");
  if (!gone || event.defaultPrevented) return;
  event.preventDefault();
  const { action } = event.target;
  const body = () => new URLSearchParams(new FormData(event.target));
  let message = { status: 0, isSent: true };
  try {
    const response = await withFreshToken(() => fetch(action, { method: "POST", body: body(), headers: { "HX-Request": "true" } }));
    if (tabDrafts.isSignedOut(response)) { reportSession({ signIn: response.headers.get("X-Sign-In") }); return; }
    if (response.ok) {
      const restored = alertOf(connection().dataset.restored, "success");
      restored.dataset.unanswered = "";
      gone.replaceWith(restored);
      return;
    }
    message = { ...message, status: response.status, after: response.headers.get("Retry-After") };
  } catch { showConnection(true); }
  notify(alertOf(messageOf(message), "warning"));
});

// Addresses of lists contain only filters that are set.
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
  const browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const two = (number) => String(number).padStart(2, "0");
  for (const zone of event.detail.elt.querySelectorAll("input[type=hidden][name^='_zone.']")) {
    const field = zone.parentElement.querySelector(":scope > input[type=datetime-local]");
    // A value that was already typed keeps its zone.
    if (!browserZone || zone.value === browserZone || field.value !== field.defaultValue || (field.value && !zone.dataset.instant)) continue;
    if (zone.dataset.instant) {
      const at = new Date(zone.dataset.instant);
      const day = `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
      field.value = field.defaultValue = `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
    }
    zone.value = zone.defaultValue = browserZone;
    zone.parentElement.querySelector(":scope > [id$='-zone'] > span").textContent = browserZone;
  }
});

// Filter errors are shown next to the fields. The fields are not replaced, since the user may be typing.
document.addEventListener("htmx:afterRequest", (event) => {
  const { elt: form, xhr } = event.detail;
  if (!form.matches?.(".list-filters") || !xhr.responseText) return;
  const response = readPage(xhr.responseText);
  if (!response.getElementById("list")) return;
  for (const message of form.querySelectorAll(".invalid-feedback")) message.remove();
  for (const field of form.querySelectorAll(".filter-fields :is(input.form-control, select)")) {
    const message = response.getElementById(`${field.name}-error`);
    field.classList.toggle("is-invalid", message !== null);
    field.removeAttribute("aria-invalid");
    if (!message) continue;
    field.setAttribute("aria-invalid", "true");
    field.after(message);
  }
});

// Shows that the connection is lost. The page stays as it is, so nothing that was typed is lost.
const connection = () => document.getElementById("connection");
// Whether the connection may be lost: the browser says so, a request failed, or the stream of changes broke.
let mayBeLost = !navigator.onLine;
const showConnection = (lost) => {
  mayBeLost = lost;
  connection().hidden = !lost;
};
document.addEventListener("htmx:sendError", () => showConnection(true));
document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) showConnection(false); });
window.addEventListener("offline", () => showConnection(true));
window.addEventListener("online", () => showConnection(false));

// Submitting a full-page form without a connection would replace the page by the browser's error page. While the connection may be
// lost, the form is submitted once the service responds.
const isReachable = async () => {
  try {
    await fetch(document.querySelector("link[rel=icon]").href, { method: "HEAD", cache: "no-store" });
    return true;
  } catch { return false; }
};
// A broken stream reconnects by itself, usually soon. If it does not, this checks whether the service is reachable.
const STREAM_PAUSE = 3000;
let streamTimer = 0;
const watchConnection = async () => {
  const timer = streamTimer;
  const isThere = await isReachable();
  if (timer !== streamTimer) return;
  connection().hidden = isThere;
  // A stream that ended for good, such as after signing out, is not a lost connection.
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

// Warns before leaving a full-page form with unsaved input. Forms with drafts lose nothing.
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

// After a small form is submitted, the focus returns to it for the next one.
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

// A text that cannot be saved because the session has ended is kept in this tab, for the same user on the same page.
const tabDrafts = {
  isSignedOut: (response) => response.headers.has("X-Sign-In"),
  key: (name) => `unsaved:${document.querySelector("script[data-user]")?.dataset.user}:${location.pathname}:${name}`,
  put(name, text, saved) {
    try { sessionStorage.setItem(this.key(name), JSON.stringify({ text, saved })); } catch { /* Storage is full. */ }
  },
  remove(name) { sessionStorage.removeItem(this.key(name)); },
  // The text to restore into a field with this content; text that was saved elsewhere meanwhile precedes it.
  take(name, now) {
    let kept = null;
    try { kept = JSON.parse(sessionStorage.getItem(this.key(name))); } catch { /* Not ours. */ }
    this.remove(name);
    if (!kept || kept.text === now) return null;
    return now === kept.saved || kept.text.startsWith(now) ? kept.text : `${now}\n\n${kept.text}`;
  },
  showSignedOut(element, { signedOut, signIn }) {
    const link = document.createElement("a");
    link.href = location.pathname;
    link.textContent = signIn;
    element.replaceChildren(`${signedOut} `, link);
  },
};

// A menu next to a list stays open when it is replaced.
document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  const replacement = detail.fragment.firstElementChild;
  if (detail.target.open && replacement?.matches("details")) replacement.open = true;
});

// Escape and clicks elsewhere close menus.
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

// A click loads an external picture. With a modifier key, or if it cannot be loaded, its link opens.
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
