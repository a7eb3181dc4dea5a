"""Tests of the sync against a running service."""

import os
import sqlite3
import subprocess
import time

import workspace_service as ws

from .support import SECONDS, SyncTestCase, row


class Directions(SyncTestCase):
    def test_rows_become_contacts_and_contacts_become_rows(self):
        self.write(row("1", first_name="Ada", tags="vip; Early", colour="red"), row("", "new@sync.example"))
        self.client.contacts.create({"email": "there@sync.example", "first_name": "Grace", "tags": ["a;b", "c"]})
        self.run_sync()
        contacts, rows = self.contacts(), self.rows()
        self.assertEqual(contacts["c1@sync.example"]["external_id"], "file:1")
        self.assertEqual(contacts["c1@sync.example"]["tags"], ["vip", "Early"])
        self.assertEqual(rows["1"]["colour"], "red", "a column of one's own")
        there = rows[contacts["there@sync.example"]["id"]]
        self.assertEqual((there["first_name"], there["tags"]), ("Grace", '["a;b", "c"]'))
        self.assertEqual(len(rows), 3)
        self.assertTrue(all(rows), "each row has an id")
        self.assertIn("nothing to write\nservice: nothing to write", self.run_sync())

    def test_changes_are_merged_in_both_directions_by_field(self):
        self.write(row("1", first_name="Ada", phone="1"), row("2", first_name="Grace"), row("3"))
        self.run_sync()
        contacts = self.contacts()
        self.client.contacts.update(contacts["c1@sync.example"]["id"], {"phone": "2"})
        self.client.contacts.update(contacts["c2@sync.example"]["id"], {"email": "grace@sync.example"})
        self.edit("1", first_name="Ada Augusta", last_name="Byron")
        self.edit("3", tags="x")
        self.run_sync()
        self.assert_same()
        self.assertEqual(self.contacts()["c1@sync.example"]["first_name"], "Ada Augusta")
        self.assertEqual((self.rows()["1"]["phone"], self.rows()["2"]["email"]), ("2", "grace@sync.example"))
        self.assertEqual(self.conflicts(), [])

    def test_clearing_works_in_both_directions(self):
        self.write(row("1", first_name="Ada", phone="1", tags="x"))
        self.run_sync()
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"phone": None})
        self.edit("1", first_name="", tags="")
        self.run_sync()
        self.assert_same()
        contact = self.contacts()["c1@sync.example"]
        self.assertEqual((contact["first_name"], contact["tags"], self.rows()["1"]["phone"]), (None, [], ""))

    def test_deletions_work_in_both_directions(self):
        self.write(*(row(str(number)) for number in range(5)))
        self.run_sync()
        self.client.contacts.delete(self.contacts()["c1@sync.example"]["id"])
        self.client.contacts.delete(self.contacts()["c3@sync.example"]["id"])
        self.edit("2")
        self.edit("3")
        self.run_sync()
        self.assert_same()
        self.assertEqual(set(self.rows()), {"0", "4"})

    def test_the_same_contact_on_both_sides_is_found_by_its_address(self):
        self.client.contacts.create({"email": "ADA@sync.example", "first_name": "Ada", "phone": "1"})
        self.client.contacts.create({"email": "other@sync.example", "external_id": "elsewhere-7"})
        self.write(row("1", "ada@sync.example", first_name="Augusta", last_name="Byron"), row("2", "other@sync.example"))
        self.run_sync()
        self.assert_same()
        self.assertEqual(len(self.contacts()), 2)
        contact = self.contacts()["ada@sync.example"]
        self.assertEqual((contact["external_id"], contact["phone"]), ("file:1", "1"))
        self.assertEqual(self.contacts()["other@sync.example"]["external_id"], "elsewhere-7")
        # Both have a value and there is no base, so the service's value is kept.
        self.assertEqual([found["field"] for found in self.conflicts()], ["email", "first_name"])

    def test_a_file_keeps_its_format(self):
        """Columns, delimiter, line endings, and the byte order mark of some programs."""
        self.file.write_bytes("\ufeffemail;rank;first_name\r\nc1@sync.example;7;Zoë\r\n".encode())
        self.run_sync("--delimiter", ";")
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"first_name": "Zoé"})
        self.run_sync("--delimiter", ";")
        header, changed, end = self.file.read_bytes().decode().split("\r\n")
        self.assertEqual((header, end), ("\ufeffid;email;rank;first_name", ""))
        self.assertEqual(changed.split(";")[1:], ["c1@sync.example", "7", "Zoé"])

    def test_a_missing_file_is_created(self):
        self.client.contacts.create({"email": "there@sync.example", "notes": "two\nlines, and a comma"})
        self.run_sync()
        [made] = self.rows().values()
        self.assertEqual(made["notes"], "two\nlines, and a comma")

    def test_a_database_instead_of_a_csv_file(self):
        path = self.folder / "app.db"
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE contacts (id TEXT PRIMARY KEY, email TEXT NOT NULL, first_name TEXT, tags TEXT, rank INT)")
            db.execute("INSERT INTO contacts VALUES ('1', 'c1@sync.example', 'Ada', 'x; y', 7), ('2', 'c2@sync.example', '', '', 1)")
        self.client.contacts.create({"email": "there@sync.example", "first_name": "Grace"})
        self.source = ["--sqlite", str(path)]
        self.run_sync()
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"first_name": "Augusta"})
        with sqlite3.connect(path) as db:
            db.execute("DELETE FROM contacts WHERE id = '2'")
            db.execute("UPDATE contacts SET first_name = 'Amazing' WHERE email = 'there@sync.example'")
        self.run_sync()
        with sqlite3.connect(path) as db:
            kept = db.execute("SELECT email, first_name, tags, rank FROM contacts ORDER BY email").fetchall()
        self.assertEqual(kept, [("c1@sync.example", "Augusta", "x; y", 7), ("there@sync.example", "Amazing", None, None)])
        self.assertEqual(self.contacts()["there@sync.example"]["first_name"], "Amazing")
        self.assertEqual(len(self.contacts()), 2)


