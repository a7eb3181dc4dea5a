"""A workspace of the service, a file, and runs of the program as users start it."""

import contextlib
import csv
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import workspace_service as ws

from contact_sync.cli import main

HERE = Path(__file__).parent
FIELDS = ["email", "first_name", "last_name", "phone", "tags"]
SECONDS = 120


class SyncTestCase(unittest.TestCase):
    """Each test uses its own name in addresses, and leaves the workspace empty."""

    @classmethod
    def setUpClass(cls):
        cls.client = ws.Client()
        cls.remove_all()

    @classmethod
    def tearDownClass(cls):
        cls.remove_all()
        cls.client.close()

    @classmethod
    def remove_all(cls):
        for contact in list(cls.client.contacts.iterate()):
            cls.client.contacts.delete(contact["id"])

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.file = self.folder / "contacts.csv"
        self.source = ["--csv", str(self.file)]
        self.addCleanup(self.remove_all)

    # The program

    def run_sync(self, *arguments, code=0):
        done = subprocess.run(self.command(*arguments), capture_output=True, text=True, timeout=SECONDS, cwd=HERE.parent)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def run_with(self, step, act, *arguments):
        """Runs in this process, and acts the first time that it reaches this step."""
        acts = [act]

        def reached(name):
            if name == step and acts:
                acts.pop()()

        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(main([*self.source, *arguments], reached), 0)

    def watch(self):
        """Starts a run that watches both sides until the test ends, and returns its output."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        running = subprocess.Popen(self.command("--watch"), stdout=subprocess.PIPE, text=True, env=environment)
        for end in (running.stdout.close, running.wait, running.kill):
            self.addCleanup(end)
        return running.stdout

    def run_until(self, step):
        """Runs until it kills itself at this step, by number or name. Returns whether it reached the step."""
        command = [sys.executable, "-m", "tests.killed", str(step), *self.source]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=HERE.parent)
        self.assertIn(done.returncode, (0, -signal.SIGKILL), done.stdout + done.stderr)
        return done.returncode != 0

    def command(self, *arguments):
        return [sys.executable, "-m", "contact_sync", *self.source, *arguments]

    # The two sides

    def write(self, *rows):
        with self.file.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, ["id", *FIELDS, "colour"])
            writer.writeheader()
            writer.writerows(rows)

    def rows(self):
        with self.file.open(encoding="utf-8", newline="") as file:
            return {row["id"]: row for row in csv.DictReader(file)}

    def edit(self, local_id, **changes):
        """Changes a row, or removes it if there are no changes."""
        rows = self.rows()
        if changes:
            rows[local_id].update(changes)
        else:
            del rows[local_id]
        self.write(*rows.values())

    def add_row(self, **row):
        self.write(*self.rows().values(), row)

    def contacts(self):
        return {contact["email"].lower(): contact for contact in self.client.contacts.iterate()}

    def assert_same(self):
        """Asserts that both sides have the same contacts with the same fields, each once."""
        said = {row["email"].lower(): [row[name] for name in FIELDS] for row in self.rows().values()}
        self.assertEqual(len(said), len(self.rows()), "two rows of one contact")
        known = {}
        for email, contact in self.contacts().items():
            known[email] = ["; ".join(contact["tags"]) if name == "tags" else contact[name] or "" for name in FIELDS]
        self.assertEqual(said, known)

    def conflicts(self):
        file = self.folder / "contacts.csv.conflicts.jsonl"
        return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


def row(local_id, email=None, **fields):
    return {"id": local_id, "email": email or f"c{local_id}@sync.example", **fields}
