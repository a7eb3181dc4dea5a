"""Server-sent events."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    event: str
    data: str
    id: str | None
    """The last id up to this message."""


class SseParser:
    """Parses a stream of server-sent events from chunks of any size."""

    def __init__(self) -> None:
        self.last_id: str | None = None
        """The last id, which may also arrive without an event."""
        self.retry: int | None = None
        """Milliseconds before reconnecting, as requested by the server."""
        self._rest = ""
        self._begun = False
        self._event = ""
        self._data: list[str] = []
        self._id: str | None = None

    def push(self, text: str) -> list[Message]:
        if not self._begun and text:
            self._begun = True
            text = text.removeprefix("\ufeff")
        self._rest += text
        messages = []
        while (end := self._line_end()) is not None:
            line, self._rest = self._rest[: end[0]], self._rest[end[1] :]
            message = self._line(line)
            if message is not None:
                messages.append(message)
        return messages

    def _line_end(self) -> tuple[int, int] | None:
        places = [place for place in (self._rest.find("\n"), self._rest.find("\r")) if place >= 0]
        if not places:
            return None
        place = min(places)
        if self._rest[place] == "\n":
            return place, place + 1
        if place + 1 == len(self._rest):
            # The rest of a CRLF may still arrive.
            return None
        return place, place + (2 if self._rest[place + 1] == "\n" else 1)

    def _line(self, line: str) -> Message | None:
        if line == "":
            return self._end()
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if field == "data":
            self._data.append(value)
        elif field == "event":
            self._event = value
        elif field == "id" and "\0" not in value:
            self._id = value
        elif field == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value)
        return None

    def _end(self) -> Message | None:
        if self._id is not None:
            self.last_id = self._id
        event, data = self._event or "message", self._data
        self._event, self._data = "", []
        return Message(event, "\n".join(data), self.last_id) if data else None
