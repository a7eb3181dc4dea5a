"use strict";
// Settings pages. Everything works without this script: texts with a copy button can also be selected.
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
