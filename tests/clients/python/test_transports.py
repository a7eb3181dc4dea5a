"""Differences between the transports, and their common behaviour."""

import json
import unittest
import urllib.request

from connections import ENDPOINT, KEY, over_http, over_stdio
from mcp import MCPError

WRONG_KEY = KEY[:-1] + ("a" if KEY[-1] != "a" else "b")
# The adapter rejects more.
MAX_BYTES = 1024 * 1024


class Transports(unittest.IsolatedAsyncioTestCase):
    async def test_both_show_the_same_tools(self):
        async with over_http() as direct, over_stdio() as adapter:
            lists = [(await client.list_tools()).tools for client in (direct, adapter)]
        direct, adapter = ([tool.model_dump(exclude_none=True) for tool in tools] for tools in lists)
        for tool in direct:
            # The endpoint sends the title twice, for clients of revisions in which tools have none.
            self.assertEqual(tool["annotations"].pop("title"), tool["title"])
        self.assertEqual([tool["name"] for tool in direct], [tool["name"] for tool in adapter])
        for ours, theirs in zip(direct, adapter):
            self.assertEqual(ours, theirs, ours["name"])

    async def test_a_wrong_key_is_rejected_over_http(self):
        with self.assertRaises(BaseException) as raised:
            async with over_http("legacy", key=WRONG_KEY):
                pass
        self.assertIn("MCPError", repr(raised.exception))

    async def test_a_wrong_key_is_rejected_over_stdio(self):
        async with over_stdio("legacy", key=WRONG_KEY) as client:
            with self.assertRaises(MCPError) as raised:
                await client.list_tools()
        self.assertEqual(raised.exception.error.data["status"], 401)

    async def test_the_adapter_keeps_to_its_limits(self):
        async with over_stdio(arguments=["--read-only", "--features", "crm"]) as client:
            tools = (await client.list_tools()).tools
            names = {tool.name for tool in tools}
            self.assertIn("list_contacts", names)
            self.assertFalse(names & {"create_contact", "list_tickets"})
            self.assertTrue(all(tool.annotations.read_only_hint for tool in tools))
            with self.assertRaises(MCPError):
                await client.call_tool("create_contact", {"email": "nobody@example.com"})

    def test_the_list_has_a_size_that_clients_accept(self):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        headers = {
            "Authorization": f"Bearer {KEY}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": "2025-11-25",
        }
        request = urllib.request.Request(ENDPOINT, json.dumps(message).encode(), headers)
        with urllib.request.urlopen(request, timeout=30) as response:
            body = response.read()
        tools = json.loads(body)["result"]["tools"]
        for tool in tools:
            tool["size"] = len(json.dumps(tool, separators=(",", ":")))
        largest = max(tools, key=lambda tool: tool["size"])
        print(f"tools/list: {len(tools)} tools, {len(body)} bytes; the largest is {largest['name']}, {largest['size']}")
        self.assertLess(len(body), MAX_BYTES)
