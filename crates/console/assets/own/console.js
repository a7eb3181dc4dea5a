"use strict";
// What makes pages lively. Everything here works without it, by links and forms.

// Requests of htmx carry the form token of the page.
document.addEventListener("htmx:configRequest", (event) => {
  const token = document.querySelector("meta[name=form-token]").content;
  event.detail.headers["X-Form-Token"] = token;
});

// A lost connection is said, and nothing that was typed is lost: the page stays as it is.
const connection = () => document.getElementById("connection");
const showConnection = (lost) => { connection().hidden = !lost; };
document.addEventListener("htmx:sendError", () => showConnection(true));
document.addEventListener("htmx:afterRequest", (event) => { if (event.detail.successful) showConnection(false); });
window.addEventListener("offline", () => showConnection(true));
window.addEventListener("online", () => showConnection(false));

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
