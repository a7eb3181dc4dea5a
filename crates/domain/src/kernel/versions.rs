//! Optimistic concurrency: the versions that a change is for.

use crate::Error;

/// The versions at which a caller accepts a change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ExpectedVersion {
    /// Whatever is stored.
    #[default]
    Any,
    /// One of these; an empty list accepts none.
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
    fn only_a_named_version_passes() {
        assert!(ExpectedVersion::Any.check(3).is_ok());
        assert!(ExpectedVersion::OneOf(vec![2, 3]).check(3).is_ok());
        assert!(matches!(ExpectedVersion::OneOf(vec![2]).check(3), Err(Error::ConcurrentUpdate { current: 3 })));
        assert!(ExpectedVersion::OneOf(vec![]).check(1).is_err());
    }
}
