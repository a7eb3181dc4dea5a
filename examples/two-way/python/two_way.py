"""Synchronizes the contacts of two workspaces in both directions, by the method of docs/sync.md.

It may be killed at any moment: its state is in a SQLite file, and each step can be repeated.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any

import workspace_service as ws

FIELDS = ["email", "first_name", "last_name", "phone", "job_title", "company_name", "tags"]
EVENTS = ["contact.created", "contact.updated", "contact.deleted", "contact.restored"]
OTHER = {"left": "right", "right": "left"}
BATCH = 500
PATIENCE = 5
FEW = 20
"""Up to this many new contacts are created one by one: unlike an upsert, that never changes an existing contact."""
Fields = dict[str, Any]

SCHEMA = """
CREATE TABLE IF NOT EXISTS cursor (side TEXT PRIMARY KEY, value TEXT NOT NULL);
-- The contacts of both sides as last seen. No fields: deleted. todo: not compared with the other side yet. sent: the fields sent
-- to create it on the other side, until it is paired. writing: all values sent to change it, until both sides
-- are the same.
CREATE TABLE IF NOT EXISTS contact (
    side TEXT, id TEXT, version INTEGER NOT NULL, external_id TEXT, email TEXT, fields TEXT, todo INTEGER NOT NULL, sent TEXT,
    writing TEXT, PRIMARY KEY (side, id)
);
CREATE INDEX IF NOT EXISTS contact_todo ON contact (side, id) WHERE todo;
CREATE INDEX IF NOT EXISTS contact_email ON contact (side, email);
CREATE INDEX IF NOT EXISTS contact_external_id ON contact (side, external_id);
-- Which contacts belong together, and their last common values.
CREATE TABLE IF NOT EXISTS pair ("left" TEXT NOT NULL UNIQUE, "right" TEXT NOT NULL UNIQUE, base TEXT NOT NULL);
"""


class Sync:
    def __init__(self, path: str, clients: dict[str, ws.Client]) -> None:
        self.clients = clients
        self.pool = ThreadPoolExecutor(2)
        self.polls: dict[str, Future[Any]] = {}
        self.db = sqlite3.connect(path, timeout=0, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        # One run at a time: the lock is released when the process ends, for any reason.
        self.db.executescript("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;")
        self.db.executescript("BEGIN EXCLUSIVE; COMMIT;" + SCHEMA)

    # Reading changes

    def run(self, once: bool) -> int:
        """Follows both event logs. With `once`, ends when nothing more happens. Returns the number of pending contacts."""
        at_end = dict.fromkeys(OTHER, False)
        has_news, idle = False, 0
        while True:
            for side in OTHER:
                if self.cursor(side) is None:
                    self.load(side)
                patience = 0 if once or not all(at_end.values()) else 1 if self.waiting() else 25
                if side not in self.polls and not (once and at_end[side]):
                    self.polls[side] = self.pool.submit(self.poll, side, self.cursor(side), patience)
            wait(self.polls.values(), return_when=FIRST_COMPLETED)
            for side in [side for side, poll in self.polls.items() if poll.done()]:
                page = self.polls.pop(side).result()
                self.store(side, page)
                at_end[side] = not page.has_more
                has_news = has_news or bool(page.items)
            if not all(at_end.values()):
                continue
            writes = self.level()
            if once:
                idle = 0 if writes or has_news else idle + 1
                if idle > (PATIENCE if self.waiting() else 0):
                    return self.waiting()
                time.sleep(1 if idle else 0)
                at_end, has_news = dict.fromkeys(OTHER, False), False

    def poll(self, side: str, cursor: str, patience: int) -> Any:
        query: Any = {"module": ["crm"], "event": EVENTS, "limit": 100, "cursor": cursor}
        return self.clients[side].events.list({**query, "wait": patience} if patience else query)

    def store(self, side: str, page: Any) -> None:
        """Stores the events and the cursor after them in one transaction, so that a crash repeats none and skips none."""
        with self.transaction():
            for event in page.items:
                self.take(side, event["data"], event["version"] or 0, event["event"] == "contact.deleted")
            self.db.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", (side, page.next_cursor))

    def load(self, side: str) -> None:
        """Reads all contacts, with a cursor from before the first was read."""
        client = self.clients[side]
        now = client.tools.call("whoami", {})["now"]
        start = client.events.list({"since": now, "limit": 1, "module": ["crm"]}).next_cursor
        seen = set()
        for page in client.contacts.iterate_pages({"order": "updated", "limit": 100}):
            with self.transaction():
                for contact in page.items:
                    seen.add(contact["id"])
                    self.take(side, contact, contact["version"])
        with self.transaction():
            for row in self.db.execute("SELECT id FROM contact WHERE side = ? AND fields IS NOT NULL", (side,)).fetchall():
                if row["id"] not in seen:
                    self.gone(side, row["id"])
            self.db.execute("INSERT OR REPLACE INTO cursor VALUES (?, ?)", (side, start))

    def take(self, side: str, record: Any, version: int, is_deleted: bool = False) -> None:
        """Stores newer versions only, so that the events of our own writes have no effect."""
        if not is_deleted and "email" not in record:
            return  # Erased since. Its deletion event follows.
        fields = None if is_deleted else json.dumps({name: record[name] for name in FIELDS})
        email = None if is_deleted else record["email"].casefold()
        if not is_deleted:
            self.arrived(side, record, version)
        self.db.execute(
            "INSERT INTO contact VALUES (?, ?, ?, ?, ?, ?, 1, NULL, NULL) ON CONFLICT (side, id) DO UPDATE SET version ="
            " excluded.version, external_id = coalesce(excluded.external_id, external_id), email = excluded.email,"
            " fields = excluded.fields, todo = 1 WHERE excluded.version > version",
            (side, record["id"], version, record.get("external_id"), email, fields),
        )

    def arrived(self, side: str, record: Any, version: int) -> None:
        """Records that a value we wrote was on both sides, even if we were killed before we could record it. Later changes
        by others to the value are not conflicts."""
        row = self.contact(side, record["id"])
        if row is None or row["writing"] is None or version <= row["version"]:
            return
        sent = json.loads(row["writing"]).items()
        own = {name: record[name] for name, values in sent if any(not differs(record[name], value) for value in values)}
        pair = self.db.execute(f'SELECT base FROM pair WHERE "{side}" = ?', (row["id"],)).fetchone()
        if own and pair is not None:
            base = json.dumps(json.loads(pair["base"]) | own)
            self.db.execute(f'UPDATE pair SET base = ? WHERE "{side}" = ?', (base, row["id"]))

    # Writing changes

    def level(self) -> int:
        """Makes both sides the same, as far as they are known. Returns the number of writes."""
        writes = 0
        new: dict[str, list[sqlite3.Row]] = {side: [] for side in OTHER}
        for side, id in self.db.execute("SELECT side, id FROM contact WHERE todo ORDER BY side, rowid").fetchall():
            row = self.contact(side, id)
            if not row["todo"]:
                continue  # Done together with its partner.
            pair = self.pair_of(side, row)
            if pair is not None:
                writes += self.attempt(side, id, lambda pair=pair: self.level_pair(pair))
            elif row["fields"] is None:
                self.done(side, id)
            elif self.by_email(OTHER[side], row["email"]) is None:
                new[side].append(row)
            # Otherwise its address belongs to a contact that is about to change, and it waits for that.
        for side, rows in new.items():
            if len(rows) > FEW:
                for at in range(0, len(rows), BATCH):
                    writes += self.upsert(side, rows[at : at + BATCH])
            else:
                for row in rows:
                    writes += self.attempt(side, row["id"], lambda side=side, row=row: self.create(side, row))
        return writes

    def attempt(self, side: str, id: str, write: Any) -> int:
        """A refused write is retried when the contact has changed on either side."""
        try:
            return int(write())
        except ws.DuplicateError:
            return 0  # Its address or id is in use. A pending event says by which contact.
        except ws.ConcurrentUpdateError:
            self.done(side, id)  # There is a newer version. Its event will bring the contact here again.
        except (ws.NotFoundError, ws.BadRequestError, ws.ValidationError) as error:
            print(f"two_way: {side} {id}: {error}", file=sys.stderr)
            self.done(side, id)
        return 0

    def pair_of(self, side: str, row: sqlite3.Row) -> sqlite3.Row | None:
        """The pair of a contact. For a new one, it is found by the ids that we assigned, otherwise by the address."""
        pair = self.db.execute(f'SELECT * FROM pair WHERE "{side}" = ?', (row["id"],)).fetchone()
        if pair is not None:
            return pair  # type: ignore[no-any-return]
        other, base = OTHER[side], None
        given = (row["external_id"] or "").partition(":")
        found = self.contact(other, given[2]) if given[0] == other else None
        if found is not None:
            base = found["sent"]
        else:
            found = self.db.execute(
                "SELECT * FROM contact WHERE side = ? AND external_id = ?", (other, f"{side}:{row['id']}")
            ).fetchone()
            base = row["sent"] if found is not None else None
        found = found or (row["fields"] and self.by_email(other, row["email"]))
        if not found or self.db.execute(f'SELECT 1 FROM pair WHERE "{other}" = ?', (found["id"],)).fetchone():
            return None
        ids = {side: row["id"], other: found["id"]}
        self.db.execute("INSERT INTO pair VALUES (?, ?, ?)", (ids["left"], ids["right"], base or "{}"))
        return self.db.execute(f'SELECT * FROM pair WHERE "{side}" = ?', (row["id"],)).fetchone()  # type: ignore[no-any-return]

    def level_pair(self, pair: sqlite3.Row) -> int:
        base = json.loads(pair["base"])
        rows = {side: self.contact(side, pair[side]) for side in OTHER}
        has = {side: json.loads(row["fields"]) if row["fields"] else None for side, row in rows.items()}
        if None in has.values():
            return self.level_deletion(pair, base, rows, has)
        merged = merge(base, has["left"], has["right"], pair["left"])
        writes = 0
        for side, row in rows.items():
            changes: Any = {name: merged[name] for name in FIELDS if differs(merged[name], has[side][name])}
            if changes:
                self.writing(side, row, changes)
                written = self.clients[side].contacts.update(row["id"], changes, if_version=row["version"])
                self.take(side, written, written["version"])
                writes += 1
        # Only now do both sides have it.
        with self.transaction():
            self.pair(pair, merged)
        return writes

    def writing(self, side: str, row: sqlite3.Row, changes: Fields) -> None:
        """Records changes before they are sent. Earlier ones may have arrived too, if a response was lost."""
        sent = json.loads(row["writing"] or "{}")
        noted = sent | {name: [*sent.get(name, []), value] for name, value in changes.items()}
        self.db.execute("UPDATE contact SET writing = ? WHERE side = ? AND id = ?", (json.dumps(noted), side, row["id"]))

    def level_deletion(self, pair: sqlite3.Row, base: Fields, rows: dict[str, sqlite3.Row], has: dict[str, Any]) -> int:
        """Deletes the other contact if it is unchanged. A change wins: the contact is restored, and merged when that is read."""
        side = next((side for side in OTHER if has[side] is not None), None)
        writes = 0
        if side is not None:
            fields, deleted = has[side], OTHER[side]
            if any(differs(base.get(name), fields[name]) for name in FIELDS) and self.restore(deleted, pair[deleted]):
                for each in OTHER:
                    self.done(each, pair[each])
                return 1
            try:
                self.clients[side].contacts.delete(pair[side], if_version=rows[side]["version"])
            except ws.NotFoundError:
                pass  # Already deleted.
            self.gone(side, pair[side])
            writes = 1
        with self.transaction():
            self.db.execute('DELETE FROM pair WHERE "left" = ?', (pair["left"],))
            for each in OTHER:
                self.done(each, pair[each])
                self.db.execute("UPDATE contact SET sent = NULL, writing = NULL WHERE side = ? AND id = ?", (each, pair[each]))
        return writes

    def restore(self, side: str, id: str) -> bool:
        try:
            self.clients[side].tools.call("restore_record", {"type": "contact", "id": id})
        except ws.NotFoundError:
            return False  # Erased at the person's request, or deleted too long ago.
        return True

    # New contacts. Their external id on the other side names the original, so that an interrupted creation can be found.

    def items(self, side: str, rows: list[sqlite3.Row]) -> list[Any]:
        """Records what is sent, which is the same in each attempt: later differences are changes by others."""
        with self.transaction():
            self.db.executemany(
                "UPDATE contact SET sent = fields WHERE side = ? AND id = ? AND sent IS NULL", [(side, row["id"]) for row in rows]
            )
        return [{"external_id": f"{side}:{row['id']}", **json.loads(row["sent"] or row["fields"])} for row in rows]

    def create(self, side: str, row: sqlite3.Row) -> int:
        [item], other = self.items(side, [row]), OTHER[side]
        made = self.clients[other].contacts.create(item)
        with self.transaction():
            self.take(other, made, made["version"])
            self.pair({side: row["id"], other: made["id"]}, {name: item[name] for name in FIELDS})
        return 1

    def upsert(self, side: str, rows: list[sqlite3.Row]) -> int:
        """Pairs are created when the events of the new contacts are read."""
        outcome = self.clients[OTHER[side]].contacts.upsert(self.items(side, rows))
        for failed in outcome["failed"]:
            print(f"two_way: {side} {rows[failed['index']]['id']}: {failed['message']}", file=sys.stderr)
        with self.transaction():
            for row in rows:
                self.done(side, row["id"])
        return len(outcome["created"]) + len(outcome["updated"])

    # The state

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self.db:
            self.db.execute("BEGIN")
            yield

    def cursor(self, side: str) -> Any:
        row = self.db.execute("SELECT value FROM cursor WHERE side = ?", (side,)).fetchone()
        return row and row["value"]

    def waiting(self) -> int:
        return self.db.execute("SELECT count(*) FROM contact WHERE todo").fetchone()[0]  # type: ignore[no-any-return]

    def done(self, side: str, id: str) -> None:
        self.db.execute("UPDATE contact SET todo = 0 WHERE side = ? AND id = ?", (side, id))

    def gone(self, side: str, id: str) -> None:
        self.db.execute("UPDATE contact SET fields = NULL, email = NULL, todo = 1 WHERE side = ? AND id = ?", (side, id))

    def contact(self, side: str, id: str) -> Any:
        return self.db.execute("SELECT * FROM contact WHERE side = ? AND id = ?", (side, id)).fetchone()

    def by_email(self, side: str, email: str) -> Any:
        return self.db.execute("SELECT * FROM contact WHERE side = ? AND email = ?", (side, email)).fetchone()

    def pair(self, ids: Any, base: Fields) -> None:
        """Records that both sides now have these fields."""
        self.db.execute("INSERT OR REPLACE INTO pair VALUES (?, ?, ?)", (ids["left"], ids["right"], json.dumps(base)))
        for side in OTHER:
            self.done(side, ids[side])
            self.db.execute("UPDATE contact SET sent = NULL, writing = NULL WHERE side = ? AND id = ?", (side, ids[side]))


def differs(one: Any, other: Any) -> bool:
    return (one or None) != (other or None)


def merge(base: Fields, left: Fields, right: Fields, id: str) -> Fields:
    """Takes each field from the side that changed it. If both did, the left side wins, and the conflict is reported."""
    merged = {}
    for name in FIELDS:
        was, here, there = base.get(name), left[name], right[name]
        merged[name] = there if not differs(here, was) else here
        if differs(here, was) and differs(there, was) and differs(here, there):
            print(json.dumps({"conflict": id, "field": name, "kept": here, "dropped": there}), flush=True)
    return merged


def main() -> int:
    address = os.environ.get("SERVICE_API_URL")
    clients = {side: ws.Client(os.environ[f"{side.upper()}_API_KEY"], address) for side in OTHER}
    once = "--once" in sys.argv
    sync = Sync(os.environ.get("STATE", "two-way.db"), clients)
    while True:
        try:
            waiting = sync.run(once)
            if waiting:
                print(f"two_way: {waiting} contacts wait for another one that has their address", file=sys.stderr)
            return min(waiting, 1)
        except (ws.ConnectionError, ws.ServerError, ws.RateLimitError) as error:
            print(f"two_way: {error}; trying again", file=sys.stderr, flush=True)
            time.sleep(1)
        except ws.BadRequestError as error:
            if not any(detail.field == "cursor" for detail in error.details):
                raise
            # The events after a cursor are no longer kept, so everything is compared.
            sync.polls.clear()
            sync.db.execute("DELETE FROM cursor")


if __name__ == "__main__":
    sys.exit(main())
