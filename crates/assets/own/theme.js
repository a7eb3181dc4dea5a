// Runs before the page is rendered, so that it does not flash in the wrong colours.
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
  // Public pages read and set no cookies.
  if (root.dataset.public !== undefined) return;
  // From the next page, the server formats times in this zone.
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `tz=${encodeURIComponent(zone)}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
})();
