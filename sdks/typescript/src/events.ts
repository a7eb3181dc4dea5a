import { ApiError, ConnectionError, TimeoutError } from "./errors.js";
import { Events } from "./generated/resources.js";
import type { EventsListQuery, LogEvent } from "./generated/types.js";
import { backoff } from "./retry.js";
import { SseParser } from "./sse.js";

/** Which events to follow. */
export type EventFilter = Omit<EventsListQuery, "cursor" | "limit" | "wait">;

export interface FollowOptions {
  /** Starts after the event with this cursor; by default at `since`, or at the oldest event that is kept. */
  cursor?: string;
  /** Ends the loop. */
  signal?: AbortSignal;
  /**
   * `stream` keeps a connection open, and switches to `poll` if something on the way buffers streams.
   * Default: `stream`.
   */
  transport?: "stream" | "poll";
}

/** An event, and the cursor to continue after it. */
export interface FollowedEvent {
  /**
   * The event. Events that other systems report have their own names and `record` `null`. Events of erased records
   * have `data` with only the id.
   */
  event: LogEvent;
  /** Store it together with the effects of the event. */
  cursor: string | undefined;
}

/** Seconds for which the service holds a response while there are no events. */
const WAIT = 30;
/** A stream without data for this long is closed; the service sends something every 15 seconds. */
const QUIET = 45_000;
/** Milliseconds before reconnecting, unless the service requests another pause. */
const BETWEEN_STREAMS = 2_000;
const MAX_PAUSE = 30_000;
/** After this many connections in a row without data, streams are given up. */
const MUTE_STREAMS = 2;

/** The event log, which can be followed. */
export class EventLog extends Events {
  /**
   * Yields every past event, then each new one, until `signal` aborts. Temporary errors lead to a reconnect after
   * the last event; other errors are thrown.
   */
  async *follow(filter: EventFilter = {}, options: FollowOptions = {}): AsyncGenerator<FollowedEvent, void, undefined> {
    const state: Following = {
      filter,
      cursor: options.cursor,
      signal: options.signal ?? new AbortController().signal,
      mode: options.transport ?? "stream",
      pause: 0,
      failures: 0,
      mute: 0,
    };
    while (!state.signal.aborted) {
      try {
        yield* state.mode === "stream" ? this.#stream(state) : this.#poll(state);
        state.failures = 0;
      } catch (error) {
        if (state.signal.aborted) {
          return;
        }
        this.#failed(state, error);
      }
      await this.#rest(state);
    }
  }

  async *#poll(state: Following): AsyncGenerator<FollowedEvent, void, undefined> {
    const { signal } = state;
    const sent = { ...state.filter, limit: 100, wait: WAIT, ...(state.cursor === undefined ? {} : { cursor: state.cursor }) };
    const page = await this.list(sent, { signal, timeout: WAIT * 1000 + this.transport.settings.timeout, maxRetries: 0 });
    state.failures = 0;
    state.pause = 0;
    for (const [index, event] of page.items.entries()) {
      // There are no cursors within a page. Resuming from the cursor before it may repeat events, but misses none.
      const isLast = index + 1 === page.items.length;
      if (isLast) {
        state.cursor = page.nextCursor ?? state.cursor;
      }
      yield { event: event as unknown as LogEvent, cursor: state.cursor };
    }
    state.cursor = page.nextCursor ?? state.cursor;
  }

  async *#stream(state: Following): AsyncGenerator<FollowedEvent, void, undefined> {
    const ended = new AbortController();
    const signal = AbortSignal.any([state.signal, ended.signal]);
    const headers: Record<string, string> = { Accept: "text/event-stream" };
    if (state.cursor !== undefined) {
      headers["Last-Event-ID"] = state.cursor;
    }
    try {
      const response = await this.transport.open("events_list", { query: state.filter }, headers, signal);
      if (!(response.headers.get("content-type") ?? "").startsWith("text/event-stream") || response.body === null) {
        state.mode = "poll";
        return;
      }
      const parser = new SseParser();
      state.pause = BETWEEN_STREAMS;
      for await (const text of this.#texts(response.body, () => ended.abort())) {
        state.mute = 0;
        state.failures = 0;
        for (const message of parser.push(text)) {
          state.cursor = message.id ?? state.cursor;
          yield { event: JSON.parse(message.data) as LogEvent, cursor: state.cursor };
        }
        state.cursor = parser.lastId ?? state.cursor;
        state.pause = Math.min(parser.retry ?? state.pause, MAX_PAUSE);
      }
    } finally {
      ended.abort();
    }
  }

  /** The chunks of a stream, until there are no more. */
  async *#texts(body: ReadableStream<Uint8Array>, end: () => void): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    const reader = body.getReader();
    const { runtime } = this.transport.settings;
    for (;;) {
      const waiting = new AbortController();
      const quiet = runtime.sleep(QUIET, waiting.signal).then(
        () => "quiet" as const,
        () => "awake" as const,
      );
      const read = reader.read().catch((cause: unknown) => {
        throw new ConnectionError("the stream broke off", false, { cause });
      });
      const piece = await Promise.race([read, quiet]).finally(() => waiting.abort());
      if (typeof piece === "string") {
        end();
        throw new TimeoutError("the stream is silent", false);
      }
      if (piece.done) {
        return;
      }
      yield decoder.decode(piece.value, { stream: true });
    }
  }

  #failed(state: Following, error: unknown): void {
    const isLost = error instanceof ConnectionError;
    const isPassing = error instanceof ApiError && (error.status === 429 || error.status >= 500);
    if (!isLost && !isPassing) {
      throw error;
    }
    const { onRetry, runtime } = this.transport.settings;
    const told = error instanceof ApiError && error.retryAfter !== undefined ? error.retryAfter * 1000 : 0;
    if (told > this.transport.settings.maxRetryAfter) {
      throw error; // Such a wait is for a quota.
    }
    state.failures += 1;
    if (error instanceof TimeoutError && state.mode === "stream") {
      state.mute += 1;
      if (state.mute >= MUTE_STREAMS) {
        state.mode = "poll";
      }
    }
    state.pause = Math.max(told, Math.min(backoff(state.failures, runtime.random()), MAX_PAUSE));
    const reason = error instanceof ApiError ? `${error.status} ${error.code}` : (error as Error).message;
    onRetry({ operation: "events_list", attempt: state.failures + 1, pause: state.pause, reason });
  }

  async #rest(state: Following): Promise<void> {
    if (state.pause > 0) {
      await this.transport.settings.runtime.sleep(state.pause, state.signal).catch(() => undefined);
    }
    state.pause = 0;
  }
}

interface Following {
  filter: EventFilter;
  cursor: string | undefined;
  signal: AbortSignal;
  mode: "stream" | "poll";
  /** Milliseconds before the next connection. */
  pause: number;
  failures: number;
  /** Streams in a row that ended without data. */
  mute: number;
}
