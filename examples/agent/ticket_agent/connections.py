"""The two connections to the tools: POST /api/mcp of the service, or the local adapter."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncIterator

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

SECONDS = 40
"""The service takes up to 30 for the largest writes."""


@contextlib.asynccontextmanager
async def over_http(url: str, key: str) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=SECONDS) as http:
        transport = streamable_http_client(f"{url.rstrip('/')}/api/mcp", http_client=http)
        async with Client(transport, read_timeout_seconds=SECONDS) as client:
            yield client


@contextlib.asynccontextmanager
async def over_stdio(url: str, key: str, program: str) -> AsyncIterator[Client]:
    # The key is not passed as an argument, since process lists show arguments.
    environment = {**os.environ, "SERVICE_MCP_API_URL": url, "SERVICE_MCP_API_KEY": key}
    adapter = StdioServerParameters(command=program, args=[], env=environment)
    # The adapter retries by itself; see docs/ai-clients.md.
    async with Client(adapter, read_timeout_seconds=3 * SECONDS) as client:
        yield client
