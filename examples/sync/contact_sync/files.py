"""The file: CSV, or a table of a SQLite database."""

from __future__ import annotations

import csv
import os
import shutil
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from .fields import FIELDS, Fields, cell, of_cells

ID = "id"


class Changed(Exception):
    """The file was changed while this run was reading it. Nothing was written; the run reads it again."""


class Unusable(Exception):
    """The file is in a form that this program does not support."""


class Writes(Protocol):
    """The writes of a pass to the file."""

    def of(self, local_id: str) -> tuple[Mapping[str, object], Fields | None] | None:
        """The fields of this row as read, and the new ones (`None` to delete the row); `None` if it stays unchanged."""

    def additions(self) -> Iterator[tuple[str, Fields]]:
        """New rows."""


class File(Protocol):
    """The side that is not the service."""

    def names(self) -> list[str]:
        """The fields for which the file has columns."""

    def prepare(self) -> None:
        """Gives an id to each row that has none."""

    def rows(self) -> Iterator[tuple[str | None, Fields]]:
        """Yields every row."""

    def write(self, writes: Writes) -> None:
        """Applies all writes, or none."""


class CsvFile:
    """A CSV file with a header. It is replaced as a whole, so that a crash leaves either the old or the new file."""

    def __init__(self, path: Path, delimiter: str, step: Callable[[str], None]) -> None:
        self._path = path
        self._delimiter = delimiter
        self._step = step
        self._read: tuple[int, ...] | None = None

    def exists(self) -> bool:
        return self._path.exists()

    def make(self) -> None:
        """Creates an empty file with a column for each field."""
        with self._path.open("x", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter=self._delimiter).writerow([ID, *FIELDS])

    def names(self) -> list[str]:
        with self._path.open(encoding="utf-8-sig", newline="") as file:
            header = csv.DictReader(file, delimiter=self._delimiter).fieldnames or []
        if len(set(header)) < len(header):
            raise Unusable(f"{self._path.name}: two columns have the same name")
        if "email" not in header:
            raise Unusable(f"{self._path.name}: there is no column email; is {self._delimiter!r} its delimiter?")
        return [name for name in FIELDS if name in header]

    def prepare(self) -> None:
        if any(local_id is None for local_id, _ in self.rows()):
            self._replace(lambda cells: {**cells, ID: (cells.get(ID) or "").strip() or uuid.uuid4().hex}, lambda: iter(()))

    def rows(self) -> Iterator[tuple[str | None, Fields]]:
        self._read = self._stamp()
        with self._path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, delimiter=self._delimiter)
            for cells in reader:
                if None in cells:
                    raise Unusable(f"{self._path.name}: line {reader.line_num} has more cells than the header")
                if any(cells.values()):
                    yield (cells.get(ID) or "").strip() or None, of_cells(cells)

    def write(self, writes: Writes) -> None:
        def changed(cells: dict[str, str]) -> dict[str, str] | None:
            planned = writes.of((cells.get(ID) or "").strip())
            if planned is None:
                return cells
            fields = planned[1]
            return None if fields is None else {**cells, **{name: cell(value) for name, value in fields.items()}}

        def added() -> Iterator[dict[str, str]]:
            for local_id, fields in writes.additions():
                yield {ID: local_id, **{name: cell(value) for name, value in fields.items()}}

        self._replace(changed, added)

    def _replace(
        self,
        change: Callable[[dict[str, str]], dict[str, str] | None],
        additions: Callable[[], Iterator[dict[str, str]]],
    ) -> None:
        new = self._path.with_name(f".{self._path.name}.new")
        with self._path.open(encoding="utf-8", newline="") as old, new.open("w", encoding="utf-8", newline="") as file:
            if old.read(1) == "\ufeff":
                file.write("\ufeff")
            else:
                old.seek(0)
            begin = old.tell()
            end_of_line = "\r\n" if old.readline().endswith("\r\n") else "\n"
            old.seek(begin)
            reader = csv.DictReader(old, delimiter=self._delimiter)
            header = list(reader.fieldnames or [])
            columns = header if ID in header else [ID, *header]
            writer = csv.DictWriter(file, columns, delimiter=self._delimiter, lineterminator=end_of_line)
            writer.writeheader()
            for cells in reader:
                written = change(cells) if any(cells.values()) else None
                if written is not None:
                    writer.writerow(written)
            writer.writerows(additions())
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(self._path, new)
        self._step("file written")
        if self._stamp() != self._read:
            raise Changed
        new.replace(self._path)
        self._step("file replaced")

    def _stamp(self) -> tuple[int, ...]:
        status = self._path.stat()
        return status.st_ino, status.st_mtime_ns, status.st_size


