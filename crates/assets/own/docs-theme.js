// Guides use the colour mode that was chosen in the reference, whose viewer stores it under this name.
"use strict";
try {
  const chosen = localStorage.getItem("redoc.colorMode");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* Without storage, the system's colour mode applies. */ }
