"""Shared by both clients: settings, requests and their outcomes."""

from __future__ import annotations

import json
import os
import random
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx

from ._errors import ConfigurationError, ConnectionError, TimeoutError, api_error, failure_of, failure_of_tool
from ._generated.operations import OPERATIONS, TOOLS, Tool
from ._retry import Outcome, Repeat, Retry, announce, is_uncertain, pause_after, reason_of
from ._version import __version__

if TYPE_CHECKING:
    from . import types as T

Item = TypeVar("Item")


class RequestOptions(TypedDict, total=False):
    """Options of a single request."""

    timeout: float
    """Timeout of each attempt in seconds, instead of the client's."""
    max_retries: int
    """Maximum number of retries, instead of the client's."""


class KeyOptions(RequestOptions, total=False):
    """Options of a request that takes effect once per idempotency key."""

    idempotency_key: str
    """Makes the request safe to repeat for 24 hours.

    The client generates a key for each request and uses it for all attempts. Pass your own to be safe across restarts of your
    program as well.
    """


class VersionOptions(RequestOptions, total=False):
    """Options of a change or deletion of a record."""

    if_version: int
    """The `version` that was read. If the record has changed since, the request fails with `ConcurrentUpdateError`."""


class AnyOptions(KeyOptions, VersionOptions, total=False):
    """Every option that an operation may have."""


class UpsertOptions(KeyOptions, total=False):
    """Options of an upsert."""

    dry_run: bool
    """Only report what would happen."""


@dataclass(frozen=True)
class Settings:
    """The settings of a client. Their `repr` does not show the key."""

    api_key: str = field(repr=False)
    base_url: str
    timeout: float
    max_retries: int
    max_retry_after: float
    on_retry: Callable[[Retry], None] | None = field(default=None, repr=False)
    random: Callable[[], float] = field(default=random.random, repr=False)
    new_key: Callable[[], str] = field(default=lambda: str(uuid.uuid4()), repr=False)


def settings_of(
    api_key: str | None,
    base_url: str | None,
    timeout: float,
    max_retries: int,
    max_retry_after: float,
    on_retry: Callable[[Retry], None] | None,
) -> Settings:
    """Settings from arguments and the environment. Messages never repeat the key."""
    key = api_key if api_key is not None else os.environ.get("SERVICE_API_KEY", "")
    if not key:
        raise ConfigurationError("no API key: set SERVICE_API_KEY, or pass api_key")
    if not all("!" <= character <= "~" for character in key):
        raise ConfigurationError(
            "the API key is malformed: it contains a space, a line break or another invalid character"
        )
    if timeout <= 0:
        raise ConfigurationError("timeout must be more than 0")
    if max_retries < 0 or max_retry_after < 0:
        raise ConfigurationError("max_retries and max_retry_after must be at least 0")
    url = base_url if base_url is not None else os.environ.get("SERVICE_API_URL", "")
    return Settings(key, _base_url(url.strip()), timeout, max_retries, max_retry_after, on_retry)


def _base_url(text: str) -> str:
    if not text:
        raise ConfigurationError("no address of the service: set SERVICE_API_URL, or pass base_url")
    try:
        url = urlsplit(text)
    except ValueError:
        url = urlsplit("")
    if url.scheme not in ("http", "https") or not url.hostname:
        raise ConfigurationError("the address of the service must be a URL such as https://service.example.com")
    if url.username is not None or url.password is not None:
        raise ConfigurationError("the address of the service must not contain a user name or password")
    if url.query or url.fragment:
        raise ConfigurationError("the address of the service must not contain a query or a fragment")
    return text.rstrip("/")


@dataclass(frozen=True)
class Answer:
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: Any
    request_id: str | None


@dataclass(frozen=True)
class Request:
    """A request, the same in each attempt."""

    operation: str
    """The `operationId`, or the name of the tool."""
    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None
    repeat: Repeat
    timeout: float
    max_retries: int

    def arguments(self) -> dict[str, Any]:
        """The arguments of the HTTP client. A redirect is not followed: it could send the key to another host."""
        return {
            "method": self.method,
            "url": self.url,
            "headers": self.headers,
            "content": self.content,
            "timeout": self.timeout,
            "follow_redirects": False,
        }


def request_of(
    settings: Settings,
    id: str,
    options: AnyOptions,
    *,
    path: Mapping[str, str] | None = None,
    query: Mapping[str, object] | None = None,
    body: object = None,
    repeat: Repeat | None = None,
) -> Request:
    operation = OPERATIONS.get(id)
    if operation is None:
        raise ConfigurationError(f"there is no operation {id}")
    headers = {
        "Accept": "application/json",
        "Authorization": f"Bearer {settings.api_key}",
        "User-Agent": f"workspace-service-sdk-python/{__version__}",
    }
    if operation.takes_key and repeat != "reads":
        headers["Idempotency-Key"] = options.get("idempotency_key") or settings.new_key()
    elif not operation.takes_key and "idempotency_key" in options:
        raise ConfigurationError(f"{id} takes no idempotency key")
    if "if_version" in options:
        if not operation.takes_version:
            raise ConfigurationError(f"{id} takes no version")
        headers["If-Match"] = f'"{options["if_version"]}"'
    content = None
    if body is not None or operation.method == "POST":
        headers["Content-Type"] = "application/json"
        content = json.dumps({} if body is None else body, ensure_ascii=False, allow_nan=False).encode()
    by_method: Repeat = (
        "reads" if operation.method == "GET" else "writes" if operation.method != "POST" or operation.takes_key else "once"
    )
    return Request(
        str(body["name"]) if id == "tools_call" and isinstance(body, Mapping) else id,
        operation.method,
        settings.base_url + _filled(id, operation.path, path or {}) + _query(query or {}),
        headers,
        content,
        repeat or by_method,
        options.get("timeout", settings.timeout),
        options.get("max_retries", settings.max_retries),
    )


