"use strict";
// The article form suggests a slug while the title is typed. If the field is left empty, the server generates one.
(() => {
  const title = document.getElementById("field-title");
  const slug = document.getElementById("field-slug");
  if (!title || !slug) return;
  const suggest = () => {
    const text = title.value.normalize("NFKD").replace(/[\u0300-\u036f'’]/g, "").replace(/ß/g, "ss").toLowerCase();
    slug.placeholder = (text.match(/[a-z0-9]+/g) ?? []).join("-");
  };
  title.addEventListener("input", suggest);
  suggest();
})();
