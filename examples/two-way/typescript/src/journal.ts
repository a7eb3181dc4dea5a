import { closeSync, existsSync, fdatasyncSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname } from "node:path";

export type Side = "left" | "right";
export const SIDES: readonly Side[] = ["left", "right"];

/** The synchronized members. */
export interface Fields {
  email: string;
  first_name: string | null;
  last_name: string | null;
  phone: string | null;
  job_title: string | null;
  company_name: string | null;
  tags: string[];
}

/** A contact on one side, as last seen. */
export interface Contact {
  id: string;
  version: number;
  externalId: string | null;
  /** Absent if the contact is deleted. */
  fields: Fields | null;
  /** Whether it still has to be compared with the other side. */
  todo: boolean;
  /** The fields that were sent to create it on the other side, until it is paired. */
  sent?: Fields | undefined;
  /** All values that were sent to change it, until both sides are the same. */
  writing?: Record<string, unknown[]> | undefined;
}

/** Which contacts belong together, and their last common values. */
export interface Pair {
  left: string;
  right: string;
  base: Partial<Fields>;
}

export type Change = { cursor: string | null; side: Side } | { contact: Contact; side: Side } | { pair: Pair } | { unpair: Pair };

/** State between runs: in memory, and in a file with a line for each commit. */
export class Journal {
  readonly cursors: Record<Side, string | null> = { left: null, right: null };
  readonly contacts = { left: new Map<string, Contact>(), right: new Map<string, Contact>() };
  readonly todo = { left: new Set<string>(), right: new Set<string>() };
  readonly #pairs = { left: new Map<string, Pair>(), right: new Map<string, Pair>() };
  readonly #emails = { left: new Map<string, string>(), right: new Map<string, string>() };
  readonly #externalIds = { left: new Map<string, string>(), right: new Map<string, string>() };
  #file: number;

  constructor(path: string) {
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    // Text after the last line end was being written when the program was killed.
    for (const line of text.split("\n").slice(0, -1)) {
      this.#apply(JSON.parse(line) as Change[]);
    }
    this.#file = this.#rewritten(path);
  }

  /** Commits all of these changes or none: they are one line, which is on disk when this returns. */
  commit(...changes: Change[]): void {
    if (changes.length === 0) return;
    writeSync(this.#file, `${JSON.stringify(changes)}\n`);
    fdatasyncSync(this.#file);
    this.#apply(changes);
  }

  pairOf(side: Side, id: string): Pair | undefined {
    return this.#pairs[side].get(id);
  }

  byEmail(side: Side, email: string): Contact | undefined {
    const found = this.contacts[side].get(this.#emails[side].get(email.toLowerCase()) ?? "");
    return found?.fields?.email.toLowerCase() === email.toLowerCase() ? found : undefined;
  }

  byExternalId(side: Side, externalId: string): Contact | undefined {
    return this.contacts[side].get(this.#externalIds[side].get(externalId) ?? "");
  }

  #apply(changes: Change[]): void {
    for (const change of changes) {
      if ("cursor" in change) {
        this.cursors[change.side] = change.cursor;
      } else if ("contact" in change) {
        const { side, contact } = change;
        this.contacts[side].set(contact.id, contact);
        this.todo[side][contact.todo ? "add" : "delete"](contact.id);
        if (contact.fields !== null) this.#emails[side].set(contact.fields.email.toLowerCase(), contact.id);
        if (contact.externalId !== null) this.#externalIds[side].set(contact.externalId, contact.id);
      } else {
        for (const side of SIDES) {
          if ("pair" in change) this.#pairs[side].set(change.pair[side], change.pair);
          else this.#pairs[side].delete(change.unpair[side]);
        }
      }
    }
  }

  /** Compacts the file at each start, so that it contains only the current state. */
  #rewritten(path: string): number {
    const changes: Change[] = SIDES.flatMap((side) => [
      { cursor: this.cursors[side], side },
      ...[...this.contacts[side].values()].map((contact) => ({ contact, side })),
    ]);
    changes.push(...[...this.#pairs.left.values()].map((pair) => ({ pair })));
    const file = openSync(`${path}.new`, "w", 0o600);
    writeSync(file, changes.map((change) => `${JSON.stringify([change])}\n`).join(""));
    fsyncSync(file);
    renameSync(`${path}.new`, path);
    const folder = openSync(dirname(path), "r");
    fsyncSync(folder);
    closeSync(folder);
    return file;
  }
}
