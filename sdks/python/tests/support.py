"""Clients with scripted responses and their own clock."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import TestCase

import httpx

from workspace_service import AsyncClient, Client

ROOT = Path(__file__).parents[2]
Reply = httpx.Response | Exception | Callable[[], httpx.Response]


def testdata(name: str) -> Any:
    return json.loads((ROOT / "testdata" / name).read_text())


def answered(status: int, body: object = None, headers: dict[str, str] | None = None) -> Callable[[], httpx.Response]:
    return lambda: httpx.Response(status, json=body, headers=headers)


class ScriptedClient:
    """Plays replies in order, and repeats the last one."""

    def __init__(self, *replies: Any) -> None:
        self.replies = replies
        self.seen: list[httpx.Request] = []
        self.slept: list[float] = []
        self._keys = 0

    def sync(self, **options: Any) -> Client:
        client = Client("svc_secret", "https://service.example.com/", http_client=self._http(httpx.Client), **options)
        client._transport.sleep = self.slept.append
        self._settle(client)
        return client

    def asynchronous(self, **options: Any) -> AsyncClient:
        http = self._http(httpx.AsyncClient)
        client = AsyncClient("svc_secret", "https://service.example.com/", http_client=http, **options)

        async def sleep(pause: float) -> None:
            self.slept.append(pause)

        client._transport.sleep = sleep
        self._settle(client)
        return client

    def _http(self, kind: Any) -> Any:
        return kind(transport=httpx.MockTransport(self._handle))

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.seen.append(request)
        reply = self.replies[min(len(self.seen), len(self.replies)) - 1]
        if isinstance(reply, Exception):
            raise reply
        return reply()

    def _settle(self, client: Any) -> None:
        settings = client._transport.settings
        client._transport.settings = dataclasses.replace(settings, random=lambda: 1.0, new_key=self._key)

    def _key(self) -> str:
        self._keys += 1
        return f"key-{self._keys}"

    def headers(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.seen]

    def queries(self) -> list[str]:
        return [request.url.query.decode() for request in self.seen]

    def body(self, index: int = 0) -> Any:
        return json.loads(self.seen[index].content)


class BothTest(TestCase):
    """Runs a test with both clients: `run_both(replies, lambda client: client.deals.get("d"))`."""

    def both(self, replies: list[Any], call: Callable[[Any], Any], check: Callable[[ScriptedClient, Any], None], **options: Any) -> None:
        for kind in ("sync", "async"):
            with self.subTest(kind):
                played = ScriptedClient(*replies)
                try:
                    if kind == "sync":
                        result = call(played.sync(**options))
                        result = result if not hasattr(result, "__next__") else list(result)
                    else:
                        result = asyncio.run(_done(call(played.asynchronous(**options))))
                except Exception as error:  # noqa: BLE001
                    result = error
                check(played, result)


async def _done(result: Any) -> Any:
    if hasattr(result, "__aiter__"):
        return [item async for item in result]
    return await result
