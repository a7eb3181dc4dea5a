"""Client of the work management API."""

from . import types
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
from ._sync import Client, Page
from ._version import __version__
from ._webhooks import verify_webhook

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
