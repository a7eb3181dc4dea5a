"use strict";
// Tickets: drafts are saved while typing, colleagues see who else is here, and shortcuts press buttons.
(() => {
  const DRAFT_PAUSE = 700;
  const HEARTBEAT = 10000;
  // More frequent while a colleague is here, so that their typing shows soon.
  const LIVELY_HEARTBEAT = 4000;
  // How long a colleague's answer must be in view to count as seen.
  const SEEN_AFTER = 5000;
  const ticket = document.querySelector("[data-tickets=ticket]");
  const inbox = document.querySelector("[data-tickets=list]");
  for (const one of document.querySelectorAll(".needs-script")) one.hidden = false;

  const post = (path, values, options = {}) => withFreshToken(() => fetch(path, {
    method: "POST",
    headers: { "X-Form-Token": formToken(), "HX-Request": "true" },
    body: new URLSearchParams(values),
    ...options,
  }));

  // Copies the text of a field.
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.querySelector("span").textContent += " ✓";
  });

  // A selection is saved at once; without scripts there is a button next to it. Arrow keys pass through other options, so with
  // the keyboard it is saved on Enter or when the field loses the focus.
  let byKeys = null;
  const submitChoice = (select) => {
    byKeys = null;
    if (!select.options[select.selectedIndex].defaultSelected) select.form.requestSubmit();
  };
  document.addEventListener("pointerdown", () => { byKeys = null; }, true);
  document.addEventListener("keydown", (event) => {
    const select = event.target.closest?.("select[data-submit]");
    if (!select || event.key === "Tab") return;
    if (event.key === "Enter" && byKeys === select) { event.preventDefault(); submitChoice(select); } else { byKeys = select; }
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches?.("select[data-submit]") && event.target !== byKeys) submitChoice(event.target);
  });
  document.addEventListener("focusout", (event) => {
    const select = event.target;
    if (select === byKeys && !select.form.contains(event.relatedTarget)) submitChoice(select);
  });

  // The address of the list, to return to it and to show it next to a ticket.
  const LIST = "tickets-list";
  if (inbox) {
    const remember = () => sessionStorage.setItem(LIST, location.pathname + location.search);
    remember();
    document.addEventListener("htmx:pushedIntoHistory", remember);
  }
  const toList = document.getElementById("to-list");
  // The ticket's address names its list; otherwise the last list of this tab is used.
  const listAddress = () => {
    const list = inWorkspace("/tickets");
    const own = toList?.getAttribute("href");
    if (own && own !== list) return own;
    const kept = sessionStorage.getItem(LIST) || list;
    return kept === list || kept.startsWith(`${list}?`) ? kept : list;
  };

  // ---- Drafts ----
  const drafts = new Map();
  const texts = document.getElementById("ticket-texts");
  const say = (form, text) => { form.querySelector(".draft-state").textContent = text; };
  const unsaved = () => [...drafts].filter(([form, state]) => form.elements.body.value !== state.kept);
  // Without a session, a text can only be kept in this tab.
  const keepHere = (form) => tabDrafts.put(form.dataset.draft, form.elements.body.value, drafts.get(form).kept);
  const showSignedOut = (form) => {
    drafts.get(form).isSignedOut = true;
    keepHere(form);
    tabDrafts.showSignedOut(form.querySelector(".draft-state"), texts.dataset);
  };
  const keep = async (form, options) => {
    const body = form.elements.body.value;
    const state = drafts.get(form);
    if (body === state.kept) { state.isSignedOut = false; return; }
    const number = ++state.number;
    state.saving?.abort();
    state.saving = new AbortController();
    try {
      const answer = await post(`${ticket.dataset.path}/draft`, { visibility: form.dataset.draft, body }, { signal: state.saving.signal, ...options });
      if (tabDrafts.isSignedOut(answer)) { if (number === state.number) showSignedOut(form); return; }
      if (!answer.ok) throw new Error(String(answer.status));
      if (number !== state.number) return;
      state.kept = body;
      state.isSignedOut = false;
      tabDrafts.remove(form.dataset.draft);
      say(form, texts.dataset.draftSaved);
    } catch (error) {
      // A newer text or a submit has superseded this one.
      if (error.name === "AbortError") return;
      say(form, texts.dataset.draftLost);
      state.timer = setTimeout(() => keep(form), HEARTBEAT);
    }
  };
  // The browser remembers whether answering also assigns the ticket.
  const TAKE = "tickets-take";
  const initTake = () => {
    const take = document.getElementById("answer-take");
    if (!take) return;
    take.checked = localStorage.getItem(TAKE) !== "off";
    take.addEventListener("change", () => localStorage.setItem(TAKE, take.checked ? "on" : "off"));
  };
  const initDrafts = () => {
    for (const form of ticket.querySelectorAll("form[data-draft]")) {
      const field = form.elements.body;
      drafts.set(form, { kept: field.defaultValue, number: 0, timer: 0, isSignedOut: false });
      const text = tabDrafts.take(form.dataset.draft, field.defaultValue);
      if (text && field.value === field.defaultValue) {
        field.value = text;
        form.closest("details").open = true;
      }
      for (const save of form.querySelectorAll(".draft-save")) save.hidden = true;
      const keepSoon = () => {
        const state = drafts.get(form);
        clearTimeout(state.timer);
        state.timer = setTimeout(() => keep(form), DRAFT_PAUSE);
      };
      field.addEventListener("input", keepSoon);
      // Text that was typed before this script ran, or restored by the browser.
      if (field.value !== field.defaultValue) keepSoon();
      form.addEventListener("submit", async (event) => {
        const state = drafts.get(form);
        clearTimeout(state.timer);
        // Without a session, a submitted text would be lost. The user may have signed in again in another tab.
        if (state.isSignedOut) {
          event.preventDefault();
          await keep(form);
          if (!state.isSignedOut) form.requestSubmit(event.submitter);
          return;
        }
        state.saving?.abort();
        state.kept = field.value;
      });
    }
    const keepAll = () => { for (const form of drafts.keys()) { clearTimeout(drafts.get(form).timer); keep(form, { keepalive: true }); } };
    // Nothing reads the responses to saves while the page unloads.
    const keepAllHere = () => { for (const [form] of unsaved()) keepHere(form); };
    // Nothing can be saved after the session ends, so signing out waits for pending saves.
    document.addEventListener("submit", async (event) => {
      const pending = unsaved();
      if (event.target.getAttribute("action") !== inWorkspace("/sign-out") || pending.length === 0) return;
      event.preventDefault();
      await Promise.all(pending.map(([form]) => keep(form)));
      event.target.submit();
    });
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") keepAll(); });
    window.addEventListener("pagehide", () => { keepAllHere(); keepAll(); });
  };

  // ---- Who else is here ----
  const isWriting = () => document.activeElement?.matches?.("form[data-draft] textarea") && document.activeElement.value !== "";
  let told = "";
  const beat = async () => {
    if (document.visibilityState !== "visible") return;
    told = isWriting() ? "writing" : "looking";
    try {
      const answer = await post(`${ticket.dataset.path}/presence`, { state: told });
      if (tabDrafts.isSignedOut(answer)) { for (const [form] of unsaved()) showSignedOut(form); return; }
      if (!answer.ok) return;
      const page = readPage(await answer.text());
      const place = document.getElementById("presence");
      if (page.body.textContent.trim() !== place.textContent.trim()) place.replaceChildren(...page.body.childNodes);
    } catch { /* The next beat tries again. */ }
  };
  const beatOn = async () => {
    await beat();
    setTimeout(beatOn, document.getElementById("presence").childElementCount ? LIVELY_HEARTBEAT : HEARTBEAT);
  };
  const initPresence = () => {
    beatOn();
    document.addEventListener("visibilitychange", beat);
    ticket.addEventListener("input", () => { if (told !== "writing" && isWriting()) beat(); });
    window.addEventListener("pagehide", () => { post(`${ticket.dataset.path}/presence`, { state: "gone" }, { keepalive: true }).catch(() => {}); });
  };

  // ---- What the writer has seen ----
  // A message that arrives while the page is open counts as seen once it was in view. A colleague's answer must be in view for a
  // while, since it may say what is about to be sent.
  const seenField = () => ticket.querySelector("input[name=_seen]");
  const see = (message) => {
    const field = seenField();
    // The time format sorts as text.
    if (field && document.visibilityState === "visible" && message.dataset.seen > field.value) field.value = message.dataset.seen;
  };
  const inView = new WeakMap();
  const watch = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      clearTimeout(inView.get(target));
      if (!isIntersecting) continue;
      if (target.matches(".message-team")) inView.set(target, setTimeout(() => see(target), SEEN_AFTER)); else see(target);
    }
  }, { threshold: 0.5 });
  const watchMessages = () => { for (const message of document.querySelectorAll("#conversation [data-seen]")) watch.observe(message); };

  // ---- The list next to the ticket ----
  const showList = async () => {
    if (!window.matchMedia("(min-width: 1400px)").matches) return;
    try {
      const answer = await fetch(listAddress(), { headers: { "HX-Request": "true" } });
      if (!answer.ok || answer.redirected) return;
      const rows = readPage(await answer.text()).querySelectorAll(".ticket-row");
      const list = document.createElement("ul");
      list.className = "ticket-rows card";
      list.append(...rows);
      document.getElementById("other-tickets").replaceChildren(list);
      const own = list.querySelector(`[data-ticket="${ticket.dataset.ticketId}"]`);
      own?.classList.add("current");
      own?.querySelector("a")?.setAttribute("aria-current", "page");
    } catch { /* The list is optional. */ }
  };

  // ---- Canned replies ----
  // The list opens here in a dialog; without scripts, "Insert reply" opens its page. A shortcut at the end of the text needs no list.
  const initReplies = () => {
    const button = document.getElementById("insert-reply");
    const replies = document.getElementById("replies");
    if (!button || !replies) return;
    button.addEventListener("click", async (event) => {
      if (/(^|\s)\/\S+\s*$/u.test(button.form.elements.body.value)) return;
      event.preventDefault();
      try {
        const answer = await fetch(`${ticket.dataset.path}/replies`, { headers: { "HX-Request": "true" } });
        if (!answer.ok || answer.redirected) throw new Error(String(answer.status));
        const list = readPage(await answer.text()).getElementById("reply-picker");
        document.getElementById("replies-body").replaceChildren(list);
        htmx.process(list);
        if (!replies.open) replies.showModal();
      } catch {
        // The page of replies, or the page that says what is wrong.
        button.form.requestSubmit(button);
      }
    });
  };
  // Arrow keys move through the list.
  document.addEventListener("keydown", (event) => {
    const list = event.target.closest?.("#reply-picker");
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!list || !step) return;
    const places = [list.querySelector("#reply-search"), ...list.querySelectorAll(".reply-choice")];
    const now = places.indexOf(document.activeElement);
    if (now < 0 || !places[now + step]) return;
    event.preventDefault();
    places[now + step].focus();
  });

  // ---- Keys ----
  const KEYS = "tickets-keys";
  const dialog = document.getElementById("shortcuts");
  const areOn = () => localStorage.getItem(KEYS) !== "off";
  const initKeys = () => {
    const box = document.getElementById("shortcuts-on");
    if (!dialog || !box) return;
    box.checked = areOn();
    box.addEventListener("change", () => localStorage.setItem(KEYS, box.checked ? "on" : "off"));
    document.getElementById("show-shortcuts")?.addEventListener("click", () => dialog.showModal());
  };
  const open = (id) => {
    const part = document.getElementById(id);
    if (!part) return;
    part.open = true;
    const field = part.querySelector("textarea");
    field.focus();
    // Puts the cursor after the restored text.
    field.setSelectionRange(field.value.length, field.value.length);
    part.scrollIntoView({ block: "nearest" });
  };
  const move = (step) => {
    const rows = [...document.querySelectorAll(".ticket-row")];
    if (rows.length === 0) return;
    const now = rows.findIndex((row) => row.contains(document.activeElement));
    const place = now >= 0 ? now : rows.findIndex((row) => row.classList.contains("current"));
    const next = rows[Math.min(rows.length - 1, Math.max(0, place + step))];
    for (const row of rows) row.classList.toggle("current", row === next);
    next.querySelector("a").focus();
    next.scrollIntoView({ block: "nearest" });
  };
  const follow = (id) => document.getElementById(id)?.click();
  // In the list, shortcuts apply to the focused ticket.
  const inList = (selector) => {
    const row = document.activeElement?.closest?.(".ticket-row");
    const box = row?.querySelector("[name=selected]");
    if (!box) return;
    const form = box.form;
    for (const other of form.querySelectorAll("[name=selected]")) other.checked = other === box;
    box.dispatchEvent(new Event("change", { bubbles: true }));
    form.querySelector(selector)?.click();
  };
  const actions = {
    j: () => (ticket ? follow("next-ticket") : move(1)),
    ArrowDown: () => move(1),
    k: () => (ticket ? follow("previous-ticket") : move(-1)),
    ArrowUp: () => move(-1),
    r: () => open("answer"),
    n: () => open("note"),
    x: () => { if (inbox) document.activeElement?.closest?.(".ticket-row")?.querySelector("[name=selected]")?.click(); },
    c: () => { if (inbox) document.getElementById("new-ticket")?.click(); },
    a: () => (ticket ? document.querySelector("[data-assign-me]")?.click() : inList("[data-list-assign]")),
    e: () => (ticket ? document.querySelector("[data-finish]")?.click() : inList("[data-list-close]")),
    u: () => { if (ticket) location.assign(listAddress()); },
  };
  document.addEventListener("keydown", (event) => {
    const field = event.target.closest?.("form[data-draft]");
    if (field && event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      field.querySelector("[data-send]")?.click();
      return;
    }
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !dialog || document.querySelector("dialog[open]")) return;
    if (event.target.matches?.("input:not([type=checkbox]), textarea, select, summary, [contenteditable]")) return;
    if (event.key === "?" && areOn()) { event.preventDefault(); dialog.showModal(); return; }
    // On a ticket's page, arrows scroll.
    if (!areOn() || (event.key.startsWith("Arrow") && ticket)) return;
    const action = actions[event.key];
    if (action) { event.preventDefault(); action(); }
  });

  initKeys();
  if (ticket) {
    toList.href = listAddress();
    initTake();
    initDrafts();
    initReplies();
    initPresence();
    watchMessages();
    showList();
    document.addEventListener("htmx:afterSettle", watchMessages);
    document.addEventListener("console:changed", (event) => { if (event.detail.type === "ticket") showList(); });
    document.getElementById("held")?.scrollIntoView({ block: "nearest" });
    // Focuses the link to the next ticket, so that it is one key away. Scrolling to the fragment removes the focus, hence after load.
    const next = document.getElementById("go-on");
    if (next) window.addEventListener("load", () => setTimeout(() => next.focus()));
  }
})();
