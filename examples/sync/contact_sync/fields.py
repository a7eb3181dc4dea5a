"""The synchronized fields, and their normalized form, in which both sides are compared."""

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
"""Synchronized columns. The file may have others, which stay unchanged."""

Value: TypeAlias = "str | list[str] | None"
Fields: TypeAlias = "dict[str, Value]"


def of_service(record: Mapping[str, Any]) -> Fields:
    """The fields of a contact of the service."""
    return {name: _list(record.get(name) or []) if name == "tags" else _text(record.get(name)) for name in FIELDS}


def of_cells(cells: Mapping[str, str | None]) -> Fields:
    """The fields of a row of the file, if it has a column for them."""
    return {name: tags_of(cells[name]) if name == "tags" else _text(cells[name]) for name in FIELDS if name in cells}


def cell(value: Value) -> str:
    """The form of a value in the file."""
    if isinstance(value, list):
        # Tags may contain the separator.
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
