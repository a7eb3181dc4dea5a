"use strict";
// Imports a file: the browser reads it (csv.js) and sends parts of whole rows. The server counts each part once, so a part can be sent
// again after a failure, and an import of the same file resumes where a closed page stopped.
(() => {
  const page = document.getElementById("import");
  if (!page) return;
  page.hidden = false;
  const texts = page.dataset;
  const [maxFile, maxPart, maxHeader, maxRows] = ["maxFile", "maxPart", "maxHeader", "maxRows"].map((name) => Number(texts[name]));
  const part = (name) => document.getElementById(`import-${name}`);
  // Number of characters to send for previewing columns and some rows.
  const START = 65536;
  const MAX_TRIES = 8;
  const MAX_WAIT_SECONDS = 90;
  const SHOWN_REASONS = 50;

  // An error that ends the import and is shown.
  class Stop extends Error {}

  const pause = (seconds) => new Promise((resolve) => { setTimeout(resolve, seconds * 1000); });
  const showStatus = (text) => { part("result").hidden = false; part("status").textContent = text; };
  const showError = (text) => { part("result").hidden = false; part("error").textContent = text; part("error").hidden = !text; };

  const reasonOf = async (response) => {
    if (!response) return texts.unreachable;
    const text = await response.text();
    if (response.headers.get("content-type")?.startsWith("application/json")) return JSON.parse(text).error;
    const paragraphs = readPage(text).querySelectorAll("main .card p:not(:last-of-type)");
    return [...paragraphs].map((one) => one.textContent).join(" ") || texts.unreachable;
  };

  // Sends a form. Retries after temporary failures.
  const send = async (path, fields) => {
    for (let tries = 1; ; tries++) {
      let response = null;
      try {
        response = await withFreshToken(() => fetch(`${texts.path}/${path}`, {
          method: "POST",
          headers: { "X-Form-Token": formToken(), "HX-Request": "true" },
          body: new URLSearchParams(fields),
        }));
      } catch { /* The connection is lost. */ }
      if (response && tabDrafts.isSignedOut(response)) throw new Stop(texts.closed);
      if (response?.ok) return response;
      const isTemporary = !response || response.status === 429 || response.status >= 500;
      if (!isTemporary || tries === MAX_TRIES) {
        throw new Stop(await reasonOf(response));
      }
      const retryAfter = Number(response?.headers.get("retry-after"));
      const seconds = Math.min(retryAfter > 0 ? retryAfter : 2 ** (tries - 1), MAX_WAIT_SECONDS);
      const before = part("status").textContent;
      showStatus(texts.waiting.replace("{seconds}", seconds));
      await pause(seconds);
      showStatus(before);
    }
  };

  const hideImportAgain = () => { part("again").hidden = true; part("again").querySelector("input").checked = false; };

  // The chosen file, once it has been read.
  let file = null;

  const read = async () => {
    const chosen = part("file").files[0];
    file = null;
    part("plan").hidden = true;
    showError("");
    if (!chosen) return;
    showCounts(null);
    if (chosen.size > maxFile) throw new Stop(texts.tooLarge);
    showStatus(texts.reading);
    const bytes = await chosen.arrayBuffer();
    const text = csvFiles.decode(new Uint8Array(bytes));
    if (text === null) throw new Stop(texts.notUtf8);
    const start = text.slice(0, START);
    const preset = part("preset")?.value ?? "";
    const response = await send("columns", { start, preset, cut: start.length < text.length });
    const found = readPage(await response.text()).getElementById("import-found");
    const delimiter = Number(found.dataset.delimiter);
    const plan = { text, delimiter, ...csvFiles.headerOf(text, delimiter) };
    if (csvFiles.encoded(plan.header) > maxHeader) throw new Stop(texts.longHeader);
    if (!csvFiles.countRows(plan, maxPart)) throw new Stop(texts.noRows);
    // Browsers provide hashes only in secure contexts. Without them, only a dry run is possible.
    const hash = crypto.subtle ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : null;
    const sha256 = hash && [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    // The report of refused rows begins with a byte order mark, so that Excel reads it as UTF-8.
    const named = csvFiles.namedSeparator(text);
    const begin = `\ufeff${named && `sep=${named}\r\n`}`;
    file = { name: chosen.name, ...plan, sha256, isReport: found.dataset.isReport, report: `${begin}${found.dataset.report.trimEnd()}\r\n` };
    part("columns").replaceChildren(found);
    hideImportAgain();
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
    for (const list of ["given", "ignored", "notes"]) showList(list, []);
    part("refused").hidden = true;
    part("list").hidden = true;
    part("reasons").replaceChildren();
    URL.revokeObjectURL(reportAddress);
  };
  const showList = (name, values) => {
    part(name).hidden = !values.length;
    part(name).querySelector("ul").replaceChildren(...values.map((value) => {
      const item = document.createElement("li");
      item.textContent = value;
      return item;
    }));
  };
  // The values for all rows, as returned by a dry run.
  const showGiven = (values) => showList("given", values);
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

  const run = async (isDryRun) => {
    if (!isDryRun && !file.sha256) throw new Stop(texts.insecure);
    const plan = { header: file.header, preset: part("preset")?.value ?? "", try: isDryRun, file: file.sha256 ?? "", report: file.isReport };
    for (const [name, value] of new FormData(part("plan"))) {
      if (!part("values").querySelector(`[name="${name}"]`)) plan[name] = value;
      else if (value.trim()) plan[`value.${name}`] = value;
    }
    const sums = { created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0, companies: 0 };
    const notes = new Set();
    const report = [];
    const separator = String.fromCharCode(file.delimiter);
    const rowOf = ([cells, empty, end]) => `${cells}${`${separator}""`.repeat(empty)}${separator}${end}\r\n`;
    let from = 0;
    showStatus(isDryRun ? texts.trying : texts.importing);
    part("progress").hidden = false;
    part("progress").max = file.text.length;
    part("progress").value = file.header.length;
    for (const { rows, count, line, end } of csvFiles.partsOf(file, maxPart, maxRows)) {
      const response = await (await send("rows", { ...plan, rows, count, line, from, created: sums.created + sums.companies })).json();
      from += count;
      for (const name of Object.keys(sums)) sums[name] = response.progress[name] + (isDryRun ? sums[name] : 0);
      if (!isDryRun) showStatus(response.progress.rows > from ? texts.resuming.replace("{rows}", response.progress.rows) : texts.importing);
      report.push(...response.report.map(rowOf));
      part("progress").value = end;
      showCounts(sums);
      showRefused(response.refused);
      showGiven(response.values ?? []);
      showList("ignored", response.ignored);
      for (const note of response.notes) if (notes.size < SHOWN_REASONS) notes.add(note);
      showList("notes", [...notes]);
    }
    offerReport(report);
    if (!isDryRun) await send("finish", { ...plan, from });
    if (!isDryRun) hideImportAgain();
    showStatus(isDryRun ? texts.tried : texts.imported);
    part("list").hidden = isDryRun;
  };

  // The message for a problem with the file.
  const problemText = (error) => {
    if (error instanceof csvFiles.Problem) return texts[error.name].replace("{line}", error.line).replace("{opened}", error.opened);
    return error instanceof Stop ? error.message : String(error);
  };

  // Runs one operation at a time.
  let isBusy = false;
  const guarded = async (work) => {
    if (isBusy) return;
    isBusy = true;
    for (const form of page.querySelectorAll("form")) form.inert = true;
    try {
      showError("");
      await work();
    } catch (error) {
      showStatus(texts.failed);
      showError(problemText(error));
      // The file was imported before; the user may choose to import it again.
      if (error.message === texts.before) part("again").hidden = false;
      if (!(error instanceof Stop || error instanceof csvFiles.Problem)) throw error;
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
    const isDryRun = event.submitter?.name === "try";
    guarded(async () => { showCounts(null); await run(isDryRun); });
  });
})();
