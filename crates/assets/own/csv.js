"use strict";
// Decodes a CSV file and splits it between rows in the same way as the server (crates/csv-files). A test runs both on the same files.
globalThis.csvFiles = (() => {
  const TAB = 9, LF = 10, CR = 13, SPACE = 32, QUOTE = 34;
  // Parser states: before a cell; after leading spaces; in an unquoted cell; in a quoted cell; after a quotation mark in a quoted cell,
  // which ends the cell unless another mark follows.
  const BEGINS = 0, BLANK = 1, PLAIN = 2, QUOTED = 3, CLOSED = 4;
  // A line before the header that names the separator.
  const NAMED = /^("?)sep=([\t !#-/:-@[-`{-~])\1(?=[\r\n]|$)/i;
  // UTF-8 takes up to three bytes per UTF-16 unit, and a form takes three characters per byte.
  const MAX_GROWTH = 9;

  // The reason why a file is refused, and the lines that the message names.
  class Problem extends Error {
    constructor(name, line, opened = line) {
      super(`${name} in line ${line}`);
      Object.assign(this, { name, line, opened });
    }
  }

  // The text of a file in UTF-8, or in UTF-16 with a byte order mark; null if it cannot be decoded.
  const decode = (bytes) => {
    const starts = (...mark) => mark.every((byte, at) => bytes[at] === byte);
    // UTF-32 starts with the same mark as UTF-16.
    if (starts(0xff, 0xfe, 0, 0)) return null;
    const encoding = starts(0xff, 0xfe) ? "utf-16le" : starts(0xfe, 0xff) ? "utf-16be" : "utf-8";
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes).replace(/^\ufeff+/, "");
    } catch { return null; }
  };

  const encoded = (text) => new URLSearchParams({ a: text }).toString().length;

  // Reads the rows of a text one by one.
  class Rows {
    // `end` is the offset after the last row that was read, and `behind` is the line number there.
    constructor(text, delimiter, end, behind) {
      Object.assign(this, { text, delimiter, begins: end, line: behind, end, behind });
    }

    // Reads the next row that has content; returns false at the end.
    next() {
      while (this.skipLineEnds()) {
        if (this.readRow()) return true;
      }
      return false;
    }

    // The length of the line ending at this offset, or 0.
    lineEnd(at) {
      const code = this.text.charCodeAt(at);
      if (code === CR) return this.text.charCodeAt(at + 1) === LF ? 2 : 1;
      return code === LF ? 1 : 0;
    }

    skipLineEnds() {
      for (let length = this.lineEnd(this.end); length; length = this.lineEnd(this.end)) {
        this.end += length;
        this.behind++;
      }
      return this.end < this.text.length;
    }

    // Reads a row; returns whether it has content.
    readRow() {
      const { text, delimiter } = this;
      this.begins = this.end;
      this.line = this.behind;
      let [at, line, opened, state, hasContent] = [this.begins, this.line, 0, BEGINS, false];
      for (; at < text.length; at++) {
        const code = text.charCodeAt(at);
        const isLineEnd = code === LF || code === CR;
        if (isLineEnd) line++;
        if (isLineEnd && code === CR && text.charCodeAt(at + 1) === LF) at++;
        if (state === QUOTED) {
          if (code === QUOTE) state = CLOSED;
          else hasContent = true;
        } else if (isLineEnd) {
          at++;
          break;
        } else if (code === QUOTE && state === CLOSED) {
          [state, hasContent] = [QUOTED, true];
        } else if (code === delimiter) {
          state = BEGINS;
        } else if (state === CLOSED) {
          throw new Problem("behindQuote", line, opened);
        } else if (code === QUOTE && state === BLANK) {
          throw new Problem("beforeQuote", line);
        } else if (code === QUOTE && state === BEGINS) {
          [state, opened] = [QUOTED, line];
        } else {
          hasContent = true;
          if (state !== PLAIN) state = code === SPACE || code === TAB ? BLANK : PLAIN;
        }
      }
      if (state === QUOTED) throw new Problem("unclosed", opened);
      [this.end, this.behind] = [at, line];
      return hasContent;
    }
  }

  // The separator named by a line before the header, or an empty string.
  const namedSeparator = (text) => text.match(NAMED)?.[2] ?? "";

  // The text up to and including the header, and the number of the next line.
  const headerOf = (text, delimiter) => {
    const rows = new Rows(text, delimiter, text.match(NAMED)?.[0].length ?? 0, 1);
    rows.next();
    return { header: text.slice(0, rows.end), line: rows.behind };
  };

  // Reads and counts all rows after the header, and throws a Problem if one does not fit into a form. Nothing is written before that.
  const countRows = ({ text, delimiter, header, line }, maxPart) => {
    const rows = new Rows(text, delimiter, header.length, line);
    let count = 0;
    for (; rows.next(); count++) {
      const isLong = (rows.end - rows.begins) * MAX_GROWTH > maxPart;
      if (isLong && encoded(text.slice(rows.begins, rows.end)) > maxPart) throw new Problem("longRow", rows.line);
    }
    return count;
  };

  // Yields parts of whole rows, each with at most `maxRows` rows and `maxPart` characters when encoded as a form, with the line where the
  // part begins and the offset where it ends. Empty rows between parts are skipped and not counted.
  function* partsOf({ text, delimiter, header, line }, maxPart, maxRows) {
    const rows = new Rows(text, delimiter, header.length, line);
    const whole = ({ begins, end, ...part }) => ({ rows: text.slice(begins, end), end, ...part });
    let part = null, size = 0;
    while (rows.next()) {
      if (part) {
        size += rows.end - part.end > maxPart ? maxPart : encoded(text.slice(part.end, rows.end));
        if (size > maxPart || part.count === maxRows) {
          yield whole(part);
          part = null;
        }
      }
      if (!part) {
        part = { begins: rows.begins, line: rows.line, count: 0 };
        size = encoded(text.slice(rows.begins, rows.end));
      }
      part.end = rows.end;
      part.count++;
    }
    if (part) yield whole(part);
  }

  return { Problem, countRows, decode, encoded, headerOf, namedSeparator, partsOf };
})();