class SqliteTable:
    """A table of a SQLite database. Rows are changed in one transaction, and only if they are unchanged since they were read."""

    def __init__(self, path: Path, table: str, step: Callable[[str], None]) -> None:
        if not path.exists():
            raise Unusable(f"{path} does not exist")
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._table = '"' + table.replace('"', '""') + '"'
        self._step = step

    def names(self) -> list[str]:
        columns = {row["name"]: row for row in self._db.execute(f"PRAGMA table_info({self._table})")}
        if "email" not in columns or ID not in columns:
            raise Unusable(f"the table {self._table} must have the columns {ID} and email")
        if "INT" in columns[ID]["type"].upper():
            raise Unusable(f"the column {ID} must take texts: rows that come from the service have UUIDs")
        return [name for name in FIELDS if name in columns]

    def prepare(self) -> None:
        new_id = "lower(hex(randomblob(16)))"
        self._db.execute(f"UPDATE {self._table} SET {ID} = {new_id} WHERE {ID} IS NULL OR trim({ID}) = ''")

    def rows(self) -> Iterator[tuple[str | None, Fields]]:
        for row in self._db.execute(f"SELECT * FROM {self._table}"):
            yield row[ID], self._fields(row)

    def write(self, writes: Writes) -> None:
        self._db.execute("BEGIN IMMEDIATE")
        try:
            # Collects ids first: a statement should not read rows that it changes.
            ids = self._db.execute(f"SELECT {ID} FROM {self._table}").fetchall()
            for (local_id,) in ids:
                planned = writes.of(local_id)
                if planned is not None:
                    self._change(local_id, *planned)
            for local_id, fields in writes.additions():
                self._add(local_id, fields)
            self._step("rows written")
            self._db.execute("COMMIT")
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._step("rows committed")

    def _change(self, local_id: str, before: Mapping[str, object], fields: Fields | None) -> None:
        row = self._db.execute(f"SELECT * FROM {self._table} WHERE {ID} = ?", (local_id,)).fetchone()
        if self._fields(row) != before:
            raise Changed
        if fields is None:
            self._db.execute(f"DELETE FROM {self._table} WHERE {ID} = ?", (local_id,))
            return
        assigned = ", ".join(f'"{name}" = ?' for name in fields)
        values = [cell(value) or None for value in fields.values()]
        self._db.execute(f"UPDATE {self._table} SET {assigned} WHERE {ID} = ?", (*values, local_id))

    def _add(self, local_id: str, fields: Fields) -> None:
        if self._db.execute(f"SELECT 1 FROM {self._table} WHERE {ID} = ?", (local_id,)).fetchone():
            raise Changed
        columns = ", ".join([ID, *(f'"{name}"' for name in fields)])
        marks = ", ".join("?" * (len(fields) + 1))
        values = [cell(value) or None for value in fields.values()]
        try:
            self._db.execute(f"INSERT INTO {self._table} ({columns}) VALUES ({marks})", (local_id, *values))
        except sqlite3.IntegrityError as error:
            raise Unusable(f"the table does not take the row {local_id}: {error}") from error

    def _fields(self, row: sqlite3.Row) -> Fields:
        return of_cells({name: row[name] for name in FIELDS if name in row.keys()})
