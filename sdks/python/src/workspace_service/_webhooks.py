"""Verification of webhook requests."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from ._errors import WebhookVerificationError

if TYPE_CHECKING:
    from . import types as T

_TOLERANCE = 300


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Iterable[str],
    *,
    tolerance: float = _TOLERANCE,
    now: float | None = None,
) -> T.WebhookDelivery:
    """Verifies a webhook request, and returns its body.

    Pass the raw body, before parsing, and the secret as the service showed it. If there are several secrets, any may have
    signed. Either the service's own signature or the Standard Webhooks signature must match. `tolerance` is in seconds.

    Deliveries can arrive more than once: deduplicate by `id`, or by `event_id` if several webhooks, replays or the event log
    can deliver the same event. Events that other systems report have their own names, and
    test deliveries are `webhook.test`.

    Raises `WebhookVerificationError`: respond with 400.
    """
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    if not secrets:
        raise WebhookVerificationError("no secret to verify with")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    found = _signatures({name.lower(): value for name, value in headers.items()})
    made = [signature for signature in (found.sign(one, raw) for one in secrets) if signature]
    fits = [hmac.compare_digest(one, sent.encode()) for one in made for sent in found.signatures]
    if not any(fits):
        raise WebhookVerificationError("no signature fits: it is another secret, or the body was changed on the way")
    is_number = found.timestamp.isascii() and found.timestamp.isdigit() and len(found.timestamp) <= 12
    if not is_number or abs((time.time() if now is None else now) - int(found.timestamp)) > tolerance:
        raise WebhookVerificationError("the timestamp is too far from now: an old request, or a wrong clock")
    try:
        return cast("T.WebhookDelivery", json.loads(raw))
    except ValueError as cause:
        raise WebhookVerificationError("the body is not JSON") from cause


@dataclass(frozen=True)
class _Signatures:
    timestamp: str
    signatures: list[str]
    sign: Callable[[str, bytes], bytes]


def _signatures(headers: Mapping[str, str]) -> _Signatures:
    own = headers.get("x-service-signature")
    if own is not None:
        timestamp = headers.get("x-service-timestamp", "")
        sent = [own, *headers.get("x-service-signature-next", "").split(",")]

        def sign_own(secret: str, body: bytes) -> bytes:
            made = hmac.new(secret.encode(), f"{timestamp}.".encode() + body, hashlib.sha256)
            return f"sha256={made.hexdigest()}".encode()

        return _Signatures(timestamp, [one.strip() for one in sent], sign_own)
    standard = headers.get("webhook-signature")
    if standard is None:
        raise WebhookVerificationError(
            "no signature: the headers X-Service-Signature and webhook-signature are missing"
        )
    id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")

    def sign_standard(secret: str, body: bytes) -> bytes:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"))
        except binascii.Error:
            return b""  # Not a webhook secret, so it signed nothing; another secret may have.
        made = hmac.new(key, f"{id}.{timestamp}.".encode() + body, hashlib.sha256)
        return b"v1," + base64.b64encode(made.digest())

    return _Signatures(timestamp, standard.split(" "), sign_standard)
