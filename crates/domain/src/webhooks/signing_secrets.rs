//! The secrets of a subscription that sign: the current one and, during overlaps, those before it.

use time::{Duration, OffsetDateTime};

use crate::Error;
use crate::kernel::sealing::SealedSecret;

/// Maximum number of secrets that sign at a time.
const MAX_SIGNING_SECRETS: usize = 3;

/// A secret that was replaced, and signs beside its successors until its overlap ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerSecret {
    pub secret: SealedSecret,
    pub signs_until: OffsetDateTime,
}

/// Those of a subscription, of which at most three sign at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningSecrets {
    /// Oldest first; those whose overlap has ended may still be here.
    former: Vec<FormerSecret>,
    current: SealedSecret,
}

impl SigningSecrets {
    /// A secret without predecessors.
    pub const fn new(current: SealedSecret) -> Self {
        Self { former: Vec::new(), current }
    }

    /// As they are stored, oldest first.
    pub const fn stored(former: Vec<FormerSecret>, current: SealedSecret) -> Self {
        Self { former, current }
    }

    /// The former ones, oldest first, and the current one.
    pub fn parts(&self) -> (&[FormerSecret], &SealedSecret) {
        (&self.former, &self.current)
    }

    /// Those that sign at `now`, oldest first.
    pub fn at(&self, now: OffsetDateTime) -> impl Iterator<Item = &SealedSecret> {
        let former = self.former.iter().filter(move |former| now < former.signs_until);
        former.map(|former| &former.secret).chain([&self.current])
    }

    /// When the current secret will be the only one; `None` if it is.
    pub fn overlap_ends_at(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.former.iter().map(|former| former.signs_until).filter(|end| now < *end).max()
    }

    /// Makes `next` the current secret. The one before signs for the overlap, and so do earlier ones until theirs end.
    /// Without an overlap, `next` is the only one at once.
    ///
    /// # Errors
    /// [`Error::Conflict`] if as many sign as may.
    pub fn rotate(&mut self, next: SealedSecret, overlap: Duration, now: OffsetDateTime) -> Result<(), Error> {
        if !overlap.is_positive() {
            *self = Self::new(next);
            return Ok(());
        }
        self.former.retain(|former| now < former.signs_until);
        if self.former.len() + 1 >= MAX_SIGNING_SECRETS {
            let message = format!(
                "this webhook already has {MAX_SIGNING_SECRETS} signing secrets: wait until an overlap ends, or rotate \
                 with overlap_seconds 0, which ends all of them"
            );
            return Err(Error::Conflict(message));
        }
        let replaced = std::mem::replace(&mut self.current, next);
        self.former.push(FormerSecret { secret: replaced, signs_until: now + overlap });
        Ok(())
    }

    pub(super) fn each_mut(&mut self) -> impl Iterator<Item = &mut SealedSecret> {
        self.former.iter_mut().map(|former| &mut former.secret).chain([&mut self.current])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use time::macros::datetime;

    const START: OffsetDateTime = datetime!(2030-01-01 00:00 UTC);

    fn sealed(name: &str) -> SealedSecret {
        SealedSecret { key_id: name.to_owned(), sealed: Vec::new() }
    }

    fn names(secrets: &SigningSecrets, now: OffsetDateTime) -> String {
        secrets.at(now).map(|secret| secret.key_id.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn all_secrets_sign_until_their_own_overlap_ends() {
        let (hour, mut secrets) = (Duration::HOUR, SigningSecrets::new(sealed("a")));
        assert_eq!((names(&secrets, START).as_str(), secrets.overlap_ends_at(START)), ("a", None));
        secrets.rotate(sealed("b"), hour * 3, START).unwrap();
        secrets.rotate(sealed("c"), hour, START + hour).unwrap();
        assert_eq!(names(&secrets, START + hour), "a b c");
        assert_eq!(secrets.overlap_ends_at(START + hour), Some(START + hour * 3));
        assert!(matches!(secrets.rotate(sealed("d"), hour, START + hour), Err(Error::Conflict(_))));
        assert_eq!(names(&secrets, START + hour * 2), "a c", "the one replaced later ended earlier");
        assert_eq!(names(&secrets, START + hour * 3), "c");
        assert_eq!(secrets.overlap_ends_at(START + hour * 3), None);
        secrets.rotate(sealed("d"), hour, START + hour * 2).unwrap();
        assert_eq!(names(&secrets, START + hour * 2), "a c d", "there is room again");
        secrets.rotate(sealed("e"), Duration::ZERO, START + hour * 2).unwrap();
        assert_eq!(names(&secrets, START + hour * 2), "e", "at once");
    }
}
