"""Which attempts are repeated, and when."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Repeat = Literal["reads", "writes", "once"]
"""Whether a request may be sent again.

`reads` changes nothing. `writes` does no more when it is sent twice than once, by itself or by its idempotency key. `once` may
act each time: it is only sent again if it surely was not begun.
"""

_LOGGER = logging.getLogger("workspace_service")
_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0


@dataclass(frozen=True)
class Outcome:
    """How an attempt went."""

    kind: Literal["unreached", "lost", "answered"]
    """`unreached`: the service has not seen the request. `lost`: no answer, or not in time."""
    status: int = 0
    code: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True)
class Retry:
    """A wait before a request is sent again."""

    operation: str
    """The `operationId`, or the name of the tool."""
    attempt: int
    """Of the attempt that follows: 2 for the first repetition."""
    pause: float
    """Seconds until it begins."""
    reason: str
    """Such as `429 rate_limit_exceeded`, `no connection` or `no answer`."""


def announce(on_retry: Callable[[Retry], None] | None, retry: Retry) -> None:
    """Says that a call waits: to the program's function or, without one, in the log."""
    if on_retry is not None:
        on_retry(retry)
    else:
        _LOGGER.warning(
            "%s: %s; waiting %.1f s before attempt %d", retry.operation, retry.reason, retry.pause, retry.attempt
        )


def reason_of(outcome: Outcome) -> str:
    if outcome.kind == "answered":
        return str(outcome.status) if outcome.code in (None, "unknown") else f"{outcome.status} {outcome.code}"
    return "no connection" if outcome.kind == "unreached" else "no answer"


def is_uncertain(outcome: Outcome, repeat: Repeat) -> bool:
    """Whether the service may have acted on a request with this outcome."""
    return repeat != "reads" and (outcome.kind == "lost" or outcome.status >= 500)


def pause_after(
    outcome: Outcome, repeat: Repeat, *, attempt: int, may_have_acted: bool, max_retry_after: float, random: float
) -> float | None:
    """Seconds before the next attempt; `None` if this outcome is final.

    `attempt` counts from 1, `may_have_acted` says whether this attempt or one before it was uncertain.
    """
    if not _is_passing(outcome, repeat, may_have_acted) or (repeat == "once" and may_have_acted):
        return None
    pause = backoff(attempt, random)
    if outcome.retry_after is None:
        return pause
    if outcome.retry_after > max_retry_after:
        return None
    # Neither earlier than the service asks for, nor earlier than without its `Retry-After`; the random part keeps clients from
    # retrying all at once.
    return max(pause, outcome.retry_after + _FIRST_PAUSE * random)


def backoff(attempt: int, random: float) -> float:
    """Twice as long each time. Half is fixed, to relieve the service; half is random, to spread the clients."""
    pause: float = min(_FIRST_PAUSE * 2 ** min(attempt - 1, 10), _LONGEST_PAUSE)
    return pause / 2 + pause / 2 * random


def _is_passing(outcome: Outcome, repeat: Repeat, may_have_acted: bool) -> bool:
    if outcome.kind != "answered" or outcome.status in (429, 502, 503, 504):
        return True
    if outcome.status == 500:
        return repeat == "reads"
    # An earlier attempt of this request, whose answer was lost, is still running.
    return outcome.status == 409 and may_have_acted and outcome.code == "idempotency_conflict"
