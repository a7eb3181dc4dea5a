"use strict";
// What others change appears by itself. Parts of a page say what they show:
//   data-live="deal contact"   changes of records of these types
//   data-live-record="ID"      changes of this record, and of what is on it
// Such a part has an id. It is fetched again from the page's own address, but not while somebody types in it.
(() => {
  const script = document.currentScript;
  const { worker, since, user } = script.dataset;
  const PAUSE = 1000;
  const waiting = new Map();

  const isBusy = (part) => part.contains(document.activeElement)
    && document.activeElement.matches("input, textarea, select, [contenteditable]")
    || part.querySelector("[data-busy], details[open].filter-menu") !== null;

  const refetch = (part) => {
    waiting.delete(part.id);
    const current = document.getElementById(part.id);
    if (!current) return;
    if (isBusy(current)) { plan(current); return; }
    current.dataset.liveFetching = "";
    htmx.ajax("GET", location.href, { source: current, target: current, select: `#${part.id}`, swap: "outerHTML" });
  };
  // Somebody may have begun to type or to choose while the answer was on its way: it waits like a change.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { elt, target } = event.detail;
    if (elt !== target || target.dataset.liveFetching === undefined) return;
    delete target.dataset.liveFetching;
    if (!isBusy(target)) return;
    event.detail.shouldSwap = false;
    plan(target);
  });
  // The first change is fetched soon, further ones at most once a second.
  const plan = (part) => {
    if (waiting.has(part.id)) return;
    const last = Number(part.dataset.liveAt || 0);
    waiting.set(part.id, setTimeout(() => refetch(part), Math.max(150, last + PAUSE - Date.now())));
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
    document.dispatchEvent(new CustomEvent("console:changed", { detail: change }));
    let shown = false;
    for (const part of document.querySelectorAll("[data-live], [data-live-record]")) {
      const types = (part.dataset.live || "").split(" ");
      if (types.includes(change.type) || part.dataset.liveRecord === change.record) { plan(part); shown = true; }
    }
    if (shown && change.actor.id !== user) announce(change);
  };

  const hear = ({ change, connected }) => {
    if (change) show(change);
    if (connected !== undefined) document.dispatchEvent(new CustomEvent("console:connected", { detail: connected }));
  };

  if (window.SharedWorker) {
    const shared = new SharedWorker(worker);
    shared.port.onmessage = ({ data }) => hear(data);
    shared.port.postMessage({ since });
    window.addEventListener("pagehide", () => shared.port.postMessage({ close: true }));
    window.addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
  } else {
    const source = new EventSource(`/live?since=${encodeURIComponent(since)}`);
    source.addEventListener("change", (event) => hear({ change: JSON.parse(event.data) }));
    source.onerror = () => hear({ connected: false });
    source.onopen = () => hear({ connected: true });
  }
})();
