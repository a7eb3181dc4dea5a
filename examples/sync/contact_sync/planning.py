"""Decides for each contact what to write to which side. Writes only the plan."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from .fields import Fields, as_json
from .merge import Side, merge
from .service import Service
from .state import State

# Linked contacts that differ between the sides or from the base.
LINKED = """
SELECT link.local_id, link.remote_id, link.version AS known, link.base,
       row.fields AS file, row.problem, incoming.remote_id AS told, incoming.version AS told_version,
       incoming.fields AS service
FROM link LEFT JOIN row USING (local_id) LEFT JOIN incoming USING (remote_id)
WHERE (incoming.remote_id IS NOT NULL OR row.local_id IS NULL OR row.fields <> link.base)
AND link.local_id NOT IN (SELECT local_id FROM problem)
"""

UNLINKED = """
SELECT remote_id, version, external_id, email, fields FROM incoming
WHERE fields IS NOT NULL AND remote_id NOT IN (SELECT remote_id FROM link)
"""

NEW = "local_id NOT IN (SELECT local_id FROM link) AND local_id NOT IN (SELECT local_id FROM plan)"

SAME_ADDRESS = f"""
INSERT OR IGNORE INTO problem SELECT local_id, 'another row has this e-mail address' FROM row
WHERE {NEW} AND EXISTS (SELECT 1 FROM row other WHERE other.email = row.email AND other.local_id <> row.local_id)
"""

# An upsert also matches contacts by address, so it waits while another row's contact has the address.
NEW_ROWS = f"""
INSERT INTO plan (local_id, fields, before, service_write)
SELECT local_id, fields, fields, 'create' FROM row
WHERE problem IS NULL AND {NEW} AND local_id NOT IN (SELECT local_id FROM problem)
AND NOT EXISTS (SELECT 1 FROM link WHERE lower(json_extract(base, '$.email')) = row.email)
"""


class Planner:
    def __init__(self, state: State, service: Service, names: Sequence[str], prefer: Side) -> None:
        self._state = state
        self._service = service
        self._names = names
        self._prefer = prefer

    def plan(self) -> None:
        with self._state.transaction() as db:
            db.execute("DELETE FROM plan")
            db.execute("DELETE FROM noted")
            for found in _each(db, LINKED):
                self._linked(found)
            for found in _each(db, UNLINKED):
                self._unlinked(found)
            db.execute(SAME_ADDRESS)
            db.execute(NEW_ROWS)
            # Contacts that were deleted before they reached the file.
            db.execute("DELETE FROM incoming WHERE fields IS NULL AND remote_id NOT IN (SELECT remote_id FROM link)")

    def _linked(self, found: sqlite3.Row) -> None:
        if found["problem"]:
            return
        if found["known"] == 0 and not found["told"]:
            return  # Just created: its version arrives with its event.
        base: Fields = json.loads(found["base"])
        file = self._of(found["file"])
        is_told = found["told"] is not None
        service = self._of(found["service"]) if is_told else base
        version = found["told_version"] if is_told else found["known"]
        add = _Plan(self._state, found["local_id"], found["remote_id"], version, file)
        if file is None and service is None:
            add(None)
        elif file is None and service is not None:
            if service == base:
                add(None, service_write="delete")
            else:
                # A deletion would lose the other side's changes.
                self._note(found, {"deleted_by": "file", "kept": "service", "service": service})
                add(service, file_write="add")
        elif file is not None and service is None:
            if file == base:
                add(None, file_write="delete")
            else:
                self._note(found, {"deleted_by": "service", "kept": "file", "file": file})
                add(file, service_write="restore", sent=file)
        elif file is not None and service is not None:
            self._both(add, base, file, service, None)

    def _unlinked(self, found: sqlite3.Row) -> None:
        service = self._of(found["fields"])
        if service is None:
            return
        remote_id, external_id = found["remote_id"], found["external_id"]
        row = self._row_of(self._service.local_id(remote_id, external_id), found["email"])
        local_id = row["local_id"] if row else self._free_id(self._service.local_id(remote_id, external_id), remote_id)
        if row and row["problem"]:
            return
        file = self._of(row["fields"]) if row else None
        add = _Plan(self._state, local_id, remote_id, found["version"], file)
        if file is None:
            add(service, file_write="add")
        else:
            ours = self._service.external_id(local_id)
            # Created by a run that was killed: differences from what was sent are changes by others.
            base: Any = self._state.sent(local_id) if external_id == ours else None
            self._both(add, base, file, service, ours if external_id is None else None)

    def _both(
        self, add: _Plan, base: Fields | None, file: Fields, service: Fields, external_id: str | None
    ) -> None:
        merged, conflicts = merge(base, file, service, self._names, self._prefer)
        for conflict in conflicts:
            self._note({"local_id": add.local_id, "remote_id": add.remote_id}, asdict(conflict))
        sent = {name: value for name, value in merged.items() if value != service[name]}
        if external_id is not None:
            sent["external_id"] = external_id
        add(
            merged,
            file_write="change" if merged != file else None,
            service_write="update" if sent else None,
            sent=sent,
        )

    def _row_of(self, local_id: str, email: str) -> sqlite3.Row | None:
        """The row for a new contact: by external id, otherwise by address."""
        for where, value in (("local_id = ?", local_id), ("email = ?", email)):
            found = self._state.db.execute(f"SELECT * FROM row WHERE {where} AND {NEW} LIMIT 1", (value,)).fetchone()
            if found:
                return found  # type: ignore[no-any-return]
        return None

    def _free_id(self, local_id: str, remote_id: str) -> str:
        taken = self._state.db.execute(
            "SELECT 1 FROM link WHERE local_id = ?1 UNION SELECT 1 FROM plan WHERE local_id = ?1", (local_id,)
        ).fetchone()
        return remote_id if taken else local_id

    def _of(self, text: str | None) -> Fields | None:
        if text is None:
            return None
        fields = json.loads(text)
        return {name: fields[name] for name in self._names if name in fields}

    def _note(self, of: Mapping[str, object] | sqlite3.Row, what: Mapping[str, object]) -> None:
        told = json.dumps(what, ensure_ascii=False, sort_keys=True)
        self._state.db.execute("INSERT INTO noted VALUES (?, ?, ?)", (of["local_id"], of["remote_id"], told))


class _Plan:
    """A line of the plan."""

    def __init__(
        self, state: State, local_id: str, remote_id: str, version: int, file: Fields | None
    ) -> None:
        self._state = state
        self.local_id = local_id
        self.remote_id = remote_id
        self._version = version
        self._before = file

    def __call__(
        self,
        fields: Fields | None,
        *,
        file_write: str | None = None,
        service_write: str | None = None,
        sent: Mapping[str, object] | None = None,
    ) -> None:
        self._state.db.execute(
            "INSERT OR IGNORE INTO plan VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self.local_id,
                self.remote_id,
                self._version,
                as_json(fields) if fields is not None else None,
                as_json(self._before) if self._before is not None else None,
                file_write,
                service_write,
                json.dumps(sent, ensure_ascii=False) if sent is not None else None,
            ),
        )


def _each(db: sqlite3.Connection, query: str) -> Iterator[sqlite3.Row]:
    """Reads row by row, to bound memory. The queries do not read the plan, which is written meanwhile."""
    cursor = db.cursor()
    cursor.execute(query)
    return iter(cursor)
