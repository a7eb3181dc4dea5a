// Runs before the page is shown, so that it does not flash in the wrong colours.
"use strict";
(() => {
  const root = document.documentElement;
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const chosen = root.dataset.theme;
    root.dataset.bsTheme = chosen === "system" ? (dark.matches ? "dark" : "light") : chosen;
  };
  apply();
  dark.addEventListener("change", apply);
  // Pages for everybody read and set no cookie.
  if (root.dataset.public !== undefined) return;
  // The server writes times in this zone from the next page on.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `tz=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
})();
