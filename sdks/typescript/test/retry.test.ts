import assert from "node:assert/strict";
import { test } from "node:test";

import { ConnectionError, RateLimitError, ServerError, TimeoutError } from "../src/index.js";
import { settingsOf } from "../src/config.js";
import { backoff } from "../src/retry.js";
import { clientWith, failed, type Reply } from "./helpers.js";

const DEAL = { status: 200, body: { data: { id: "d", version: 1 } } };
const UNAVAILABLE: Reply = { status: 503, body: { error: { code: "unavailable", message: "later", request_id: "r" } } };
const LIMITED = (seconds: number): Reply => ({
  status: 429,
  headers: { "Retry-After": String(seconds) },
  body: { error: "rate_limit_exceeded", message: "slow down", retry_after: seconds, request_id: "r" },
});

test("a read is retried with growing pauses until it fails", async () => {
  for (const reply of [UNAVAILABLE, failed("ECONNREFUSED"), failed("ECONNRESET"), { status: 502 }, { status: 500 }]) {
    const { client, seen, slept } = clientWith([reply]);
    await assert.rejects(client.deals.get("d"), reply instanceof Error ? ConnectionError : ServerError);
    assert.equal(seen.length, 4);
    assert.deepEqual(slept, [500, 1000, 2000]);
  }
});

test("pauses are half random, and at most eight seconds", () => {
  const pauses = (random: number) => [1, 2, 3, 4, 5, 6].map((attempt) => backoff(attempt, random));
  assert.deepEqual(pauses(1), [500, 1000, 2000, 4000, 8000, 8000]);
  assert.deepEqual(pauses(0), [250, 500, 1000, 2000, 4000, 4000]);
});

test("Retry-After is respected, unless it is too long", async () => {
  const waited = clientWith([LIMITED(7), DEAL]);
  await waited.client.deals.get("d");
  assert.deepEqual(waited.slept, [7500]);
  const refused = clientWith([LIMITED(3600)]);
  await assert.rejects(refused.client.deals.get("d"), (error: unknown) => error instanceof RateLimitError && error.retryAfter === 3600);
  assert.equal(refused.seen.length, 1);
});

test("a short Retry-After does not shorten the pause", async () => {
  for (const [seconds, slept] of [[0, [500, 1000, 2000, 4000]], [1, [1500, 1500, 2000, 4000]], [-5, [500, 1000, 2000, 4000]]] as const) {
    const { client, ...asked } = clientWith([LIMITED(seconds)], { maxRetries: 4 });
    await assert.rejects(client.deals.get("d"), RateLimitError);
    assert.deepEqual(asked.slept, slept, String(seconds));
  }
});

test("a create keeps its idempotency key, and the next one gets a new key", async () => {
  const made = { status: 201, body: { data: { id: "d" } } };
  const { client, seen } = clientWith([failed("ECONNRESET"), UNAVAILABLE, made, made]);
  await client.deals.create({ title: "40 seats" });
  await client.deals.create({ title: "40 seats" });
  assert.deepEqual(seen.map(({ headers }) => headers.get("idempotency-key")), ["key-1", "key-1", "key-1", "key-2"]);
  const own = clientWith([made]);
  await own.client.deals.create({ title: "40 seats" }, { idempotencyKey: "mine" });
  assert.equal(own.seen[0]?.headers.get("idempotency-key"), "mine");
});

test("it waits for an attempt that is still running", async () => {
  const running: Reply = { status: 409, body: { error: { code: "idempotency_conflict", message: "", request_id: "r" } } };
  const lost = clientWith([failed("ECONNRESET"), running, { status: 201, body: { data: { id: "d" } } }]);
  assert.equal((await lost.client.deals.create({ title: "a" })).id, "d");
  // Without a lost attempt, the key belongs to another request.
  const other = clientWith([running]);
  await assert.rejects(other.client.deals.create({ title: "a" }));
  assert.equal(other.seen.length, 1);
});

test("a POST without a key is retried only if it certainly did not start", async () => {
  for (const [reply, attempts] of [
    [failed("ECONNREFUSED"), 4],
    [LIMITED(1), 4],
    [failed("ECONNRESET"), 1],
    [UNAVAILABLE, 1],
  ] as const) {
    const { client, seen } = clientWith([reply]);
    await assert.rejects(client.webhooks.rotateSecret("w"));
    assert.equal(seen.length, attempts);
  }
});

test("writes are not retried after internal errors, and nothing after refusals", async () => {
  const { client, seen } = clientWith([{ status: 500 }]);
  await assert.rejects(client.deals.update("d", { title: "a" }), ServerError);
  assert.equal(seen.length, 1);
  for (const status of [400, 401, 403, 404, 409, 413, 422]) {
    const refused = clientWith([{ status }]);
    await assert.rejects(refused.client.deals.get("d"));
    assert.equal(refused.seen.length, 1, String(status));
  }
});

test("retries of a tool depend on its effects", async () => {
  for (const [call, attempts, key] of [
    ["getContact", 4, null],
    ["updateContact", 4, "key-1"],
    ["rotateWebhookSecret", 1, "key-1"],
  ] as const) {
    const { client, seen } = clientWith([failed("ECONNRESET")]);
    await assert.rejects(client.tools[call]({ id: "c" }));
    assert.equal(seen.length, attempts, call);
    assert.equal(seen[0]?.headers.get("idempotency-key"), key);
  }
});

test("an attempt ends at its timeout, and the caller's signal ends all attempts", async () => {
  // Nothing else keeps the program running.
  const hanging = ((_: unknown, init: RequestInit) =>
    new Promise((_, reject) => {
      init.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
    })) as typeof globalThis.fetch;
  const { client } = clientWith([], { fetch: hanging, timeout: 5, maxRetries: 1 });
  await assert.rejects(client.deals.create({ title: "a" }), (error: unknown) => error instanceof TimeoutError && error.mayHaveActed);
  const stop = new AbortController();
  const call = client.deals.get("d", { signal: stop.signal, timeout: 60_000 });
  stop.abort(new Error("stopped"));
  await assert.rejects(call, /stopped/);
});

test("the callback is called before each wait", async () => {
  const { client, slept, waits } = clientWith([LIMITED(7), failed("ECONNRESET"), UNAVAILABLE, DEAL]);
  await client.deals.get("d");
  assert.deepEqual(waits, [
    { operation: "deals_read", attempt: 2, pause: 7500, reason: "429 rate_limit_exceeded" },
    { operation: "deals_read", attempt: 3, pause: 1000, reason: "no answer" },
    { operation: "deals_read", attempt: 4, pause: 2000, reason: "503 unavailable" },
  ]);
  assert.deepEqual(slept, waits.map(({ pause }) => pause));
  const tool = clientWith([failed("ECONNREFUSED")], { maxRetries: 1 });
  await assert.rejects(tool.client.tools.getContact({ id: "c" }));
  assert.deepEqual(tool.waits.map(({ operation, reason }) => [operation, reason]), [["get_contact", "no connection"]]);
});

test("without a callback, waits are logged to the console", (context) => {
  const warn = context.mock.method(console, "warn", () => undefined);
  const { onRetry } = settingsOf({ baseUrl: "https://service.example.com" });
  onRetry({ operation: "deals_list", attempt: 2, pause: 87_000, reason: "429 rate_limit_exceeded" });
  const said = "workspace-service-sdk: deals_list: 429 rate_limit_exceeded; waiting 87.0 s before attempt 2";
  assert.deepEqual(warn.mock.calls.map((call) => call.arguments), [[said]]);
});
