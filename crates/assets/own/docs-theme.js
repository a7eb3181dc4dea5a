// The colours that somebody chose in the reference, whose viewer keeps them under this name, are those of the guides too.
"use strict";
try {
  const chosen = localStorage.getItem("redoc.colorMode");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* Without storage, the system's colours. */ }
