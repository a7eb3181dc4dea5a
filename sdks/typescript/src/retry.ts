/** Whether a request may be sent again. */
export type Repeat =
  /** It changes nothing. */
  | "reads"
  /** It is idempotent, by nature or by its idempotency key. */
  | "writes"
  /** It may act each time, so it is only repeated if the service certainly did not start it. */
  | "once";

/** The outcome of an attempt. */
export type Outcome =
  /** No connection: the service has not seen the request. */
  | { kind: "unreached" }
  /** No response, or not in time. */
  | { kind: "lost" }
  | { kind: "answered"; status: number; code: string | undefined; retryAfter: number | undefined };

/** A wait before a retry. */
export interface Retry {
  /** The `operationId`, or the name of the tool. */
  operation: string;
  /** Number of the next attempt: 2 for the first retry. */
  attempt: number;
  /** Milliseconds until the next attempt. */
  pause: number;
  /** Such as `429 rate_limit_exceeded`, `no connection` or `no answer`. */
  reason: string;
}

/** Reports a wait if the program has no function for it. */
export function logRetry({ operation, attempt, pause, reason }: Retry): void {
  console.warn(`workspace-service-sdk: ${operation}: ${reason}; waiting ${(pause / 1000).toFixed(1)} s before attempt ${attempt}`);
}

export function reasonOf(outcome: Outcome): string {
  if (outcome.kind !== "answered") {
    return outcome.kind === "unreached" ? "no connection" : "no answer";
  }
  const isNamed = outcome.code !== undefined && outcome.code !== "unknown";
  return isNamed ? `${outcome.status} ${outcome.code}` : String(outcome.status);
}

const FIRST_PAUSE = 500;
const MAX_PAUSE = 8_000;

/** Whether the service may have acted on a request with this outcome. */
export function isUncertain(outcome: Outcome, repeat: Repeat): boolean {
  if (repeat === "reads") {
    return false;
  }
  return outcome.kind === "lost" || (outcome.kind === "answered" && outcome.status >= 500);
}

/**
 * Milliseconds before the next attempt; `undefined` if this outcome is final. `attempt` counts from 1, `mayHaveActed` says
 * whether this attempt or one before it was uncertain.
 */
export function pauseAfter(
  outcome: Outcome,
  { repeat, attempt, mayHaveActed, maxRetryAfter, random }: {
    repeat: Repeat;
    attempt: number;
    mayHaveActed: boolean;
    maxRetryAfter: number;
    random: number;
  },
): number | undefined {
  if (!isPassing(outcome, repeat, mayHaveActed) || (repeat === "once" && mayHaveActed)) {
    return undefined;
  }
  const pause = backoff(attempt, random);
  const told = outcome.kind === "answered" ? outcome.retryAfter : undefined;
  if (told === undefined) {
    return pause;
  }
  // At least the service's `Retry-After` and at least the usual pause. The random part keeps clients from
  // retrying at the same time.
  return told * 1000 <= maxRetryAfter ? Math.max(pause, told * 1000 + FIRST_PAUSE * random) : undefined;
}

/** Doubles each time. Half is fixed, to relieve the service; half is random, to spread out clients. */
export function backoff(attempt: number, random: number): number {
  const pause = Math.min(FIRST_PAUSE * 2 ** (attempt - 1), MAX_PAUSE);
  return pause / 2 + (pause / 2) * random;
}

function isPassing(outcome: Outcome, repeat: Repeat, mayHaveActed: boolean): boolean {
  if (outcome.kind !== "answered") {
    return true;
  }
  switch (outcome.status) {
    case 429:
    case 502:
    case 503:
    case 504:
      return true;
    case 500:
      return repeat === "reads";
    case 409:
      // An earlier attempt of this request, whose response was lost, is still running.
      return mayHaveActed && outcome.code === "idempotency_conflict";
    default:
      return false;
  }
}
