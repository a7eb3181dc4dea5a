/**
 * Synchronizes the contacts of two workspaces in both directions, by the method of docs/sync.md. It may be killed at any
 * moment: its state is in the journal, and each step can be repeated.
 */
import { isDeepStrictEqual } from "node:util";
import { setTimeout as pause } from "node:timers/promises";

import {
  BadRequestError,
  Client,
  ConcurrentUpdateError,
  ConnectionError,
  DuplicateError,
  NotFoundError,
  RateLimitError,
  ServerError,
  ValidationError,
  type ContactChanges,
  type UpsertContactsItem,
} from "workspace-service-sdk";

import { Journal, SIDES, type Change, type Contact, type Fields, type Pair, type Side } from "./journal.js";

const FIELDS = ["email", "first_name", "last_name", "phone", "job_title", "company_name", "tags"] as const;
const OTHER: Record<Side, Side> = { left: "right", right: "left" };
const BATCH = 500;
/** Up to this many new contacts are created one by one: unlike an upsert, that never changes an existing contact. */
const FEW = 20;
/** Seconds that `--once` waits for writes that are not possible yet. */
const PATIENCE = 5;

/** A contact in events, lists and responses. */
type Seen = Fields & { id: string; external_id: string | null; version: number };
interface Events {
  items: { event: string; version: number | null; data: unknown }[];
  hasMore: boolean;
  nextCursor: string | null;
}

const journal = new Journal(process.env.STATE ?? "two-way.journal");
const clients = {
  left: new Client({ apiKey: process.env.LEFT_API_KEY ?? "" }),
  right: new Client({ apiKey: process.env.RIGHT_API_KEY ?? "" }),
};
const polls = new Map<Side, Promise<[Side, Events]>>();

// Reading changes

/** Follows both event logs. With `once`, ends when nothing more happens. Returns the number of pending contacts. */
async function run(once: boolean): Promise<number> {
  let atEnd = { left: false, right: false };
  let hasNews = false;
  let idle = 0;
  for (;;) {
    for (const side of SIDES) {
      const cursor = journal.cursors[side] ?? (await load(side));
      const wait = once || !(atEnd.left && atEnd.right) ? 0 : waiting() > 0 ? 1 : 25;
      if (!polls.has(side) && !(once && atEnd[side])) {
        const poll = events(side, cursor, wait);
        poll.catch(() => undefined); // Handled where the promise is awaited, which may be later.
        polls.set(side, poll);
      }
    }
    const [side, page] = await Promise.race(polls.values()).catch((error: unknown) => {
      polls.clear();
      throw error;
    });
    polls.delete(side);
    store(side, page);
    atEnd[side] = !page.hasMore;
    hasNews ||= page.items.length > 0;
    if (!atEnd.left || !atEnd.right) continue;
    const writes = await level();
    if (once) {
      idle = writes > 0 || hasNews ? 0 : idle + 1;
      if (idle > (waiting() > 0 ? PATIENCE : 0)) return waiting();
      await pause(idle * 1000);
      atEnd = { left: false, right: false };
      hasNews = false;
    }
  }
}

async function events(side: Side, cursor: string, wait: number): Promise<[Side, Events]> {
  const event = ["contact.created" as const, "contact.updated" as const, "contact.deleted" as const, "contact.restored" as const];
  return [side, await clients[side].events.list({ module: ["crm"], event, limit: 100, cursor, ...(wait > 0 ? { wait } : {}) })];
}

/** Stores the events and the cursor after them in one commit, so that a crash repeats none and skips none. */
function store(side: Side, page: Events): void {
  // The same contact may appear several times, in the order of its versions: the last one is kept.
  const changes: Change[] = [];
  const pairs = new Map<string, Pair>();
  for (const { event, version, data } of page.items) {
    const seen = data as Seen;
    for (const change of taken(side, { ...seen, version: version ?? 0 }, event === "contact.deleted", pairs.get(seen.id))) {
      if ("pair" in change) pairs.set(seen.id, change.pair);
      changes.push(change);
    }
  }
  if (page.items.length > 0 || page.nextCursor !== journal.cursors[side]) {
    journal.commit(...changes, { cursor: page.nextCursor, side });
  }
}

/** Reads all contacts, with a cursor from before the first was read. */
async function load(side: Side): Promise<string> {
  const client = clients[side];
  const { now } = await client.tools.whoami();
  const { nextCursor } = await client.events.list({ since: now, limit: 1, module: ["crm"] });
  const seen = new Set<string>();
  for await (const { items } of client.contacts.iteratePages({ order: "updated", limit: 100 })) {
    journal.commit(...items.flatMap((contact) => taken(side, contact as Seen)));
    for (const { id } of items) seen.add(id);
  }
  const missing = [...journal.contacts[side].values()].filter(({ id, fields }) => fields !== null && !seen.has(id));
  journal.commit(...missing.map((contact) => gone(side, contact)), { cursor: nextCursor, side });
  return nextCursor ?? "";
}

