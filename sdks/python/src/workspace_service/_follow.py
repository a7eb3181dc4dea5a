"""Following the event log: position, errors and reconnects. Shared by both clients."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from ._errors import ApiError, ConnectionError, ServiceError, TimeoutError
from ._retry import Retry, announce, backoff
from ._sse import SseParser

if TYPE_CHECKING:
    from . import types as T
    from ._core import Settings

WAIT = 30
"""Seconds for which the service holds a response while there are no events."""
QUIET = 45.0
"""Seconds without data after which a stream is closed; the service sends something every 15."""
_BETWEEN_STREAMS = 2.0
_MAX_PAUSE = 30.0
_MUTE_STREAMS = 2


@dataclass(frozen=True)
class FollowedEvent:
    """An event, and the cursor to continue after it."""

    event: T.LogEvent
    """The event.

    Events that other systems report have their own names and `record` `None`. Events of erased records have `data`
    with only the id.
    """
    cursor: str | None
    """Store it together with the effects of the event."""


class Following:
    """The state of a loop over events."""

    def __init__(self, query: Mapping[str, object], cursor: str | None, transport: Literal["stream", "poll"]) -> None:
        self.mode = transport
        self.pause = 0.0
        """Seconds before the next connection."""
        self._filter = dict(query)
        sent = cast("str | None", self._filter.pop("cursor", None))
        self._cursor = sent if cursor is None else cursor
        self._failures = 0
        self._mute = 0
        self._parser = SseParser()

    def headers(self) -> dict[str, str]:
        """Headers of the request for a stream."""
        position = {} if self._cursor is None else {"Last-Event-ID": self._cursor}
        return {"Accept": "text/event-stream", **position}

    def query(self) -> dict[str, object]:
        """Query of the request for a stream or page."""
        if self.mode == "stream":
            return self._filter
        return {**self._filter, "limit": 100, "wait": WAIT, "cursor": self._cursor}

    def opened(self, content_type: str) -> bool:
        """Whether this response is a stream; otherwise following continues with pages."""
        self.pause = 0.0
        if not content_type.startswith("text/event-stream"):
            self.mode = "poll"
            return False
        self.pause = _BETWEEN_STREAMS
        self._parser = SseParser()
        return True

    def piece(self, text: str) -> list[FollowedEvent]:
        """The events in a chunk of a stream. Each is processed before the next is taken."""
        self._failures = self._mute = 0
        messages = self._parser.push(text)
        if self._parser.retry is not None:
            self.pause = min(self._parser.retry / 1000, _MAX_PAUSE)
        return [FollowedEvent(json.loads(message.data), message.id or self._cursor) for message in messages]

    def seen(self, event: FollowedEvent) -> None:
        self._cursor = event.cursor

    def piece_done(self) -> None:
        self._cursor = self._parser.last_id or self._cursor

    def page(self, body: Any) -> list[FollowedEvent]:
        """The events of a page.

        There are no cursors within a page. Resuming from the cursor before it may repeat events, but misses none.
        """
        self._failures, self.pause = 0, 0.0
        before, self._cursor = self._cursor, body["pagination"]["nextCursor"] or self._cursor
        events = cast("list[T.LogEvent]", body["data"])
        last = len(events) - 1
        return [FollowedEvent(event, self._cursor if at == last else before) for at, event in enumerate(events)]

    def failed(self, error: ServiceError, settings: Settings) -> None:
        """Raises permanent errors; otherwise sets how long to wait."""
        is_passing = isinstance(error, ApiError) and (error.status == 429 or error.status >= 500)
        if not is_passing and not isinstance(error, ConnectionError):
            raise error
        told = error.retry_after or 0.0 if isinstance(error, ApiError) else 0.0
        if told > settings.max_retry_after:  # Such a wait is for a quota.
            raise error
        self._failures += 1
        if isinstance(error, TimeoutError) and self.mode == "stream":
            self._mute += 1
            if self._mute >= _MUTE_STREAMS:
                self.mode = "poll"
        self.pause = max(told, min(backoff(self._failures, settings.random()), _MAX_PAUSE))
        reason = f"{error.status} {error.code}" if isinstance(error, ApiError) else str(error)
        announce(settings.on_retry, Retry("events_list", self._failures + 1, self.pause, reason))
