//! Why a store could not do what it was asked.

/// Why the store could not do it.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database cannot be reached or does not answer.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// Every connection is in use, and none came free in time.
    #[error("too much is going on right now")]
    Busy,
    /// Others changed the same records again and again (serialization failure, deadlock).
    #[error("too many changes to the same records at once")]
    Contended,
    /// A unique value is taken.
    #[error("another record has this {field}")]
    Duplicate {
        /// The member of the interface that is taken.
        field: &'static str,
    },
    /// A fault: of the service or of its schema.
    #[error("storage fault: {0}")]
    Internal(String),
}
