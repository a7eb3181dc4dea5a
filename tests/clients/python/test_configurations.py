"""The configurations of docs/ai-clients.md, each as a client would use it."""

import json
import re
import shlex
import tomllib
import unittest
from pathlib import Path

import httpx2
from connections import ADAPTER, KEY, SECONDS, SERVICE_URL
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

PAGE = (Path(__file__).parents[3] / "docs/ai-clients.md").read_text()
# Placeholders of the key, as each client refers to its environment or prompts for it.
KEYS = ("<API_KEY>", "${SERVICE_API_KEY}", "${env:SERVICE_API_KEY}", "$SERVICE_API_KEY", "${input:key}")
SERVERS = ("mcpServers", "servers", "context_servers", "mcp_servers")
ADDRESSES = ("url", "serverUrl", "httpUrl", "server_url")


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def real(value):
    """Substitutes the key and the address of this run."""
    if isinstance(value, dict):
        return {name: real(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [real(inner) for inner in value]
    if isinstance(value, str):
        value = value.replace("https://service.example.com", SERVICE_URL)
        for placeholder in KEYS:
            value = value.replace(placeholder, KEY)
    return value


def servers():
    """Every server that a block of the page configures."""
    for text in blocks("json"):
        told = json.loads(text)
        for name in SERVERS:
            yield from told.get(name, {}).values()
        yield from told.get("tools", [])
    for text in blocks("toml"):
        for server in tomllib.loads(text)["mcp_servers"].values():
            variable = server.pop("bearer_token_env_var", None)
            yield server | ({"authorization": "<API_KEY>"} if variable else {})
    for text in blocks("sh"):
        for line in text.splitlines():
            if line.startswith("claude mcp add"):
                yield of_command(shlex.split(line)[3:])


def of_command(words):
    """The arguments of `claude mcp add`."""
    words, command = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    options, rest = {}, []
    given = iter(words)
    for word in given:
        if word.startswith("--"):
            options[word] = next(given)
        else:
            rest.append(word)
    if command:
        return {"command": command[0], "args": command[1:], "env": dict([options["--env"].split("=", 1)])}
    return {"url": rest[1], "headers": dict([options["--header"].split(": ", 1)])}


class Configurations(unittest.IsolatedAsyncioTestCase):
    async def test_every_configuration_connects(self):
        kinds = []
        for told in servers():
            with self.subTest(told):
                server = real(told)
                is_process = "command" in server
                async with self.over_stdio(server) if is_process else httpx2.AsyncClient(timeout=SECONDS) as connection:
                    if is_process:
                        names = await self.tools(connection)
                    else:
                        async with self.over_http(server, connection) as client:
                            names = await self.tools(client)
                self.assertIn("whoami", names)
                kinds.append(is_process)
        self.assertGreaterEqual(kinds.count(True), 6)
        self.assertGreaterEqual(kinds.count(False), 10)

    async def tools(self, client):
        return {tool.name for tool in (await client.list_tools()).tools}

    def over_stdio(self, server):
        self.assertEqual(server["command"], "service-mcp")
        # Only the environment in the configuration: a variable of the test would hide a missing one.
        adapter = StdioServerParameters(command=ADAPTER, args=server["args"], env=server["env"])
        return Client(adapter, read_timeout_seconds=SECONDS)

    def over_http(self, server, http):
        [address] = [server[name] for name in ADDRESSES if name in server]
        headers = server.get("headers") or {"Authorization": f"Bearer {server['authorization']}"}
        http.headers.update(headers)
        return Client(streamable_http_client(address, http_client=http), read_timeout_seconds=SECONDS)

    def test_the_yaml_says_the_same(self):
        """Compares words, since there is no YAML parser among the pinned packages."""
        http, stdio = blocks("yaml")
        for words in ("type: streamable_http", 'uri: "https://service.example.com/api/mcp"', 'Authorization: "Bearer <API_KEY>"'):
            self.assertIn(words, http)
        for words in ("cmd: service-mcp", '["--api-url", "https://service.example.com"]', 'SERVICE_MCP_API_KEY: "<API_KEY>"'):
            self.assertIn(words, stdio)
