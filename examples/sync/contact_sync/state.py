"""State between runs: which row is which contact, their last common values, and the position in the event log."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- Which row of the file is which contact, and their last common fields. Version 0: the contact was just
-- created, and its event is not read yet.
CREATE TABLE IF NOT EXISTS link (
    local_id TEXT PRIMARY KEY, remote_id TEXT NOT NULL UNIQUE, version INTEGER NOT NULL, base TEXT NOT NULL
);

-- Changes from the service that are not in the file yet. No fields: deleted.
CREATE TABLE IF NOT EXISTS incoming (
    remote_id TEXT PRIMARY KEY, version INTEGER NOT NULL, external_id TEXT, email TEXT, fields TEXT
);

CREATE INDEX IF NOT EXISTS link_by_email ON link (lower(json_extract(base, '$.email')));

-- Resolved conflicts, newest last.
CREATE TABLE IF NOT EXISTS conflict (
    number INTEGER PRIMARY KEY, seen_at TEXT NOT NULL, local_id TEXT NOT NULL, remote_id TEXT NOT NULL,
    what TEXT NOT NULL, UNIQUE (local_id, what)
);

-- Values that were sent to the service, until the link records their arrival: a run may be killed in between.
CREATE TABLE IF NOT EXISTS sending (
    local_id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (local_id, name, value)
);

-- The rows of the file, as this pass has read them.
CREATE TEMP TABLE row (local_id TEXT PRIMARY KEY, email TEXT, fields TEXT NOT NULL, problem TEXT);
CREATE INDEX temp.row_by_email ON row (email);

-- The plan of this pass: the resulting fields (none: deleted), and the write to each side, or NULL.
CREATE TEMP TABLE plan (
    local_id TEXT PRIMARY KEY, remote_id TEXT, version INTEGER, fields TEXT, before TEXT,
    file_write TEXT, service_write TEXT, sent TEXT
);

-- The conflicts of this pass.
CREATE TEMP TABLE noted (local_id TEXT NOT NULL, remote_id TEXT NOT NULL, what TEXT NOT NULL);

-- The contacts seen by a full load.
CREATE TEMP TABLE seen (remote_id TEXT PRIMARY KEY);

-- Rows that failed in this run and are not retried in it.
CREATE TEMP TABLE problem (local_id TEXT PRIMARY KEY, message TEXT NOT NULL);
"""


class AnotherRun(Exception):
    """The state is in use."""


class State:
    """A SQLite file that one run at a time can open: the lock is released when the process ends, for any reason."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(path, timeout=0, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        try:
            self.db.execute("PRAGMA locking_mode = EXCLUSIVE")
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")
            self.db.execute("BEGIN EXCLUSIVE")
            self.db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            self.db.close()
            if "locked" in str(error):
                raise AnotherRun from error
            raise
        # Large temporary tables are in files, not in memory.
        self.db.execute("PRAGMA temp_store = FILE")
        self.db.executescript(SCHEMA)

    def close(self) -> None:
        self.db.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        self.db.execute("BEGIN")
        try:
            yield self.db
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def get(self, name: str) -> str | None:
        found = self.db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return found["value"] if found else None

    def put(self, name: str, value: str) -> None:
        self.db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value", (name, value))

    def count(self, table: str, where: str = "TRUE") -> int:
        number: int = self.db.execute(f"SELECT COUNT(*) FROM {table} WHERE {where}").fetchone()[0]
        return number

    def record_conflicts(self) -> None:
        """Records conflicts before they are resolved: afterwards they can no longer be detected."""
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        self.db.execute(
            "INSERT OR IGNORE INTO conflict (seen_at, local_id, remote_id, what) SELECT ?, * FROM noted ORDER BY rowid", (now,)
        )

    def note_sending(self, local_id: str, fields: Mapping[str, object]) -> None:
        """Records fields before they are sent. Earlier ones may have arrived too, if a response was lost."""
        rows = [(local_id, name, json.dumps(value)) for name, value in fields.items()]
        self.db.executemany("INSERT OR IGNORE INTO sending VALUES (?, ?, ?)", rows)

    def sent(self, local_id: str) -> dict[str, object] | None:
        """The fields that were sent, except those for which several values were sent, any of which may have arrived."""
        query = "SELECT name, value FROM sending WHERE local_id = ? GROUP BY name HAVING COUNT(*) = 1"
        return {row["name"]: json.loads(row["value"]) for row in self.db.execute(query, (local_id,))} or None

    def arrived(self, local_id: str, fields: Mapping[str, object]) -> dict[str, object]:
        """The fields among these that we sent."""
        sent = self.db.execute("SELECT name, value FROM sending WHERE local_id = ?", (local_id,)).fetchall()
        return {row["name"]: fields[row["name"]] for row in sent if fields.get(row["name"]) == json.loads(row["value"])}

    def problem(self, local_id: str, message: str) -> None:
        self.db.execute("INSERT OR IGNORE INTO problem VALUES (?, ?)", (local_id, message))
