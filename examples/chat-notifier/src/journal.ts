import { open, readFile, rename, type FileHandle } from "node:fs/promises";
import { dirname } from "node:path";

import type { Message } from "./templates.js";

/** An event that was accepted. */
export interface Entry {
  /** The same in every delivery of the event. */
  key: string;
  /** When the event happened. */
  at: string;
  message: Message;
}

interface Known {
  at: string;
  /** Resolves when the entry is on disk. */
  written: Promise<void>;
}

/** A line of the file. */
type Line = { taken: Entry } | { done: { key: string; at: string } };

export class JournalFull extends Error {}

/** Number of events that are remembered after their messages were sent, to detect repetitions. */
const REMEMBERED = 50_000;
/** Maximum number of pending messages. */
export const MOST_WAITING = 10_000;
/** Number of lines after which the file is compacted. */
const LINES = 50_000;

/**
 * Accepted events and sent messages, in a file that survives crashes: a line is on disk before its promise resolves. Only one
 * process at a time may open it.
 */
export class Journal {
  /** Pending messages, in order of arrival. */
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

  /** The time of the newest event. */
  get newest(): string | undefined {
    let newest: string | undefined;
    for (const { at } of this.#known.values()) {
      newest = newest === undefined || at > newest ? at : newest;
    }
    return newest;
  }

  /** Stores an event, and returns whether it is new. Once the promise resolves, a crash cannot lose the event. */
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

  /** Waits until the entry is on disk. Its message must not be sent before: after a crash, the service would send the event again. */
  async kept({ key }: Entry): Promise<void> {
    await this.#known.get(key)?.written;
  }

  /** Marks an entry whose message was sent, or will never be sent. */
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
      return; // The end of the file, or half a line, whose promise never resolved.
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

  /** Lines that arrive during a write are written together afterwards. */
  #write(line: Line): Promise<void> {
    this.#buffer.push(JSON.stringify(line));
    this.#next ??= this.#last = this.#last.then(() => this.#flush());
    return this.#next;
  }

  /** After an error nothing more is written, since the content of the file is unknown. */
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