/** Keeps newer versions only, so that the events of our own writes have no effect. */
function taken(side: Side, seen: Seen, isDeleted = false, pair = journal.pairOf(side, seen.id)): Change[] {
  const known = journal.contacts[side].get(seen.id);
  if (seen.version <= (known?.version ?? 0)) return [];
  if (!isDeleted && seen.email === undefined) return []; // Erased since. Its deletion event follows.
  const { email, first_name, last_name, phone, job_title, company_name, tags } = seen;
  const fields = isDeleted ? null : { email, first_name, last_name, phone, job_title, company_name, tags };
  const externalId = seen.external_id ?? known?.externalId ?? null;
  const changes: Change[] = [{ side, contact: { ...known, id: seen.id, version: seen.version, externalId, fields, todo: true } }];
  // A value that we wrote was on both sides, even if we were killed before we could record it. Later changes by others to the
  // value are not conflicts.
  const own = fields === null ? {} : arrived(fields, known?.writing);
  if (pair !== undefined && Object.keys(own).length > 0) changes.push({ pair: { ...pair, base: { ...pair.base, ...own } } });
  return changes;
}

// Writing changes

/** Makes both sides the same, as far as they are known. Returns the number of writes. */
async function level(): Promise<number> {
  let writes = 0;
  const created: Record<Side, Contact[]> = { left: [], right: [] };
  for (const side of SIDES) {
    for (const id of [...journal.todo[side]]) {
      const contact = known(side, id);
      if (!contact.todo) continue; // Done together with its partner.
      const pair = journal.pairOf(side, id) ?? paired(side, contact);
      if (pair !== undefined) {
        writes += await attempt(side, id, () => levelPair(pair));
      } else if (contact.fields === null) {
        journal.commit(done(side, id));
      } else if (journal.byEmail(OTHER[side], contact.fields.email) === undefined) {
        created[side].push(contact);
      }
      // Otherwise its address belongs to a contact that is about to change, and it waits for that.
    }
  }
  for (const side of SIDES) {
    if (created[side].length > FEW) {
      for (let at = 0; at < created[side].length; at += BATCH) writes += await upsert(side, created[side].slice(at, at + BATCH));
    } else {
      for (const contact of created[side]) writes += await attempt(side, contact.id, () => create(side, contact));
    }
  }
  return writes;
}

/** A refused write is retried when the contact has changed on either side. */
async function attempt(side: Side, id: string, write: () => Promise<number>): Promise<number> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof DuplicateError) return 0; // Its address or id is in use. A pending event says by which contact.
    if (error instanceof NotFoundError || error instanceof BadRequestError || error instanceof ValidationError) {
      console.error(`two-way: ${side} ${id}: ${error.message}`);
    } else if (!(error instanceof ConcurrentUpdateError)) {
      throw error;
    }
    // If there is a newer version, its event will bring the contact here again.
    journal.commit(done(side, id));
    return 0;
  }
}

/** The pair of a new contact: found by the ids that we assigned, otherwise by the address. */
function paired(side: Side, contact: Contact): Pair | undefined {
  const other = OTHER[side];
  const [from, id] = (contact.externalId ?? "").split(":");
  const original = from === other ? journal.contacts[other].get(id ?? "") : undefined;
  const copy = journal.byExternalId(other, `${side}:${contact.id}`);
  const same = contact.fields === null ? undefined : journal.byEmail(other, contact.fields.email);
  const found = original ?? copy ?? same;
  if (found === undefined || journal.pairOf(other, found.id) !== undefined) return undefined;
  const base = (original === undefined ? (copy && contact.sent) : original.sent) ?? {};
  const pair: Pair = side === "left" ? { left: contact.id, right: found.id, base } : { left: found.id, right: contact.id, base };
  journal.commit({ pair });
  return pair;
}

async function levelPair(pair: Pair): Promise<number> {
  const { left, right } = { left: known("left", pair.left), right: known("right", pair.right) };
  if (left.fields === null || right.fields === null) return levelDeletion(pair, left, right);
  const merged = merge(pair.base, left.fields, right.fields, left.id);
  let writes = 0;
  for (const [side, contact] of [["left", left], ["right", right]] as const) {
    const names = FIELDS.filter((name) => differs(merged[name], contact.fields?.[name]));
    if (names.length === 0) continue;
    // Recorded before it is sent. Earlier changes may have arrived too, if a response was lost.
    const writing = { ...contact.writing };
    for (const name of names) writing[name] = [...(writing[name] ?? []), merged[name]];
    journal.commit({ side, contact: { ...contact, writing } });
    const changes = Object.fromEntries(names.map((name) => [name, merged[name]])) as ContactChanges;
    const written = await clients[side].contacts.update(contact.id, changes, { ifVersion: contact.version });
    journal.commit(...taken(side, written as Seen));
    writes += 1;
  }
  // Only now do both sides have it.
  journal.commit({ pair: { ...pair, base: merged } }, ...SIDES.map((side) => done(side, pair[side], true)));
  return writes;
}

