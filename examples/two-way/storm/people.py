"""What people do on both sides meanwhile, and the expected result."""

from __future__ import annotations

import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import workspace_service as ws

SIDES = ("left", "right")
OTHER = {"left": "right", "right": "left"}
FIELDS = ["email", "first_name", "last_name", "phone", "job_title", "company_name", "tags"]
# The fate of a contact. Contacts that are deleted are not edited, except contested ones, for which only equality is expected.
KEPT, DELETED, CONTESTED = "kept", "deleted", "contested"
KINDS = [KEPT] * 7 + [DELETED] * 2 + [CONTESTED]
SEEDED, SHARED = 200, 100


@dataclass
class Person:
    """A contact, identified by its company name, which nobody edits."""

    name: str
    kind: str
    values: dict[str, set[Any]] = field(default_factory=dict)
    """Acceptable final values of each field: several if a response was lost or both sides edit."""
    is_met: bool = False
    """Whether it was created on both sides without the sync, which can then recognize it only by its address."""
    is_deleted: bool = False
    is_answered: bool = False
    """Whether the right side changed the phone number from the left, which the left then no longer edits."""


class People:
    def __init__(self, name: str, clients: dict[str, ws.Client], seed: int) -> None:
        self._name = name
        self._clients = clients
        self._random = random.Random(seed)
        self._persons: dict[str, Person] = {}
        self._ids: dict[str, dict[str, str]] = {side: {} for side in SIDES}
        self._number = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._failure: BaseException | None = None
        self.edits = 0

    def seed(self) -> None:
        """Creates contacts that differ on both sides, and contacts on one side only."""
        items: dict[str, list[Any]] = {side: [] for side in SIDES}
        for number in range(2 * SEEDED - SHARED):
            person = self._person(self._random.choice(KINDS))
            person.is_met = SEEDED - SHARED <= number < SEEDED
            on = [side for side, has in zip(SIDES, (number < SEEDED, number >= SEEDED - SHARED)) if has]
            for side in on:
                items[side].append(self._fields(person, side))
        for side in SIDES:
            self._clients[side].contacts.upsert(items[side], max_retries=5)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def _person(self, kind: str) -> Person:
        self._number += 1
        person = Person(f"{self._name} {self._number}", kind)
        self._persons[person.name] = person
        return person

    def _fields(self, person: Person, side: str) -> dict[str, Any]:
        own = {"phone": f"+44 {self._number}"} if side == "left" else {"job_title": f"Job {self._number}"}
        shared = {"email": f"{person.name.replace(' ', '')}@storm.example", "company_name": person.name}
        fields = {**shared, "first_name": f"From {side}", "tags": ["storm"], **own}
        for name, value in fields.items():
            if name != "tags":
                person.values.setdefault(name, set()).add(value)
        return fields

    # Their work

    def _work(self) -> None:
        pauses = 0
        while not self._stop.wait(0.02):
            try:
                if pauses % 20 == 0:
                    self._look()
                pauses += 1
                self._act()
                self.edits += 1
            except (ws.ConnectionError, ws.ServerError, ws.RateLimitError, ws.NotFoundError):
                pass  # The consequences were recorded where it happened.
            except BaseException as error:
                self._failure = error
                return

    def _look(self) -> None:
        """Finds the contacts that the sync has created."""
        for side in SIDES:
            self._ids[side] = {one["company_name"]: one["id"] for one in self._clients[side].contacts.iterate({"limit": 100})}

    def _act(self) -> None:
        side = self._random.choice(SIDES)
        acts = [self._edit, self._answer, self._delete, self._create, self._create_both, self._hand_over]
        act = self._random.choices(acts, [30, 8, 3, 2, 1, 2])[0]
        act(side)

    def _known(self, side: str, *kinds: str) -> Person | None:
        known = [person for name in self._ids[side] if (person := self._persons[name]).kind in kinds]
        return self._random.choice(known) if known else None

    def _edit(self, side: str) -> None:
        if person := self._known(side, KEPT, CONTESTED):
            self._number += 1
            own = "first_name" if person.is_answered else "phone" if side == "left" else "job_title"
            # The first name is edited on both sides; the sync's rule decides which is kept.
            name = self._random.choice([own, own, "first_name"])
            self._change(person, side, name, f"{side} {self._number}")

    def _answer(self, side: str) -> None:
        """The right side changes a value that just arrived from the left. It is based on it, so it is not a conflict, and is kept."""
        person = self._known("right", KEPT)
        if person is None or person.is_met or person.is_answered or len(person.values.get("phone", ())) != 1:
            return
        seen = self._clients["right"].contacts.get(self._ids["right"][person.name])
        if {seen["phone"]} == person.values["phone"]:
            person.is_answered = True
            self._number += 1
            self._change(person, "right", "phone", f"right {self._number}")

    def _change(self, person: Person, side: str, name: str, value: str) -> None:
        is_shared = name == "first_name"
        try:
            self._clients[side].contacts.update(self._ids[side][person.name], {name: value})  # type: ignore[misc]
        except (ws.RateLimitError, ws.NotFoundError):
            raise  # Nothing was done.
        except (ws.ConnectionError, ws.ServerError):
            person.values.setdefault(name, {None}).add(value)
            raise
        person.values[name] = {value} | (person.values.get(name, set()) if is_shared else set())

    def _delete(self, side: str) -> None:
        person = self._known(side, DELETED, CONTESTED)
        # If the sync has not seen the contact on both sides, the remaining one is new to it.
        if person and not person.is_met and person.name in self._ids[OTHER[side]]:
            self._clients[side].contacts.delete(self._ids[side].pop(person.name))
            person.is_deleted = True
            if self._random.random() < 0.3:
                self._clients[OTHER[side]].contacts.delete(self._ids[OTHER[side]].pop(person.name))

    def _create(self, side: str) -> Person:
        person = self._person(KEPT)
        self._add(person, side, self._fields(person, side))
        return person

    def _create_both(self, side: str) -> None:
        """Creates the same contact on both sides at the same moment."""
        person = self._create(side)
        person.is_met = True
        self._add(person, OTHER[side], self._fields(person, OTHER[side]))

    def _add(self, person: Person, side: str, fields: dict[str, Any]) -> None:
        try:
            self._ids[side][person.name] = self._clients[side].contacts.create(fields)["id"]  # type: ignore[arg-type]
        except ws.DuplicateError:
            self._forget(person)  # The sync was faster.
        except ws.ServiceError:
            self._forget(person)
            raise

    def _forget(self, person: Person) -> None:
        """Its existence and values are unknown: it only has to be the same on both sides."""
        person.kind = CONTESTED
        person.values = {}

    def _hand_over(self, side: str) -> None:
        """A contact gets a new address, and a new contact gets the old one. Only on the left side, so that it is never a conflict."""
        person = self._known("left", KEPT)
        if person and not person.is_met and len(person.values["email"]) == 1:
            [former] = person.values["email"]
            self._number += 1
            self._change(person, "left", "email", f"{person.name.replace(' ', '')}.{self._number}@storm.example")
            new = self._person(KEPT)
            self._add(new, "left", {**self._fields(new, "left"), "email": former})
            if new.kind == KEPT:
                new.values["email"] = {former}

    # The end

    def differences(self) -> list[str]:
        """Contacts that differ between the sides, are duplicated, are lost, or should be deleted."""
        found = []
        sides = self._all()
        of: dict[str, dict[str, Any]] = {}
        for side, contacts in sides.items():
            of[side] = {contact["company_name"]: contact for contact in contacts}
            counts = Counter(contact["company_name"] for contact in contacts)
            found += [f"{side}: {name} is double" for name, count in counts.items() if count > 1]
        for name, person in self._persons.items():
            left, right = (of[side].pop(name, None) for side in SIDES)
            if (left is None) != (right is None):
                found.append(f"{name} ({person.kind}) is on the {'right' if left is None else 'left'} side only")
            elif left is None or right is None:
                if person.kind == KEPT:
                    found.append(f"{name} is lost")
            else:
                found += [f"{name}: {each}: {left[each]!r} and {right[each]!r}" for each in FIELDS if left[each] != right[each]]
                found += self._wrong(person, left)
        return found + [f"{side}: {name} is unknown" for side in SIDES for name in of[side]]

    def versions(self) -> dict[str, int]:
        return {contact["id"]: contact["version"] for contacts in self._all().values() for contact in contacts}

    def _all(self) -> dict[str, list[Any]]:
        return {side: list(self._clients[side].contacts.iterate({"limit": 100}, max_retries=5)) for side in SIDES}

    def _wrong(self, person: Person, contact: dict[str, Any]) -> list[str]:
        if person.kind == DELETED and person.is_deleted:
            return [f"{person.name} was deleted, and is there"]
        if person.kind != KEPT:
            return []
        return [
            f"{person.name}: {name} is {contact[name]!r}, and should be {' or '.join(map(repr, values))}"
            for name, values in person.values.items()
            if contact[name] not in values
        ]
