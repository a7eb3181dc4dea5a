"""The three-way merge of one contact: the last common values, the file's and the service's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from .fields import Fields, Value

Side = Literal["service", "file"]


@dataclass(frozen=True)
class Conflict:
    """Both sides changed the same field to different values."""

    field: str
    before: Value
    file: Value
    service: Value
    kept: Side


def merge(
    base: Mapping[str, Value] | None,
    file: Mapping[str, Value],
    service: Mapping[str, Value],
    names: Sequence[str],
    prefer: Side,
) -> tuple[Fields, list[Conflict]]:
    """Takes each field from the side that changed it. If both did, takes the preferred side and reports a conflict.

    Without a base, when two records are compared for the first time, a value wins over an empty field.
    """
    merged: Fields = {}
    conflicts = []
    for name in names:
        ours, theirs = file[name], service[name]
        before = (base or {}).get(name)
        if ours == theirs:
            merged[name] = ours
        elif base is not None and name in base and ours == before:
            merged[name] = theirs
        elif base is not None and name in base and theirs == before:
            merged[name] = ours
        elif (base is None or name not in base) and not (ours and theirs):
            merged[name] = ours or theirs
        else:
            merged[name] = theirs if prefer == "service" else ours
            conflicts.append(Conflict(name, before, ours, theirs, prefer))
    return merged, conflicts
