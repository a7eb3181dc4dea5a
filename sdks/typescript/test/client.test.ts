import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { inspect } from "node:util";

import * as sdk from "../src/index.js";
import { ApiError, Client, ConfigurationError, ServerError, ValidationError, VERSION } from "../src/index.js";
import { clientWith, testdata, type Reply } from "./helpers.js";

interface ErrorCases {
  cases: { status: number; body: unknown; headers?: Record<string, string>; kind: string; members: object }[];
  tools: { code: string; kind: string; status: number }[];
}

const ERRORS = testdata<ErrorCases>("errors.json");

/** Checks that this is an error of the class of this kind. */
function assertKind(error: unknown, kind: string): asserts error is ApiError {
  const type = (sdk as unknown as Record<string, typeof ApiError>)[`${kind}Error`] ?? ApiError;
  assert.ok(error instanceof type && error.constructor === type, `${String(error)} is not a ${type.name}`);
}

test("key and address come from the environment, and errors never show the key", () => {
  const { SERVICE_API_KEY: key, SERVICE_API_URL: url } = process.env;
  delete process.env.SERVICE_API_KEY;
  delete process.env.SERVICE_API_URL;
  try {
    assert.throws(() => new Client(), /SERVICE_API_KEY/);
    assert.throws(() => new Client({ apiKey: "svc_marker" }), /SERVICE_API_URL/);
    assert.throws(() => new Client({ baseUrl: "https://a" }), /SERVICE_API_KEY/);
    process.env.SERVICE_API_KEY = "svc_marker";
    process.env.SERVICE_API_URL = "https://service.example.com/base/";
    const client = new Client();
    assert.equal(client.baseUrl, "https://service.example.com/base");
    for (const shown of [client, client.deals, client.issues.comments, client.tools, client.events]) {
      assert.ok(!`${inspect(shown, { depth: 9, showHidden: true })} ${JSON.stringify(shown)}`.includes("marker"));
    }
    for (const baseUrl of ["nonsense", "ftp://a", "https://user:svc_marker@a", "https://a?b", "https://a#b"]) {
      assert.throws(() => new Client({ baseUrl }), (error: unknown) => error instanceof ConfigurationError && !error.message.includes("marker"));
    }
    assert.throws(() => new Client({ apiKey: "svc_marker\n" }), (error: unknown) => error instanceof ConfigurationError && !error.message.includes("marker"));
  } finally {
    Object.assign(process.env, key === undefined ? {} : { SERVICE_API_KEY: key }, url === undefined ? {} : { SERVICE_API_URL: url });
    if (key === undefined) delete process.env.SERVICE_API_KEY;
    if (url === undefined) delete process.env.SERVICE_API_URL;
  }
});

test("the version matches the package", () => {
  const told = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  assert.equal(VERSION, told.version);
});

test("a request has the key, path, query, body and version", async () => {
  const { client, seen } = clientWith([{ body: { data: { id: "d" }, pagination: { hasMore: false, nextCursor: null } } }]);
  await client.deals.update("a/b", { title: "New", description: null }, { ifVersion: 3 });
  await client.deals.list({ status: ["open", "on_hold"], search: "a&b", value_min: 0 });
  const [update, list] = seen;
  assert.equal(update?.method, "PATCH");
  assert.equal(update?.path, "/api/v1/crm/deals/a%2Fb");
  assert.equal(update?.headers.get("authorization"), "Bearer svc_secret");
  assert.equal(update?.headers.get("if-match"), '"3"');
  assert.equal(update?.headers.get("idempotency-key"), null);
  assert.deepEqual(update?.body, { title: "New", description: null });
  assert.equal(list?.path, "/api/v1/crm/deals?status=open&status=on_hold&search=a%26b&value_min=0");
});

test("options that an operation does not have are refused before sending", async () => {
  const { client, seen } = clientWith([{ body: {} }]);
  await assert.rejects(client.request("deals_read", { path: { deal_id: "d" } }, { idempotencyKey: "k" }), ConfigurationError);
  await assert.rejects(client.request("deals_create", { body: { title: "a" } }, { ifVersion: 1 }), ConfigurationError);
  await assert.rejects(client.deals.get(""), ConfigurationError);
  await assert.rejects(client.deals.get(".."), ConfigurationError);
  assert.equal(seen.length, 0);
});

test("created contacts come without data, and other records inside it", async () => {
  const { client } = clientWith([{ status: 201, body: { id: "c" } }, { status: 201, body: { data: { id: "d" } } }]);
  assert.equal((await client.contacts.create({ email: "ada@example.com" })).id, "c");
  assert.equal((await client.deals.create({ title: "a" })).id, "d");
});

