//! Errors of the store.

/// Why a store operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or does not respond.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The disk of the database is full: reads work, writes fail.
    #[error("the disk of the database is full: {0}")]
    DiskFull(String),
    /// No database connection, or no slot for a password hash, became free in time.
    #[error("no capacity became free in time: too many requests are waiting")]
    Busy,
    /// A statement was cancelled because it took too long.
    #[error("a statement took too long")]
    TimedOut,
    /// Repeated conflicts with concurrent changes to the same records (serialization failure, deadlock).
    #[error("too many concurrent changes to the same records")]
    Contended,
    /// A unique value is already in use.
    #[error("another record has this {field}")]
    Duplicate {
        /// The name of the field in the interface.
        field: &'static str,
    },
    /// The workspace has used up its daily limit of bytes in the event log.
    #[error("the event log of the workspace has grown by {limit} bytes today")]
    LogBudgetExceeded {
        /// Bytes per day.
        limit: u64,
        /// Seconds until the next day.
        retry_after: i64,
    },
    /// The actor has reached the hourly limit of the audit log for this kind of action; the action was not done.
    #[error("the audit log takes at most {limit} actions of this kind per hour from one user or key")]
    AuditBound {
        limit: u32,
        /// Seconds until the next hour.
        retry_after: i64,
    },
    /// An internal error of the service or its schema.
    #[error("storage fault: {0}")]
    Internal(String),
}

impl StoreError {
    /// Whether the error may pass without a change to the request or the service.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::DiskFull(_) | Self::Busy | Self::TimedOut | Self::Contended)
    }

    /// What `/readyz` reports for an instance whose store fails with this error (interface 18.2).
    pub const fn readiness_status(&self) -> &'static str {
        match self {
            Self::DiskFull(_) => "disk_full",
            _ => "unavailable",
        }
    }
}
