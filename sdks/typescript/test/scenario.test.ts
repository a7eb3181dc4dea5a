import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";

import * as sdk from "../src/index.js";

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Step = Record<string, Json>;
type Call = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

/** Runs the scenario that all SDKs share, against the service that the environment names. */
test("the scenario runs", { skip: process.env.SERVICE_API_KEY === undefined && "no SERVICE_API_KEY" }, async () => {
  const { steps } = JSON.parse(readFileSync(resolve("..", "scenario.json"), "utf8")) as { steps: Step[] };
  const saved: Record<string, unknown> = { run: `ts${Date.now().toString(36)}` };
  const client = new sdk.Client();
  for (const [index, raw] of steps.entries()) {
    const step = filled(raw, saved) as Step;
    const what = `step ${index}: ${JSON.stringify(step)}`;
    if (step.error !== undefined) {
      await assert.rejects(done(client, step), (error: unknown) => isExpected(error, step.error as Step, what));
      continue;
    }
    const answer = await done(client, step);
    if (step.count !== undefined) {
      assert.equal((answer as unknown[]).length, step.count, what);
    }
    if (step.expect !== undefined) {
      assertContains(answer, step.expect, what);
    }
    if (typeof step.save === "string") {
      saved[step.save] = answer;
    }
  }
});

async function done(client: sdk.Client, step: Step): Promise<unknown> {
  if (step.follow !== undefined) {
    return followed(client, step);
  }
  const options = Object.fromEntries(Object.entries((step.options ?? {}) as Step).map(([name, value]) => [camel(name), value]));
  if (typeof step.request === "string") {
    return client.request(step.request as "deals_read", { path: step.path, query: step.query, body: step.body } as never, options);
  }
  const names = (step.call as string).split(".").map(camel);
  const method = names.pop() ?? "";
  const resource = names.reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], client) as Record<string, Call>;
  const args = [...((step.path as Json[]) ?? []), ...[step.body, step.query].filter((one) => one !== undefined)];
  const result = resource[method]?.(...args, ...(step.options === undefined ? [] : [options]));
  if (method.startsWith("iterate")) {
    return collected(result as AsyncIterable<unknown>);
  }
  const answer = await result;
  return answer instanceof sdk.Page ? answer.items : answer;
}

async function followed(client: sdk.Client, { follow, transport, cursor, names }: Step): Promise<unknown> {
  const options = { transport, ...(cursor === undefined ? {} : { cursor }), signal: AbortSignal.timeout(20_000) } as sdk.FollowOptions;
  const found: sdk.FollowedEvent[] = [];
  for await (const event of client.events.follow(follow as sdk.EventFilter, options)) {
    found.push(event);
    if (found.length === (names as Json[]).length) {
      break;
    }
  }
  assert.deepEqual(found.map(({ event }) => event.event), names);
  return { first: found[0]?.cursor, last: found.at(-1)?.cursor };
}

function isExpected(error: unknown, expected: Step, what: string): boolean {
  const type = sdk[expected.type as "ApiError"];
  assert.ok(error instanceof type, `${what}: ${String(error)}`);
  assert.deepEqual([error.status, error.code], [expected.status, expected.code], what);
  assert.ok(error.requestId, what);
  for (const [name, value] of [["existing_id", error.existingId], ["tool", error.tool]] as const) {
    if (expected[name] !== undefined) {
      assert.equal(value, expected[name], what);
    }
  }
  if (expected.fields !== undefined) {
    assert.deepEqual(error.details.map(({ field }) => field).sort(), expected.fields, what);
  }
  return true;
}

async function collected(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const found = [];
  for await (const item of items) {
    found.push(item);
  }
  return found;
}

function assertContains(answer: unknown, expected: Json, what: string): void {
  if (typeof expected === "object" && expected !== null && !Array.isArray(expected)) {
    for (const [name, value] of Object.entries(expected)) {
      assertContains((answer as Record<string, unknown>)[name], value, what);
    }
  } else {
    assert.deepEqual(answer, expected, what);
  }
}

/** `${a.b}` alone keeps the value's type; within a text it becomes text. */
function filled(value: Json, saved: Record<string, unknown>): unknown {
  if (typeof value === "string") {
    const at = (path: string) => path.split(".").reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], saved);
    const whole = /^\$\{([^}]+)\}$/.exec(value);
    return whole?.[1] === undefined ? value.replace(/\$\{([^}]+)\}/g, (_, path: string) => String(at(path))) : at(whole[1]);
  }
  if (Array.isArray(value)) {
    return value.map((item) => filled(item, saved));
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, saved)]))
    : value;
}

function camel(name: string): string {
  return name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
