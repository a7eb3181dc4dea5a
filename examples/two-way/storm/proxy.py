"""A proxy that cuts connections and counts traffic."""

from __future__ import annotations

import asyncio
import contextlib
import threading


class Proxy:
    """Listens on a free port of this machine, and forwards to the current address of the service."""

    def __init__(self, target: tuple[str, int]) -> None:
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self.cuts = self.refusals = 0
        ready = threading.Event()
        threading.Thread(target=self._run, args=(ready,), daemon=True).start()
        ready.wait()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"

    def cut(self) -> None:
        """Closes all connections immediately, and drops data in flight."""
        self._loop.call_soon_threadsafe(self._cut)

    def _run(self, ready: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self._port = server.sockets[0].getsockname()[1]
        ready.set()
        self._loop.run_forever()

    def _cut(self) -> None:
        self.cuts += len(self._writers) // 2
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            service = await asyncio.open_connection(*self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, service[1]}
        await asyncio.gather(self._copy(reader, service[1], False), self._copy(service[0], writer, True))
        self._writers -= {writer, service[1]}

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, counts: bool) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65536):
                self.refusals += counts and piece.count(b"HTTP/1.1 429")
                writer.write(piece)
                await writer.drain()
        writer.close()
