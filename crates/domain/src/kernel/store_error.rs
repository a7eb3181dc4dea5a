//! Errors of the store.

/// Why a store operation failed.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or does not respond.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database has no room on its disk: what is stored can be read, and nothing can be added.
    #[error("the disk of the database is full: {0}")]
    DiskFull(String),
    /// No connection, or no turn for a password hash, became free in time.
    #[error("no capacity became free in time: too many requests are waiting")]
    Busy,
    /// A statement was given up because it took too long.
    #[error("a statement took too long")]
    TimedOut,
    /// Repeated conflicts with concurrent changes to the same records (serialization failure, deadlock).
    #[error("too many concurrent changes to the same records")]
    Contended,
    /// A unique value is already in use.
    #[error("another record has this {field}")]
    Duplicate {
        /// The field of the interface.
        field: &'static str,
    },
    /// The workspace has added as much to its event log as it may on one day.
    #[error("the event log of the workspace has grown by {limit} bytes today")]
    LogBudgetExceeded {
        /// Bytes per day.
        limit: u64,
        /// Seconds until the next day.
        retry_after: i64,
    },
    /// An actor has done as many actions of a kind in this hour as the audit log takes; nothing was done.
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
    /// Whether it may be over without anybody changing the request or the service.
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::DiskFull(_) | Self::Busy | Self::TimedOut | Self::Contended)
    }

    /// What `/readyz` says of an instance whose store fails with this (interface 18.2).
    pub const fn readiness_status(&self) -> &'static str {
        match self {
            Self::DiskFull(_) => "disk_full",
            _ => "unavailable",
        }
    }
}
