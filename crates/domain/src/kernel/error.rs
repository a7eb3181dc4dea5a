//! Everything that a use case can answer besides success.

use super::input::{Problem, choices};
use super::{RateLimitStatus, StoreError};

choices! {
    /// Stable code of an error for programs. Surfaces add the codes of their protocol.
    pub enum ErrorCode {
        /// The body is not JSON.
        InvalidJson = "invalid_json",
        /// A member that is no field.
        UnknownField = "unknown_field",
        /// A value of the wrong shape.
        InvalidValue = "invalid_value",
        /// A value that breaks a rule.
        ValidationFailed = "validation_failed",
        /// No good credential.
        Unauthorized = "unauthorized",
        /// A good credential without the scope.
        Forbidden = "forbidden",
        /// Nothing there, or not in the caller's workspace.
        NotFound = "not_found",
        /// A conflict with the current state.
        Conflict = "conflict",
        /// Another live record has the unique value.
        Duplicate = "duplicate",
        /// A move that the state does not allow.
        InvalidStateChange = "invalid_state_change",
        /// The record is at another version than the caller thinks.
        ConcurrentUpdate = "concurrent_update",
        /// A one-time token was used already.
        CapabilityConsumed = "capability_consumed",
        /// The idempotency key was used for something else, or its first request still runs.
        IdempotencyConflict = "idempotency_conflict",
        /// No tool of this name.
        UnknownTool = "unknown_tool",
        /// A tool's arguments do not have the shape of its schema.
        InvalidArguments = "invalid_arguments",
        /// The trial has had all its calls.
        TrialQuotaExceeded = "trial_quota_exceeded",
        /// Too many requests in the window.
        RateLimitExceeded = "rate_limit_exceeded",
        /// The month has had all that the plan allows.
        QuotaExceeded = "quota_exceeded",
        /// A fault of ours.
        Internal = "internal",
        /// Temporarily not able to answer.
        Unavailable = "unavailable",
    }
}