def _filled(id: str, path: str, values: Mapping[str, str]) -> str:
    parts = path.split("/")
    for index, part in enumerate(parts):
        if part.startswith("{"):
            value = values.get(part[1:-1])
            if not isinstance(value, str) or value in ("", ".", ".."):
                raise ConfigurationError(f"{id} needs {part[1:-1]}")
            parts[index] = quote(value, safe="")
    return "/".join(parts)


def _query(query: Mapping[str, object]) -> str:
    """A list repeats its parameter; `None` is not sent."""
    pairs = []
    for name, value in query.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is not None:
                pairs.append((name, str(one).lower() if isinstance(one, bool) else str(one)))
    return f"?{urlencode(pairs)}" if pairs else ""


class Attempts:
    """The attempts of a request: evaluates each one, and decides whether to retry."""

    def __init__(self, settings: Settings, request: Request) -> None:
        self._settings = settings
        self._request = request
        self._number = 0
        self._may_have_acted = False

    def answered(self, response: httpx.Response) -> Answer | float:
        """The response, or seconds until the next attempt."""
        body = parsed(response.content)
        if response.is_success:
            return Answer(response.status_code, response.headers, body, response.headers.get("x-request-id"))
        failure = failure_of(response.status_code, response.headers, body)
        outcome = Outcome("answered", failure.status, failure.code, failure.retry_after)
        pause = self._pause(outcome)
        if pause is None:
            raise api_error(failure)
        return pause

    def failed(self, error: httpx.TransportError) -> float:
        """Seconds until the next attempt."""
        is_unreached = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
        pause = self._pause(Outcome("unreached" if is_unreached else "lost"))
        if pause is None:
            raise connection_error(error, self._may_have_acted) from error
        return pause

    def _pause(self, outcome: Outcome) -> float | None:
        self._number += 1
        repeat = self._request.repeat
        self._may_have_acted = self._may_have_acted or is_uncertain(outcome, repeat)
        if self._number > self._request.max_retries:
            return None
        pause = pause_after(
            outcome,
            repeat,
            attempt=self._number,
            may_have_acted=self._may_have_acted,
            max_retry_after=self._settings.max_retry_after,
            random=self._settings.random(),
        )
        if pause is not None:
            retry = Retry(self._request.operation, self._number + 1, pause, reason_of(outcome))
            announce(self._settings.on_retry, retry)
        return pause


def connection_error(error: httpx.TransportError, may_have_acted: bool) -> ConnectionError:
    if isinstance(error, httpx.TimeoutException):
        return TimeoutError("the service did not answer in time", may_have_acted)
    return ConnectionError(f"no answer from the service: {error}", may_have_acted)


def parsed(content: bytes) -> Any:
    try:
        return json.loads(content) if content else None
    except ValueError:
        return None


def tool_call(name: str, arguments: Mapping[str, object], options: Mapping[str, object]) -> dict[str, Any]:
    """How a tool is called. Some options are passed as arguments."""
    rest = dict(options)
    made = dict(arguments)
    if "if_version" in rest:
        made["expected_version"] = rest.pop("if_version")
    if "dry_run" in rest:
        made["dry_run"] = rest.pop("dry_run")
    # A tool that this release does not know is called without retries.
    tool = TOOLS.get(name, Tool(False, False))
    repeat = "reads" if tool.reads else "writes" if tool.is_repeatable else "once"
    return {"id": "tools_call", "options": rest, "body": {"name": name, "arguments": made}, "repeat": repeat}


def tool_result(name: str, answer: Answer) -> Any:
    if answer.body["isError"]:
        said = answer.body["content"]
        raise api_error(failure_of_tool(name, said[0]["text"] if said else "", answer.request_id))
    return answer.body["structuredContent"]


class PageContent(Generic[Item]):
    """The content of a page of a list."""

    def __init__(self, body: Any) -> None:
        self.items: list[Item] = body["data"]
        self.pagination: T.Pagination = body["pagination"]

    @property
    def has_more(self) -> bool:
        return self.pagination["hasMore"]

    @property
    def next_cursor(self) -> str | None:
        """The cursor of the next page; lists that can be followed have one even at the end."""
        return self.pagination["nextCursor"]


def without_page(query: Mapping[str, object] | None) -> dict[str, object]:
    return {name: value for name, value in (query or {}).items() if name != "page"}


