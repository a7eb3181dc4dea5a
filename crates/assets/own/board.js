"use strict";
// The boards of deals and of tasks. Only a card that is dropped inside another column moves: it sends the form of its menu.
// Let go elsewhere, with Escape, or without an answer, it returns to where it was.
(() => {
  const board = () => document.getElementById("board");
  const columnOf = (name) => document.getElementById(`cards-${name}`);
  // Where cards were before they were dragged, by their ids.
  const origins = new Map();

  // Puts a card where its data say that it is.
  const place = (card) => {
    const column = columnOf(card.dataset.column);
    const origin = origins.get(card.id);
    origins.delete(card.id);
    if (!column || card.parentElement === column) return;
    const next = origin?.parent === column ? origin.next : column.firstElementChild;
    column.insertBefore(card, next?.parentElement === column ? next : null);
  };

  // Closing a deal asks for more, in a form of its own.
  const askToClose = (card, column) => {
    const dialog = document.getElementById("board-dialog");
    dialog.replaceChildren();
    // Somebody asks for it, by a drop or by the menu.
    const asked = { target: dialog, select: "#close-form", swap: "innerHTML", event: new Event("click") };
    htmx.ajax("GET", inWorkspace(`/deals/${card.dataset.id}/close?stage=${column}`), asked)
      .then(() => { if (dialog.querySelector("form")) dialog.showModal(); }, () => {});
  };
  const closes = (column) => columnOf(column)?.hasAttribute("data-closed");

  const dragged = ({ item }) => {
    // What others change waits until the card is dropped.
    item.dataset.busy = "";
    origins.set(item.id, { parent: item.parentElement, next: item.nextElementSibling });
  };
  const columnUnder = (event) => {
    if (!["pointerup", "mouseup", "touchend"].includes(event.type)) return undefined;
    const { clientX, clientY } = event.changedTouches?.[0] ?? event;
    return document.elementFromPoint(clientX, clientY)?.closest(".board-column")?.querySelector(".board-cards")?.dataset.column;
  };
  const dropped = ({ item, originalEvent }) => {
    delete item.dataset.busy;
    const column = columnUnder(originalEvent);
    if (!column || column === item.dataset.column) { place(item); return; }
    if (closes(column)) {
      place(item);
      askToClose(item, column);
      return;
    }
    if (item.parentElement !== columnOf(column)) columnOf(column).prepend(item);
    const form = item.querySelector("form");
    form.querySelector("select").value = column;
    form.requestSubmit();
  };
  // A pointer that is lost ends a drag without a drop; so do Escape and leaving the page.
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
      // Without the browser's own dragging, which takes keys away and knows no touch. Cards have no order of their own.
      Sortable.create(column, {
        group: "cards", sort: false, draggable: ".board-card:has(.board-menu):not(:has(.htmx-request))", filter: "details, button",
        preventOnFilter: false, animation: 120, delayOnTouchOnly: true, delay: 150, forceFallback: true, fallbackOnBody: true,
        fallbackTolerance: 5, onStart: dragged, onEnd: dropped,
      });
    }
  };
  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("htmx:afterSettle", start);

  // How many tasks a column shows; deals are counted by the service.
  const count = () => {
    for (const shown of board()?.querySelectorAll("[data-counts]") ?? []) {
      const column = columnOf(shown.dataset.counts);
      if (column.hasAttribute("hx-trigger")) continue;
      shown.textContent = column.querySelectorAll(".board-card").length + (column.querySelector(".task-cards-more") ? "+" : "");
    }
  };
  document.addEventListener("htmx:afterSettle", count);

  // The menu of a card asks for more when it closes the deal.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const card = event.target.closest?.(".board-card");
    const column = event.target.querySelector?.("select")?.value;
    if (!card || !closes(column)) return;
    event.preventDefault();
    event.target.closest("details").open = false;
    askToClose(card, column);
  });
  // An open menu stays within its column's view.
  document.addEventListener("toggle", (event) => {
    if (event.target.open && event.target.matches?.(".board-menu")) event.target.querySelector("form").scrollIntoView({ block: "nearest" });
  }, true);

  // A card that was answered is where the server has it, even after a refusal. The focus goes along.
  let moved = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const card = event.target.closest?.(".board-card");
    if (!card) return;
    if (!event.detail.shouldSwap) return;
    const isUndone = event.detail.requestConfig?.elt?.closest("#notices");
    moved = isUndone || card.querySelector("details[open]") ? card.id : null;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const card of board()?.querySelectorAll(".board-card") ?? []) {
      if (!card.matches("[data-busy]") && !card.querySelector(".htmx-request")) place(card);
    }
    if (moved) document.getElementById(moved)?.querySelector("summary")?.focus();
    moved = null;
  });
  // A card that could not be moved returns, and the message names it.
  document.addEventListener("console:unsent", ({ detail }) => {
    const card = detail.elt.closest(".board-card") ?? document.getElementById(detail.elt.dataset.card);
    if (!card) return;
    card.querySelector("form")?.reset();
    place(card);
    detail.lead = board().dataset.failed.replace("{title}", () => card.querySelector(".board-card-title").textContent);
  });
  // The card to move back may have left the page: then the form is sent as a page of its own.
  document.addEventListener("submit", (event) => {
    const { card } = event.target.dataset;
    if (!card || document.getElementById(card)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    event.target.submit();
  }, true);
  // A message that offers nothing more goes with the next press elsewhere, since it lies above the board.
  document.addEventListener("pointerdown", ({ target }) => {
    if (notices().contains(target)) return;
    for (const one of [...notices().children]) if (!one.querySelector("form, .notice-close")) one.remove();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#board-dialog .board-cancel")) return;
    event.preventDefault();
    document.getElementById("board-dialog").close();
  });

  // Closing a deal loads the board again, scrolled as it was.
  const PLACE = "board-place";
  document.addEventListener("submit", (event) => {
    if (!event.target.closest?.("#board-dialog")) return;
    try { sessionStorage.setItem(PLACE, String(board().scrollLeft)); } catch { /* It begins at the left. */ }
  });
  document.addEventListener("DOMContentLoaded", () => {
    try {
      const place = sessionStorage.getItem(PLACE);
      sessionStorage.removeItem(PLACE);
      if (place) board().scrollLeft = Number(place);
    } catch { /* It begins at the left. */ }
  });

  // The columns of tasks are loaded one by one. What others move appears, but not while a card is held or its menu is open; what
  // this page did stands on the card already, by its version.
  let waiting = 0;
  const changes = new Map();
  const isShown = ([id, version]) => Number(document.getElementById(`card-${id}`)?.dataset.version) >= version;
  const refresh = () => {
    waiting = 0;
    if ([...changes].every(isShown)) { changes.clear(); return; }
    if (board().querySelector("[data-busy], details[open], .htmx-request")) { later(); return; }
    changes.clear();
    for (const column of board().querySelectorAll("[data-href]")) {
      htmx.ajax("GET", column.dataset.href, { source: column, target: column, select: `#${column.id}`, swap: "outerHTML" });
    }
  };
  const later = () => { if (!waiting) waiting = setTimeout(refresh, 1000); };
  document.addEventListener("console:changed", (event) => {
    const { type, record, version } = event.detail;
    // Comments have no version.
    if (type !== "task" || version === null || !board()?.querySelector("[data-href]")) return;
    changes.set(record, version);
    later();
  });
})();
