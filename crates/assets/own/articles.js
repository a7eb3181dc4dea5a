"use strict";
// The form of an article: its name in addresses is suggested while the title is typed. Left empty, the server makes it.
(() => {
  const title = document.getElementById("field-title");
  const slug = document.getElementById("field-slug");
  if (!title || !slug) return;
  const suggest = () => {
    const words = title.value.normalize("NFKD").replace(/[\u0300-\u036f'’]/g, "").replace(/ß/g, "ss").toLowerCase();
    slug.placeholder = (words.match(/[a-z0-9]+/g) ?? []).join("-");
  };
  title.addEventListener("input", suggest);
  suggest();
})();