/// The error of every use case. Messages are written for the client: what was wrong and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The body is not JSON.
    #[error("the body is not valid JSON: {0}")]
    InvalidJson(String),
    /// The request does not have the documented shape.
    #[error("the request does not have the documented shape; see details")]
    Malformed(Vec<Problem>),
    /// Well-formed values break rules.
    #[error("some values are not acceptable; see details")]
    Invalid(Vec<Problem>),
    /// No good credential. One text for every cause: it does not say whether a key exists.
    #[error("a valid API key is needed")]
    Unauthorized,
    /// A login that is refused. One text for every cause: it does not say whether an account exists.
    #[error("the e-mail address, the password or the workspace is wrong")]
    InvalidLogin,
    /// No good portal token. One text for every cause.
    #[error("a valid portal token is needed: ask for a new link to the ticket")]
    PortalTokenNeeded,
    /// A link to a ticket that is none of ours, or whose time is over.
    #[error("this link is unknown or its time is over: ask for another")]
    LinkExpired,
    /// A key, where only a person's session will do.
    #[error("an API key cannot do this: sign in")]
    SessionNeeded,
    /// A session of a member who manages nothing.
    #[error("this needs the role owner or admin")]
    RoleNeeded,
    /// Somebody signed in, where only a key will do.
    #[error("this is for API keys: a session cannot call it")]
    KeyNeeded,
    /// A key that may not call a tool.
    #[error("this key may not call {tool}: it needs {needs}")]
    ToolDenied {
        /// The tool's name.
        tool: &'static str,
        /// The permissions of which one is needed.
        needs: String,
    },
    /// No such tool.
    #[error("there is no such tool")]
    UnknownTool,
    /// Arguments that are off a tool's schema.
    #[error("the arguments do not fit the tool's inputSchema; see details")]
    InvalidArguments(Vec<Problem>),
    /// One call of a tool too many in a trial.
    #[error("this trial key has had all its {limit} calls: ask the workspace for a key of its own")]
    TrialQuotaExceeded {
        /// Calls in all.
        limit: u32,
        /// Seconds until the key expires.
        retry_after: i64,
    },
    /// A trial key, and a tool that is not one of its own.
    #[error("this trial key may not call {tool}")]
    ToolNotInTrial {
        /// The tool's name.
        tool: &'static str,
    },
    /// A good credential that may not do this one thing.
    #[error("{0}")]
    Forbidden(String),
    /// A good credential lacks scopes.
    #[error("this needs the scope {}, which the credential does not have", .0.join(" and "))]
    MissingScopes(Vec<String>),
    /// No such record in the caller's workspace.
    #[error("there is no such {0}")]
    NotFound(&'static str),
    /// Another live record of the workspace has this value.
    #[error("another record already has this {0}")]
    Duplicate(&'static str),
    /// The record's state does not allow the change.
    #[error("{0}")]
    InvalidStateChange(String),
    /// A conflict of another kind.
    #[error("{0}")]
    Conflict(String),
    /// The caller expects another version than the stored one.
    #[error("the record is at version {current}, not at the expected one: read it again first")]
    ConcurrentUpdate {
        /// The stored version.
        current: i64,
    },
    /// A one-time token was used already.
    #[error("{0}")]
    CapabilityConsumed(&'static str),
    /// One request too many.
    #[error("too many requests: try again in {} s", .0.retry_after)]
    RateLimited(RateLimitStatus),
    /// One record too many.
    #[error(
        "this month's quota of {limit} contacts, companies and deals is used up: it begins anew in {retry_after} s, \
         or ask for a larger plan"
    )]
    QuotaExceeded {
        /// Records a month.
        limit: u64,
        /// Seconds until the next month.
        retry_after: i64,
    },
    /// The idempotency key cannot be used for this request.
    #[error("{0}")]
    IdempotencyConflict(&'static str),
    /// The store could not do it.
    #[error("the service cannot answer right now")]
    Store(#[from] StoreError),
}

impl Error {
    /// One broken rule.
    pub fn invalid(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::Invalid(vec![Problem::new(field, code, message)])
    }

    /// One shape problem.
    pub fn malformed(field: impl Into<String>, code: &'static str, message: impl Into<String>) -> Self {
        Self::Malformed(vec![Problem::new(field, code, message)])
    }

    /// When a limit or quota lets the caller go on, in seconds.
    pub const fn retry_after(&self) -> Option<i64> {
        match self {
            Self::RateLimited(rate_limit) => Some(rate_limit.retry_after),
            Self::QuotaExceeded { retry_after, .. } | Self::TrialQuotaExceeded { retry_after, .. } => {
                Some(*retry_after)
            }
            _ => None,
        }
    }

    /// The code for programs.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::InvalidJson(_) => ErrorCode::InvalidJson,
            Self::Malformed(problems) => match problems.first().map(|problem| problem.code) {
                Some("unknown_field") => ErrorCode::UnknownField,
                _ => ErrorCode::InvalidValue,
            },
            Self::Invalid(_) => ErrorCode::ValidationFailed,
            Self::Unauthorized | Self::InvalidLogin | Self::PortalTokenNeeded | Self::LinkExpired => {
                ErrorCode::Unauthorized
            }
            Self::MissingScopes(_)
            | Self::SessionNeeded
            | Self::KeyNeeded
            | Self::RoleNeeded
            | Self::ToolDenied { .. }
            | Self::ToolNotInTrial { .. }
            | Self::Forbidden(_) => ErrorCode::Forbidden,
            Self::UnknownTool => ErrorCode::UnknownTool,
            Self::InvalidArguments(_) => ErrorCode::InvalidArguments,
            Self::TrialQuotaExceeded { .. } => ErrorCode::TrialQuotaExceeded,
            Self::NotFound(_) => ErrorCode::NotFound,
            Self::Duplicate(_) | Self::Store(StoreError::Duplicate { .. }) => ErrorCode::Duplicate,
            Self::InvalidStateChange(_) => ErrorCode::InvalidStateChange,
            Self::Conflict(_) => ErrorCode::Conflict,
            Self::ConcurrentUpdate { .. } => ErrorCode::ConcurrentUpdate,
            Self::CapabilityConsumed(_) => ErrorCode::CapabilityConsumed,
            Self::RateLimited(_) => ErrorCode::RateLimitExceeded,
            Self::QuotaExceeded { .. } => ErrorCode::QuotaExceeded,
            Self::IdempotencyConflict(_) => ErrorCode::IdempotencyConflict,
            Self::Store(StoreError::Busy | StoreError::Unavailable(_) | StoreError::Contended) => {
                ErrorCode::Unavailable
            }
            Self::Store(StoreError::Internal(_)) => ErrorCode::Internal,
        }
    }

    /// What is wrong with single values, where that is the error.
    pub fn details(&self) -> Vec<Problem> {
        match self {
            Self::Malformed(problems) | Self::Invalid(problems) | Self::InvalidArguments(problems) => problems.clone(),
            Self::Duplicate(field) | Self::Store(StoreError::Duplicate { field }) => {
                vec![Problem::new(*field, "duplicate", "another record of the workspace has this value")]
            }
            Self::MissingScopes(scopes) => scopes
                .iter()
                .map(|scope| Problem::new("scopes", "missing_scope", format!("the scope {scope} is needed")))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// What the client reads. Nothing internal: a store's own words stay in the log.
    pub fn client_message(&self) -> String {
        match self {
            Self::Store(StoreError::Duplicate { field }) => Self::Duplicate(field).to_string(),
            Self::Store(StoreError::Internal(_)) => "something went wrong on our side".to_owned(),
            other => other.to_string(),
        }
    }
}
