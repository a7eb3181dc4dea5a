"""Following the event log: where it is, and what comes next. Both clients share it."""

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
"""Seconds that the service holds an answer back."""
QUIET = 45.0
"""Seconds after which a stream is given up; the service sends something every 15."""
_BETWEEN_STREAMS = 2.0
_LONGEST_PAUSE = 30.0
_MUTE_STREAMS = 2


@dataclass(frozen=True)
class FollowedEvent:
    """An event, and where to go on behind it."""

    event: T.LogEvent
    """The event.

    Events that other systems report have names of their own and `record` `None`, and those of erased records have `data`
    with the id alone.
    """
    cursor: str | None
    """Store it together with what you did about the event."""


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
        """Of the request for a stream."""
        position = {} if self._cursor is None else {"Last-Event-ID": self._cursor}
        return {"Accept": "text/event-stream", **position}

    def query(self) -> dict[str, object]:
        """Of the request for a stream or for a page."""
        if self.mode == "stream":
            return self._filter
        return {**self._filter, "limit": 100, "wait": WAIT, "cursor": self._cursor}

    def opened(self, content_type: str) -> bool:
        """Whether this answer is a stream; without one, it goes on with pages."""
        self.pause = 0.0
        if not content_type.startswith("text/event-stream"):
            self.mode = "poll"
            return False
        self.pause = _BETWEEN_STREAMS
        self._parser = SseParser()
        return True

    def piece(self, text: str) -> list[FollowedEvent]:
        """The events in a piece of a stream. Each is done before the next is asked for."""
        self._failures = self._mute = 0
        messages = self._parser.push(text)
        if self._parser.retry is not None:
            self.pause = min(self._parser.retry / 1000, _LONGEST_PAUSE)
        return [FollowedEvent(json.loads(message.data), message.id or self._cursor) for message in messages]

    def seen(self, event: FollowedEvent) -> None:
        self._cursor = event.cursor

    def piece_done(self) -> None:
        self._cursor = self._parser.last_id or self._cursor

    def page(self, body: Any) -> list[FollowedEvent]:
        """The events of a page.

        Within a page there is no cursor: from the one before it, what was done may come again, and nothing is missed.
        """
        self._failures, self.pause = 0, 0.0
        before, self._cursor = self._cursor, body["pagination"]["nextCursor"] or self._cursor
        events = cast("list[T.LogEvent]", body["data"])
        last = len(events) - 1
        return [FollowedEvent(event, self._cursor if at == last else before) for at, event in enumerate(events)]

    def failed(self, error: ServiceError, settings: Settings) -> None:
        """Raises what does not pass; otherwise says how long to wait."""
        is_passing = isinstance(error, ApiError) and (error.status == 429 or error.status >= 500)
        if not is_passing and not isinstance(error, ConnectionError):
            raise error
        told = error.retry_after or 0.0 if isinstance(error, ApiError) else 0.0
        if told > settings.max_retry_after:  # What is waited for then is a quota.
            raise error
        self._failures += 1
        if isinstance(error, TimeoutError) and self.mode == "stream":
            self._mute += 1
            if self._mute >= _MUTE_STREAMS:
                self.mode = "poll"
        self.pause = max(told, min(backoff(self._failures, settings.random()), _LONGEST_PAUSE))
        reason = f"{error.status} {error.code}" if isinstance(error, ApiError) else str(error)
        announce(settings.on_retry, Retry("events_list", self._failures + 1, self.pause, reason))
