import type { Retry } from "./retry.js";

/** Options of a single request. */
export interface RequestOptions {
  /** Ends the request, and the waiting between attempts. */
  signal?: AbortSignal;
  /** Milliseconds for each attempt, instead of the client's. */
  timeout?: number;
  /** How often a failed attempt is repeated at most, instead of the client's. */
  maxRetries?: number;
}

/** Options of a request that is done once per idempotency key. */
export interface KeyOptions extends RequestOptions {
  /**
   * Makes the request safe to send again, for 24 hours. The client makes one for each request and keeps it over its own
   * attempts; pass your own to be safe over restarts of your program as well.
   */
  idempotencyKey?: string;
}

/** Options of a change or deletion of a record. */
export interface VersionOptions extends RequestOptions {
  /** The `version` that was read: if the record has changed since, nothing is done (`ConcurrentUpdateError`). */
  ifVersion?: number;
}

/** Every option that an operation may have. */
export interface AnyOptions extends KeyOptions, VersionOptions {}

/** Options of a client. */
export interface ClientOptions {
  /** An API key, `svc_…`; by default `SERVICE_API_KEY` of the environment. */
  apiKey?: string;
  /** The address of the service; by default `SERVICE_API_URL` of the environment. */
  baseUrl?: string;
  /** Milliseconds for each attempt. The service takes up to 30 seconds for the largest writes. Default: 40,000. */
  timeout?: number;
  /** How often a failed attempt is repeated at most, where that is safe. Default: 3. */
  maxRetries?: number;
  /** The longest `Retry-After` in milliseconds that is waited for; longer ones are an error at once. Default: 60,000. */
  maxRetryAfter?: number;
  /** Called before each wait, with how long and why; by default `console.warn` says so. */
  onRetry?: (retry: Retry) => void;
  /** What sends the requests, such as one with a proxy; by default the platform's. */
  fetch?: typeof globalThis.fetch;
  /** For tests: time and chance. */
  runtime?: Partial<Runtime>;
}

/** Time and chance, which tests replace. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** Waits; rejects when the signal aborts. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** From 0 to 1. */
  random(): number;
  newIdempotencyKey(): string;
}
