"""A run that is killed at any step and repeated ends as if it had not been killed."""

import os
import random
import signal
import subprocess
import time

from .support import SyncTestCase, row

CHANGED = ["first_name", "last_name", "phone"]
SEED = int(os.environ.get("SYNC_SEED", "18"))


class Killed(SyncTestCase):
    def prepare(self):
        """Prepares work of every kind on both sides."""
        self.file.unlink(missing_ok=True)
        for file in self.folder.glob("*.sync*"):
            file.unlink()
        self.remove_all()
        self.write(*(row(str(number), first_name="First", phone="0") for number in range(12)))
        self.run_sync()
        contacts = self.contacts()
        ids = {number: contacts[f"c{number}@sync.example"]["id"] for number in range(12)}
        self.client.contacts.update(ids[0], {"phone": "1"})
        self.client.contacts.update(ids[1], {"phone": "service", "last_name": "Service"})
        self.client.contacts.update(ids[2], {"phone": "1"})
        self.client.contacts.delete(ids[3])
        self.client.contacts.delete(ids[4])
        self.client.contacts.delete(ids[5])
        self.client.contacts.create({"email": "new@sync.example"})
        self.client.contacts.create({"email": "met@sync.example", "phone": "7"})
        rows = self.rows()
        rows["1"].update(phone="file", first_name="File")
        del rows["2"]
        rows["4"].update(last_name="Kept")
        del rows["5"]
        del rows["6"]
        rows["7"].update(last_name="File", tags="a; b")
        self.write(*rows.values(), row("20"), row("", "unnumbered@sync.example"), row("21", "met@sync.example", first_name="Met"))

    def check(self):
        self.assert_same()
        contacts = self.contacts()
        numbers = {0, 1, 2, 4, 7, 8, 9, 10, 11, 20}
        others = {"new@sync.example", "met@sync.example", "unnumbered@sync.example"}
        self.assertEqual(set(contacts), others | {f"c{number}@sync.example" for number in numbers})
        one = contacts["c1@sync.example"]
        self.assertEqual((one["phone"], one["first_name"], one["last_name"]), ("service", "File", "Service"))
        self.assertEqual(contacts["c4@sync.example"]["last_name"], "Kept")
        met = contacts["met@sync.example"]
        self.assertEqual((met["phone"], met["first_name"]), ("7", "Met"))
        told = {(found["id"], found.get("field", found.get("deleted_by"))) for found in self.conflicts()}
        self.assertEqual(told, {("1", "phone"), ("2", "file"), ("4", "service")})
        self.assertIn("file: nothing to write\nservice: nothing to write", self.run_sync())

    def test_at_every_step(self):
        step = 1
        while True:
            with self.subTest(step=step):
                self.prepare()
                is_killed = self.run_until(step)
                self.run_sync()
                self.check()
            if not is_killed:
                break
            step += 1
        self.assertGreater(step, 25)

    def test_again_and_again_in_one_sync(self):
        self.prepare()
        steps = random.Random(SEED)
        for _ in range(12):
            self.run_until(steps.randint(1, 12))
        self.run_sync()
        self.check()

    def test_a_change_to_an_unrecorded_write_is_kept(self):
        """It is based on the written value, so it is not a conflict, and wins over the file whichever side is preferred."""
        for local_id, side in (("1", "service"), ("2", "file")):
            with self.subTest(prefer=side):
                email = f"c{local_id}@sync.example"
                self.write(row(local_id, first_name="A"))
                self.kill_and_change("created", email, "A", "B")
                self.run_sync("--prefer", side)
                self.assertEqual(self.rows()[local_id]["first_name"], "B")
                self.edit(local_id, first_name="C")
                self.kill_and_change("updated", email, "C", "D")
                self.run_sync("--prefer", side)
                self.assertEqual(self.rows()[local_id]["first_name"], "D")
                self.assert_same()
                self.assertEqual(self.conflicts(), [])
                self.edit(local_id)
                self.run_sync("--allow-deletions")

    def kill_and_change(self, step, email, written, changed):
        self.assertTrue(self.run_until(step))
        contact = self.contacts()[email]
        self.assertEqual(contact["first_name"], written)
        self.client.contacts.update(contact["id"], {"first_name": changed})

    def test_at_any_time(self):
        moments = random.Random(SEED)
        for _ in range(4):
            self.prepare()
            for _ in range(3):
                running = subprocess.Popen(self.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(moments.uniform(0.1, 0.8))
                running.send_signal(signal.SIGKILL)
                running.wait()
            self.run_sync()
            self.check()


class Rounds(SyncTestCase):
    """After any changes and kills, both sides end with the result that the rules define."""

    def test_random_changes_on_both_sides(self):
        self.random = random.Random(SEED)
        self.made = 0
        self.expected = {}
        self.write()
        for _ in range(20):
            self.add(self.random.choice(["file", "service"]))
        self.run_sync()
        for number in range(6):
            with self.subTest(round=number):
                self.happen()
                for _ in range(self.random.randint(0, 3)):
                    self.run_until(self.random.randint(1, 25))
                self.run_sync()
                self.assert_same()
                rows = {found["email"]: {name: found[name] for name in CHANGED} for found in self.rows().values()}
                self.assertEqual(rows, self.expected)

    def happen(self):
        rows = {found["email"]: local_id for local_id, found in self.rows().items()}
        contacts = self.contacts()
        for email in list(self.expected):
            in_file, in_service = self.change(), self.change()
            if in_file is not None:
                self.edit(rows[email], **in_file)
            if in_service == {}:
                self.client.contacts.delete(contacts[email]["id"])
            elif in_service is not None:
                self.client.contacts.update(contacts[email]["id"], in_service)
            if {} in (in_file, in_service) and not (in_file or in_service):
                del self.expected[email]
            else:
                # A change wins over a deletion, and the service over the file.
                self.expected[email] |= {**(in_file or {}), **(in_service or {})}
        for side in ("file", "service"):
            self.add(side)

    def change(self):
        """Returns nothing (`None`), a deletion (no members), or new values."""
        kind = self.random.random()
        if kind < 0.5:
            return None
        if kind < 0.6:
            return {}
        return {name: f"v{self.random.randrange(1000)}" for name in self.random.sample(CHANGED, self.random.randint(1, 2))}

    def add(self, side):
        self.made += 1
        email = f"r{self.made}@sync.example"
        self.expected[email] = {"first_name": "New", "last_name": "", "phone": ""}
        if side == "file":
            self.add_row(id=f"{self.made}", email=email, first_name="New")
        else:
            self.client.contacts.create({"email": email, "first_name": "New"})
