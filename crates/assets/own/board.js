"use strict";
// The board of deals: cards are dragged from column to column. Each card has a form that does the same.
(() => {
  const columns = () => document.querySelectorAll("#board[data-movable] .board-cards[data-stage]");
  const columnOf = (stage) => document.getElementById(`cards-${stage}`);

  // Puts a card into the column of its stage, if it is in another.
  const place = (card) => {
    const column = columnOf(card.dataset.stage);
    if (column && card.parentElement !== column && !column.contains(card)) column.prepend(card);
  };

  // What closing asks for is a form of its own.
  const askToClose = (card, stage) => {
    const dialog = document.getElementById("board-dialog");
    htmx.ajax("GET", inWorkspace(`/deals/${card.dataset.id}/close?stage=${stage}`), { target: dialog, select: "#close-form", swap: "innerHTML" })
      .then(() => dialog.showModal());
  };

  // What others change waits until the card is dropped.
  const dragged = ({ item }) => { item.dataset.busy = ""; };
  const dropped = ({ item, to, from }) => {
    delete item.dataset.busy;
    const stage = to.closest("[data-stage]")?.dataset.stage;
    if (to === from || !stage || stage === item.dataset.stage) return;
    if (to.closest("[data-closed]")) {
      place(item);
      askToClose(item, stage);
      return;
    }
    const form = item.querySelector("form");
    form.elements.stage.value = stage;
    form.requestSubmit();
  };

  // Closing a deal loads the board anew, where it was.
  const PLACE = "board-place";
  document.addEventListener("submit", (event) => {
    if (!event.target.closest?.("#board-dialog")) return;
    try { sessionStorage.setItem(PLACE, String(document.getElementById("board").scrollLeft)); } catch { /* It begins at the left. */ }
  });
  document.addEventListener("DOMContentLoaded", () => {
    try {
      const place = sessionStorage.getItem(PLACE);
      sessionStorage.removeItem(PLACE);
      if (place) document.getElementById("board").scrollLeft = Number(place);
    } catch { /* It begins at the left. */ }
  });

  const start = () => {
    if (!window.Sortable) return;
    for (const column of columns()) {
      if (column.dataset.sortable) continue;
      column.dataset.sortable = "yes";
      Sortable.create(column, { group: "deals", draggable: ".board-card", filter: "details, button", preventOnFilter: false, animation: 120, delayOnTouchOnly: true, delay: 150, onStart: dragged, onEnd: dropped });
    }
  };
  document.addEventListener("DOMContentLoaded", start);
  document.addEventListener("htmx:afterSettle", start);

  // The form of a card asks for more when it closes the deal.
  document.addEventListener("htmx:beforeRequest", (event) => {
    const card = event.target.closest?.(".board-card");
    const stage = event.target.elements?.stage?.value;
    if (!card || !stage || !columnOf(stage)?.hasAttribute("data-closed")) return;
    event.preventDefault();
    event.target.closest("details").open = false;
    askToClose(card, stage);
  });
  // A card that was answered is where the server has it: also after a refusal. The focus goes along.
  let moved = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const card = event.target.closest?.(".board-card");
    moved = card?.querySelector("details[open]") ? card.id : null;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const card of document.querySelectorAll("#board .board-card")) {
      const column = card.closest("[data-stage]:not(.board-card)");
      if (column && column.dataset.stage !== card.dataset.stage) place(card);
    }
    if (moved) document.getElementById(moved)?.querySelector("summary")?.focus();
    moved = null;
  });
  // Without a connection, or a session, the card goes back.
  const putBack = (part) => {
    const card = part.closest?.(".board-card");
    if (card) place(card);
  };
  document.addEventListener("htmx:sendError", (event) => putBack(event.target));
  document.addEventListener("console:unsent", (event) => putBack(event.detail));
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("#board-dialog .board-cancel")) return;
    event.preventDefault();
    document.getElementById("board-dialog").close();
  });
})();
