"""Checks the model's calls before they reach the service: allowed tools, scope, budget and approval. Logs each call."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Protocol

from mcp import Client, MCPError

from .model import Result, Tool, ToolCall

READS = frozenset({"get_ticket", "list_comments", "search_kb", "get_kb_article"})
# The argument that names the ticket: a call may only write to the current ticket.
WRITES = {"update_ticket": "id", "add_comment": "issue_id", "bulk_update_issues": "issueIds"}

Approve = Callable[[str, ToolCall], bool]
"""Decides whether a write to this ticket is allowed."""


class Log(Protocol):
    def __call__(self, line: dict[str, Any]) -> None:
        """Records a call."""


@dataclass
class Budget:
    """Limits for one ticket."""

    turns: int = 8
    calls: int = 12


class Toolbox:
    """The tools for one ticket."""

    def __init__(
        self,
        client: Client,
        tools: Sequence[Tool],
        ticket: dict[str, Any],
        *,
        budget: Budget,
        approve: Approve,
        log: Log,
        may_answer: bool,
    ) -> None:
        self.tools = tools
        self._client = client
        self._ticket = ticket
        self._calls_left = budget.calls
        self._approve = approve
        self._log = log
        self._may_answer = may_answer

    async def call(self, call: ToolCall) -> Result:
        """Always returns a result, so that the model can read why a call was refused."""
        refusal = self._refusal(call)
        if refusal is not None:
            self._record(call, "refused", refusal)
            return Result(call, f"refused: {refusal}", is_error=True)
        return await self.send(call)

    async def send(self, call: ToolCall) -> Result:
        """Calls without checks, for the agent's own calls."""
        try:
            answer = await self._client.call_tool(call.name, call.arguments)
        except MCPError as error:
            self._record(call, "error", str(error))
            return Result(call, str(error), is_error=True)
        text = "\n".join(part.text for part in answer.content if part.type == "text")
        self._record(call, "error" if answer.is_error else "done", text[:200] if answer.is_error else "")
        return Result(call, text, bool(answer.is_error), answer.structured_content)

    def _refusal(self, call: ToolCall) -> str | None:
        if self._calls_left == 0:
            return "no calls are left for this ticket; end with what you have"
        self._calls_left -= 1
        if call.name in READS:
            return None
        if call.name not in WRITES or call.name not in {tool.name for tool in self.tools}:
            return f"there is no tool {call.name}"
        named = call.arguments.get(WRITES[call.name])
        if named not in (self._ticket["id"], [self._ticket["id"]]):
            return "only the ticket at hand may be changed"
        if call.name == "add_comment" and call.arguments.get("visibility") == "public" and not self._may_answer:
            return "customers are answered by people here; write an internal comment"
        if not self._approve(self._ticket["reference"], call):
            return "a person did not approve of it"
        return None

    def _record(self, call: ToolCall, outcome: str, why: str) -> None:
        record(self._log, self._ticket["reference"], call.name, call.arguments, outcome, why)


def record(log: Log, ticket: str | None, tool: str | None, arguments: dict[str, Any], outcome: str, why: str = "") -> None:
    """Writes a line of the audit log."""
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    line = {"at": now, "ticket": ticket, "tool": tool, "arguments": arguments, "outcome": outcome}
    log({**line, **({"why": why} if why else {})})


def approve_all(ticket: str, call: ToolCall) -> bool:
    return True


def approve_none(ticket: str, call: ToolCall) -> bool:
    return False


def ask_at_terminal(ticket: str, call: ToolCall) -> bool:
    print(f"{ticket}: {call.name} {json.dumps(call.arguments, ensure_ascii=False, indent=2)}")
    return input("Do it? [y/N] ").strip().lower() == "y"
