"""Runs sync programs, each between two workspaces, while everything goes wrong, and compares the sides at the end.

python -m storm --service target/debug/workspace-service --seconds 20 "python3 python/two_way.py" "node typescript/build/main.js"
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import workspace_service as ws

from .people import SIDES, People
from .proxy import Proxy
from .service import Service

SETTLE_SECONDS = 120


class Program:
    """A sync program under test, with its two workspaces and the people in them."""

    def __init__(self, number: int, command: str, service: Service, proxy: Proxy, folder: Path, seed: int) -> None:
        self.name = f"sync{number}"
        self._command = shlex.split(command)
        self.workspaces = [f"{self.name}-{side}" for side in SIDES]
        self._log = folder / f"{self.name}.log"
        environment = {"SERVICE_API_URL": proxy.url, "STATE": str(folder / f"{self.name}.state")}
        people = {}
        for side, workspace in zip(SIDES, self.workspaces):
            service.make_workspace(workspace)
            environment[f"{side.upper()}_API_KEY"] = service.make_key(workspace, "sync")
            # People bypass the proxy and do not retry, so they know what was done.
            people[side] = ws.Client(service.make_key(workspace, "people"), service.url, max_retries=0)
        self._environment = {**os.environ, **environment}
        self.people = People(self.name, people, seed)
        self._process: subprocess.Popen[bytes] | None = None
        self.kills = 0

    def start(self) -> None:
        with self._log.open("a") as log:
            self._process = subprocess.Popen(self._command, env=self._environment, stdout=log, stderr=log)

    def kill(self) -> None:
        assert self._process
        if self._process.poll() is not None:
            raise RuntimeError(f"{self.name} ended by itself with {self._process.returncode}: {self.log()[-2000:]}")
        self._process.kill()
        self._process.wait()
        self.kills += 1

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def settle(self) -> list[str]:
        """Runs until nothing is left to write."""
        command = [*self._command, "--once"]
        with self._log.open("a") as log:
            done = subprocess.run(command, env=self._environment, stdout=log, stderr=log, timeout=SETTLE_SECONDS)
        return [f"it ended with {done.returncode}"] if done.returncode else []

    def log(self) -> str:
        return self._log.read_text()


class Storm:
    def __init__(self, service: Service, proxy: Proxy, programs: list[Program], seed: int) -> None:
        self._service = service
        self._proxy = proxy
        self._programs = programs
        self._random = random.Random(seed)

    def rage(self, seconds: float) -> None:
        """Complete rounds of all faults, each in a different order."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            blows = [self._kill_program] * 2 + [self._cut] * 3 + [self._limit, self._kill_service]
            self._random.shuffle(blows)
            for blow in blows:
                time.sleep(self._random.uniform(0.2, 1.5))
                blow()

    def _kill_program(self) -> None:
        for program in self._programs:
            program.kill()
            program.start()

    def _cut(self) -> None:
        self._proxy.cut()

    def _limit(self) -> None:
        """A rejected program waits for the next minute, or is killed and finds the old limit restored."""
        workspaces = [workspace for program in self._programs for workspace in program.workspaces]
        for workspace in workspaces:
            self._service.limit(workspace, "2")
        for _ in range(2):
            time.sleep(1)
            self._kill_program()
        time.sleep(1)
        for workspace in workspaces:
            self._service.limit(workspace, "default")
        self._kill_program()

    def _kill_service(self) -> None:
        self._service.kill()
        time.sleep(self._random.uniform(0, 0.5))
        self._service.start()


def check(programs: list[Program]) -> list[str]:
    found = []
    for program in programs:
        found += [f"{program.name}: {one}" for one in program.settle() + program.people.differences()]
        versions = program.people.versions()
        program.settle()
        if program.people.versions() != versions:
            found.append(f"{program.name}: another run, without a change, writes something")
    return found


def run(options: argparse.Namespace, folder: Path) -> int:
    begun = time.monotonic()
    service = Service(os.path.abspath(options.service), folder)
    programs: list[Program] = []
    try:
        service.start()
        proxy = Proxy(service.address)
        for number, command in enumerate(options.commands, 1):
            programs.append(Program(number, command, service, proxy, folder, options.seed + number))
            programs[-1].people.seed()
        for program in programs:
            program.start()
            program.people.start()
        print(f"storm: begins after {time.monotonic() - begun:.0f} s", flush=True)
        Storm(service, proxy, programs, options.seed).rage(options.seconds)
        for program in programs:
            program.people.stop()
            program.end()
        found = check(programs)
        for program in programs:
            conflicts = program.log().count('"conflict"')
            print(f"storm: {program.name}: {program.people.edits} edits, {program.kills} kills, {conflicts} conflicts")
        print(f"storm: {proxy.cuts} cut connections, {proxy.refusals} times 429; {time.monotonic() - begun:.0f} s in all")
        if not proxy.cuts or not proxy.refusals or not all(program.kills for program in programs):
            found.append("the storm was too short: something did not happen")
        for one in found[:50]:
            print(f"storm: {one}")
        print(f"storm: {len(found)} differences (seed {options.seed})")
        if found:
            for program in programs:
                print(program.log()[-3000:])
        return 1 if found else 0
    finally:
        for program in programs:
            program.end()
        service.stop()


def main() -> int:
    parser = argparse.ArgumentParser(prog="storm", description=__doc__)
    parser.add_argument("commands", nargs="+", metavar="COMMAND", help="starts a sync program; --once is added at the end")
    parser.add_argument("--service", required=True, help="the workspace-service program")
    parser.add_argument("--seconds", type=float, default=20, help="how long the storm lasts, to the end of its round (default: 20)")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6), help="of what happens (default: any)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # The Postgres account needs access.
        return run(options, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
