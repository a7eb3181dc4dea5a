import { ApiError, ConfigurationError, ConnectionError, TimeoutError, apiError, failureOf } from "./errors.js";
import { OPERATIONS, type OperationId, type Operations } from "./generated/operations.js";
import type { Settings } from "./config.js";
import type { AnyOptions, RequestOptions } from "./options.js";
import { isUncertain, pauseAfter, reasonOf as outcomeReason, type Outcome, type Repeat } from "./retry.js";
import { VERSION } from "./version.js";

/** The input of an operation: its path parameters, query and body, if it has them. */
export type Sent<Id extends OperationId> = Part<Id, "path"> & Part<Id, "query"> & Part<Id, "body">;

type Part<Id extends OperationId, Name extends "path" | "query" | "body"> = Operations[Id][Name] extends undefined
  ? { [K in Name]?: undefined }
  : undefined extends Operations[Id][Name] | (Record<never, never> extends Operations[Id][Name] ? undefined : never)
    ? { [K in Name]?: Operations[Id][Name] }
    : { [K in Name]: Operations[Id][Name] };

/** A complete response. */
export interface Answer<Body> {
  status: number;
  headers: Headers;
  body: Body;
  requestId: string | undefined;
}

interface Request {
  /** The `operationId`, or the name of the tool. */
  operation: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
  repeat: Repeat;
}

/** Parts of an operation in their general form. */
interface Parts {
  path?: Record<string, string> | undefined;
  query?: object | undefined;
  body?: unknown;
}

/** Sends requests, and retries them where that is safe. */
export class Transport {
  readonly #apiKey: string;

  constructor(
    apiKey: string,
    readonly settings: Settings,
  ) {
    this.#apiKey = apiKey;
  }

