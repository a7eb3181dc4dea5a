"""The scenario that all SDKs share, against the service that the environment names."""

import asyncio
import inspect
import json
import os
import re
import time
from typing import Any
from unittest import TestCase, skipUnless

import workspace_service as sdk

from .support import ROOT

REFERENCE = re.compile(r"\$\{([^}]+)\}")


@skipUnless(os.environ.get("SERVICE_API_KEY"), "no SERVICE_API_KEY")
class Scenario(TestCase):
    def test_with_the_blocking_client(self):
        with sdk.Client() as client:
            asyncio.run(self.run_steps(client, "py"))

    def test_with_the_asynchronous_client(self):
        async def run():
            async with sdk.AsyncClient() as client:
                await self.run_steps(client, "pa")

        asyncio.run(run())

    async def run_steps(self, client, word):
        saved = {"run": f"{word}{time.time_ns():x}"}
        for raw in json.loads((ROOT / "scenario.json").read_text())["steps"]:
            step = filled(raw, saved)
            with self.subTest(step=step):
                if "error" in step:
                    with self.assertRaises(getattr(sdk, step["error"]["type"])) as raised:
                        await self.done(client, step)
                    self.check_error(raised.exception, step["error"])
                    continue
                answer = await self.done(client, step)
                if "count" in step:
                    self.assertEqual(len(answer), step["count"])
                self.check(answer, step.get("expect", {}))
                if "save" in step:
                    saved[step["save"]] = answer

    async def done(self, client: Any, step: dict[str, Any]) -> Any:
        if "follow" in step:
            return await self.followed(client, step)
        options = step.get("options", {})
        if "request" in step:
            return await value(client.request(step["request"], path=step.get("path"), **options))
        target = client
        for name in step["call"].split("."):
            target = getattr(target, name)
        arguments = [*step.get("path", []), *(step[name] for name in ("body", "query") if name in step)]
        answer = await value(target(*arguments, **options))
        return answer.items if isinstance(answer, (sdk.Page, sdk.AsyncPage)) else answer

    async def followed(self, client: Any, step: dict[str, Any]) -> Any:
        events = client.events.follow(step["follow"], cursor=step.get("cursor"), transport=step["transport"])
        found = []
        for _ in step["names"]:
            found.append(await asyncio.wait_for(anext(events), 20) if hasattr(events, "__anext__") else next(events))
        await value(events.aclose() if hasattr(events, "aclose") else events.close())
        self.assertEqual([followed.event["event"] for followed in found], step["names"])
        return {"first": found[0].cursor, "last": found[-1].cursor}

    def check(self, answer: Any, expected: Any) -> None:
        if isinstance(expected, dict):
            for name, member in expected.items():
                self.check(answer[name], member)
        else:
            self.assertEqual(answer, expected)

    def check_error(self, error: sdk.ApiError, expected: dict[str, Any]) -> None:
        for name in ("status", "code", "existing_id", "tool"):
            if name in expected:
                self.assertEqual(getattr(error, name), expected[name])
        self.assertTrue(error.request_id)
        if "fields" in expected:
            self.assertEqual(sorted(detail.field for detail in error.details), expected["fields"])


async def value(result: Any) -> Any:
    """The result of a call of either client; for an iterator, all items."""
    if inspect.isawaitable(result):
        return await result
    if hasattr(result, "__aiter__"):
        return [item async for item in result]
    return list(result) if inspect.isgenerator(result) else result


def filled(raw: Any, saved: dict[str, Any]) -> Any:
    """`${a.b}` alone keeps the value's type; within a text it becomes text."""
    if isinstance(raw, str):
        whole = REFERENCE.fullmatch(raw)
        return found(whole[1], saved) if whole else REFERENCE.sub(lambda match: str(found(match[1], saved)), raw)
    if isinstance(raw, list):
        return [filled(item, saved) for item in raw]
    return {name: filled(member, saved) for name, member in raw.items()} if isinstance(raw, dict) else raw


def found(path: str, saved: dict[str, Any]) -> Any:
    value: Any = saved
    for name in path.split("."):
        value = value[name]
    return value
