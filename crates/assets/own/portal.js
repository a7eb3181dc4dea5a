"use strict";
// The customer's page of one ticket. It reads no cookie: the token of the link becomes a session of this tab.
const at = (id) => document.getElementById(id);
const said = at("said");
const main = at("ticket");
const texts = at("portal-texts").dataset;
const given = new URLSearchParams(location.hash.slice(1));
const link = given.get("token");
// The workspace whose portal the page says it is.
const host = at("host")?.dataset.workspace;
const remembered = (name) => {
  if (given.get(name)) sessionStorage.setItem(`portal-${name}`, given.get(name));
  return given.get(name) || (link ? null : sessionStorage.getItem(`portal-${name}`));
};
if (link) for (const name of ["workspace", "reference"]) sessionStorage.removeItem(`portal-${name}`);
const workspace = host || remembered("workspace");
const reference = remembered("reference");
// A link that is opened in a tab that shows this page changes nothing but the part behind the #.
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
  const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
  const json = await answer.json();
  if (answer.ok) return json.data;
  const error = json.error.message ? json.error : json;
  const details = (error.details || []).map((one) => one.field + ": " + one.message);
  const failure = new Error(details.join("\n") || error.message);
  failure.status = answer.status;
  throw failure;
};

const guarded = async (work) => {
  said.textContent = texts.wait;
  try {
    said.textContent = (await work()) || "";
  } catch (failure) {
    // A link that was used is a conflict; nothing else is while there is no session.
    if (failure.status === 401 || (failure.status === 409 && link && !token)) leave();
    else said.textContent = failure.status ? failure.message : texts.noAnswer;
  }
};

// The link, or the session that it began, is over.
const leave = () => {
  // Before the form that it speaks of, and instead of what that says.
  at("ask").before(said);
  at("ask").querySelector("p").hidden = true;
  const over = token ? texts.sessionOver : texts.linkOver;
  said.textContent = `${over} ${workspace ? texts.askBelow : texts.askByEmail}`;
  token = null;
  sessionStorage.removeItem("portal");
  main.hidden = true;
  at("open").hidden = true;
  at("ask").hidden = !workspace;
};

const statusNames = Object.fromEntries([...at("portal-statuses").children].map((one) => [one.dataset.status, one.textContent]));

const element = (name, text) => {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
};

// User content is inserted as text, never as markup.
const show = (ticket) => {
  main.hidden = false;
  at("open").hidden = true;
  at("ask").hidden = true;
  at("subject").textContent = ticket.subject;
  at("facts").textContent = [ticket.reference, statusNames[ticket.status] || ticket.status, new Date(ticket.created_at).toLocaleString()].join(" · ");
  at("description").textContent = ticket.description || "";
  at("reply").hidden = ticket.status === "closed";
  const list = ticket.comments.map((comment) => {
    const one = element("article", "");
    const isTheirs = comment.author === "customer";
    one.className = isTheirs ? "portal-message" : "portal-message portal-message-ours";
    const who = isTheirs ? ticket.requester.name : texts.support;
    const edited = comment.edited_at ? ` · ${texts.edited} ` + new Date(comment.edited_at).toLocaleString() : "";
    const written = new Date(comment.created_at).toLocaleString();
    const head = element("small", " · " + written + edited);
    head.prepend(element("strong", who));
    one.append(head, element("p", comment.body));
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
  if (link) at("open").hidden = false;
  else if (token) guarded(load);
  else if (workspace) at("ask").hidden = false;
  else said.textContent = texts.noLink;
};

// An address without a query is that of a link, and does not say whose portal it is: the page is asked for that says so.
// What is behind the # stays, and is sent to nobody but in a form.
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
