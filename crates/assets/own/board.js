"use strict";
// The boards of deals and tasks. A card moves only if it is dropped in another column, which submits the form in its menu.
// If it is dropped elsewhere, cancelled with Escape, or gets no response, it returns to its place.
(() => {
  const board = () => document.getElementById("board");
  const columnOf = (name) => document.getElementById(`cards-${name}`);
  // The position of each card before it was dragged, by id.
  const origins = new Map();

  // Moves a card to the column that its data attributes name.
  const putInColumn = (card) => {
    const column = columnOf(card.dataset.column);
    const origin = origins.get(card.id);
    origins.delete(card.id);
    if (!column || card.parentElement === column) return;
    const next = origin?.parent === column ? origin.next : column.firstElementChild;
    column.insertBefore(card, next?.parentElement === column ? next : null);
  };

  // Closing a deal asks for details in a separate form.
  const askToClose = (card, column) => {
    const dialog = document.getElementById("board-dialog");
    dialog.replaceChildren();
    const options = { target: dialog, select: "#close-form", swap: "innerHTML", event: new Event("click") };
    htmx.ajax("GET", inWorkspace(`/deals/${card.dataset.id}/close?stage=${column}`), options)
      .then(() => { if (dialog.querySelector("form")) dialog.showModal(); }, () => {});
  };
  const closes = (column) => columnOf(column)?.hasAttribute("data-closed");

  const onDragStart = ({ item }) => {
    // Changes by others are not shown until the card is dropped.
    item.dataset.busy = "";
    origins.set(item.id, { parent: item.parentElement, next: item.nextElementSibling });
  };
  const columnUnder = (event) => {
    if (!["pointerup", "mouseup", "touchend"].includes(event.type)) return undefined;
    const { clientX, clientY } = event.changedTouches?.[0] ?? event;
    return document.elementFromPoint(clientX, clientY)?.closest(".board-column")?.querySelector(".board-cards")?.dataset.column;
  };
  const onDragEnd = ({ item, originalEvent }) => {
    delete item.dataset.busy;
    const column = columnUnder(originalEvent);
    if (!column || column === item.dataset.column) { putInColumn(item); return; }
    if (closes(column)) {
      putInColumn(item);
      askToClose(item, column);
      return;
    }
    if (item.parentElement !== columnOf(column)) columnOf(column).prepend(item);
    const form = item.querySelector("form");
    form.querySelector("select").value = column;
    form.requestSubmit();
  };
  // Losing the pointer, Escape and leaving the page cancel a drag.
  const cancel = () => {
    for (const name of ["pointercancel", "touchcancel"]) document.dispatchEvent(new Event(name));
  };
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !window.Sortable?.active) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    cancel();
  }, true);
  document.addEventListener("visibilitychange", () => { if (document.hidden && window.Sortable?.active) cancel(); });

  const start = () => {
    if (!window.Sortable || !board()) return;
    for (const column of board().querySelectorAll(".board-cards:not([data-sortable], [hx-trigger])")) {
      column.dataset.sortable = "yes";
      // Native dragging is off: it swallows keys and does not support touch. Cards cannot be reordered within a column.
      Sortable.create(column, {
        group: "cards", sort: false, draggable: ".board-card:has(.board-menu):not(:has(.htmx-request))", filter: "details, button",
        preventOnFilter: false, animation: 120, delayOnTouchOnly: true, delay: 150, forceFallback: true, fallbackOnBody: true,
        fallbackTolerance: 5, onStart: onDragStart, onEnd: onDragEnd,
      });
    }
  };
  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("htmx:afterSettle", start);

  // Counts the tasks in each column; the service counts deals.
  const count = () => {
    for (const shown of board()?.querySelectorAll("[data-counts]") ?? []) {
      const column = columnOf(shown.dataset.counts);
      if (column.hasAttribute("hx-trigger")) continue;
      shown.textContent = column.querySelectorAll(".board-card").length + (column.querySelector(".task-cards-more") ? "+" : "");
    }
  };
  document.addEventListener("htmx:afterSettle", count);

  // The menu of a card asks for details when it closes the deal.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const card = event.target.closest?.(".board-card");
    const column = event.target.querySelector?.("select")?.value;
    if (!card || !closes(column)) return;
    event.preventDefault();
    event.target.closest("details").open = false;
    askToClose(card, column);
  });
  // Keeps an open menu within the visible part of its column.
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches?.(".board-menu")) event.target.querySelector("form").scrollIntoView({ block: "nearest" });
  }, true);

  // After a response, a card is where the server says, even if the move was refused. It keeps the focus.
  let cardToFocus = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const card = event.target.closest?.(".board-card");
    if (!card) return;
    if (!event.detail.shouldSwap) return;
    const isUndo = event.detail.requestConfig?.elt?.closest("#notices");
    cardToFocus = isUndo || card.querySelector("details[open]") ? card.id : null;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const card of board()?.querySelectorAll(".board-card") ?? []) {
      if (!card.matches("[data-busy]") && !card.querySelector(".htmx-request")) putInColumn(card);
    }
    if (cardToFocus) document.getElementById(cardToFocus)?.querySelector("summary")?.focus();
    cardToFocus = null;
  });
  // A card that could not be moved returns to its place, and the message names it.
  document.addEventListener("console:unsent", ({ detail }) => {
    const card = detail.elt.closest(".board-card") ?? document.getElementById(detail.elt.dataset.card);
    if (!card) return;
    card.querySelector("form")?.reset();
    putInColumn(card);
    detail.lead = board().dataset.failed.replace("{title}", () => card.querySelector(".board-card-title").textContent);
  });
  // If the card to move back is no longer on the page, the form is submitted as a full page.
  document.addEventListener("submit", (event) => {
    const { card } = event.target.dataset;
    if (!card || document.getElementById(card)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    event.target.submit();
  }, true);
  // Messages cover the board, so a click elsewhere removes those without actions.
  document.addEventListener("pointerdown", ({ target }) => {
    if (notices().contains(target)) return;
    for (const one of [...notices().children]) if (!one.querySelector("form, .notice-close")) one.remove();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#board-dialog .board-cancel")) return;
    event.preventDefault();
    document.getElementById("board-dialog").close();
  });

  // Closing a deal reloads the board; its scroll position is restored.
  const SCROLL_KEY = "board-place";
  document.addEventListener("submit", (event) => {
    if (!event.target.closest?.("#board-dialog")) return;
    try { sessionStorage.setItem(SCROLL_KEY, String(board().scrollLeft)); } catch { /* The board then starts at the left. */ }
  });
  document.addEventListener("DOMContentLoaded", () => {
    try {
      const scrolled = sessionStorage.getItem(SCROLL_KEY);
      sessionStorage.removeItem(SCROLL_KEY);
      if (scrolled) board().scrollLeft = Number(scrolled);
    } catch { /* The board then starts at the left. */ }
  });

  // Columns of tasks are loaded one by one. Moves by others appear, except while a card is dragged or its menu is open. Changes
  // that this page made are recognized by the version on the card.
  let refreshTimer = 0;
  const changes = new Map();
  const isShown = ([id, version]) => Number(document.getElementById(`card-${id}`)?.dataset.version) >= version;
  const refresh = () => {
    refreshTimer = 0;
    if ([...changes].every(isShown)) { changes.clear(); return; }
    if (board().querySelector("[data-busy], details[open], .htmx-request")) { scheduleRefresh(); return; }
    changes.clear();
    for (const column of board().querySelectorAll("[data-href]")) {
      htmx.ajax("GET", column.dataset.href, { source: column, target: column, select: `#${column.id}`, swap: "outerHTML" });
    }
  };
  const scheduleRefresh = () => { if (!refreshTimer) refreshTimer = setTimeout(refresh, 1000); };
  document.addEventListener("console:changed", (event) => {
    const { type, record, version } = event.detail;
    // Comments have no version.
    if (type !== "task" || version === null || !board()?.querySelector("[data-href]")) return;
    changes.set(record, version);
    scheduleRefresh();
  });
})();
