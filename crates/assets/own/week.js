"use strict";
// The grid of a week, which the keyboard alone can fill in. Without scripts, it is a plain form.
(() => {
  // The week. Typed cells are saved when the user leaves them or presses Enter; the buttons send the whole form.
  const CELL = "input[data-cell]";
  const week = () => document.querySelector("form.time-week");
  const cellsOf = (part) => [...part.querySelectorAll(CELL)];
  // Cells that were refused contain what was typed from the beginning.
  const isTyped = (cell) => cell.value !== cell.defaultValue;
  const shownIn = (cell) => cell.form.elements[`_was.${cell.name}`];
  // Others' changes do not replace the grid while it has unsaved input, or says what was not saved.
  const markBusy = () => {
    const card = document.querySelector(".time-grid");
    const hasErrors = document.querySelector("#grid > .alert-danger") !== null;
    card?.toggleAttribute("data-busy", hasErrors || cellsOf(card).some((cell) => isTyped(cell) || cell.matches(".is-invalid")));
  };
  // A message above the grid, which stays when the grid is replaced.
  const report = (text, kind) => document.getElementById("grid").before(alertOf(text, kind));
  const labelOf = (cell) => cell.getAttribute("aria-label");
  const showKeys = () => { for (const one of week()?.querySelectorAll(".needs-script") ?? []) one.hidden = false; };
  showKeys();
  document.addEventListener("input", (event) => { if (event.target.matches?.(CELL)) markBusy(); });

  // The table whose cells are being saved, these cells, and what was sent. Another save waits, and so does one while a pointer is
  // pressed: its response would replace the button under the pointer.
  let table = null;
  let saved = [];
  let sent = null;
  let isPressed = false;
  let isDue = false;
  // A cell to save even if it has the focus, and a button that was pressed during a save.
  let entered = "";
  let pressed = "";
  // Whether the response of this save has no cell for something that was typed.
  let isLost = false;
  let isSubmitted = false;
  const save = (also) => {
    entered = also?.id ?? entered;
    isDue = table !== null || isPressed;
    if (isDue || !week()) return;
    const isWanted = (cell) => (cell.id === entered
      ? cell.value.trim() !== shownIn(cell)?.value
      : isTyped(cell) && cell !== document.activeElement);
    saved = cellsOf(week()).filter(isWanted);
    entered = "";
    if (saved.length === 0) return;
    table = week().querySelector("table");
    isLost = false;
    const part = { source: table, target: "#grid", select: "#grid", selectOOB: "#notices:afterbegin", swap: "outerHTML" };
    htmx.ajax("POST", week().getAttribute("action"), { ...part, event: new Event("submit") }).then(finish, finish);
  };
  const finish = () => {
    table = null;
    sent = null;
    const button = pressed && document.getElementById(pressed);
    pressed = "";
    const isRefused = isLost || document.querySelector("#grid > .alert-danger");
    if (button && !isRefused) button.click();
    else if (isDue) save();
  };
  // Rows are added by their own button, and a cell that is being typed is saved later.
  const withoutNewRow = (form, data) => { for (const field of form.querySelectorAll(".time-add [name]")) data.delete(field.name); };
  document.addEventListener("htmx:configRequest", ({ detail: { elt, formData } }) => {
    if (elt !== table) return;
    withoutNewRow(week(), formData);
    for (const cell of cellsOf(week())) if (isTyped(cell) && !saved.includes(cell)) formData.delete(cell.name);
    for (const cell of saved) formData.append("_cell", cell.name);
    sent = new Map(saved.map((cell) => [cell.id, cell.value]));
  });
  document.addEventListener("pointerdown", () => { isPressed = true; }, true);
  const release = () => {
    isPressed = false;
    if (isDue) save();
  };
  for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, () => setTimeout(release), true);
  document.addEventListener("submit", (event) => {
    if (event.target !== week() || event.defaultPrevented) return;
    isDue = false;
    isSubmitted = table === null;
    if (isSubmitted) return;
    event.preventDefault();
    pressed = event.submitter?.id ?? "";
  });
  window.addEventListener("pageshow", () => { isSubmitted = false; });
  // Nobody sees the response to what is sent when the user leaves the page. Until the week is opened again, the tab keeps it, for the
  // same user. A cell that has changed since is sent again with the time that it had: if it was saved, that changes nothing, and if someone
  // else changed it, the response says so. The others are offered as typed.
  const keyOf = (form) => `unsaved:${document.querySelector("script[data-user]")?.dataset.user}:${inWorkspace("/time")}:${form.elements.week.value}`;
  const takeKept = (form) => {
    try {
      const kept = JSON.parse(sessionStorage.getItem(keyOf(form)));
      sessionStorage.removeItem(keyOf(form));
      return kept ?? [];
    } catch { return []; }
  };
  document.addEventListener("DOMContentLoaded", () => {
    const form = week();
    if (!form) return;
    const others = [];
    for (const one of takeKept(form)) {
      const [id, value, shown] = one;
      const cell = document.getElementById(id);
      if (cell?.defaultValue === value) continue;
      if (cell && shownIn(cell).value !== shown) {
        cell.value = value;
        shownIn(cell).value = shown;
      } else {
        others.push(one);
      }
    }
    save();
    for (const [id, value] of others) {
      const cell = document.getElementById(id);
      if (cell) cell.value = value;
    }
    const left = others.map(([, value, , label]) => `${label}: “${value}”`).join("; ");
    if (left) report(form.dataset.left.replace("{cells}", () => left), "warning");
    markBusy();
  });
  window.addEventListener("pagehide", () => {
    const form = week();
    const cells = form && !isSubmitted ? cellsOf(form).filter(isTyped) : [];
    if (cells.length === 0) return;
    const data = new FormData(form);
    withoutNewRow(form, data);
    for (const cell of cells) data.append("_cell", cell.name);
    const kept = cells.map((cell) => [cell.id, cell.value, shownIn(cell).value, labelOf(cell)]);
    try { sessionStorage.setItem(keyOf(form), JSON.stringify(kept)); } catch { /* Storage is full. */ }
    const request = { method: "POST", body: new URLSearchParams(data), headers: { "HX-Request": "true" }, redirect: "manual", keepalive: true };
    fetch(form.getAttribute("action"), request).catch(() => {});
  });

  // Arrows go from cell to cell: sideways only from the end of what is typed. Enter saves and goes down, Escape restores the value.
  const daysOf = (row) => [...row.children].slice(1, -1).map((day) => day.querySelector(CELL));
  const rowsOf = (grid) => [...grid.querySelectorAll("tbody tr")].map(daysOf);
  // The next cell in a direction. Days that are not typed are skipped.
  const next = (rows, row, column, down, right) => {
    for (let [y, x] = [row + down, column + right]; rows[y]?.[x] !== undefined; y += down, x += right) {
      if (rows[y][x]) return rows[y][x];
    }
    return null;
  };
  document.addEventListener("keydown", (event) => {
    const cell = event.target.closest?.(CELL);
    if (!cell || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
    const rows = rowsOf(cell.closest("table"));
    const row = rows.findIndex((cells) => cells.includes(cell));
    const to = (down, right) => next(rows, row, rows[row].indexOf(cell), down, right);
    const { selectionStart: start, selectionEnd: end, value } = cell;
    const isWhole = start === 0 && end === value.length;
    const beside = {
      ArrowUp: () => to(-1, 0),
      ArrowDown: () => to(1, 0),
      ArrowLeft: () => (isWhole || end === 0 ? to(0, -1) : null),
      ArrowRight: () => (isWhole || start === value.length ? to(0, 1) : null),
    }[event.key]?.();
    if (beside) {
      event.preventDefault();
      beside.focus();
    } else if (event.key === "Enter") {
      event.preventDefault();
      save(cell);
      to(1, 0)?.focus();
    } else if (event.key === "Escape") {
      // A refused cell contains what was typed from the beginning.
      cell.value = cell.matches(".is-invalid") ? shownIn(cell).value : cell.defaultValue;
      markBusy();
      cell.select();
    }
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches?.(CELL)) event.target.select(); });
  // A cell that is replaced also loses the focus.
  let isSwapping = false;
  document.addEventListener("focusout", (event) => {
    if (!isSwapping && event.target.matches?.(CELL) && isTyped(event.target)) save();
  });

  // Input typed while a week is being saved is kept when the response replaces the grid, with the time to which it was a change.
  let typed = [];
  document.addEventListener("htmx:beforeSwap", ({ detail: { target, shouldSwap } }) => {
    if (target.id !== "grid" || !shouldSwap) return;
    isSwapping = true;
    queueMicrotask(() => { isSwapping = false; });
    const cells = cellsOf(target).filter((cell) => isTyped(cell) && cell.value !== sent?.get(cell.id));
    typed = cells.map((cell) => [cell.id, cell.value, sent?.has(cell.id) ? null : shownIn(cell)?.value, labelOf(cell)]);
  });
  document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
    if (target.id !== "grid") return;
    showKeys();
    for (const [id, value, shown, label] of typed) {
      const cell = document.getElementById(id);
      if (!cell) {
        isLost = true;
        report(week().dataset.gone.replace("{cell}", () => label).replace("{typed}", () => value), "danger");
        continue;
      }
      cell.value = value;
      if (typeof shown === "string") shownIn(cell).value = shown;
    }
    typed = [];
    markBusy();
  });
})();
