"""The blocking client."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast

import httpx

from ._core import (
    AnyOptions,
    Answer,
    Attempts,
    Item,
    PageContent,
    Settings,
    connection_error,
    parsed,
    request_of,
    settings_of,
    tool_call,
    tool_result,
    without_page,
)
from ._errors import ServiceError, api_error, failure_of
from ._follow import QUIET, WAIT, FollowedEvent, Following
from ._retry import Repeat, Retry

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from . import types as T


class Transport:
    """Sends requests, and retries them where that is safe."""

    def __init__(self, settings: Settings, http_client: httpx.Client | None, sleep: Callable[[float], None]) -> None:
        self.settings = settings
        self.sleep = sleep
        self._own = http_client is None
        self._http = http_client or httpx.Client()

    def close(self) -> None:
        if self._own:
            self._http.close()

    def call(
        self,
        id: str,
        options: AnyOptions,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        repeat: Repeat | None = None,
    ) -> Answer:
        request = request_of(self.settings, id, options, path=path, query=query, body=body, repeat=repeat)
        attempts = Attempts(self.settings, request)
        while True:
            try:
                done = attempts.answered(self._http.request(**request.arguments()))
            except httpx.TransportError as error:
                done = attempts.failed(error)
            if isinstance(done, Answer):
                return done
            self.sleep(done)

    @contextmanager
    def stream(self, id: str, query: Mapping[str, object], headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """The response with its body unread; there are no retries."""
        request = request_of(self.settings, id, {}, query=query)
        timeout = httpx.Timeout(request.timeout, read=QUIET)
        try:
            sent = {**request.arguments(), "headers": {**request.headers, **headers}, "timeout": timeout}
            with self._http.stream(**sent) as response:
                if not response.is_success:
                    body = parsed(response.read())
                    raise api_error(failure_of(response.status_code, response.headers, body))
                yield response
        except httpx.TransportError as error:
            raise connection_error(error, False) from error


class Page(PageContent[Item]):
    """A page of a list."""

    def __init__(self, body: Any, following: Callable[[str], Page[Item]]) -> None:
        super().__init__(body)
        self._following = following

    def next_page(self) -> Page[Item] | None:
        """The next page; `None` at the end."""
        cursor = self.next_cursor
        return self._following(cursor) if self.has_more and cursor is not None else None


class Resource:
    """A group of operations."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def _body(self, id: str, options: Any, **sent: Any) -> Any:
        return self._transport.call(id, options, **sent).body

    def _data(self, id: str, options: Any, **sent: Any) -> Any:
        return (self._body(id, options, **sent))["data"]

    def _page(self, id: str, options: Any, query: Any = None, **sent: Any) -> Page[Any]:
        def following(cursor: str) -> Page[Any]:
            return self._page(id, options, query={**without_page(query), "cursor": cursor}, **sent)

        return Page(self._body(id, options, query=query, **sent), following)

    def _pages(self, id: str, options: Any, **sent: Any) -> Generator[Page[Any], None, None]:
        page: Page[Any] | None = self._page(id, options, **sent)
        while page is not None:
            yield page
            page = page.next_page()

    def _items(self, id: str, options: Any, **sent: Any) -> Generator[Any, None, None]:
        for page in self._pages(id, options, **sent):
            for item in page.items:
                yield item

    def _tool(self, name: str, arguments: Mapping[str, object], options: Mapping[str, object]) -> Any:
        return tool_result(name, self._transport.call(**tool_call(name, arguments, options)))


from ._generated.resources import Events, Resources, Tools  # noqa: E402


class EventLog(Events):
    """The event log, which can be followed."""

    def follow(
        self,
        query: T.EventsListQuery | None = None,
        *,
        cursor: str | None = None,
        transport: Literal["stream", "poll"] = "stream",
    ) -> Generator[FollowedEvent, None, None]:
        """Yields every past event, then each new one, until the loop is left.

        Starts after `cursor`, at `since` of the query, or at the oldest event that is kept. Temporary errors lead to a
        reconnect after the last event; other errors are raised. `stream` keeps a
        connection open, and switches to `poll` if something on the way buffers streams.
        """
        state = Following(cast("Mapping[str, object]", query or {}), cursor, transport)
        settings = self._transport.settings
        while True:
            try:
                for event in self._streamed(state) if state.mode == "stream" else self._polled(state):
                    yield event
            except ServiceError as error:
                state.failed(error, settings)
            if state.pause > 0:
                self._transport.sleep(state.pause)

    def _streamed(self, state: Following) -> Generator[FollowedEvent, None, None]:
        with self._transport.stream("events_list", state.query(), state.headers()) as response:
            if state.opened(response.headers.get("content-type", "")):
                for text in response.iter_text():
                    for event in state.piece(text):
                        state.seen(event)
                        yield event
                    state.piece_done()

    def _polled(self, state: Following) -> Generator[FollowedEvent, None, None]:
        timeout = WAIT + self._transport.settings.timeout
        body = self._body("events_list", {"timeout": timeout, "max_retries": 0}, query=state.query())
        for event in state.page(body):
            yield event


class ToolBox(Tools):
    """The tools that AI clients call, some of which have no REST route."""

    def call(self, name: str, arguments: Mapping[str, object], **options: Unpack[AnyOptions]) -> Any:
        """Calls a tool by its name."""
        return self._tool(name, arguments, options)

    def list(self, query: T.ToolsListQuery | None = None, **options: Unpack[AnyOptions]) -> T.ToolsListResponse:
        """The tools that the key may call, with their schemas if `includeSchemas` is set."""
        return cast("T.ToolsListResponse", self._body("tools_list", options, query=query))

    def session(self, **options: Unpack[AnyOptions]) -> T.ToolSession:
        """The permissions and limits of the key."""
        return cast("T.ToolSession", self._body("tools_session", options))


class Client(Resources):
    """A client of the service. All threads of a program can share it."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 40.0,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
        on_retry: Callable[[Retry], None] | None = None,
        http_client: httpx.Client | None = None,
    ) -> None:
        """Without arguments, reads the key and address from `SERVICE_API_KEY` and `SERVICE_API_URL` in the environment.

        `timeout` is how long each attempt waits for a connection and for the response, in seconds: the service takes up to 30 for
        the largest writes. A failed attempt is
        retried up to `max_retries` times where that is safe. A `Retry-After` above `max_retry_after` is an error immediately.
        `on_retry` is called before each wait with its length and reason; without it, the logger `workspace_service` logs a
        warning.
        `http_client` is a client with your own settings, such as a proxy. You have to close it.
        """
        settings = settings_of(api_key, base_url, timeout, max_retries, max_retry_after, on_retry)
        super().__init__(Transport(settings, http_client, time.sleep))
        self.events = EventLog(self._transport)
        self.tools = ToolBox(self._transport)

    def request(self, operation_id: str, **sent: Any) -> Any:
        """Calls any operation by its `operationId` in the OpenAPI document, and returns the body of the response.

        `path`, `query` and `body` are sent; the other arguments are options.
        """
        return (self.send(operation_id, **sent)).body

    def send(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        **options: Unpack[AnyOptions],
    ) -> Answer:
        """Like `request`, but also returns status and headers."""
        return self._transport.call(operation_id, options, path=path, query=query, body=body)

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._transport.settings.base_url

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Client({self.base_url!r})"
