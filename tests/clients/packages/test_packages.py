"""The packages of the adapter, each started with the official client by the command that users write.

`cargo xtask dist` passes the commands, the version, the service's URL and the API key in the environment.
"""

import json
import os
import unittest

from mcp import Client, StdioServerParameters

COMMANDS = json.loads(os.environ["ADAPTER_COMMANDS"])
# For the caches, which start empty: the first start unpacks the package.
CACHES = {name: os.environ[name] for name in ("npm_config_cache", "UV_CACHE_DIR")}
SECONDS = 60


class Packages(unittest.IsolatedAsyncioTestCase):
    async def test_each_package_runs(self):
        environment = CACHES | {name: os.environ[name] for name in ("SERVICE_MCP_API_URL", "SERVICE_MCP_API_KEY")}
        for command, *arguments in COMMANDS:
            with self.subTest(command):
                adapter = StdioServerParameters(command=command, args=arguments, env=environment)
                async with Client(adapter, read_timeout_seconds=SECONDS) as client:
                    self.assertEqual(client.server_info.version, os.environ["ADAPTER_VERSION"])
                    tools = {tool.name for tool in (await client.list_tools()).tools}
                    self.assertIn("list_contacts", tools)
                    result = await client.call_tool("whoami", {})
                self.assertFalse(result.is_error, result.content)
        self.assertGreaterEqual(len(COMMANDS), 2)


if __name__ == "__main__":
    unittest.main()
