"""The interface of a model. Implement `Model` with a real one; the README shows how."""

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
    """A tool call by the model."""

    id: str
    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Said:
    """A turn of the model. It continues with the results of its calls, and is done when it makes none."""

    text: str = ""
    calls: Sequence[ToolCall] = ()


@dataclass(frozen=True)
class Asked:
    """A turn of the agent."""

    text: str


@dataclass(frozen=True)
class Result:
    """The result of a call. The model also reads errors, and can correct itself."""

    call: ToolCall
    text: str
    is_error: bool = False
    data: dict[str, Any] | None = field(default=None, compare=False)
    """The result as JSON, for scripted models."""


Turn: TypeAlias = "Asked | Said | Result"


class Model(Protocol):
    async def respond(self, instructions: str, tools: Sequence[Tool], turns: Sequence[Turn]) -> Said:
        """The next turn of a conversation about one ticket."""
