"""The service with its own data folder, which can be killed and restarted."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from pathlib import Path

START_SECONDS = 90


class Service:
    def __init__(self, program: str, folder: Path) -> None:
        self._program = program
        self._folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address: tuple[str, int] = free.getsockname()
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("SERVICE_") and name != "DATABASE_URL"}
        # Creating test data takes more upserts per minute than following changes.
        bind = f"{self.address[0]}:{self.address[1]}"
        self._environment = {**inherited, "SERVICE_DATA_DIR": str(folder), "SERVICE_BIND": bind, "SERVICE_LIMIT_BULK": "1000"}
        self._process: subprocess.Popen[str] | None = None

    @property
    def url(self) -> str:
        return "http://{}:{}".format(*self.address)

    def start(self) -> None:
        with (self._folder / "service.log").open("a") as log:
            self._process = subprocess.Popen(
                [self._program, "serve"], cwd=self._folder, env=self._environment, stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self._process.stdout
        late = threading.Timer(START_SECONDS, self._process.kill)
        late.start()
        try:
            if any("listens on http://" in line for line in self._process.stdout):
                return  # Later output fits into the pipe.
        finally:
            late.cancel()
        raise RuntimeError("the service did not start: " + (self._folder / "service.log").read_text()[-2000:])

    def kill(self) -> None:
        """Its Postgres survives, and is reused by the next start."""
        assert self._process
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Stops it and its Postgres, even if it was killed before."""
        if self._process is None:
            return
        if self._process.poll() is not None:
            self.start()
        self._process.terminate()
        try:
            self._process.wait(60)
        except subprocess.TimeoutExpired:
            self._process.kill()

    def run(self, *arguments: str) -> dict[str, str]:
        """Runs an operator command."""
        command = [self._program, *arguments, "--json"]
        done = subprocess.run(command, cwd=self._folder, env=self._environment, capture_output=True, text=True, timeout=60)
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stderr}")
        return json.loads(done.stdout)  # type: ignore[no-any-return]

    def make_workspace(self, name: str) -> None:
        self.run("workspace", "create", "--name", name, "--slug", name, "--plan", "enterprise")

    def make_key(self, workspace: str, name: str) -> str:
        return self.run("key", "create", "--workspace", workspace, "--name", name, "--scope", "contacts.write")["key"]

    def limit(self, workspace: str, requests: str) -> None:
        self.run("workspace", "update", "--workspace", workspace, "--limit", f"requests_per_minute={requests}")
