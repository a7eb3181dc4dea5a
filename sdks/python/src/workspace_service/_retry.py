"""Which requests are retried, and when."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Repeat = Literal["reads", "writes", "once"]
"""Whether a request may be sent again.

`reads` changes nothing. `writes` is idempotent, by nature or by its idempotency key. `once` may
act each time, so it is only repeated if the service certainly did not start it.
"""

_LOGGER = logging.getLogger("workspace_service")
_FIRST_PAUSE = 0.5
_MAX_PAUSE = 8.0


@dataclass(frozen=True)
class Outcome:
    """The outcome of an attempt."""

    kind: Literal["unreached", "lost", "answered"]
    """`unreached`: the service has not seen the request. `lost`: no response, or not in time."""
    status: int = 0
    code: str | None = None
    retry_after: float | None = None


@dataclass(frozen=True)
class Retry:
    """A wait before a retry."""

    operation: str
    """The `operationId`, or the name of the tool."""
    attempt: int
    """Number of the next attempt: 2 for the first retry."""
    pause: float
    """Seconds until the next attempt."""
    reason: str
    """Such as `429 rate_limit_exceeded`, `no connection` or `no answer`."""


def announce(on_retry: Callable[[Retry], None] | None, retry: Retry) -> None:
    """Reports a wait to the program's function or, without one, in the log."""
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
    # At least the service's `Retry-After` and at least the usual pause. The random part keeps clients from
    # retrying at the same time.
    return max(pause, outcome.retry_after + _FIRST_PAUSE * random)


def backoff(attempt: int, random: float) -> float:
    """Doubles each time. Half is fixed, to relieve the service; half is random, to spread out clients."""
    pause: float = min(_FIRST_PAUSE * 2 ** min(attempt - 1, 10), _MAX_PAUSE)
    return pause / 2 + pause / 2 * random


def _is_passing(outcome: Outcome, repeat: Repeat, may_have_acted: bool) -> bool:
    if outcome.kind != "answered" or outcome.status in (429, 502, 503, 504):
        return True
    if outcome.status == 500:
        return repeat == "reads"
    # An earlier attempt of this request, whose response was lost, is still running.
    return outcome.status == 409 and may_have_acted and outcome.code == "idempotency_conflict"
