"use strict";
// The customer's page of one ticket. It reads no cookie: the token of the link becomes a session of this tab.
const at = (id) => document.getElementById(id);
const said = at("said");
const main = at("ticket");
const given = new URLSearchParams(location.hash.slice(1));
const link = given.get("token");
const workspace = given.get("workspace");
// Removes the token from the address bar and the history.
if (link) history.replaceState(null, "", location.pathname);
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
  said.textContent = "One moment…";
  try {
    said.textContent = (await work()) || "";
  } catch (failure) {
    said.textContent = failure.status ? failure.message : "The service did not respond. Try again in a moment.";
    if (failure.status === 401) leave();
  }
};

const leave = () => {
  token = null;
  sessionStorage.removeItem("portal");
  main.hidden = true;
  at("open").hidden = true;
  at("ask").hidden = !workspace;
};

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
  at("facts").textContent = [ticket.reference, ticket.status, new Date(ticket.created_at).toLocaleString()].join(" · ");
  at("description").textContent = ticket.description || "";
  at("reply").hidden = ticket.status === "closed";
  const list = ticket.comments.map((comment) => {
    const one = element("article", "");
    one.className = comment.author === "customer" ? "message" : "message message-ours";
    const who = comment.author === "customer" ? ticket.requester.name : "Support";
    const edited = comment.edited_at ? " · edited " + new Date(comment.edited_at).toLocaleString() : "";
    const written = new Date(comment.created_at).toLocaleString();
    one.append(element("small", who + " · " + written + edited), element("p", comment.body));
    return one;
  });
  if (ticket.has_earlier_comments) list.unshift(element("p", "Older messages are not shown."));
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
    return "If the address and the reference match, a link will be sent to your mailbox.";
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
    return "Sent.";
  });
});

at("reference").value = given.get("reference") || "";
at("email").value = given.get("email") || "";
if (link) at("open").hidden = false;
else if (token) guarded(load);
else if (workspace) at("ask").hidden = false;
else said.textContent = "This address has no token. Open the link in the e-mail again.";
