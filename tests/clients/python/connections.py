"""How the official client connects to the tool API.

`cargo xtask clients` passes the service's URL, the API key and the adapter's path in the environment.
"""

import contextlib
import os

import httpx2
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

SERVICE_URL = os.environ["SERVICE_MCP_API_URL"]
ENDPOINT = f"{SERVICE_URL}/api/mcp"
KEY = os.environ["SERVICE_MCP_API_KEY"]
ADAPTER = os.environ["CLIENTS_ADAPTER"]
SECONDS = 30


@contextlib.asynccontextmanager
async def over_http(mode="auto", key=KEY):
    """A client that connects to POST /api/mcp directly."""
    headers = {"Authorization": f"Bearer {key}"}
    async with httpx2.AsyncClient(headers=headers, timeout=SECONDS) as http:
        transport = streamable_http_client(ENDPOINT, http_client=http)
        async with Client(transport, mode=mode, read_timeout_seconds=SECONDS) as client:
            yield client


@contextlib.asynccontextmanager
async def over_stdio(mode="auto", key=KEY, arguments=()):
    """A client that starts the adapter as a desktop application would."""
    environment = {"SERVICE_MCP_API_URL": SERVICE_URL, "SERVICE_MCP_API_KEY": key, "SERVICE_MCP_LOG": "off"}
    adapter = StdioServerParameters(command=ADAPTER, args=list(arguments), env=environment)
    async with Client(adapter, mode=mode, read_timeout_seconds=SECONDS) as client:
        yield client