test("lists follow the cursor to the end, even if the last page has one", async () => {
  const page = (ids: string[], nextCursor: string | null, hasMore: boolean): Reply => ({
    body: { data: ids.map((id) => ({ id })), pagination: { page: null, limit: 2, hasMore, nextCursor } },
  });
  const { client, seen } = clientWith([page(["a", "b"], "c1", true), page([], "c2", true), page(["c"], "c3", false)]);
  const found = [];
  for await (const { id } of client.contacts.iterate({ order: "updated", page: 1, limit: 2 })) {
    found.push(id);
  }
  assert.deepEqual(found, ["a", "b", "c"]);
  assert.deepEqual(
    seen.map(({ path }) => path.split("?")[1]),
    ["order=updated&page=1&limit=2", "order=updated&limit=2&cursor=c1", "order=updated&limit=2&cursor=c2"],
  );
  const last = clientWith([page(["c"], "c3", false)]);
  const only = await last.client.contacts.list({ order: "updated" });
  assert.equal(only.nextCursor, "c3");
  assert.equal(await only.nextPage(), null);
});

test("errors have a class by status and code, in both forms", async () => {
  for (const { status, body, headers = {}, kind, members } of ERRORS.cases) {
    const { client } = clientWith([typeof body === "string" ? { status, text: body } : { status, headers, body }]);
    await assert.rejects(client.deals.get("d"), (error: unknown) => {
      assertKind(error, kind);
      const { requestId: request_id, retryAfter: retry_after, existingId: existing_id, ...others } = error;
      const shown = { ...others, request_id, retry_after, existing_id };
      assert.deepEqual({ ...shown, ...members }, shown);
      return true;
    });
  }
});

test("a failed tool throws the same error as REST", async () => {
  for (const { code, kind, status } of ERRORS.tools) {
    const text = JSON.stringify({ error: code, message: "m" });
    const { client, seen } = clientWith([{ headers: { "X-Request-Id": "r" }, body: { isError: true, content: [{ type: "text", text }] } }]);
    await assert.rejects(client.contacts.update("c", { notes: "n" }, { ifVersion: 2 }), (error: unknown) => {
      assertKind(error, kind);
      assert.deepEqual([error.status, error.tool, error.requestId], [status, "update_contact", "r"]);
      return true;
    });
    assert.deepEqual(seen[0]?.body, { name: "update_contact", arguments: { notes: "n", id: "c", expected_version: 2 } });
  }
});

test("the text of an error describes the problem", async () => {
  const head = "422 validation_failed: some values are not valid; see details";
  const detail = (at: number) => ({ field: `tags[${at}]`, code: "too_long", message: "at most 100 characters" });
  const ten = Array.from({ length: 10 }, (_, at) => `tags[${at}]: at most 100 characters`).join("; ");
  for (const [count, expected] of [[0, head], [1, `${head} (tags[0]: at most 100 characters)`], [12, `${head} (${ten}; and 2 more)`]] as const) {
    const details = Array.from({ length: count }, (_, at) => detail(at));
    const error = { code: "validation_failed", message: "some values are not valid; see details", details, request_id: "r" };
    const { client } = clientWith([{ status: 422, body: { error } }]);
    await assert.rejects(client.deals.get("d"), (thrown: unknown) => {
      assert.ok(thrown instanceof ValidationError);
      assert.deepEqual([thrown.message, thrown.details.length], [expected, count]);
      return true;
    });
  }
});

test("every tool takes an object of arguments", async () => {
  const { client, seen } = clientWith([{ body: { isError: false, content: [], structuredContent: { now: "n" } } }]);
  await client.tools.whoami({});
  await client.tools.whoami();
  assert.deepEqual(seen.map(({ body }) => body), [{ name: "whoami", arguments: {} }, { name: "whoami", arguments: {} }]);
});

test("an unknown tool is called once, without retries", async () => {
  const { client, seen } = clientWith([{ status: 503 }]);
  await assert.rejects(client.tools.call("paint" as "whoami", {}), ServerError);
  assert.equal(seen.length, 1);
});

test("an upsert is one call of its tool", async () => {
  const { client, seen } = clientWith([{ body: { isError: false, content: [], structuredContent: { outcomes: ["created"] } } }]);
  const { outcomes } = await client.contacts.upsert([{ email: "a@example.com" }], { dryRun: true });
  assert.deepEqual(outcomes, ["created"]);
  assert.deepEqual(seen[0]?.body, { name: "upsert_contacts", arguments: { items: [{ email: "a@example.com" }], dry_run: true } });
});
