"""The command line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import workspace_service as ws

from .engine import Engine, Options, Outcome, TooManyDeletions
from .files import CsvFile, File, SqliteTable, Unusable
from .service import Service
from .state import AnotherRun, State

ALL_THE_SAME, SOME_REFUSED, UNUSABLE, GUARDED, BUSY = 0, 1, 2, 3, 4
WAIT = 30
KEPT_CONFLICTS = 10_000


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="contact_sync",
        description="Keeps the contacts of a CSV file, or of a table of a SQLite database, and those of the service the same. "
        "Reads SERVICE_API_URL and SERVICE_API_KEY.",
        epilog="Ends with 0 if both sides are the same, 1 if rows were refused, 2 if the file or a setting cannot be used, "
        "3 if it would delete too much, 4 if another run is under way.",
    )
    file = parser.add_mutually_exclusive_group(required=True)
    file.add_argument("--csv", type=Path, metavar="FILE", help="a CSV file with a header; made if it does not exist")
    file.add_argument("--sqlite", type=Path, metavar="FILE", help="a SQLite database")
    parser.add_argument("--delimiter", default=",", help="of the CSV file (default: a comma)")
    parser.add_argument("--table", default="contacts", help="of the database (default: contacts)")
    parser.add_argument("--name", default="file", help="begins the external ids, so that several syncs can share a workspace")
    parser.add_argument("--state", type=Path, metavar="FILE", help="the state of the last sync (default: next to the file)")
    parser.add_argument("--prefer", choices=["service", "file"], default="service", help="whose value stays in a conflict")
    parser.add_argument("--max-deletions", type=int, default=10, metavar="PERCENT", help="stop before deleting more (default: 10)")
    parser.add_argument("--allow-deletions", action="store_true", help="do not stop")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be written")
    parser.add_argument("--full", action="store_true", help="compare all contacts instead of following the event log")
    parser.add_argument("--watch", action="store_true", help="run until interrupted, and follow changes of the service")
    return parser


def main(arguments: Sequence[str] | None = None, step: Callable[[str], None] = lambda name: None) -> int:
    given = parser().parse_args(arguments)
    path: Path = given.csv or given.sqlite
    try:
        state = State(given.state or path.with_name(f"{path.name}.sync"))
    except AnotherRun:
        print("contact_sync: another run with this state is under way", file=sys.stderr)
        return BUSY
    try:
        with ws.Client() as client:
            return _run(given, path, state, client, step)
    except TooManyDeletions as error:
        print(f"contact_sync: {error}", file=sys.stderr)
        return GUARDED
    except (Unusable, OSError, UnicodeDecodeError, ws.ServiceError) as error:
        print(f"contact_sync: {error}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        return ALL_THE_SAME
    finally:
        state.close()


def _run(given: argparse.Namespace, path: Path, state: State, client: ws.Client, step: Callable[[str], None]) -> int:
    file = _file(given, path, state, step)
    name = state.get("name")
    if name is not None and name != given.name:
        raise Unusable(f"this state is of --name {name}")
    state.put("name", given.name)
    if given.full:
        state.db.execute("DELETE FROM meta WHERE name = 'cursor'")
    options = Options(given.prefer, given.max_deletions, given.allow_deletions, given.dry_run)
    service = Service(client, state, given.name, step)
    wait = 0
    while True:
        try:
            outcome = Engine(state, file, service, options, step).run(wait)
        except (ws.ConnectionError, ws.ServerError, ws.RateLimitError) as error:
            if not given.watch:
                raise
            # Completed work is recorded; the next run continues from there.
            print(f"contact_sync: {error}; trying again in {WAIT} s", file=sys.stderr)
            time.sleep(WAIT)
            continue
        if not given.watch or any(outcome.to_file.values()) or any(outcome.to_service.values()) or wait == 0:
            _print(outcome, given.dry_run)
        _write_conflicts(state, path)
        if not given.watch:
            return ALL_THE_SAME if outcome.is_complete and not outcome.problem_count else SOME_REFUSED
        wait = WAIT


def _file(given: argparse.Namespace, path: Path, state: State, step: Callable[[str], None]) -> File:
    if given.sqlite:
        return SqliteTable(path, given.table, step)
    csv = CsvFile(path, given.delimiter, step)
    if not csv.exists():
        if state.count("link"):
            raise Unusable(f"{path} is gone, and was there before. Put it back, or remove its .sync file to begin anew")
        csv.make()
    return csv


def _print(outcome: Outcome, is_dry_run: bool) -> None:
    verb = "would write" if is_dry_run else "wrote"
    for side, counts in (("file", outcome.to_file), ("service", outcome.to_service)):
        done = ", ".join(f"{what} {number}" for what, number in counts.items() if number)
        print(f"{side}: {f'{verb}: {done}' if done else 'nothing to write'}")
    if outcome.conflicts:
        print(f"conflicts: {outcome.conflicts}")
    for local_id, message in outcome.problems.items():
        print(f"refused: {local_id}: {message}")
    if not outcome.is_complete:
        print("not finished: one of the sides keeps changing; run it again")
    if outcome.problem_count > len(outcome.problems):
        print(f"refused: {outcome.problem_count} in all")


def _write_conflicts(state: State, path: Path) -> None:
    """Writes all conflicts, oldest first; a crash leaves the previous file."""
    if not state.count("conflict"):
        return
    target = path.with_name(f"{path.name}.conflicts.jsonl")
    new = target.with_name(f".{target.name}.new")
    query = "SELECT * FROM (SELECT * FROM conflict ORDER BY number DESC LIMIT ?) ORDER BY number"
    with new.open("w", encoding="utf-8") as file:
        for found in state.db.execute(query, (KEPT_CONFLICTS,)):
            told = {"seen_at": found["seen_at"], "id": found["local_id"], "contact_id": found["remote_id"]}
            print(json.dumps({**told, **json.loads(found["what"])}, ensure_ascii=False), file=file)
    new.replace(target)
