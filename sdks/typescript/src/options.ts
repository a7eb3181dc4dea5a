import type { Retry } from "./retry.js";

/** Options of a single request. */
export interface RequestOptions {
  /** Aborts the request, including waits between attempts. */
  signal?: AbortSignal;
  /** Timeout of each attempt in milliseconds, instead of the client's. */
  timeout?: number;
  /** Maximum number of retries, instead of the client's. */
  maxRetries?: number;
}

/** Options of a request that takes effect once per idempotency key. */
export interface KeyOptions extends RequestOptions {
  /**
   * Makes the request safe to repeat for 24 hours. The client generates a key for each request and uses it for all
   * attempts. Pass your own to be safe across restarts of your program as well.
   */
  idempotencyKey?: string;
}

/** Options of a change or deletion of a record. */
export interface VersionOptions extends RequestOptions {
  /** The `version` that was read. If the record has changed since, the request fails with `ConcurrentUpdateError`. */
  ifVersion?: number;
}

/** Every option that an operation may have. */
export interface AnyOptions extends KeyOptions, VersionOptions {}

/** Options of a client. */
export interface ClientOptions {
  /** An API key, `svc_…`; by default `SERVICE_API_KEY` in the environment. */
  apiKey?: string;
  /** The address of the service; by default `SERVICE_API_URL` in the environment. */
  baseUrl?: string;
  /** Timeout of each attempt in milliseconds. The service takes up to 30 seconds for the largest writes. Default: 40,000. */
  timeout?: number;
  /** Maximum number of retries, which are made where that is safe. Default: 3. */
  maxRetries?: number;
  /** The longest `Retry-After` to wait for, in milliseconds; longer ones are an error immediately. Default: 60,000. */
  maxRetryAfter?: number;
  /** Called before each wait with its length and reason; the default calls `console.warn`. */
  onRetry?: (retry: Retry) => void;
  /** The `fetch` function to use, such as one with a proxy; by default the platform's. */
  fetch?: typeof globalThis.fetch;
  /** For tests: clock and randomness. */
  runtime?: Partial<Runtime>;
}

/** Clock and randomness, which tests replace. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
  newIdempotencyKey(): string;
}
