//! Optimistic concurrency: the versions that a change accepts.

use crate::Error;

/// The versions at which a caller accepts a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ExpectedVersion {
    /// Any stored version.
    #[default]
    Any,
    /// Any of these; an empty list matches none.
    OneOf(Vec<i64>),
}

impl ExpectedVersion {
    /// Checks the stored version.
    ///
    /// # Errors
    /// [`Error::ConcurrentUpdate`] with the stored version.
    pub fn check(&self, current: i64) -> Result<(), Error> {
        match self {
            Self::OneOf(versions) if !versions.contains(&current) => Err(Error::ConcurrentUpdate { current }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_expected_versions_pass() {
        assert!(ExpectedVersion::Any.check(3).is_ok());
        assert!(ExpectedVersion::OneOf(vec![2, 3]).check(3).is_ok());
        assert!(matches!(ExpectedVersion::OneOf(vec![2]).check(3), Err(Error::ConcurrentUpdate { current: 3 })));
        assert!(ExpectedVersion::OneOf(vec![]).check(1).is_err());
    }
}
