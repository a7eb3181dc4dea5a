"use strict";
// The customer's page of one ticket. It reads no cookie: the token of the link is exchanged for a session of this tab.
const at = (id) => document.getElementById(id);
const statusLine = at("said");
// The form that requests a link when no workspace is known.
const lost = at("lost");
const main = at("ticket");
const texts = at("portal-texts").dataset;
const given = new URLSearchParams(location.hash.slice(1));
const link = given.get("token");
// The workspace that the page names as its own.
const host = at("host")?.dataset.workspace;
const remembered = (name) => {
  if (given.get(name)) sessionStorage.setItem(`portal-${name}`, given.get(name));
  return given.get(name) || (link ? null : sessionStorage.getItem(`portal-${name}`));
};
if (link) for (const name of ["workspace", "reference"]) sessionStorage.removeItem(`portal-${name}`);
const workspace = host || remembered("workspace");
const reference = remembered("reference");
// Opening a link in a tab that already shows this page changes only the part after the #.
window.addEventListener("hashchange", () => {
  if (!new URLSearchParams(location.hash.slice(1)).get("token")) return;
  if (location.search) location.replace(location.pathname + location.hash);
  else location.reload();
});
let token = link ? null : sessionStorage.getItem("portal");

const call = async (method, path, body, key) => {
  const headers = { "Content-Type": "application/json" };
  if (token) headers.Authorization = "Bearer " + token;
  if (key) headers["Idempotency-Key"] = key;
  const response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const json = await response.json();
  if (response.ok) return json.data;
  const error = json.error.message ? json.error : json;
  const details = (error.details || []).map((one) => one.field + ": " + one.message);
  const failure = new Error(details.join("\n") || error.message);
  failure.status = response.status;
  throw failure;
};

const guarded = async (work) => {
  statusLine.textContent = texts.wait;
  try {
    statusLine.textContent = (await work()) || "";
  } catch (failure) {
    // Without a session, the only possible conflict is a link that was already used.
    if (failure.status === 401 || (failure.status === 409 && link && !token)) leave();
    else statusLine.textContent = failure.status ? failure.message : texts.noAnswer;
  }
};

// The link, or the session that it started, has expired.
const leave = () => {
  // Placed before the form that it refers to, in place of that form's text.
  const form = workspace || !lost ? at("ask") : lost;
  form.before(statusLine);
  form.querySelector("p").hidden = true;
  statusLine.textContent = `${token ? texts.sessionOver : texts.linkOver} ${texts.askBelow}`;
  token = null;
  sessionStorage.removeItem("portal");
  main.hidden = true;
  at("open").hidden = true;
  form.hidden = false;
};

const statusNames = Object.fromEntries([...at("portal-statuses").children].map((one) => [one.dataset.status, one.textContent]));

const element = (name, text) => {
  const node = document.createElement(name);
  node.textContent = text;
  return node;
};

// The time in the console's format, in the customer's time zone: 21 Nov 2026, 09:41.
const timeOf = (text) => {
  const time = new Date(text);
  const two = (number) => String(number).padStart(2, "0");
  const month = time.toLocaleString("en-US", { month: "short" });
  return `${time.getDate()} ${month} ${time.getFullYear()}, ${two(time.getHours())}:${two(time.getMinutes())}`;
};

// The text with pictures replaced by links: the page loads nothing from other sites.
const withPictures = (text) => {
  const paragraph = element("p", "");
  let end = 0;
  for (const match of text.matchAll(/!\[([^\[\]\n]*)\]\((https:\/\/[^\s()<>]+)\)/g)) {
    const link = element("a", match[1] || match[2]);
    link.href = match[2];
    link.target = "_blank";
    link.rel = "noreferrer";
    paragraph.append(text.slice(end, match.index), link);
    end = match.index + match[0].length;
  }
  paragraph.append(text.slice(end));
  return paragraph;
};

// User content is inserted as text, never as markup.
const show = (ticket) => {
  main.hidden = false;
  at("open").hidden = true;
  at("ask").hidden = true;
  if (lost) lost.hidden = true;
  at("subject").textContent = ticket.subject;
  at("facts").textContent = [ticket.reference, statusNames[ticket.status] || ticket.status, timeOf(ticket.created_at)].join(" · ");
  at("description").textContent = ticket.description || "";
  at("reply").hidden = ticket.status === "closed";
  const list = ticket.comments.map((comment) => {
    const one = element("article", "");
    const isTheirs = comment.author === "customer";
    one.className = isTheirs ? "portal-message" : "portal-message portal-message-ours";
    const who = isTheirs ? ticket.requester.name : texts.support;
    const edited = comment.edited_at ? ` · ${texts.edited} ` + timeOf(comment.edited_at) : "";
    const head = element("small", ` · ${timeOf(comment.created_at)}${edited}`);
    head.prepend(element("strong", who));
    one.append(head, isTheirs ? element("p", comment.body) : withPictures(comment.body));
    return one;
  });
  if (ticket.has_earlier_comments) list.unshift(element("p", texts.earlier));
  at("comments").replaceChildren(...list);
};

const load = async () => show(await call("GET", "/api/portal/ticket"));

at("open").querySelector("button").addEventListener("click", () => guarded(async () => {
  const session = await call("POST", "/api/portal/sessions", { token: link });
  token = session.token;
  sessionStorage.setItem("portal", token);
  await load();
}));

at("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  const { email, reference } = at("ask").elements;
  guarded(async () => {
    const body = { workspace_id: workspace, email: email.value, reference: reference.value };
    await call("POST", "/api/portal/magic-links", body);
    return texts.asked;
  });
});

let key = crypto.randomUUID ? crypto.randomUUID() : String(Math.random());
at("reply").addEventListener("submit", (event) => {
  event.preventDefault();
  // Shows the result next to the form that the customer is looking at.
  at("reply").after(statusLine);
  guarded(async () => {
    await call("POST", "/api/portal/ticket/replies", { body: at("body").value }, key);
    key = crypto.randomUUID ? crypto.randomUUID() : String(Math.random());
    at("body").value = "";
    await load();
    return texts.sent;
  });
});

const start = () => {
  if (host) sessionStorage.setItem("portal-workspace", host);
  // Removes the token from the address bar and the history.
  if (link) history.replaceState(null, "", location.pathname + location.search);
  at("reference").value = reference || "";
  at("email").value = given.get("email") || "";
  if (lost) lost.hidden = Boolean(link || token || workspace);
  if (link) at("open").hidden = false;
  else if (token) guarded(load);
  else if (workspace) at("ask").hidden = false;
};

// A link's address has no query and does not name the workspace, so the page is requested again with it. The part after the # is
// kept, and is only ever sent in a form.
if (location.search || !(link || workspace)) {
  start();
} else if (link) {
  const form = at("find");
  form.elements.token.value = link;
  form.action += location.hash;
  history.replaceState(null, "", location.pathname);
  form.submit();
} else {
  location.replace(`${location.pathname}?workspace=${encodeURIComponent(workspace)}${location.hash}`);
}
