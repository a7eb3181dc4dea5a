"use strict";
// Keyboard shortcuts of lists and pages. A page declares its own by data-key="c" on a link, button or field; lists have j, k, x
// and Enter for their rows. Shortcuts can be turned off, and never apply while a field is typed in.
(() => {
  // Pages with their own keys also have their own list of shortcuts.
  if (document.getElementById("shortcuts")) return;
  const OFF = "keys-off";
  const dialog = document.getElementById("shortcut-list");
  const isOff = () => { try { return localStorage.getItem(OFF) === "1"; } catch { return false; } };

  const rows = () => [...document.querySelectorAll("#list tbody tr, [data-key-rows] > *")];
  const current = () => rows().findIndex((row) => row.classList.contains("key-row"));
  const go = (step) => {
    const all = rows();
    if (all.length === 0) return;
    const index = current();
    const next = index < 0 ? (step > 0 ? 0 : all.length - 1) : Math.min(Math.max(index + step, 0), all.length - 1);
    all[index]?.classList.remove("key-row");
    all[next].classList.add("key-row");
    // Moves the focus too, for screen readers.
    (all[next].querySelector(".title-cell a, a") ?? all[next]).focus();
    all[next].scrollIntoView({ block: "nearest" });
  };
  const select = () => {
    const box = rows()[current()]?.querySelector("input[name=selected]");
    if (box) { box.checked = !box.checked; box.dispatchEvent(new Event("change", { bubbles: true })); }
  };
  const open = () => rows()[current()]?.querySelector(".title-cell a, a")?.click();

  const isTyped = (target) => target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog");
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyped(event.target)) return;
    if (event.key === "?" && dialog) { event.preventDefault(); dialog.showModal(); return; }
    if (isOff()) return;
    const named = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key);
    if (named) {
      event.preventDefault();
      if (named.matches("input, textarea, select")) { named.focus(); named.select?.(); } else named.click();
      return;
    }
    const does = { j: () => go(1), k: () => go(-1), x: select, o: open }[event.key];
    if (does && rows().length > 0) { event.preventDefault(); does(); }
  });

  const opener = document.getElementById("shortcut-open");
  if (opener && dialog) {
    opener.hidden = false;
    opener.addEventListener("click", () => dialog.showModal());
  }

  const show = () => {
    const toggle = document.getElementById("shortcut-toggle");
    if (toggle) toggle.textContent = isOff() ? toggle.dataset.on : toggle.dataset.off;
  };
  document.getElementById("shortcut-toggle")?.addEventListener("click", () => {
    try { if (isOff()) localStorage.removeItem(OFF); else localStorage.setItem(OFF, "1"); } catch { return; }
    show();
  });
  show();
})();
