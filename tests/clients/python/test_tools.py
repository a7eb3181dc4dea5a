"""The same conversation over each transport and in each revision of the protocol.

The client validates every structured result against the tool's outputSchema, and raises if it does not match.
"""

import json
import unittest
import uuid

from connections import over_http, over_stdio
from jsonschema import Draft202012Validator
from mcp import MCPError

INVALID_PARAMS = -32602
HINTS = ("read_only_hint", "destructive_hint", "idempotent_hint", "open_world_hint")


# Tools that need one of several arguments, which no schema that all clients support can express, and their error without it.
NEED_ONE_OF = {"get_ticket": "either id or reference", "list_comments": "exactly one of"}


def without_nulls(value):
    """The form of a result in its text, which omits members without a value."""
    if isinstance(value, dict):
        return {name: without_nulls(inner) for name, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [without_nulls(inner) for inner in value]
    return value


def references(schema):
    """The names of the definitions to which a schema refers; every reference is local."""
    if isinstance(schema, list):
        for inner in schema:
            yield from references(inner)
    elif isinstance(schema, dict):
        if isinstance(schema.get("$ref"), str):
            where, _, name = schema["$ref"].rpartition("/")
            assert where == "#/$defs", schema
            yield name
        for inner in schema.values():
            yield from references(inner)


class Conversation:
    """The tests; each class below defines how to connect and which revision must be negotiated."""

    connect = None
    mode = None
    revision = None

    def client(self):
        return type(self).connect(self.mode)

    async def done(self, client, tool, **arguments):
        """The structured result of a call that must succeed."""
        result = await client.call_tool(tool, arguments)
        self.assertFalse(result.is_error, f"{tool}: {result.content}")
        return result.structured_content

    async def refused(self, client, tool, **arguments):
        """The text of a call that must be an error result."""
        result = await client.call_tool(tool, arguments)
        self.assertTrue(result.is_error, f"{tool}: {result.structured_content}")
        [text] = result.content
        return text.text

    async def test_the_revision_is_negotiated(self):
        async with self.client() as client:
            self.assertEqual(client.protocol_version, self.revision)
            self.assertIsNotNone(client.server_capabilities.tools)
            self.assertTrue(client.server_info.name)
            self.assertTrue(client.instructions)

    async def test_every_tool_is_described(self):
        async with self.client() as client:
            listed = await client.list_tools()
        self.assertIsNone(listed.next_cursor)
        names = [tool.name for tool in listed.tools]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 30)
        for tool in listed.tools:
            with self.subTest(tool=tool.name):
                self.assertTrue(tool.title)
                self.assertTrue(tool.description)
                for hint in HINTS:
                    self.assertIsInstance(getattr(tool.annotations, hint), bool, hint)
                for schema in (tool.input_schema, tool.output_schema):
                    self.assertEqual(schema["type"], "object")
                    Draft202012Validator.check_schema(schema)
                    self.assertLessEqual(set(references(schema)), set(schema.get("$defs", {})))

    async def test_every_list_works(self):
        async with self.client() as client:
            listed = await client.list_tools()
            asked = 0
            for tool in listed.tools:
                if tool.annotations.read_only_hint and not tool.input_schema.get("required"):
                    with self.subTest(tool=tool.name):
                        if tool.name in NEED_ONE_OF:
                            self.assertIn(NEED_ONE_OF[tool.name], await self.refused(client, tool.name))
                            continue
                        await self.done(client, tool.name)
                        asked += 1
            self.assertGreater(asked, 5)

    async def test_a_contact_lives_and_dies(self):
        async with self.client() as client:
            email = f"{uuid.uuid4()}@example.com"
            made = await self.done(client, "create_contact", email=email, first_name="Ada")
            self.assertEqual((made["email"], made["first_name"]), (email, "Ada"))
            read = await self.done(client, "get_contact", id=made["id"])
            self.assertEqual(read["email"], email)
            changed = await self.done(client, "update_contact", id=made["id"], first_name=None, last_name="Byron")
            self.assertEqual((changed["first_name"], changed["last_name"]), (None, "Byron"))
            gone = await self.done(client, "delete_contact", id=made["id"])
            referring = {"deals": 0, "tasks": 0, "tickets": 0, "contacts": 0}
            self.assertEqual(gone, {"id": made["id"], "deleted": True, "referring": referring})
            self.assertIn("not_found", await self.refused(client, "get_contact", id=made["id"]))

    async def test_arguments_may_be_written_as_models_do(self):
        async with self.client() as client:
            schemas = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
            task = {"title": f"Task {uuid.uuid4().hex}", "due_at": "2030-01-31"}
            found = {"search": task["title"].removeprefix("Task "), "status": "todo", "due_before": "2030-02-01"}
            for tool, arguments in (("create_task", task), ("list_tasks", found)):
                Draft202012Validator(schemas[tool]).validate(arguments)
            made = await self.done(client, "create_task", **task)
            self.assertEqual(made["due_at"], "2030-01-31T23:59:59.000000Z")
            listed = await self.done(client, "list_tasks", **found)
            self.assertEqual([row["id"] for row in listed["data"]], [made["id"]])

    async def test_text_and_structured_content_match(self):
        async with self.client() as client:
            result = await client.call_tool("list_contacts", {"limit": 1})
            [text] = result.content
            self.assertEqual(json.loads(text.text), without_nulls(result.structured_content))

    async def test_a_list_is_paged_through(self):
        async with self.client() as client:
            family = f"Family{uuid.uuid4().hex}"
            made = set()
            for number in range(5):
                email = f"{number}@{family}.example.com".lower()
                contact = await self.done(client, "create_contact", email=email, last_name=family)
                made.add(contact["id"])
            seen, sizes, cursor = [], [], {}
            while len(sizes) < 5:
                page = await self.done(client, "list_contacts", search=family, limit=2, **cursor)
                seen += [contact["id"] for contact in page["data"]]
                sizes.append(len(page["data"]))
                if not page["pagination"]["hasMore"]:
                    break
                cursor = {"cursor": page["pagination"]["nextCursor"]}
            self.assertEqual(sizes, [2, 2, 1])
            self.assertEqual((len(seen), set(seen)), (5, made))

    async def test_errors_name_wrong_arguments(self):
        async with self.client() as client:
            self.assertIn("id", await self.refused(client, "get_contact", id="nobody"))
            self.assertIn("email", await self.refused(client, "create_contact", first_name="Ada"))
            self.assertIn("colour", await self.refused(client, "list_contacts", colour="red"))

    async def test_an_unknown_tool_is_a_protocol_error(self):
        async with self.client() as client:
            with self.assertRaises(MCPError) as raised:
                await client.call_tool("make_coffee", {})
            self.assertEqual(raised.exception.code, INVALID_PARAMS)


class HttpToday(Conversation, unittest.IsolatedAsyncioTestCase):
    connect, mode, revision = over_http, "auto", "2026-07-28"


class HttpWithoutAsking(Conversation, unittest.IsolatedAsyncioTestCase):
    """A client with a preset revision, which does not send server/discover."""

    connect, mode, revision = over_http, "2026-07-28", "2026-07-28"

    async def test_the_revision_is_negotiated(self):
        async with self.client() as client:
            self.assertEqual(client.protocol_version, self.revision)


class HttpWithInitialize(Conversation, unittest.IsolatedAsyncioTestCase):
    connect, mode, revision = over_http, "legacy", "2025-11-25"


class StdioToday(Conversation, unittest.IsolatedAsyncioTestCase):
    connect, mode, revision = over_stdio, "auto", "2026-07-28"


class StdioWithInitialize(Conversation, unittest.IsolatedAsyncioTestCase):
    connect, mode, revision = over_stdio, "legacy", "2025-11-25"
