import assert from "node:assert/strict";
import { test } from "node:test";

import { AuthenticationError, type FollowedEvent } from "../src/index.js";
import { SseParser } from "../src/sse.js";
import { clientWith, failed, testdata, type Reply } from "./helpers.js";

interface Case {
  name: string;
  pieces: string[];
  messages: { event: string; data: string; id: string | null }[];
  last_id: string | null;
  retry: number | null;
}

for (const { name, pieces, messages, last_id, retry } of testdata<{ cases: Case[] }>("streams.json").cases) {
  test(`a stream with ${name}`, () => {
    const parser = new SseParser();
    assert.deepEqual(pieces.flatMap((piece) => parser.push(piece)), messages);
    assert.deepEqual([parser.lastId ?? null, parser.retry ?? null], [last_id, retry]);
  });
}

const STREAM = { "Content-Type": "text/event-stream" };
const stream = (...ids: string[]): Reply => ({
  headers: STREAM,
  text: `retry: 2000\n\n${ids.map((id) => `id: ${id}\nevent: deal.won\ndata: {"id":"${id}"}\n\n`).join("")}`,
});
const page = (ids: string[], nextCursor: string): Reply => ({
  headers: { "Content-Type": "application/json" },
  body: { data: ids.map((id) => ({ id })), pagination: { page: null, limit: 100, hasMore: false, nextCursor } },
});

/** The first events with their cursors. */
async function take(events: AsyncGenerator<FollowedEvent>, count: number): Promise<(string | undefined)[][]> {
  const found = [];
  for await (const { event, cursor } of events) {
    found.push([event.id, cursor]);
    if (found.length === count) {
      break;
    }
  }
  return found;
}

test("a stream that ends is resumed after the last event", async () => {
  const { client, seen, slept } = clientWith([stream("a", "b"), failed("ECONNRESET"), { status: 503 }, stream("c")]);
  assert.deepEqual(await take(client.events.follow({ module: ["crm"] }), 3), [["a", "a"], ["b", "b"], ["c", "c"]]);
  assert.deepEqual(seen.map(({ headers }) => headers.get("last-event-id")), [null, "b", "b", "b"]);
  assert.ok(seen.every(({ path }) => path === "/api/v1/events?module=crm"));
  assert.deepEqual(slept, [2000, 500, 1000]);
});

test("following resumes after a stored cursor", async () => {
  const { client, seen } = clientWith([stream("c")]);
  await take(client.events.follow({}, { cursor: "b" }), 1);
  assert.equal(seen[0]?.headers.get("last-event-id"), "b");
  assert.equal(seen[0]?.headers.get("accept"), "text/event-stream");
});

test("without streams it polls pages, and never skips unseen events", async () => {
  const { client, seen } = clientWith([page([], "p0"), page(["a", "b"], "p1"), page([], "p2"), page(["c"], "p3")]);
  assert.deepEqual(await take(client.events.follow(), 3), [["a", "p0"], ["b", "p1"], ["c", "p3"]].map((row, index) => (index === 0 ? ["a", undefined] : row)));
  assert.deepEqual(
    seen.map(({ path }) => path.split("?")[1]),
    [undefined, "limit=100&wait=30", "limit=100&wait=30&cursor=p1", "limit=100&wait=30&cursor=p2"],
  );
});

test("permanent errors end following, and a signal ends it without an error", async () => {
  const refused = clientWith([{ status: 401, body: { error: { code: "unauthorized", message: "m", request_id: "r" } } }]);
  await assert.rejects(take(refused.client.events.follow(), 1), AuthenticationError);
  const { client } = clientWith([stream("a")]);
  const stop = new AbortController();
  let count = 0;
  for await (const _ of client.events.follow({}, { signal: stop.signal })) {
    count += 1;
    stop.abort();
  }
  assert.equal(count, 1);
});

test("after two silent streams in a row it polls pages", async () => {
  const silent = () =>
    new Response(new ReadableStream({ start: () => undefined }), { headers: STREAM });
  const replies = [silent(), silent(), new Response(JSON.stringify({ data: [{ id: "a" }], pagination: { nextCursor: "p", hasMore: false, limit: 1, page: null } }), { headers: { "Content-Type": "application/json" } })];
  const paths: string[] = [];
  const { client } = clientWith([], {
    fetch: (async (url: unknown) => {
      paths.push(String(url).split("?")[1] ?? "stream");
      return replies.shift();
    }) as typeof globalThis.fetch,
  });
  client.events["transport"].settings.runtime.sleep = async () => undefined;
  assert.deepEqual(await take(client.events.follow(), 1), [["a", "p"]]);
  assert.deepEqual(paths, ["stream", "stream", "limit=100&wait=30"]);
});
