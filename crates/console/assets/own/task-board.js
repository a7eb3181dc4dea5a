"use strict";
// The board of tasks: a card that is dropped into another column sends the form that it has for the keyboard.
(() => {
  const board = document.getElementById("task-board");
  const columns = () => board.querySelectorAll("ul.task-cards");
  let dragging = false;

  // A card that was moved, or refused, stands where its status says.
  const settle = (card) => {
    const column = document.getElementById(`cards-${card.dataset.status}`);
    if (column && card.parentElement !== column) column.prepend(card);
    column?.querySelector(".task-cards-none")?.remove();
  };

  const dropped = (event) => {
    dragging = false;
    if (event.from === event.to) return;
    const form = event.item.querySelector(".task-card-move");
    form.elements.status.value = event.to.dataset.status;
    form.requestSubmit();
  };

  const prepare = () => {
    if (!window.Sortable) return;
    board.classList.add("is-lively");
    for (const column of columns()) {
      if (column.dataset.sortable || column.hasAttribute("hx-trigger")) continue;
      column.dataset.sortable = "true";
      Sortable.create(column, {
        group: "tasks", draggable: ".task-card:has(.task-card-move)", filter: "a, select, button", preventOnFilter: false,
        delay: 150, delayOnTouchOnly: true, animation: 120,
        onStart: () => { dragging = true; }, onEnd: dropped,
      });
    }
  };

  // Choosing a status moves the card at once.
  board.addEventListener("change", (event) => {
    if (event.target.matches(".task-card-move select")) event.target.form.requestSubmit();
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const card of board.querySelectorAll(".task-card")) {
      if (card.parentElement.dataset.status !== card.dataset.status) settle(card);
    }
    prepare();
  });
  document.addEventListener("htmx:sendError", (event) => {
    const card = event.target.closest?.(".task-card");
    if (card) settle(card);
  });

  // What others move appears, but not while a card is held or a status chosen.
  let waiting = 0;
  const refresh = () => {
    waiting = 0;
    if (dragging || board.querySelector("select:focus")) { later(); return; }
    for (const column of columns()) {
      htmx.ajax("GET", column.dataset.href, { source: column, target: column, select: `#${column.id}`, swap: "outerHTML" });
    }
  };
  const later = () => { if (!waiting) waiting = setTimeout(refresh, 1000); };
  document.addEventListener("console:changed", (event) => {
    const { type, actor } = event.detail;
    const own = document.querySelector("script[data-user]")?.dataset.user;
    if ((type === "task" || type === "issue") && actor.id !== own) later();
  });
  prepare();
})();