  /** Calls an operation. */
  call<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: AnyOptions,
    repeat?: Repeat,
  ): Promise<Answer<Operations[Id]["response"]>> {
    const request = this.request(id, sent as Parts, options, repeat);
    return this.attempts(request, options) as Promise<Answer<Operations[Id]["response"]>>;
  }

  /** Opens a stream: returns the response with its body unread; there are no retries. */
  async open<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<Response> {
    const request = this.request(id, sent as Parts, {}, "reads");
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.settings.timeout);
    try {
      const response = await this.fetch(
        { ...request, headers: { ...request.headers, ...headers } },
        AbortSignal.any([signal, late.signal]),
      );
      if (!response.ok) {
        throw apiError(failureOf(response.status, response.headers, parsed(await response.text())));
      }
      return response;
    } catch (error) {
      if (error instanceof ApiError || signal.aborted) {
        throw error;
      }
      if (late.signal.aborted) {
        throw new TimeoutError("the service did not answer in time", false, { cause: error });
      }
      throw new ConnectionError(`no answer from the service: ${reasonOf(error)}`, false, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  private request(id: OperationId, sent: Parts, options: AnyOptions, repeat: Repeat | undefined): Request {
    const { method, path, takesKey, takesVersion } = OPERATIONS[id];
    const headers: Record<string, string> = { Accept: "application/json" };
    if (takesKey && repeat !== "reads") {
      headers["Idempotency-Key"] = options.idempotencyKey ?? this.settings.runtime.newIdempotencyKey();
    } else if (!takesKey && options.idempotencyKey !== undefined) {
      throw new ConfigurationError(`${id} takes no idempotency key`);
    }
    if (options.ifVersion !== undefined) {
      if (!takesVersion) {
        throw new ConfigurationError(`${id} takes no version`);
      }
      headers["If-Match"] = `"${options.ifVersion}"`;
    }
    let body: string | undefined;
    if (sent.body !== undefined || method === "POST") {
      headers["Content-Type"] = "application/json";
      body = JSON.stringify(sent.body ?? {});
    }
    const tool = id === "tools_call" ? (sent.body as { name?: string } | undefined)?.name : undefined;
    return {
      operation: tool ?? id,
      method,
      url: this.settings.baseUrl + filled(id, path, sent.path ?? {}) + queryOf(sent.query ?? {}),
      headers,
      body,
      repeat: repeat ?? repeatOf(method, takesKey),
    };
  }

  private async attempts(request: Request, options: RequestOptions): Promise<Answer<unknown>> {
    const { runtime, maxRetryAfter, onRetry } = this.settings;
    const maxRetries = options.maxRetries ?? this.settings.maxRetries;
    let mayHaveActed = false;
    for (let attempt = 1; ; attempt += 1) {
      const done = await this.attempt(request, options);
      if (done.outcome.kind === "answered" && done.outcome.status < 300) {
        return done.answer();
      }
      mayHaveActed ||= isUncertain(done.outcome, request.repeat);
      const { repeat } = request;
      const pause = pauseAfter(done.outcome, { repeat, attempt, mayHaveActed, maxRetryAfter, random: runtime.random() });
      if (pause === undefined || attempt > maxRetries) {
        throw done.error(mayHaveActed);
      }
      onRetry({ operation: request.operation, attempt: attempt + 1, pause, reason: outcomeReason(done.outcome) });
      await runtime.sleep(pause, options.signal);
    }
  }

  private async attempt(request: Request, options: RequestOptions): Promise<Attempt> {
    // `AbortSignal.timeout` does not keep the process alive: one that only waits for a lost response would exit silently.
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), options.timeout ?? this.settings.timeout);
    const signals = options.signal === undefined ? [late.signal] : [late.signal, options.signal];
    try {
      const response = await this.fetch(request, AbortSignal.any(signals));
      const { status, headers } = response;
      const body = parsed(await response.text());
      const failure = failureOf(status, headers, body);
      return {
        outcome: { kind: "answered", status, code: failure.code, retryAfter: failure.retryAfter },
        answer: () => ({ status, headers, body, requestId: headers.get("x-request-id") ?? undefined }),
        error: () => apiError(failure),
      };
    } catch (cause) {
      // An abort by the caller is not retried.
      options.signal?.throwIfAborted();
      const outcome: Outcome = { kind: !late.signal.aborted && isUnreached(cause) ? "unreached" : "lost" };
      const error = (mayHaveActed: boolean) =>
        late.signal.aborted
          ? new TimeoutError("the service did not answer in time", mayHaveActed, { cause })
          : new ConnectionError(`no answer from the service: ${reasonOf(cause)}`, mayHaveActed, { cause });
      return {
        outcome,
        answer: () => {
          throw error(false);
        },
        error,
      };
    } finally {
      clearTimeout(timer);
    }
  }

  private fetch(request: Request, signal: AbortSignal): Promise<Response> {
    const { method, url, body } = request;
    const headers = {
      ...request.headers,
      Authorization: `Bearer ${this.#apiKey}`,
      "User-Agent": `workspace-service-sdk-typescript/${VERSION}`,
    };
    // A redirect could send the key to another host.
    return this.settings.fetch(url, { method, headers, signal, redirect: "manual", ...(body === undefined ? {} : { body }) });
  }
}

interface Attempt {
  outcome: Outcome;
  answer(): Answer<unknown>;
  error(mayHaveActed: boolean): Error;
}

function repeatOf(method: string, takesKey: boolean): Repeat {
  return method === "GET" ? "reads" : method !== "POST" || takesKey ? "writes" : "once";
}

function filled(id: string, path: string, values: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value !== "string" || value === "" || value === "." || value === "..") {
      throw new ConfigurationError(`${id} needs ${name}`);
    }
    return encodeURIComponent(value);
  });
}

/** A list repeats its parameter; `undefined` and `null` are not sent. */
function queryOf(query: object): string {
  const sent = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) {
        sent.append(name, String(one));
      }
    }
  }
  const text = sent.toString();
  return text === "" ? "" : `?${text}`;
}

function parsed(text: string): unknown {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

const UNREACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "UND_ERR_CONNECT_TIMEOUT"]);

function isUnreached(error: unknown): boolean {
  return UNREACHED.has(codeOf(error) ?? "");
}

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause as { code?: unknown; errors?: unknown[] } | undefined) : undefined;
  const code = cause?.code ?? (cause?.errors?.[0] as { code?: unknown } | undefined)?.code;
  return typeof code === "string" ? code : undefined;
}

function reasonOf(error: unknown): string {
  return codeOf(error) ?? (error instanceof Error ? error.message : "unknown");
}
