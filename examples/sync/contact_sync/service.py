"""The service: reads changes, and writes without overwriting changes that others made meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import workspace_service as ws

from .fields import Fields, Value, as_json, of_service
from .state import State

EVENTS = ["contact.created", "contact.updated", "contact.deleted", "contact.restored"]
BATCH = 500


class Gone(Exception):
    """The contact was erased, or deleted more than 30 days ago."""


class Service:
    def __init__(self, client: ws.Client, state: State, name: str, step: Callable[[str], None]) -> None:
        self._client = client
        self._state = state
        self._prefix = f"{name}:"
        self._step = step

    def external_id(self, local_id: str) -> str:
        """The external id of a row. It begins with the name of this sync, since other systems also use external ids."""
        return self._prefix + local_id

    def local_id(self, remote_id: str, external_id: str | None) -> str:
        """The row id of a contact. It is deterministic, so that a run after a crash does not create a second row."""
        is_ours = external_id is not None and external_id.startswith(self._prefix)
        return external_id[len(self._prefix) :] if is_ours and external_id else remote_id

    def pull(self, wait: int = 0) -> None:
        """Reads all changes since the last time."""
        if self._state.get("cursor") is None:
            self._load()
        while True:
            query: Any = {"module": ["crm"], "event": EVENTS, "limit": 100, "cursor": self._state.get("cursor")}
            if wait:
                query["wait"] = wait
            try:
                page = self._client.events.list(query)
            except ws.BadRequestError as error:
                if not any(detail.field == "cursor" for detail in error.details):
                    raise
                # The events after the cursor are no longer kept, so everything is compared.
                self._load()
                continue
            self._step("events read")
            # The cursor is stored together with the events before it.
            with self._state.transaction():
                events: Any = page.items
                for event in events:
                    self._take(event["data"], event["version"] or 0, event["event"] == "contact.deleted")
                self._state.put("cursor", page.next_cursor or "")
            self._step("events stored")
            if page.items or not page.has_more:
                wait = 0
            if not page.has_more:
                return

    def _load(self) -> None:
        """Reads all contacts, and then follows events from a cursor taken before."""
        now = self._client.tools.call("whoami", {})["now"]
        position = self._client.events.list({"since": now, "limit": 1, "module": ["crm"]}).next_cursor
        db = self._state.db
        db.execute("DELETE FROM seen")
        for page in self._client.contacts.iterate_pages({"order": "updated", "limit": 100}):
            with self._state.transaction():
                for contact in page.items:
                    self._take(contact, contact["version"], False)
                db.executemany("INSERT OR IGNORE INTO seen VALUES (?)", [(contact["id"],) for contact in page.items])
            self._step("contacts stored")
        with self._state.transaction():
            db.execute(
                "INSERT OR REPLACE INTO incoming (remote_id, version) SELECT remote_id, version + 1 FROM link"
                " WHERE remote_id NOT IN (SELECT remote_id FROM seen)"
            )
            self._state.put("cursor", position or "")
        self._step("all contacts stored")

    def _take(self, record: Mapping[str, Any], version: int, is_deleted: bool) -> None:
        if not is_deleted and "email" not in record:
            return  # Erased since; its deletion event follows.
        if not is_deleted:
            self._note_arrived(record["id"], version, of_service(record))
        self.take_in(record["id"], version, None if is_deleted else of_service(record), record.get("external_id"))

    def _note_arrived(self, remote_id: str, version: int, fields: Fields) -> None:
        """Records that a value we sent was on both sides, even if we were killed before we could record it. Later changes
        by others to the value are not conflicts."""
        query = "SELECT local_id, base FROM link WHERE remote_id = ? AND version < ?"
        link = self._state.db.execute(query, (remote_id, version)).fetchone()
        own = self._state.arrived(link["local_id"], fields) if link else None
        if own:
            base: Any = {**json.loads(link["base"]), **own}
            self._state.db.execute("UPDATE link SET base = ? WHERE remote_id = ?", (as_json(base), remote_id))

    def take_in(self, remote_id: str, version: int, fields: Fields | None, external_id: str | None) -> None:
        """Stores newer versions only, so that the events of our own writes have no effect."""
        email = str(fields["email"]).casefold() if fields else None
        self._state.db.execute(
            "INSERT INTO incoming (remote_id, version, external_id, email, fields) SELECT ?1, ?2, ?3, ?4, ?5"
            " WHERE NOT EXISTS (SELECT 1 FROM link WHERE remote_id = ?1 AND version >= ?2)"
            " ON CONFLICT (remote_id) DO UPDATE SET version = excluded.version, external_id = excluded.external_id,"
            " email = excluded.email, fields = excluded.fields WHERE excluded.version >= incoming.version",
            (remote_id, version, external_id, email, as_json(fields) if fields else None),
        )

    def create(self, rows: Sequence[tuple[str, Fields]]) -> Any:
        """Creates up to 500 contacts. A repetition finds them by their external ids."""
        items: Any = [
            {"external_id": self.external_id(local_id), **{name: value for name, value in fields.items() if value}}
            for local_id, fields in rows
        ]
        return self._client.contacts.upsert(items)

    def update(self, remote_id: str, version: int, changes: Mapping[str, Value]) -> Any:
        """Raises `ConcurrentUpdateError` if the contact has another version."""
        sent: Any = dict(changes)
        return self._client.contacts.update(remote_id, sent, if_version=version)

    def delete(self, remote_id: str, version: int) -> None:
        try:
            self._client.contacts.delete(remote_id, if_version=version)
        except ws.NotFoundError:
            pass  # Already deleted.

    def restore(self, remote_id: str) -> int:
        """Restores a deleted contact, and returns its version."""
        try:
            version: int = self._client.tools.call("restore_record", {"type": "contact", "id": remote_id})["version"]
        except ws.NotFoundError as error:
            raise Gone from error
        return version
