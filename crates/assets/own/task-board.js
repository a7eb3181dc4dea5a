"use strict";
// The board of tasks: a card that is dropped into another column sends the form that it has for the keyboard.
(() => {
  const board = document.getElementById("task-board");
  const columns = () => board.querySelectorAll("ul.task-cards");
  const cardOf = (id) => document.getElementById(`task-${id}`);
  let dragging = false;

  // A card that was moved, or refused, stands where its status says.
  const settle = (card) => {
    const column = document.getElementById(`cards-${card.dataset.status}`);
    if (column && card.parentElement !== column) column.prepend(card);
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

  // Choosing a status by the pointer moves the card at once. Arrows only look through them: Enter chooses, and leaving the
  // field does; Escape takes it back.
  const isStatus = (field) => field.matches?.(".task-card-move select");
  const isChosen = (select) => select.selectedOptions[0]?.defaultSelected === false;
  let key = null;
  // What was chosen while the card was still being moved, by card: it is sent once that is done.
  const chosenMeanwhile = new Map();
  const choose = (select) => {
    key = null;
    if (!isChosen(select)) return;
    if (select.form.matches(".htmx-request")) chosenMeanwhile.set(select.closest(".task-card").id, select.value);
    else select.form.requestSubmit();
  };
  document.addEventListener("htmx:afterSettle", () => {
    for (const [id, status] of chosenMeanwhile) {
      const form = document.getElementById(id)?.querySelector(".task-card-move");
      if (form?.matches(".htmx-request")) continue;
      chosenMeanwhile.delete(id);
      if (!form || form.elements.status.value === status) continue;
      form.elements.status.value = status;
      form.requestSubmit();
    }
  });
  board.addEventListener("pointerdown", (event) => { if (isStatus(event.target)) key = null; });
  board.addEventListener("keydown", (event) => {
    if (!isStatus(event.target)) return;
    key = event.key;
    if (key === "Escape") event.target.form.reset();
    if (key !== "Enter" || !isChosen(event.target)) return;
    event.preventDefault();
    choose(event.target);
  });
  board.addEventListener("change", (event) => {
    if (isStatus(event.target) && (key === null || key === "Enter")) choose(event.target);
  });
  board.addEventListener("focusout", (event) => { if (isStatus(event.target) && key !== null) choose(event.target); });

  // The focus goes with the card that was moved.
  let focused = null;
  document.addEventListener("htmx:beforeSwap", (event) => {
    const card = event.target.closest?.(".task-card");
    focused = card?.contains(document.activeElement) ? card.id : null;
    if (card && event.detail.xhr.status >= 400) {
      event.detail.shouldSwap = false;
      failed(card);
    }
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const card of board.querySelectorAll(".task-card")) {
      if (card.parentElement.dataset.status !== card.dataset.status) settle(card);
    }
    if (focused) document.getElementById(focused)?.focus();
    focused = null;
    prepare();
  });
  // A card that could not be moved goes back, says so, and shows the status that it has.
  const failed = (card) => {
    chosenMeanwhile.delete(card.id);
    card.querySelector(".task-card-move")?.reset();
    settle(card);
    let message = card.querySelector("[role=alert]");
    if (!message) {
      message = document.createElement("p");
      message.className = "text-danger mb-0";
      message.setAttribute("role", "alert");
      card.querySelector(".task-card-facts").after(message);
    }
    message.textContent = board.dataset.failed;
  };
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(name, (event) => {
      const card = event.target.closest?.(".task-card");
      if (card) failed(card);
    });
  }
  document.addEventListener("console:unsent", (event) => {
    const card = event.detail.closest?.(".task-card");
    if (card) failed(card);
  });

  // What others move appears, and what one moves elsewhere, but not while a card is held or a status chosen. What this page
  // did stands on it already, by its version.
  let waiting = 0;
  const changes = new Map();
  const isShown = ([id, version]) => Number(cardOf(id)?.dataset.version) >= version;
  const refresh = () => {
    waiting = 0;
    if ([...changes].every(isShown)) { changes.clear(); return; }
    if (dragging || board.querySelector("select:focus")) { later(); return; }
    changes.clear();
    for (const column of columns()) {
      htmx.ajax("GET", column.dataset.href, { source: column, target: column, select: `#${column.id}`, swap: "outerHTML" });
    }
  };
  const later = () => { if (!waiting) waiting = setTimeout(refresh, 1000); };
  document.addEventListener("console:changed", (event) => {
    const { type, record, version } = event.detail;
    // Comments have no version.
    if (type !== "task" || version === null) return;
    changes.set(record, version);
    later();
  });
  prepare();
})();