/** Deletes the other contact if it is unchanged. A change wins: the contact is restored, and merged when that is read. */
async function levelDeletion(pair: Pair, left: Contact, right: Contact): Promise<number> {
  const side = left.fields !== null ? "left" : right.fields !== null ? "right" : undefined;
  let writes = 0;
  if (side !== undefined) {
    const contact = side === "left" ? left : right;
    const isChanged = FIELDS.some((name) => differs(pair.base[name], contact.fields?.[name]));
    if (isChanged && (await restore(OTHER[side], pair[OTHER[side]]))) {
      journal.commit(...SIDES.map((each) => done(each, pair[each])));
      return 1;
    }
    await clients[side].contacts.delete(contact.id, { ifVersion: contact.version }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error; // Already deleted.
    });
    journal.commit(gone(side, contact));
    writes = 1;
  }
  journal.commit({ unpair: pair }, ...SIDES.map((each) => done(each, pair[each], true)));
  return writes;
}

async function restore(side: Side, id: string): Promise<boolean> {
  try {
    await clients[side].tools.restoreRecord({ type: "contact", id });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false; // Erased at the person's request, or deleted too long ago.
    throw error;
  }
}

// New contacts. Their external id on the other side names the original, so that an interrupted creation can be found.

/** Records what is sent, which is the same in each attempt: later differences are changes by others. */
function items(side: Side, contacts: Contact[]): (UpsertContactsItem & Fields)[] {
  const sending = contacts.map((contact) => ({ ...contact, sent: contact.sent ?? (contact.fields as Fields) }));
  journal.commit(...sending.map((contact) => ({ side, contact })));
  return sending.map(({ id, sent }) => ({ external_id: `${side}:${id}`, ...sent }));
}

async function create(side: Side, contact: Contact): Promise<number> {
  const [item] = items(side, [contact]) as [UpsertContactsItem & Fields];
  const made = await clients[OTHER[side]].contacts.create(item);
  const { external_id: _, ...base } = item;
  journal.commit(...taken(OTHER[side], made as unknown as Seen));
  const pair = side === "left" ? { left: contact.id, right: made.id, base } : { left: made.id, right: contact.id, base };
  journal.commit({ pair: pair as Pair }, ...SIDES.map((each) => done(each, pair[each], true)));
  return 1;
}

/** Pairs are created when the events of the new contacts are read. */
async function upsert(side: Side, contacts: Contact[]): Promise<number> {
  const outcome = await clients[OTHER[side]].contacts.upsert(items(side, contacts));
  for (const { index, message } of outcome.failed) {
    console.error(`two-way: ${side} ${contacts[index]?.id}: ${message}`);
  }
  journal.commit(...contacts.map((contact) => done(side, contact.id)));
  return outcome.created.length + outcome.updated.length;
}

// Helpers

function known(side: Side, id: string): Contact {
  const contact = journal.contacts[side].get(id);
  if (contact === undefined) throw new Error(`the journal has no ${side} contact ${id}`);
  return contact;
}

function waiting(): number {
  return journal.todo.left.size + journal.todo.right.size;
}

function done(side: Side, id: string, isLevel = false): Change {
  const contact = known(side, id);
  return { side, contact: { ...contact, todo: false, ...(isLevel ? { sent: undefined, writing: undefined } : {}) } };
}

function gone(side: Side, contact: Contact): Change {
  return { side, contact: { ...contact, fields: null, todo: true } };
}

/** The fields that we wrote and that have arrived. */
function arrived(fields: Fields, writing: Record<string, unknown[]> = {}): Partial<Fields> {
  const isOwn = (name: keyof Fields) => writing[name]?.some((value) => !differs(fields[name], value)) ?? false;
  return Object.fromEntries(FIELDS.filter(isOwn).map((name) => [name, fields[name]]));
}

function differs(one: unknown, other: unknown): boolean {
  const isEmpty = (value: unknown) => [undefined, null, ""].includes(value as string) || (Array.isArray(value) && value.length === 0);
  return !(isEmpty(one) && isEmpty(other)) && !isDeepStrictEqual(one, other);
}

/** Takes each field from the side that changed it. If both did, the left side wins, and the conflict is reported. */
function merge(base: Partial<Fields>, left: Fields, right: Fields, id: string): Fields {
  const merged: Record<string, unknown> = {};
  for (const name of FIELDS) {
    const isLeft = differs(left[name], base[name]);
    merged[name] = isLeft ? left[name] : right[name];
    if (isLeft && differs(right[name], base[name]) && differs(left[name], right[name])) {
      console.log(JSON.stringify({ conflict: id, field: name, kept: left[name], dropped: right[name] }));
    }
  }
  return merged as unknown as Fields;
}

for (;;) {
  try {
    const left = await run(process.argv.includes("--once"));
    if (left > 0) console.error(`two-way: ${left} contacts wait for another one that has their address`);
    process.exit(Math.min(left, 1));
  } catch (error) {
    if (error instanceof ConnectionError || error instanceof ServerError || error instanceof RateLimitError) {
      console.error(`two-way: ${error.message}; trying again`);
      await pause(1000);
    } else if (error instanceof BadRequestError && error.details.some(({ field }) => field === "cursor")) {
      // The events after a cursor are no longer kept, so everything is compared.
      polls.clear();
      journal.commit(...SIDES.map((side) => ({ cursor: null, side })));
    } else {
      throw error;
    }
  }
}
