"use strict";
// The import of a file: it is read here, and sent in parts of whole rows, each of which the server counts once. So a part can be
// sent again after a failure, and the same file goes on where a closed page has ended.
(() => {
  const page = document.getElementById("import");
  if (!page) return;
  page.hidden = false;
  const texts = page.dataset;
  const [maxFile, maxPart, maxHeader, maxRows] = ["maxFile", "maxPart", "maxHeader", "maxRows"].map((name) => Number(texts[name]));
  const part = (name) => document.getElementById(`import-${name}`);
  const token = document.querySelector("meta[name=form-token]").content;
  // Characters that show the columns and some rows.
  const START = 65536;
  const MAX_TRIES = 8;
  const MAX_WAIT_SECONDS = 90;
  const SHOWN_REASONS = 50;
  const QUOTE = 34, CR = 13, LF = 10;

  // What ends an import and is told.
  class Stop extends Error {}

  const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
  const say = (text) => { part("result").hidden = false; part("status").textContent = text; };
  const fail = (text) => { part("result").hidden = false; part("error").textContent = text; part("error").hidden = !text; };
  const encoded = (text) => new URLSearchParams({ a: text }).toString().length;

  const reasonOf = async (answer) => {
    if (!answer) return texts.unreachable;
    const text = await answer.text();
    if (answer.headers.get("content-type")?.startsWith("application/json")) return JSON.parse(text).error;
    const shown = new DOMParser().parseFromString(text, "text/html").querySelectorAll("main .card p:not(:last-of-type)");
    return [...shown].map((one) => one.textContent).join(" ") || texts.unreachable;
  };

  // Sends a form. What passes by itself is waited for.
  const send = async (path, fields) => {
    for (let tries = 1; ; tries++) {
      let answer = null;
      try {
        const headers = { "X-Form-Token": token };
        answer = await fetch(`${texts.path}/${path}`, { method: "POST", redirect: "manual", headers, body: new URLSearchParams(fields) });
      } catch { /* The connection is lost. */ }
      if (answer?.type === "opaqueredirect") throw new Stop(texts.closed);
      if (answer?.ok) return answer;
      const passes = !answer || answer.status === 429 || answer.status >= 500;
      if (!passes || tries === MAX_TRIES) {
        throw new Stop(await reasonOf(answer));
      }
      const asked = Number(answer?.headers.get("retry-after"));
      const seconds = Math.min(asked > 0 ? asked : 2 ** (tries - 1), MAX_WAIT_SECONDS);
      const before = part("status").textContent;
      say(texts.waiting.replace("{seconds}", seconds));
      await pause(seconds);
      say(before);
    }
  };

  // Behind the row that begins at `start`, as the server reads it: a quotation mark opens a cell at its beginning alone, and
  // empty lines are no rows. The end of the text if no row begins there.
  const endOfRow = (text, start, delimiter) => {
    const PLAIN = 0, BEGINS = 1, QUOTED = 2, CLOSED = 3;
    let at = start;
    while (text.charCodeAt(at) === LF || text.charCodeAt(at) === CR) at++;
    for (let cell = BEGINS; at < text.length; at++) {
      const sign = text.charCodeAt(at);
      if (cell === QUOTED) {
        if (sign === QUOTE) cell = CLOSED;
      } else if (sign === LF || sign === CR) {
        return sign === CR && text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
      } else if (sign === delimiter) {
        cell = BEGINS;
      } else {
        cell = sign === QUOTE && cell !== PLAIN ? QUOTED : PLAIN;
      }
    }
    return at;
  };
  const linesIn = (text) => {
    let lines = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines++;
    return lines;
  };

  // The parts of a file behind its header.
  function* partsOf({ text, delimiter, header }) {
    let [begins, line] = [header.length, 1 + linesIn(header)];
    while (begins < text.length) {
      let [end, count, size] = [begins, 0, 0];
      while (end < text.length && count < maxRows) {
        const behind = endOfRow(text, end, delimiter);
        const row = text.slice(end, behind);
        if (!/[^\r\n]/.test(row)) { end = behind; break; }
        const length = encoded(row);
        if (length > maxPart) throw new Stop(texts.longRow.replace("{line}", line + linesIn(text.slice(begins, end))));
        if (size + length > maxPart) break;
        [end, count, size] = [behind, count + 1, size + length];
      }
      const rows = text.slice(begins, end);
      if (count > 0) yield { rows, count, line, end };
      [begins, line] = [end, line + linesIn(rows)];
    }
  }

  const forgetAgain = () => { part("again").hidden = true; part("again").querySelector("input").checked = false; };

  // The chosen file, once it was read.
  let file = null;

  const read = async () => {
    const chosen = part("file").files[0];
    file = null;
    part("plan").hidden = true;
    fail("");
    if (!chosen) return;
    showCounts(null);
    if (chosen.size > maxFile) throw new Stop(texts.tooLarge);
    say(texts.reading);
    const bytes = await chosen.arrayBuffer();
    let text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch { throw new Stop(texts.notUtf8); }
    const start = text.slice(0, START);
    const preset = part("preset")?.value ?? "";
    const answer = await send("columns", { start, preset, cut: start.length < text.length });
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("import-found");
    const delimiter = Number(found.dataset.delimiter);
    const header = text.slice(0, endOfRow(text, 0, delimiter));
    if (encoded(header) > maxHeader) throw new Stop(texts.longHeader);
    if (!/[^\r\n]/.test(text.slice(header.length))) throw new Stop(texts.noRows);
    // Without a safe connection, browsers have no hashes: the file can be tried only.
    const hash = crypto.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : null;
    const sha256 = hash && [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    // The report of refused rows begins with a byte order mark, by which Excel knows that it is UTF-8.
    file = { name: chosen.name, text, delimiter, header, sha256, report: `\ufeff${found.dataset.report.trimEnd()}\r\n` };
    part("columns").replaceChildren(found);
    forgetAgain();
    part("plan").hidden = false;
    part("result").hidden = true;
  };

  let reportAddress = "";
  const showCounts = (progress) => {
    part("counts").hidden = !progress;
    for (const count of part("counts").querySelectorAll("[data-count]")) {
      count.textContent = (progress?.[count.dataset.count] ?? 0).toLocaleString();
    }
    if (progress) return;
    showGiven([]);
    part("refused").hidden = true;
    part("list").hidden = true;
    part("reasons").replaceChildren();
    URL.revokeObjectURL(reportAddress);
  };
  // The values for all rows, as a try has read them.
  const showGiven = (values) => {
    part("given").hidden = !values.length;
    part("given").querySelector("ul").replaceChildren(...values.map((value) => {
      const item = document.createElement("li");
      item.textContent = value;
      return item;
    }));
  };
  const showRefused = (refused) => {
    for (const { line, reason } of refused) {
      if (part("reasons").rows.length >= SHOWN_REASONS) return;
      const row = part("reasons").insertRow();
      row.insertCell().textContent = line;
      row.insertCell().textContent = reason;
    }
  };
  const offerReport = (rows) => {
    if (!rows.length) return;
    reportAddress = URL.createObjectURL(new Blob([file.report, ...rows], { type: "text/csv" }));
    part("report").href = reportAddress;
    part("report").download = `${file.name.replace(/\.[^.]*$/, "")}.refused.csv`;
    part("refused").hidden = false;
  };

  const run = async (isTry) => {
    if (!isTry && !file.sha256) throw new Stop(texts.insecure);
    const plan = { header: file.header, preset: part("preset")?.value ?? "", try: isTry, file: file.sha256 ?? "" };
    for (const [name, value] of new FormData(part("plan"))) {
      if (!part("values").querySelector(`[name="${name}"]`)) plan[name] = value;
      else if (value.trim()) plan[`value.${name}`] = value;
    }
    const sums = { created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0 };
    const report = [];
    const separator = String.fromCharCode(file.delimiter);
    const rowOf = ([cells, empty, end]) => `${cells}${`${separator}""`.repeat(empty)}${separator}${end}\r\n`;
    let from = 0;
    say(isTry ? texts.trying : texts.importing);
    part("progress").hidden = false;
    part("progress").max = file.text.length;
    part("progress").value = file.header.length;
    for (const { rows, count, line, end } of partsOf(file)) {
      const answer = await (await send("rows", { ...plan, rows, count, line, from, created: sums.created })).json();
      from += count;
      for (const name of Object.keys(sums)) sums[name] = answer.progress[name] + (isTry ? sums[name] : 0);
      if (!isTry) say(answer.progress.rows > from ? texts.goingOn.replace("{rows}", answer.progress.rows) : texts.importing);
      report.push(...answer.report.map(rowOf));
      part("progress").value = end;
      showCounts(sums);
      showRefused(answer.refused);
      showGiven(answer.values ?? []);
    }
    offerReport(report);
    if (!isTry) await send("finish", { ...plan, from });
    if (!isTry) forgetAgain();
    say(isTry ? texts.tried : texts.imported);
    part("list").hidden = isTry;
  };

  // One thing at a time.
  let isBusy = false;
  const guarded = async (work) => {
    if (isBusy) return;
    isBusy = true;
    for (const form of page.querySelectorAll("form")) form.inert = true;
    try {
      fail("");
      await work();
    } catch (error) {
      say(texts.failed);
      fail(error instanceof Stop ? error.message : String(error));
      // It was imported before: who wants that can do it again.
      if (error.message === texts.before) part("again").hidden = false;
      if (!(error instanceof Stop)) throw error;
    } finally {
      part("progress").hidden = true;
      for (const form of page.querySelectorAll("form")) form.inert = false;
      isBusy = false;
    }
  };
  part("file-form").addEventListener("change", () => guarded(read));
  part("file-form").addEventListener("submit", (event) => event.preventDefault());
  part("plan").addEventListener("submit", (event) => {
    event.preventDefault();
    const isTry = event.submitter?.name === "try";
    guarded(async () => { showCounts(null); await run(isTry); });
  });
})();