class Conflicts(SyncTestCase):
    def both_change(self):
        self.write(row("1", first_name="Ada", phone="1"))
        self.run_sync()
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"first_name": "Augusta", "phone": "2"})
        self.edit("1", first_name="Adele", phone="2", last_name="Byron")

    def test_the_service_wins_by_default(self):
        self.both_change()
        self.run_sync()
        self.assert_same()
        self.assertEqual((self.rows()["1"]["first_name"], self.rows()["1"]["last_name"]), ("Augusta", "Byron"))
        [conflict] = self.conflicts()
        told = {name: conflict[name] for name in ("id", "field", "before", "file", "service", "kept")}
        self.assertEqual(
            told, {"id": "1", "field": "first_name", "before": "Ada", "file": "Adele", "service": "Augusta", "kept": "service"}
        )

    def test_the_file_wins_if_preferred(self):
        self.both_change()
        self.run_sync("--prefer", "file")
        self.assert_same()
        self.assertEqual(self.contacts()["c1@sync.example"]["first_name"], "Adele")
        self.assertEqual([found["kept"] for found in self.conflicts()], ["file"])

    def test_a_change_survives_a_deletion_on_the_other_side(self):
        self.write(row("1", first_name="Ada"), row("2", first_name="Grace"), row("3"))
        self.run_sync()
        before = self.contacts()
        self.client.contacts.update(before["c1@sync.example"]["id"], {"phone": "1"})
        self.edit("1")
        self.client.contacts.delete(before["c2@sync.example"]["id"])
        self.edit("2", phone="2")
        self.run_sync()
        self.assert_same()
        self.assertEqual(self.rows()["1"]["phone"], "1")
        after = self.contacts()["c2@sync.example"]
        self.assertEqual((after["phone"], after["id"]), ("2", before["c2@sync.example"]["id"]), "restored, not made anew")
        self.assertEqual({found["deleted_by"] for found in self.conflicts()}, {"file", "service"})

    def test_an_erased_contact_is_not_created_again(self):
        self.write(row("1"), row("2"))
        self.run_sync()
        self.client.tools.call("erase_contact", {"contact_id": self.contacts()["c1@sync.example"]["id"]})
        self.edit("1", phone="1")
        self.assertIn("erased", self.run_sync(code=1))
        self.assertEqual(set(self.contacts()), {"c2@sync.example"})

    def test_a_change_between_reading_and_writing_is_merged(self):
        """The service refuses by version, and the next pass merges."""
        self.write(row("1", first_name="Ada", phone="1"))
        self.run_sync()
        self.edit("1", first_name="Augusta")
        contact = self.contacts()["c1@sync.example"]
        changes = {"phone": "2", "first_name": "Ada L."}
        self.run_with("before update", lambda: self.client.contacts.update(contact["id"], changes), "--prefer", "file")
        self.assert_same()
        self.assertEqual((self.rows()["1"]["first_name"], self.rows()["1"]["phone"]), ("Augusta", "2"))
        self.assertEqual([found["service"] for found in self.conflicts()], ["Ada L."])

    def test_a_concurrent_restoration_is_detected(self):
        self.write(row("1", first_name="Ada"), row("2"))
        self.run_sync()
        contact = self.contacts()["c1@sync.example"]["id"]
        self.client.contacts.delete(contact)
        self.edit("1", phone="1")
        restored = {"type": "contact", "id": contact}
        self.run_with("before restore", lambda: self.client.tools.call("restore_record", restored))
        self.assert_same()
        self.assertEqual(self.contacts()["c1@sync.example"]["phone"], "1")

    def test_a_concurrent_change_of_the_file_is_not_overwritten(self):
        self.write(row("1", first_name="Ada"))
        self.run_sync()
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"phone": "2"})
        self.run_with("before the file", lambda: self.edit("1", last_name="Byron"))
        self.assert_same()
        self.assertEqual((self.rows()["1"]["last_name"], self.rows()["1"]["phone"]), ("Byron", "2"))


