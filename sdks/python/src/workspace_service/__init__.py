"""Client of the work management API."""

from typing import TYPE_CHECKING, Any

from ._async import AsyncClient, AsyncPage
from ._core import AnyOptions, Answer, KeyOptions, RequestOptions, VersionOptions
from ._errors import (
    ApiError,
    AuthenticationError,
    BadRequestError,
    ConcurrentUpdateError,
    ConfigurationError,
    ConflictError,
    ConnectionError,
    DuplicateError,
    ErrorDetail,
    NotFoundError,
    PermissionDeniedError,
    QuotaExceededError,
    RateLimitError,
    ServerError,
    ServiceError,
    TimeoutError,
    ValidationError,
    WebhookVerificationError,
)
from ._follow import FollowedEvent
from ._retry import Retry
from ._sync import Client, Page
from ._version import __version__
from ._webhooks import verify_webhook

if TYPE_CHECKING:
    from . import types

__all__ = [
    "AnyOptions",
    "Answer",
    "ApiError",
    "AsyncClient",
    "AsyncPage",
    "AuthenticationError",
    "BadRequestError",
    "Client",
    "ConcurrentUpdateError",
    "ConfigurationError",
    "ConflictError",
    "ConnectionError",
    "DuplicateError",
    "ErrorDetail",
    "FollowedEvent",
    "KeyOptions",
    "NotFoundError",
    "Page",
    "PermissionDeniedError",
    "QuotaExceededError",
    "RateLimitError",
    "RequestOptions",
    "Retry",
    "ServerError",
    "ServiceError",
    "TimeoutError",
    "ValidationError",
    "VersionOptions",
    "WebhookVerificationError",
    "__version__",
    "types",
    "verify_webhook",
]


def __getattr__(name: str) -> Any:
    """Loads the types on first use: annotations need them, and running programs do not."""
    if name == "types":
        from importlib import import_module

        return import_module(".types", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
