import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";

import { ConfigurationError } from "./errors.js";
import type { ClientOptions, Runtime } from "./options.js";
import { logRetry, type Retry } from "./retry.js";

/** The settings of a client, without the key, so that printing them does not show it. */
export interface Settings {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeout: number;
  readonly maxRetries: number;
  readonly maxRetryAfter: number;
  readonly onRetry: (retry: Retry) => void;
  readonly fetch: typeof globalThis.fetch;
  readonly runtime: Runtime;
}

const RUNTIME: Runtime = {
  now: () => Date.now(),
  sleep: (milliseconds, signal) => wait(milliseconds, undefined, signal === undefined ? {} : { signal }),
  random: () => Math.random(),
  newIdempotencyKey: () => randomUUID(),
};

/** The key from options and the environment. Messages never repeat it. */
export function apiKeyOf(options: ClientOptions): string {
  const apiKey = options.apiKey ?? process.env.SERVICE_API_KEY ?? "";
  if (apiKey === "") {
    throw new ConfigurationError("no API key: set SERVICE_API_KEY, or pass apiKey");
  }
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new ConfigurationError("the API key is malformed: it contains a space, a line break or another invalid character");
  }
  return apiKey;
}

/** Settings from options and the environment. */
export function settingsOf(options: ClientOptions): Settings {
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? process.env.SERVICE_API_URL ?? ""),
    timeout: positive("timeout", options.timeout ?? 40_000),
    maxRetries: whole("maxRetries", options.maxRetries ?? 3),
    maxRetryAfter: whole("maxRetryAfter", options.maxRetryAfter ?? 60_000),
    onRetry: options.onRetry ?? logRetry,
    fetch: options.fetch ?? globalThis.fetch,
    runtime: { ...RUNTIME, ...options.runtime },
  };
}

function baseUrlOf(text: string): string {
  if (text.trim() === "") {
    throw new ConfigurationError("no address of the service: set SERVICE_API_URL, or pass baseUrl");
  }
  if (!URL.canParse(text.trim())) {
    throw new ConfigurationError("the address of the service must be a URL such as https://service.example.com");
  }
  const url = new URL(text.trim());
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError("the address of the service must begin with https:// or http://");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError("the address of the service must not contain a user name or password");
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ConfigurationError("the address of the service must not contain a query or a fragment");
  }
  return url.href.replace(/\/+$/, "");
}

function positive(name: string, value: number): number {
  if (!(value > 0)) {
    throw new ConfigurationError(`${name} must be more than 0`);
  }
  return value;
}

function whole(name: string, value: number): number {
  if (!Number.isInteger(value) || value < 0) {
    throw new ConfigurationError(`${name} must be a whole number from 0`);
  }
  return value;
}
