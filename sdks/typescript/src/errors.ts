/** Every error of this package. */
export class ServiceError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The client or a call is misconfigured; nothing was sent. */
export class ConfigurationError extends ServiceError {}

/** There was no response. */
export class ConnectionError extends ServiceError {
  /** Whether the service may have carried out the request: a response was lost or came too late. */
  readonly mayHaveActed: boolean;

  constructor(message: string, mayHaveActed: boolean, options?: ErrorOptions) {
    super(message, options);
    this.mayHaveActed = mayHaveActed;
  }
}

/** There was no response in time. */
export class TimeoutError extends ConnectionError {}

/** A webhook request that is not from the service, or too old. */
export class WebhookVerificationError extends ServiceError {}

/** A problem with one value of a request. */
export interface ErrorDetail {
  /** A member such as `tags[3]`, a parameter or a header. */
  field: string;
  code: string;
  message: string;
}

/** The failure that a response describes. */
export interface Failure {
  status: number;
  code: string;
  message: string;
  details: ErrorDetail[];
  requestId: string | undefined;
  /** Seconds. */
  retryAfter: number | undefined;
  existingId: string | undefined;
  tool: string | undefined;
}

const SHOWN_DETAILS = 10;

/** The first problems, for the error's text; `details` has all. */
function shown(details: ErrorDetail[]): string {
  const first = details.slice(0, SHOWN_DETAILS).map(({ field, message }) => `${field}: ${message}`);
  if (details.length > first.length) {
    first.push(`and ${details.length - first.length} more`);
  }
  return first.length === 0 ? "" : ` (${first.join("; ")})`;
}

/** The service refused the request. Branch on the class, or on `status` and `code`; messages may change. */
export class ApiError extends ServiceError {
  /** The HTTP status; for a failed tool, the status of the same code over REST. */
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetail[];
  /** Include it when you contact the operator of the service. */
  readonly requestId: string | undefined;
  /** Seconds to wait before a retry. */
  readonly retryAfter: number | undefined;
  /** For a duplicate, the record that already has the unique value. */
  readonly existingId: string | undefined;
  /** The tool that failed, if the call was a tool call. */
  readonly tool: string | undefined;

  constructor(failure: Failure) {
    super(`${failure.status} ${failure.code}: ${failure.message}${shown(failure.details)}`);
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.retryAfter = failure.retryAfter;
    this.existingId = failure.existingId;
    this.tool = failure.tool;
  }
}

/** 400, 413, 415: the request does not have the documented shape. */
export class BadRequestError extends ApiError {}
/** 401: no valid key. */
export class AuthenticationError extends ApiError {}
/** 403: the key may not do this. */
export class PermissionDeniedError extends ApiError {}
/** 404: no such record in the workspace. */
export class NotFoundError extends ApiError {}
/** 409: a conflict with the current state; read it first. */
export class ConflictError extends ApiError {}
/** 409 `duplicate`: another record has the unique value; see `existingId`. */
export class DuplicateError extends ConflictError {}
/** 409 `concurrent_update`: the record is at another version. */
export class ConcurrentUpdateError extends ConflictError {}
/** 422: a value is not acceptable; see `details`. */
export class ValidationError extends ApiError {}
/** 429: too many requests; see `retryAfter`. */
export class RateLimitError extends ApiError {}
/** 429 `quota_exceeded` and `trial_quota_exceeded`: the quota of the plan or trial is used up. */
export class QuotaExceededError extends RateLimitError {}
/** 5xx. */
export class ServerError extends ApiError {}

/** An error of the class for this status and code. */
export function apiError(failure: Failure): ApiError {
  return new (classOf(failure))(failure);
}

function classOf({ status, code }: Failure): new (failure: Failure) => ApiError {
  switch (status) {
    case 400:
    case 413:
    case 415:
      return BadRequestError;
    case 401:
      return AuthenticationError;
    case 403:
      return PermissionDeniedError;
    case 404:
      return NotFoundError;
    case 409:
      return code === "duplicate" ? DuplicateError : code === "concurrent_update" ? ConcurrentUpdateError : ConflictError;
    case 422:
      return ValidationError;
    case 429:
      return code === "rate_limit_exceeded" ? RateLimitError : QuotaExceededError;
    default:
      return status >= 500 ? ServerError : ApiError;
  }
}

/** Reads both forms of errors: with an object in `error`, and flat. */
export function failureOf(status: number, headers: Headers, body: unknown): Failure {
  const whole = asObject(body);
  const nested = asObject(whole.error);
  const isFlat = typeof whole.error === "string";
  const fields = isFlat ? whole : nested;
  const code = isFlat ? whole.error : nested.code;
  const retryAfter = secondsOf(headers.get("retry-after")) ?? fields.retry_after;
  return {
    status,
    code: typeof code === "string" ? code : "unknown",
    message: typeof fields.message === "string" ? fields.message : `the service answered ${status}`,
    details: Array.isArray(fields.details) ? (fields.details as ErrorDetail[]) : [],
    requestId: textOf(fields.request_id) ?? headers.get("x-request-id") ?? undefined,
    retryAfter: typeof retryAfter === "number" ? retryAfter : undefined,
    existingId: textOf(fields.existing_id),
    tool: undefined,
  };
}

/** Statuses for tool failures, whose response is 200. */
const STATUS_OF_TOOL_ERRORS: Record<string, number> = { not_found: 404, validation_failed: 422, invalid_value: 400 };

/** Parses the text of a failed tool. */
export function failureOfTool(tool: string, text: string, requestId: string | undefined): Failure {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = { error: "unknown", message: text };
  }
  const failure = failureOf(409, new Headers(), body);
  return { ...failure, status: STATUS_OF_TOOL_ERRORS[failure.code] ?? 409, requestId: failure.requestId ?? requestId, tool };
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
