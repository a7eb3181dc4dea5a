import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { Client, type ClientOptions, type Retry } from "../src/index.js";

/** A response, or a connection error. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown; text?: string } | Error;

export interface Seen {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

/** A client with its own clock that gets these replies in order, and then the last one repeatedly. */
export function clientWith(replies: Reply[], options: ClientOptions = {}) {
  const seen: Seen[] = [];
  const slept: number[] = [];
  const waits: Retry[] = [];
  let keys = 0;
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const { pathname, search } = new URL(String(url));
    const body = typeof init.body === "string" ? (JSON.parse(init.body) as unknown) : undefined;
    seen.push({ method: init.method ?? "", path: pathname + search, headers: new Headers(init.headers), body });
    const reply = replies[Math.min(seen.length, replies.length) - 1];
    if (reply === undefined || reply instanceof Error) {
      throw reply ?? new Error("no reply is left");
    }
    const text = reply.text ?? (reply.body === undefined ? null : JSON.stringify(reply.body));
    return new Response(text, { status: reply.status ?? 200, headers: reply.headers ?? {} });
  };
  const client = new Client({
    apiKey: "svc_secret",
    baseUrl: "https://service.example.com/",
    fetch: fetch as typeof globalThis.fetch,
    onRetry: (retry) => waits.push(retry),
    runtime: {
      now: () => 0,
      // Does not wait for silent streams.
      sleep: (milliseconds, signal) => {
        if (milliseconds === 45_000) {
          return new Promise((_, end) => signal?.addEventListener("abort", end, { once: true }));
        }
        slept.push(milliseconds);
        return Promise.resolve();
      },
      random: () => 1,
      newIdempotencyKey: () => `key-${(keys += 1)}`,
    },
    ...options,
  });
  return { client, seen, slept, waits };
}

/** A connection error as thrown by Node's fetch. */
export function failed(code: string): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
}

export function testdata<T>(name: string): T {
  return JSON.parse(readFileSync(resolve("..", "testdata", name), "utf8")) as T;
}
