"""The command line."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from .agent import Agent, Settings, Worked
from .connections import over_http, over_stdio
from .scripted import ScriptedModel
from .toolbox import approve_all, approve_none, ask_at_terminal

APPROVALS = {"none": approve_all, "ask": ask_at_terminal, "dry-run": approve_none}


def parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ticket_agent",
        description="Works on the open support tickets. Reads SERVICE_MCP_API_URL and SERVICE_MCP_API_KEY.",
    )
    parser.add_argument("--person", required=True, metavar="EMAIL", help="the member who gets what the agent is not sure of")
    parser.add_argument("--stdio", nargs="?", const="service-mcp", metavar="PROGRAM", help="connect through the local adapter")
    parser.add_argument("--approval", choices=APPROVALS, default="ask", help="of each write (default: ask at the terminal)")
    parser.add_argument("--answer", action="store_true", help="let the model write what customers read")
    parser.add_argument("--max-tickets", type=int, default=50)
    parser.add_argument("--audit", default="audit.jsonl", metavar="FILE", help="a line for each call (default: audit.jsonl)")
    return parser


async def work(given: argparse.Namespace, url: str, key: str) -> list[Worked]:
    settings = Settings(given.person, given.answer, given.max_tickets, approve=APPROVALS[given.approval])
    model = ScriptedModel(given.person, given.answer)
    connection = over_stdio(url, key, given.stdio) if given.stdio else over_http(url, key)
    with open(given.audit, "a", encoding="utf-8") as audit:

        def log(line: dict[str, Any]) -> None:
            print(json.dumps(line, ensure_ascii=False), file=audit, flush=True)

        async with connection as client:
            return await Agent(client, model, settings, log).run()


def main(arguments: Sequence[str] | None = None) -> int:
    given = parser().parse_args(arguments)
    url, key = os.environ.get("SERVICE_MCP_API_URL"), os.environ.get("SERVICE_MCP_API_KEY")
    if not url or not key:
        print("ticket_agent: set SERVICE_MCP_API_URL and SERVICE_MCP_API_KEY", file=sys.stderr)
        return 2
    worked = asyncio.run(work(given, url, key))
    for ticket in worked:
        print(f"{ticket.reference}: {ticket.outcome}")
    print(f"{len(worked)} tickets")
    return 1 if any(ticket.outcome in ("unfinished", "failed") for ticket in worked) else 0
