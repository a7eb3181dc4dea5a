"use strict";
// The search box: opens with "/" or Ctrl-K on any page, searches while typing, and can be used by keyboard alone. Without
// scripts, the link in the navigation leads to a page with the same results.
(() => {
  const dialog = document.getElementById("search-dialog");
  if (!dialog) return;
  const box = document.getElementById("search-box");
  const results = document.getElementById("search-found");
  const status = document.getElementById("search-status");
  const DELAY = 150;
  const MAX_RECENT = 5;
  const KEY = `recent:${dialog.dataset.user}:${inWorkspace("")}`;
  let timer = 0;
  let requests = 0;
  // The text whose results are shown, and whether Enter waits for the results of newer text.
  let resultsFor = null;
  let isChosen = false;

  // Results that were opened from here are remembered in this browser until sign-out.
  const recent = () => {
    try { return JSON.parse(localStorage.getItem(KEY)) ?? []; } catch { return []; }
  };
  const remember = (option) => {
    const label = option.querySelector(".found-label").textContent;
    const href = option.getAttribute("href");
    const others = recent().filter((one) => one.href !== href);
    try { localStorage.setItem(KEY, JSON.stringify([{ href, label }, ...others].slice(0, MAX_RECENT))); } catch { /* Storage is full. */ }
  };
  document.addEventListener("submit", (event) => {
    if (event.target.getAttribute("action") === inWorkspace("/sign-out")) localStorage.removeItem(KEY);
  });

  const options = () => [...results.querySelectorAll("[role=option]")];
  const current = () => results.querySelector("[aria-selected=true]");
  const choose = (option) => {
    for (const other of options()) other.setAttribute("aria-selected", String(other === option));
    if (option) {
      box.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else {
      box.removeAttribute("aria-activedescendant");
    }
  };
  const recentLink = ({ href, label }) => {
    const link = document.createElement("a");
    const name = document.createElement("span");
    const group = document.createElement("span");
    link.setAttribute("href", href);
    name.className = "found-label";
    name.textContent = label;
    group.className = "found-group";
    group.textContent = dialog.dataset.recent;
    link.append(name, group);
    return link;
  };
  const show = (links) => {
    links.forEach((link, index) => {
      link.id = `search-option-${index}`;
      link.setAttribute("role", "option");
      link.tabIndex = -1;
    });
    results.replaceChildren(...links);
    status.textContent = links.length ? "" : dialog.dataset.nothing;
    results.dataset.empty = links.length ? "" : dialog.dataset.nothing;
    choose(links[0]);
    if (isChosen) links[0]?.click();
    isChosen = false;
  };
  const fetchResults = async () => {
    const typed = box.value.trim();
    const number = ++requests;
    let page;
    try {
      const response = await fetch(inWorkspace(`/search?q=${encodeURIComponent(typed)}`), { headers: { "HX-Request": "true" } });
      if (tabDrafts.isSignedOut(response)) {
        dialog.close();
        reportSession({ signIn: response.headers.get("X-Sign-In") });
        return;
      }
      if (!response.ok) {
        if (number === requests) status.textContent = messageOf({ status: response.status, after: response.headers.get("Retry-After") });
        return;
      }
      page = readPage(await response.text());
    } catch { return; }
    // A response that arrives after a newer one is dropped.
    if (number !== requests) return;
    const links = [...page.querySelectorAll("#found a[href]")];
    const known = typed ? [] : recent().filter((one) => typeof one.href === "string" && one.href.startsWith(inWorkspace("/")) && /^\/[^/\\]/.test(one.href));
    const others = links.filter((link) => !known.some((one) => one.href === link.getAttribute("href")));
    resultsFor = typed;
    show([...known.map(recentLink), ...others]);
  };

  const open = () => {
    if (dialog.open) return;
    box.value = "";
    results.replaceChildren();
    resultsFor = null;
    isChosen = false;
    dialog.showModal();
    box.focus();
    fetchResults();
  };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest?.("input, textarea, select, [contenteditable]");
    const byControl = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k";
    const bySlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!(byControl || bySlash)) return;
    if (document.querySelector("dialog[open]") && !dialog.open) return;
    event.preventDefault();
    open();
  });
  for (const link of document.querySelectorAll("[data-search-open]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      open();
    });
  }
  box.addEventListener("input", () => {
    isChosen = false;
    clearTimeout(timer);
    timer = setTimeout(fetchResults, DELAY);
  });
  box.addEventListener("keydown", (event) => {
    // The first Escape would only clear the box.
    if (event.key === "Escape") {
      event.preventDefault();
      dialog.close();
      return;
    }
    const all = options();
    const index = all.indexOf(current());
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && all.length) {
      event.preventDefault();
      choose(all[(index + step + all.length) % all.length]);
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (resultsFor === box.value.trim()) {
        current()?.click();
      } else {
        // Enter waits for the results of what was typed last.
        isChosen = true;
        clearTimeout(timer);
        fetchResults();
      }
    }
  });
  results.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]");
    if (option) remember(option);
  });
  dialog.addEventListener("close", () => { isChosen = false; });
  // A click outside the dialog closes it.
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
})();
