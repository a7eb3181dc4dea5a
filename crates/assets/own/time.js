"use strict";
// The running timer, and the grid of a week, which the keyboard alone can fill in. Without scripts, both are plain forms.
(() => {
  // Counts up from the server's value, because the browser's clock may differ.
  const began = new WeakMap();
  const two = (number) => String(number).padStart(2, "0");
  const tick = () => {
    for (const timer of document.querySelectorAll("[data-seconds]")) {
      if (!began.has(timer)) began.set(timer, Date.now() - Number(timer.dataset.seconds) * 1000);
      const seconds = Math.max(0, Math.floor((Date.now() - began.get(timer)) / 1000));
      timer.textContent = `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
    }
  };
  setInterval(tick, 1000);
  document.addEventListener("htmx:load", tick);

  // On the page of the record for which the timer runs, the button stops it.
  const showButton = () => {
    const running = document.querySelector("#timer [data-timer-on]")?.dataset.timerOn;
    for (const start of document.querySelectorAll("form[data-timer-of]")) {
      const stop = start.nextElementSibling;
      const isRunning = start.dataset.timerOf === running;
      const [shown, other] = isRunning ? [stop, start] : [start, stop];
      const hasFocus = other.contains(document.activeElement);
      start.hidden = isRunning;
      stop.hidden = !isRunning;
      if (hasFocus) (shown.querySelector("button") ?? shown).focus();
    }
  };
  document.addEventListener("htmx:load", showButton);

  // Arrows go from cell to cell: sideways only from the end of what is typed. Enter saves and goes down, Escape restores the value.
  const CELL = "input[data-cell]";
  const rowsOf = (table) => [...table.querySelectorAll("tbody tr")].map((row) => [...row.querySelectorAll(CELL)]).filter((row) => row.length > 0);
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(CELL);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    const rows = rowsOf(cell.closest("table"));
    const row = rows.findIndex((cells) => cells.includes(cell));
    const column = rows[row].indexOf(cell);
    const { selectionStart: start, selectionEnd: end, value } = cell;
    const isWhole = start === 0 && end === value.length;
    const below = rows[row + 1]?.[column];
    const next = {
      ArrowUp: () => rows[row - 1]?.[column],
      ArrowDown: () => below,
      ArrowLeft: () => (isWhole || end === 0 ? rows[row][column - 1] : null),
      ArrowRight: () => (isWhole || start === value.length ? rows[row][column + 1] : null),
    }[event.key]?.();
    if (next) {
      event.preventDefault();
      next.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      cell.form.requestSubmit();
      below?.focus();
    } else if (event.key === "Escape") {
      cell.value = cell.defaultValue;
      cell.select();
    }
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches?.(CELL)) event.target.select(); });

  // Input typed while a week is being saved is kept when the response replaces the grid.
  let sent = null;
  let typed = [];
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.elt.matches("form.time-grid")) sent = new FormData(detail.elt);
  });
  document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
    if (target.id !== "grid" || !shouldSwap) return;
    const cells = [...target.querySelectorAll(CELL)];
    typed = cells.filter((cell) => cell.value !== cell.defaultValue && cell.value !== sent?.get(cell.name)).map((cell) => [cell.id, cell.value]);
    sent = null;
  });
  document.addEventListener("htmx:afterSwap", () => {
    for (const [id, value] of typed) {
      const cell = document.getElementById(id);
      if (cell) cell.value = value;
    }
    typed = [];
  });
})();
