"""A run: reads both sides, decides, writes the file, writes the service, and repeats until nothing is left to do.

A run can be killed at any moment. The link of a contact, with the fields that both sides have, is stored only
after both sides have them. If a write was done but not recorded, the next run sees the same value on both sides, which is not a
change. Values are recorded before they are sent to the service, so a later change to them is not a conflict. The file is written
before the service, so that each conflict is decided once.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import workspace_service as ws

from .fields import Fields, as_json, of_service
from .files import Changed, File
from .merge import Side
from .planning import Planner
from .service import BATCH, Gone, Service
from .state import State

PASSES = 6
FEW = 10

WRITES = "file_write IS NOT NULL OR service_write IS NOT NULL"


class TooManyDeletions(Exception):
    """Nothing was written: a person should check first."""


@dataclass
class Outcome:
    """The results of a run."""

    to_file: dict[str, int] = field(default_factory=lambda: {"add": 0, "change": 0, "delete": 0})
    to_service: dict[str, int] = field(default_factory=lambda: {"create": 0, "update": 0, "delete": 0, "restore": 0})
    conflicts: int = 0
    problems: dict[str, str] = field(default_factory=dict)
    """At most 100, by the id of the row."""
    problem_count: int = 0
    is_complete: bool = False
    """`False` if one of the sides kept changing."""


@dataclass(frozen=True)
class Options:
    prefer: Side = "service"
    max_deletions: int = 10
    """Limit of deletions in percent of all contacts."""
    allow_deletions: bool = False
    dry_run: bool = False


class Engine:
    def __init__(
        self, state: State, file: File, service: Service, options: Options, step: Callable[[str], None]
    ) -> None:
        self._state = state
        self._file = file
        self._service = service
        self._options = options
        self._step = step
        self._outcome = Outcome()

    def run(self, wait: int = 0) -> Outcome:
        before = self._state.count("conflict")
        self._state.db.execute("DELETE FROM problem")
        for number in range(PASSES):
            try:
                is_done = self._pass(wait if number == 0 else 0)
            except Changed:
                continue
            if is_done:
                self._outcome.is_complete = True
                break
        self._outcome.conflicts += self._state.count("conflict") - before
        self._outcome.problem_count = self._state.count("problem")
        for found in self._state.db.execute("SELECT * FROM problem ORDER BY local_id LIMIT 100"):
            self._outcome.problems[found["local_id"]] = found["message"]
        return self._outcome

    def _pass(self, wait: int) -> bool:
        """Runs one pass. Returns whether both sides are now the same, as far as possible."""
        names = self._file.names()
        self._columns(names)
        self._service.pull(wait)
        if not self._options.dry_run:
            self._file.prepare()
        self._scan()
        Planner(self._state, self._service, names, self._options.prefer).plan()
        self._guard()
        if self._options.dry_run:
            self._count(self._outcome)
            return True
        if self._state.count("plan") == 0:
            return True
        self._state.record_conflicts()
        if self._state.count("plan", "file_write IS NOT NULL"):
            self._step("before the file")
            self._file.write(_Writes(self._state))
        self._count_file()
        self._record_what_is_done()
        self._write_service()
        return self._state.count("plan", WRITES) == 0

    def _columns(self, names: list[str]) -> None:
        """Compares a new or returning column as if for the first time: with the old base it would look cleared."""
        known = json.loads(self._state.get("names") or "null")
        if known == names:
            return
        with self._state.transaction() as db:
            if known is not None:
                for link in db.execute("SELECT local_id, base FROM link").fetchall():
                    base = {name: value for name, value in json.loads(link["base"]).items() if name in names and name in known}
                    db.execute("UPDATE link SET base = ?, version = 0 WHERE local_id = ?", (as_json(base), link["local_id"]))
                db.execute("DELETE FROM meta WHERE name = 'cursor'")
            self._state.put("names", json.dumps(names))

    def _scan(self) -> None:
        with self._state.transaction() as db:
            db.execute("DELETE FROM row")
            for number, (local_id, fields) in enumerate(self._file.rows()):
                email = fields["email"]
                problem = None if email else "the row has no e-mail address"
                row = (local_id or f"(row {number + 1})", str(email).casefold(), as_json(fields), problem)
                try:
                    db.execute("INSERT INTO row VALUES (?, ?, ?, ?)", row)
                except sqlite3.IntegrityError:
                    db.execute("UPDATE row SET problem = 'two rows have this id' WHERE local_id = ?", (local_id,))
            db.execute("INSERT OR IGNORE INTO problem SELECT local_id, problem FROM row WHERE problem IS NOT NULL")

    def _guard(self) -> None:
        """Prevents an emptied file from emptying the service, and vice versa."""
        links = self._state.count("link")
        allowed = max(FEW, links * self._options.max_deletions // 100)
        for side in ("file", "service"):
            number = self._state.count("plan", f"{side}_write = 'delete'")
            is_all = number == links and number > 1
            if (number > allowed or is_all) and not (self._options.allow_deletions or self._options.dry_run):
                raise TooManyDeletions(
                    f"{number} of {links} contacts would be deleted from the {side}; nothing was written. "
                    "If that is what you want, run it once with --allow-deletions"
                )

    def _record_what_is_done(self) -> None:
        """Records contacts that need no write to the service: both sides are now the same."""
        with self._state.transaction() as db:
            db.execute(
                "DELETE FROM link WHERE local_id IN (SELECT local_id FROM plan WHERE service_write IS NULL AND fields IS NULL)"
            )
            db.execute(
                "INSERT OR REPLACE INTO link SELECT local_id, remote_id, version, fields FROM plan"
                " WHERE service_write IS NULL AND fields IS NOT NULL"
            )
            db.execute("DELETE FROM sending WHERE local_id IN (SELECT local_id FROM plan WHERE service_write IS NULL)")
            db.execute(
                "DELETE FROM incoming WHERE EXISTS (SELECT 1 FROM plan WHERE plan.remote_id = incoming.remote_id"
                " AND plan.version >= incoming.version AND service_write IS NULL)"
            )
        self._step("file recorded")

    def _write_service(self) -> None:
        # Changes first: they may free an address that a new row uses.
        others = "SELECT * FROM plan WHERE service_write IN ('update', 'delete', 'restore')"
        for planned in self._state.db.cursor().execute(others):
            self._try_one(planned)
        creates: list[tuple[str, Fields]] = []
        for planned in self._state.db.cursor().execute("SELECT * FROM plan WHERE service_write = 'create'"):
            creates.append((planned["local_id"], json.loads(planned["fields"])))
            if len(creates) == BATCH:
                self._create(creates)
                creates = []
        if creates:
            self._create(creates)

    def _try_one(self, planned: sqlite3.Row) -> None:
        try:
            self._write_one(planned)
        except Gone:
            self._state.problem(planned["local_id"], "the contact was erased, or deleted too long ago to come back")
        except (ws.BadRequestError, ws.ValidationError, ws.DuplicateError) as error:
            details = [f"{detail.field}: {detail.message}" for detail in error.details]
            self._state.problem(planned["local_id"], "; ".join(details) or str(error))
        except (ws.ConflictError, ws.NotFoundError):
            pass  # Changed, deleted or restored meanwhile: the next pass reads that, and merges it.

    def _create(self, rows: list[tuple[str, Fields]]) -> None:
        with self._state.transaction():
            for local_id, fields in rows:
                self._state.note_sending(local_id, fields)
        self._step("before creating")
        result = self._service.create(rows)
        self._step("created")
        ids = {outcome: iter(result[outcome]) for outcome in ("created", "updated", "unchanged")}
        failures = {failure["index"]: failure["message"] for failure in result["failed"]}
        with self._state.transaction() as db:
            for index, ((local_id, fields), outcome) in enumerate(zip(rows, result["outcomes"])):
                db.execute("DELETE FROM sending WHERE local_id = ?", (local_id,))
                if outcome == "failed":
                    self._state.problem(local_id, failures[index])
                    continue
                remote_id = next(ids[outcome])
                if outcome == "updated":
                    # Another client created a contact with this address after the events were read.
                    told = json.dumps({"matched_by": "email", "kept": "file"})
                    db.execute("INSERT INTO noted VALUES (?, ?, ?)", (local_id, remote_id, told))
                # Their versions, and values that the service normalizes, arrive with their events.
                db.execute("INSERT OR REPLACE INTO link VALUES (?, ?, 0, ?)", (local_id, remote_id, as_json(fields)))
                self._outcome.to_service["create"] += 1
            self._state.record_conflicts()
        self._step("creation recorded")

    def _write_one(self, planned: sqlite3.Row) -> None:
        local_id, remote_id, version = planned["local_id"], planned["remote_id"], planned["version"]
        what = planned["service_write"]
        self._step(f"before {what}")
        if what == "delete":
            self._service.delete(remote_id, version)
            self._step("deleted")
            with self._state.transaction() as db:
                db.execute("DELETE FROM link WHERE local_id = ?", (local_id,))
                db.execute("DELETE FROM sending WHERE local_id = ?", (local_id,))
                db.execute("DELETE FROM incoming WHERE remote_id = ?", (remote_id,))
        else:
            self._state.note_sending(local_id, json.loads(planned["sent"]))
            if what == "restore":
                version = self._service.restore(remote_id)
                self._step("restored")
            record = self._service.update(remote_id, version, json.loads(planned["sent"]))
            self._step("updated")
            self._record(local_id, record, json.loads(planned["fields"]))
        self._outcome.to_service[what] += 1
        self._step(f"{what} recorded")

    def _record(self, local_id: str, record: Mapping[str, object], fields: Fields) -> None:
        remote_id, version = str(record["id"]), int(str(record["version"]))
        stored = of_service(record)
        with self._state.transaction() as db:
            db.execute("DELETE FROM incoming WHERE remote_id = ? AND version <= ?", (remote_id, version))
            db.execute("DELETE FROM sending WHERE local_id = ?", (local_id,))
            if any(stored[name] != value for name, value in fields.items()):
                # The service normalizes some values; the next pass takes them over.
                self._service.take_in(remote_id, version, stored, None)
            db.execute(
                "INSERT OR REPLACE INTO link VALUES (?, ?, ?, ?)", (local_id, remote_id, version, as_json(fields))
            )

    def _count(self, outcome: Outcome) -> None:
        """Counts what would be done."""
        for side, counts in (("file", outcome.to_file), ("service", outcome.to_service)):
            for what in counts:
                counts[what] = self._state.count("plan", f"{side}_write = '{what}'")
        outcome.conflicts = self._state.count("noted")

    def _count_file(self) -> None:
        for what in self._outcome.to_file:
            self._outcome.to_file[what] += self._state.count("plan", f"file_write = '{what}'")


class _Writes:
    """The planned writes to the file."""

    def __init__(self, state: State) -> None:
        self._db = state.db

    def of(self, local_id: str) -> tuple[Mapping[str, object], Fields | None] | None:
        query = "SELECT before, fields FROM plan WHERE local_id = ? AND file_write IN ('change', 'delete')"
        found = self._db.execute(query, (local_id,)).fetchone()
        if found is None:
            return None
        return json.loads(found["before"]), json.loads(found["fields"]) if found["fields"] is not None else None

    def additions(self) -> Iterator[tuple[str, Fields]]:
        for found in self._db.cursor().execute("SELECT local_id, fields FROM plan WHERE file_write = 'add'"):
            yield found["local_id"], json.loads(found["fields"])