class Guards(SyncTestCase):
    def test_an_emptied_file_does_not_empty_the_service(self):
        self.write(*(row(str(number)) for number in range(30)))
        self.run_sync()
        self.write(*(row(str(number)) for number in range(15)))
        self.assertIn("15 of 30 contacts would be deleted", self.run_sync(code=3))
        self.write()
        self.run_sync(code=3)
        self.assertEqual(len(self.contacts()), 30)
        self.file.unlink()
        self.assertIn("is gone", self.run_sync(code=2))
        self.write(*(row(str(number)) for number in range(15)))
        self.run_sync("--allow-deletions")
        self.assertEqual(len(self.contacts()), 15)

    def test_a_dry_run_writes_nothing(self):
        self.write(row("", "new@sync.example"), row("2"))
        self.client.contacts.create({"email": "there@sync.example"})
        before = self.file.read_text()
        said = self.run_sync("--dry-run")
        self.assertIn("file: would write: add 1", said)
        self.assertIn("service: would write: create 2", said)
        self.assertEqual(self.file.read_text(), before)
        self.assertEqual(set(self.contacts()), {"there@sync.example"})
        self.run_sync()
        self.assert_same()

    def test_two_runs_at_once_are_refused(self):
        self.write(row("1"))
        self.assertIn("file:", self.watch().readline())
        self.assertIn("another run", self.run_sync(code=4))

    def test_watching_picks_up_changes(self):
        self.write(row("1"))
        output = self.watch()
        for _ in range(2):
            self.assertTrue(output.readline())
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"phone": "7"})
        until = time.monotonic() + 30
        while self.rows()["1"]["phone"] != "7":
            self.assertLess(time.monotonic(), until)
            time.sleep(0.1)

    def test_a_bad_row_does_not_stop_the_others(self):
        self.write(
            row("1", "nobody"),
            row("2"),
            {"id": "3", "first_name": "No address"},
            row("4", "c2@sync.example"),
            row("5"),
            row("5", "again@sync.example"),
        )
        said = self.run_sync(code=1)
        for local_id, message in (
            ("1", "must be a valid e-mail address"),
            ("2", "another row has this e-mail address"),
            ("3", "the row has no e-mail address"),
            ("4", "another row has this e-mail address"),
            ("5", "two rows have this id"),
        ):
            self.assertRegex(said, f"refused: {local_id}: .*{message}")
        self.assertEqual(self.contacts(), {})
        self.write(row("1", "somebody@sync.example"), row("2"), row("3", first_name="x"))
        self.run_sync()
        self.assert_same()

    def test_an_address_may_move_to_a_new_row(self):
        self.client.contacts.create({"email": "info@sync.example", "first_name": "Ada"})
        self.write(row("9"))
        self.run_sync()
        [was] = [local_id for local_id, found in self.rows().items() if found["email"] == "info@sync.example"]
        self.edit(was, email="ada@sync.example")
        self.add_row(**row("10", "info@sync.example", first_name="Grace"))
        self.run_sync()
        self.assert_same()
        self.assertEqual(self.contacts()["ada@sync.example"]["first_name"], "Ada")
        self.assertEqual(len(self.contacts()), 3)


