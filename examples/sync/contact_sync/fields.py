"""The fields that are kept the same, and their one form in which both sides are compared."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

FIELDS = (
    "email",
    "first_name",
    "last_name",
    "phone",
    "job_title",
    "company_name",
    "country",
    "city",
    "notes",
    "tags",
)
"""Columns of the file that have these names; it may have others, which stay as they are."""

Value: TypeAlias = "str | list[str] | None"
Fields: TypeAlias = "dict[str, Value]"


def of_service(record: Mapping[str, Any]) -> Fields:
    """The fields of a contact of the service."""
    return {name: _list(record.get(name) or []) if name == "tags" else _text(record.get(name)) for name in FIELDS}


def of_cells(cells: Mapping[str, str | None]) -> Fields:
    """The fields of a row of the file: those that have a column."""
    return {name: tags_of(cells[name]) if name == "tags" else _text(cells[name]) for name in FIELDS if name in cells}


def cell(value: Value) -> str:
    """How a value is written into the file."""
    if isinstance(value, list):
        # Tags may contain what separates them.
        is_plain = not any(";" in tag or tag.startswith("[") for tag in value)
        return "; ".join(value) if is_plain else json.dumps(value, ensure_ascii=False)
    return value or ""


def tags_of(text: str | None) -> Value:
    text = (text or "").strip()
    if text.startswith("["):
        try:
            read = json.loads(text)
        except ValueError:
            read = None
        if isinstance(read, list):
            return _list(str(tag) for tag in read)
    return _list(text.split(";"))


def as_json(fields: Mapping[str, Value]) -> str:
    """Equal fields have the same JSON."""
    return json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _text(value: object) -> str | None:
    return str(value).strip() or None if value is not None else None


def _list(values: Iterable[str]) -> list[str]:
    return [tag for tag in (value.strip() for value in values) if tag]
