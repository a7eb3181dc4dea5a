"""The asynchronous client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
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


class AsyncTransport:
    """Sends requests, and retries them where that is safe."""

    def __init__(self, settings: Settings, http_client: httpx.AsyncClient | None, sleep: Callable[[float], Awaitable[None]]) -> None:
        self.settings = settings
        self.sleep = sleep
        self._own = http_client is None
        self._http = http_client or httpx.AsyncClient()

    async def close(self) -> None:
        if self._own:
            await self._http.aclose()

    async def call(
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
                done = attempts.answered(await self._http.request(**request.arguments()))
            except httpx.TransportError as error:
                done = attempts.failed(error)
            if isinstance(done, Answer):
                return done
            await self.sleep(done)

    @asynccontextmanager
    async def stream(self, id: str, query: Mapping[str, object], headers: Mapping[str, str]) -> AsyncIterator[httpx.Response]:
        """The response with its body unread; there are no retries."""
        request = request_of(self.settings, id, {}, query=query)
        timeout = httpx.Timeout(request.timeout, read=QUIET)
        try:
            sent = {**request.arguments(), "headers": {**request.headers, **headers}, "timeout": timeout}
            async with self._http.stream(**sent) as response:
                if not response.is_success:
                    body = parsed(await response.aread())
                    raise api_error(failure_of(response.status_code, response.headers, body))
                yield response
        except httpx.TransportError as error:
            raise connection_error(error, False) from error


class AsyncPage(PageContent[Item]):
    """A page of a list."""

    def __init__(self, body: Any, following: Callable[[str], Awaitable[AsyncPage[Item]]]) -> None:
        super().__init__(body)
        self._following = following

    async def next_page(self) -> AsyncPage[Item] | None:
        """The next page; `None` at the end."""
        cursor = self.next_cursor
        return await self._following(cursor) if self.has_more and cursor is not None else None


class AsyncResource:
    """A group of operations."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def _body(self, id: str, options: Any, **sent: Any) -> Any:
        return (await self._transport.call(id, options, **sent)).body

    async def _data(self, id: str, options: Any, **sent: Any) -> Any:
        return (await self._body(id, options, **sent))["data"]

    async def _page(self, id: str, options: Any, query: Any = None, **sent: Any) -> AsyncPage[Any]:
        async def following(cursor: str) -> AsyncPage[Any]:
            return await self._page(id, options, query={**without_page(query), "cursor": cursor}, **sent)

        return AsyncPage(await self._body(id, options, query=query, **sent), following)

    async def _pages(self, id: str, options: Any, **sent: Any) -> AsyncGenerator[AsyncPage[Any], None]:
        page: AsyncPage[Any] | None = await self._page(id, options, **sent)
        while page is not None:
            yield page
            page = await page.next_page()

    async def _items(self, id: str, options: Any, **sent: Any) -> AsyncGenerator[Any, None]:
        async for page in self._pages(id, options, **sent):
            for item in page.items:
                yield item

    async def _tool(self, name: str, arguments: Mapping[str, object], options: Mapping[str, object]) -> Any:
        return tool_result(name, await self._transport.call(**tool_call(name, arguments, options)))


from ._generated.async_resources import AsyncEvents, AsyncResources, AsyncTools  # noqa: E402


class AsyncEventLog(AsyncEvents):
    """The event log, which can be followed."""

    async def follow(
        self,
        query: T.EventsListQuery | None = None,
        *,
        cursor: str | None = None,
        transport: Literal["stream", "poll"] = "stream",
    ) -> AsyncGenerator[FollowedEvent, None]:
        """Yields every past event, then each new one, until the loop is left.

        Starts after `cursor`, at `since` of the query, or at the oldest event that is kept. Temporary errors lead to a
        reconnect after the last event; other errors are raised. `stream` keeps a
        connection open, and switches to `poll` if something on the way buffers streams.
        """
        state = Following(cast("Mapping[str, object]", query or {}), cursor, transport)
        settings = self._transport.settings
        while True:
            try:
                async for event in self._streamed(state) if state.mode == "stream" else self._polled(state):
                    yield event
            except ServiceError as error:
                state.failed(error, settings)
            if state.pause > 0:
                await self._transport.sleep(state.pause)

    async def _streamed(self, state: Following) -> AsyncGenerator[FollowedEvent, None]:
        async with self._transport.stream("events_list", state.query(), state.headers()) as response:
            if state.opened(response.headers.get("content-type", "")):
                async for text in response.aiter_text():
                    for event in state.piece(text):
                        state.seen(event)
                        yield event
                    state.piece_done()

    async def _polled(self, state: Following) -> AsyncGenerator[FollowedEvent, None]:
        timeout = WAIT + self._transport.settings.timeout
        body = await self._body("events_list", {"timeout": timeout, "max_retries": 0}, query=state.query())
        for event in state.page(body):
            yield event


class AsyncToolBox(AsyncTools):
    """The tools that AI clients call, some of which have no REST route."""

    async def call(self, name: str, arguments: Mapping[str, object], **options: Unpack[AnyOptions]) -> Any:
        """Calls a tool by its name."""
        return await self._tool(name, arguments, options)

    async def list(self, query: T.ToolsListQuery | None = None, **options: Unpack[AnyOptions]) -> T.ToolsListResponse:
        """The tools that the key may call, with their schemas if `includeSchemas` is set."""
        return cast("T.ToolsListResponse", await self._body("tools_list", options, query=query))

    async def session(self, **options: Unpack[AnyOptions]) -> T.ToolSession:
        """The permissions and limits of the key."""
        return cast("T.ToolSession", await self._body("tools_session", options))


class AsyncClient(AsyncResources):
    """A client of the service. All tasks of a program can share it."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 40.0,
        max_retries: int = 3,
        max_retry_after: float = 60.0,
        on_retry: Callable[[Retry], None] | None = None,
        http_client: httpx.AsyncClient | None = None,
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
        super().__init__(AsyncTransport(settings, http_client, asyncio.sleep))
        self.events = AsyncEventLog(self._transport)
        self.tools = AsyncToolBox(self._transport)

    async def request(self, operation_id: str, **sent: Any) -> Any:
        """Calls any operation by its `operationId` in the OpenAPI document, and returns the body of the response.

        `path`, `query` and `body` are sent; the other arguments are options.
        """
        return (await self.send(operation_id, **sent)).body

    async def send(
        self,
        operation_id: str,
        *,
        path: Mapping[str, str] | None = None,
        query: Mapping[str, object] | None = None,
        body: object = None,
        **options: Unpack[AnyOptions],
    ) -> Answer:
        """Like `request`, but also returns status and headers."""
        return await self._transport.call(operation_id, options, path=path, query=query, body=body)

    @property
    def base_url(self) -> str:
        """The address of the service."""
        return self._transport.settings.base_url

    async def close(self) -> None:
        await self._transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"AsyncClient({self.base_url!r})"