class Recovery(SyncTestCase):
    def test_a_lost_state_creates_no_duplicates(self):
        self.write(row("1", first_name="Ada"), row("2"))
        self.client.contacts.create({"email": "there@sync.example"})
        self.run_sync()
        for file in self.folder.glob("*.sync*"):
            file.unlink()
        self.edit("1", first_name="Augusta")
        self.run_sync("--prefer", "file")
        self.assert_same()
        self.assertEqual(len(self.contacts()), 3)

    def test_a_full_comparison_finds_nothing_after_a_sync(self):
        self.write(row("1"), row("2"))
        self.run_sync()
        self.client.contacts.delete(self.contacts()["c2@sync.example"]["id"])
        self.assertIn("file: wrote: delete 1", self.run_sync("--full"))
        self.assertIn("file: nothing to write\nservice: nothing to write", self.run_sync("--full"))

    def test_a_column_that_is_added_later_clears_nothing(self):
        self.file.write_text("id,email\n1,c1@sync.example\n")
        self.run_sync()
        self.client.contacts.update(self.contacts()["c1@sync.example"]["id"], {"phone": "5"})
        self.run_sync()
        self.file.write_text("id,email,phone\n1,c1@sync.example,\n")
        self.run_sync()
        self.assertEqual(self.rows()["1"]["phone"], "5")
        self.assertEqual(self.contacts()["c1@sync.example"]["phone"], "5")

    def test_two_thousand_rows(self):
        self.write(*(row(str(number), first_name=f"Number {number}") for number in range(2000)))
        self.run_sync()
        self.assert_same()
        self.assertEqual(len(self.contacts()), 2000)
        rows = self.rows()
        for number in range(0, 100):
            rows[str(number)]["phone"] = str(number)
        self.write(*rows.values())
        contacts = [self.contacts()[f"c{number}@sync.example"] for number in range(100, 103)]
        self.client.contacts.upsert([{"external_id": found["external_id"], "last_name": "Changed"} for found in contacts])
        said = self.run_sync()
        self.assertIn("file: wrote: change 3", said)
        self.assertIn("service: wrote: update 100", said)
        self.assert_same()

    def test_missing_settings_are_reported(self):
        environment = {name: value for name, value in os.environ.items() if name != "SERVICE_API_KEY"}
        done = subprocess.run(self.command(), env=environment, capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual(done.returncode, 2)
        self.assertIn("SERVICE_API_KEY", done.stderr)
        self.assertTrue(issubclass(ws.ConfigurationError, ws.ServiceError))
