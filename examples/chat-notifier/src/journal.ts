import { open, readFile, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

import type { Message } from "./templates.js";

/** An event that was accepted. */
export interface Entry {
  /** The same whenever the event is delivered. */
  key: string;
  /** When the event happened. */
  at: string;
  message: Message;
}

interface Known {
  at: string;
  /** Until it is on disk. */
  written: Promise<void>;
}

/** A line of the file. */
type Line = { taken: Entry } | { done: { key: string; at: string } };

export class JournalFull extends Error {}

/** Events that are remembered after their messages were sent, so that a repetition is known as one. */
const REMEMBERED = 50_000;
/** Messages that may wait. */
export const MOST_WAITING = 10_000;
/** Lines after which the file is written anew, without what nobody needs. */
const LINES = 50_000;

/**
 * What was accepted and what was sent, in a file that survives crashes: a line is on disk before its promise is kept. One
 * process at a time may have it.
 */
export class Journal {
  /** What waits to be sent, in the order in which it came. */
  readonly waiting = new Map<string, Entry>();
  #known = new Map<string, Known>();
  #buffer: string[] = [];
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #lines = 0;

  private constructor(
    private readonly path: string,
    private file: FileHandle,
    private readonly mostWaiting: number,
  ) {}

  static async open(path: string, mostWaiting = MOST_WAITING): Promise<Journal> {
    const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return "";
      throw error;
    });
    const journal = new Journal(path, await open(path, "a", 0o600), mostWaiting);
    for (const line of text.split("\n")) {
      journal.#read(line);
    }
    await journal.#rewrite();
    return journal;
  }

  /** When the newest event happened. */
  get newest(): string | undefined {
    let newest: string | undefined;
    for (const { at } of this.#known.values()) {
      newest = newest === undefined || at > newest ? at : newest;
    }
    return newest;
  }

  /** Keeps an event, and says whether it is new. When the promise is kept, a crash loses it no more. */
  async take(entry: Entry): Promise<boolean> {
    const known = this.#known.get(entry.key);
    if (known !== undefined) {
      await known.written;
      return false;
    }
    if (this.waiting.size >= this.mostWaiting) {
      throw new JournalFull("too many messages wait");
    }
    const written = this.#write({ taken: entry });
    this.#known.set(entry.key, { at: entry.at, written });
    this.waiting.set(entry.key, entry);
    await written;
    return true;
  }

  /** Until it is on disk, its message must not be sent: the service would send it again after a crash. */
  async kept({ key }: Entry): Promise<void> {
    await this.#known.get(key)?.written;
  }

  /** Its message was sent, or will never be. */
  async settle({ key, at }: Entry): Promise<void> {
    this.waiting.delete(key);
    this.#forget();
    await this.#write({ done: { key, at } });
  }

  async close(): Promise<void> {
    await this.#last;
    await this.file.close();
  }

  #read(text: string): void {
    let line: Line;
    try {
      line = JSON.parse(text) as Line;
    } catch {
      return; // The end of the file or half a line, which nobody was promised.
    }
    const { key, at } = "taken" in line ? line.taken : line.done;
    if ("done" in line) {
      this.waiting.delete(key);
    } else if (!this.#known.has(key)) {
      this.waiting.set(key, line.taken);
    }
    this.#known.set(key, { at, written: Promise.resolve() });
    this.#forget();
  }

  #forget(): void {
    for (const key of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED + this.waiting.size) return;
      if (!this.waiting.has(key)) this.#known.delete(key);
    }
  }

  /** What comes while others are written is written together, after them. */
  #write(line: Line): Promise<void> {
    this.#buffer.push(JSON.stringify(line));
    this.#next ??= this.#last = this.#last.then(() => this.#flush());
    return this.#next;
  }

  /** After an error nothing more is written: what the file has then is not known. */
  async #flush(): Promise<void> {
    this.#next = undefined;
    const lines = this.#buffer.splice(0);
    await this.file.appendFile(`${lines.join("\n")}\n`);
    await this.file.datasync();
    this.#lines += lines.length;
    if (this.#lines > LINES) {
      await this.#rewrite();
    }
  }

  async #rewrite(): Promise<void> {
    const lines = [...this.#known].map(([key, { at }]): Line => {
      const entry = this.waiting.get(key);
      return entry === undefined ? { done: { key, at } } : { taken: entry };
    });
    const next = await open(`${this.path}.next`, "w", 0o600);
    await next.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    await next.sync();
    await next.close();
    await rename(`${this.path}.next`, this.path);
    const folder = await open(dirname(this.path));
    await folder.sync();
    await folder.close();
    await this.file.close();
    this.file = await open(this.path, "a", 0o600);
    this.#lines = 0;
  }
}
