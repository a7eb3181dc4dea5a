"""What the agent asks of a model. Put a real one behind `Model`; the README shows how."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias


@dataclass(frozen=True)
class Tool:
    """A tool that the model may call."""

    name: str
    description: str
    input_schema: dict[str, Any]


@dataclass(frozen=True)
class ToolCall:
    """What the model wants done."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A turn of the model: it goes on with the results of its calls, and is done when it makes none."""

    text: str = ""
    calls: Sequence[ToolCall] = ()


@dataclass(frozen=True)
class Asked:
    """A turn of the agent."""

    text: str


@dataclass(frozen=True)
class Result:
    """What became of a call. The model reads errors, too, and can correct itself."""

    call: ToolCall
    text: str
    is_error: bool = False
    data: dict[str, Any] | None = field(default=None, compare=False)
    """The same as JSON, for models that are programs."""


Turn: TypeAlias = "Asked | Said | Result"


class Model(Protocol):
    async def respond(self, instructions: str, tools: Sequence[Tool], turns: Sequence[Turn]) -> Said:
        """The next turn of a conversation about one ticket."""
