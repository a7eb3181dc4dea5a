"use strict";
// Shows changes by others automatically. Parts of a page declare what they show:
//   data-live="deal contact"   changes of records of these types
//   data-live-record="ID"      changes of this record, and of its comments and other parts
//   data-live-own="time_entry" changes of records of these types that the signed-in user made, such as in another window, or that
//                              belong to this user
// Such a part has an id. It is fetched again from the page's address or its hx-get address, but not while the user types in it
// or a request from inside it is pending, because the response could not be shown in an element that has been replaced.
(() => {
  const script = document.currentScript;
  const { worker, since, user } = script.dataset;
  const PAUSE = 1000;
  const PAUSE_AFTER_ERROR = 10000;
  // The timers of planned fetches, by the ids of the parts.
  const timers = new Map();

  // Whether a focused field holds no input that a replacement would lose: it is empty, or an unchanged cell of a week. Its id lets it
  // get the focus back after the replacement.
  const isIdle = (field) => field.id !== "" && (field.value === "" && field.matches("textarea, input[type=text], input:not([type])")
    || field.matches("[data-cell]") && field.value === field.defaultValue);
  // Parts that a pending user request, such as a filter, is about to replace. If they were replaced first, its response would be lost.
  const awaited = new Set();
  document.addEventListener("htmx:beforeSend", ({ detail }) => { if (detail.elt !== detail.target) awaited.add(detail.target); });
  document.addEventListener("htmx:afterRequest", ({ detail }) => awaited.delete(detail.target));
  const isBusy = (part) => awaited.has(part) || part.contains(document.activeElement)
    && document.activeElement.matches("input, textarea, select, [contenteditable]") && !isIdle(document.activeElement)
    || part.querySelector("[data-busy], details[open].filter-menu, .htmx-request") !== null;

  const refetch = (part) => {
    timers.delete(part.id);
    const current = document.getElementById(part.id);
    if (!current) return;
    if (isBusy(current)) { plan(current); return; }
    current.dataset.liveFetching = "";
    // Parts that were loaded separately know their address.
    if (current.hasAttribute("hx-get")) { htmx.trigger(current, "refetch"); return; }
    // Without the fragment, to which htmx would scroll.
    htmx.ajax("GET", location.pathname + location.search, { source: current, target: current, select: `#${part.id}`, swap: "outerHTML" });
  };
  // If the user began to type or select meanwhile, the response is dropped and fetched later.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr, requestConfig } = event.detail;
    if (requestConfig.elt !== target || target.dataset.liveFetching === undefined) return;
    delete target.dataset.liveFetching;
    if (xhr.status === 404) {
      if (target.dataset.liveRecord) showDeletion(target, xhr.responseText);
    } else if (xhr.status >= 400) {
      if (!timers.has(target.id)) timers.set(target.id, setTimeout(() => refetch(target), PAUSE_AFTER_ERROR));
    } else if (isBusy(target)) {
      event.detail.shouldSwap = false;
      plan(target);
    }
  });
  // If the open record was deleted, the page stays, says who deleted it and offers to restore it.
  const deletedBy = new Map();
  const showDeletion = (part, html) => {
    if (document.getElementById("gone")) return;
    let notice = deletionNoticeIn(readPage(html));
    if (!notice) {
      const { dataset } = document.getElementById("live");
      const name = deletedBy.get(part.dataset.liveRecord);
      notice = alertOf(name ? dataset.deleted.replace("{name}", name) : dataset.gone, "warning");
      notice.id = "gone";
    }
    notify(notice);
    notice.scrollIntoView({ block: "nearest" });
  };
  // The first change is fetched soon, later ones at most once a second.
  const plan = (part) => {
    if (timers.has(part.id)) return;
    const last = Number(part.dataset.liveAt || 0);
    timers.set(part.id, setTimeout(() => refetch(part), Math.max(150, last + PAUSE - Date.now())));
    part.dataset.liveAt = String(Date.now());
  };

  const announce = (change) => {
    const region = document.getElementById("live");
    region.textContent = region.dataset.text ? region.dataset.text.replace("{name}", change.actor.name) : change.actor.name;
    region.classList.add("shown");
    clearTimeout(announce.timer);
    announce.timer = setTimeout(() => region.classList.remove("shown"), 4000);
  };

  const show = (change) => {
    if (change.event.endsWith(".deleted")) deletedBy.set(change.record, change.actor.name);
    document.dispatchEvent(new CustomEvent("console:changed", { detail: change }));
    let isVisible = false;
    const isOwn = change.actor.id === user;
    for (const part of document.querySelectorAll("[data-live], [data-live-record], [data-live-own]")) {
      const types = `${part.dataset.live || ""} ${((isOwn || change.member === user) && part.dataset.liveOwn) || ""}`.split(" ");
      if (types.includes(change.type) || part.dataset.liveRecord === change.record) { plan(part); isVisible = true; }
    }
    if (isVisible && !isOwn) announce(change);
  };

  const handleMessage = ({ change, connected }) => {
    if (change) show(change);
    if (connected !== undefined) document.dispatchEvent(new CustomEvent("console:connected", { detail: connected }));
  };

  if (window.SharedWorker) {
    // The name contains the workspace, so that each workspace has its own worker.
    const shared = new SharedWorker(worker, { name: inWorkspace("") });
    shared.port.onmessage = ({ data }) => handleMessage(data);
    shared.port.postMessage({ since });
    window.addEventListener("pagehide", () => shared.port.postMessage({ close: true }));
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  } else {
    const source = new EventSource(inWorkspace(`/live?since=${encodeURIComponent(since)}`));
    source.addEventListener("change", (event) => handleMessage({ change: JSON.parse(event.data) }));
    source.onerror = () => handleMessage({ connected: false });
    source.onopen = () => handleMessage({ connected: true });
  }
})();
