"use strict";
// The settings' pages. Everything here works without it: texts that are copied can be selected.
for (const button of document.querySelectorAll("button[data-copy]")) {
  if (!navigator.clipboard) break;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const label = button.querySelector("span");
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      label.textContent = button.parentElement.dataset.copied;
      button.parentElement.querySelector("[role=status]").textContent = button.parentElement.dataset.copied;
    } catch {
      getSelection().selectAllChildren(document.getElementById(button.dataset.copy));
    }
  });
}
