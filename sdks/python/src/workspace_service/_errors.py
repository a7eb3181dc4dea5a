"""The exceptions of this package."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any


class ServiceError(Exception):
    """Every exception of this package."""


class ConfigurationError(ServiceError):
    """The client or a call is misconfigured; nothing was sent."""


class ConnectionError(ServiceError):  # noqa: A001
    """There was no response."""

    def __init__(self, message: str, may_have_acted: bool) -> None:
        super().__init__(message)
        self.may_have_acted = may_have_acted
        """Whether the service may have carried out the request: a response was lost or came too late."""


class TimeoutError(ConnectionError):  # noqa: A001
    """There was no response in time."""


class WebhookVerificationError(ServiceError):
    """A webhook request that is not from the service, or too old."""


@dataclass(frozen=True)
class ErrorDetail:
    """A problem with one value of a request."""

    field: str
    """A member such as `tags[3]`, a parameter or a header."""
    code: str
    message: str


@dataclass(frozen=True)
class Failure:
    """The failure that a response describes."""

    status: int
    code: str
    message: str
    details: list[ErrorDetail] = field(default_factory=list)
    request_id: str | None = None
    retry_after: float | None = None
    existing_id: str | None = None
    tool: str | None = None


_SHOWN_DETAILS = 10


def _shown(details: list[ErrorDetail]) -> str:
    """The first problems, for the exception's text; `details` has all."""
    shown = [f"{detail.field}: {detail.message}" for detail in details[:_SHOWN_DETAILS]]
    if len(details) > len(shown):
        shown.append(f"and {len(details) - len(shown)} more")
    return f" ({'; '.join(shown)})" if shown else ""


class ApiError(ServiceError):
    """The service refused the request. Branch on the class, or on `status` and `code`; messages may change."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.status} {failure.code}: {failure.message}{_shown(failure.details)}")
        self.status = failure.status
        """The HTTP status; for a failed tool, the status of the same code over REST."""
        self.code = failure.code
        self.details = failure.details
        self.request_id = failure.request_id
        """Include it when you contact the operator of the service."""
        self.retry_after = failure.retry_after
        """Seconds to wait before a retry."""
        self.existing_id = failure.existing_id
        """For a duplicate, the record that already has the unique value."""
        self.tool = failure.tool
        """The tool that failed, if the call was a tool call."""


class BadRequestError(ApiError):
    """400, 413, 415: the request does not have the documented shape."""


class AuthenticationError(ApiError):
    """401: no valid key."""


class PermissionDeniedError(ApiError):
    """403: the key may not do this."""


class NotFoundError(ApiError):
    """404: no such record in the workspace."""


class ConflictError(ApiError):
    """409: a conflict with the current state; read it first."""


class DuplicateError(ConflictError):
    """409 `duplicate`: another record has the unique value; see `existing_id`."""


class ConcurrentUpdateError(ConflictError):
    """409 `concurrent_update`: the record is at another version."""


class ValidationError(ApiError):
    """422: a value is not acceptable; see `details`."""


class RateLimitError(ApiError):
    """429: too many requests; see `retry_after`."""


class QuotaExceededError(RateLimitError):
    """429 `quota_exceeded` and `trial_quota_exceeded`: the quota of the plan or trial is used up."""


class ServerError(ApiError):
    """5xx."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequestError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    413: BadRequestError,
    415: BadRequestError,
    422: ValidationError,
    429: QuotaExceededError,
}
_BY_CODE: dict[tuple[int, str], type[ApiError]] = {
    (409, "duplicate"): DuplicateError,
    (409, "concurrent_update"): ConcurrentUpdateError,
    (429, "rate_limit_exceeded"): RateLimitError,
}


def api_error(failure: Failure) -> ApiError:
    """An exception of the class for this status and code."""
    by_status = ServerError if failure.status >= 500 else _BY_STATUS.get(failure.status, ApiError)
    return _BY_CODE.get((failure.status, failure.code), by_status)(failure)


def failure_of(status: int, headers: Mapping[str, str], body: object) -> Failure:
    """Reads both forms of errors: with an object in `error`, and flat."""
    whole = _object(body)
    error = whole.get("error")
    fields = whole if isinstance(error, str) else _object(error)
    code = error if isinstance(error, str) else fields.get("code")
    after = headers.get("retry-after", "")
    retry_after = float(after) if after.isascii() and after.isdigit() else fields.get("retry_after")
    details = fields.get("details")
    return Failure(
        status=status,
        code=_text(code) or "unknown",
        message=_text(fields.get("message")) or f"the service answered {status}",
        details=[_detail(one) for one in details] if isinstance(details, list) else [],
        request_id=_text(fields.get("request_id")) or headers.get("x-request-id"),
        retry_after=float(retry_after) if isinstance(retry_after, (int, float)) else None,
        existing_id=_text(fields.get("existing_id")),
    )


# Statuses for tool failures, whose response is 200. Other codes are conflicts.
_STATUS_OF_TOOL_ERRORS = {"not_found": 404, "validation_failed": 422, "invalid_value": 400}


def failure_of_tool(tool: str, text: str, request_id: str | None) -> Failure:
    """Parses the text of a failed tool."""
    try:
        body: object = json.loads(text)
    except ValueError:
        body = {"error": "unknown", "message": text}
    failure = failure_of(409, {}, body)
    status = _STATUS_OF_TOOL_ERRORS.get(failure.code, 409)
    return replace(failure, status=status, request_id=failure.request_id or request_id, tool=tool)


def _detail(detail: object) -> ErrorDetail:
    members = _object(detail)
    return ErrorDetail(*(str(members.get(name, "")) for name in ("field", "code", "message")))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
