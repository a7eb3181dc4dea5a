"use strict";
// The documentation: copy buttons, the menu of guides, light and dark mode.
(() => {
  const root = document.documentElement;

  const copy = async (code) => {
    try { return await navigator.clipboard.writeText(code.textContent); } catch { /* Over plain HTTP, or not permitted. */ }
    getSelection().selectAllChildren(code);
    const isCopied = document.execCommand("copy");
    getSelection().removeAllRanges();
    if (!isCopied) throw new Error("not copied");
  };
  for (const block of document.querySelectorAll(".docs-code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "docs-copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try { await copy(block.querySelector("code")); button.textContent = "Copied"; } catch { button.textContent = "Not copied"; }
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
    block.append(button);
  }

  // Tables that are wider than the page can be scrolled by keyboard, like code.
  const boxes = [...document.querySelectorAll(".docs-table")];
  const reach = () => {
    for (const box of boxes) {
      if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; else box.removeAttribute("tabindex");
    }
  };
  reach();
  addEventListener("resize", reach);

  const menu = document.querySelector(".docs-menu");
  addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });

  const button = document.getElementById("docs-theme");
  if (button) {
    button.hidden = false;
    button.addEventListener("click", () => {
      const chosen = root.dataset.bsTheme === "dark" ? "light" : "dark";
      root.dataset.theme = root.dataset.bsTheme = chosen;
      try { localStorage.setItem("redoc.colorMode", chosen); } catch { /* Applies to this page only. */ }
    });
    return;
  }
  // The viewer has its own button, and shows its colour mode as a class. The mode stays when the system's changes.
  new MutationObserver(() => {
    const chosen = ["dark", "light"].find((one) => root.classList.contains(one));
    if (chosen && chosen !== root.dataset.bsTheme) root.dataset.theme = root.dataset.bsTheme = chosen;
  }).observe(root, { attributeFilter: ["class", "data-bs-theme"] });
})();
