//! The signing secrets of a subscription: the current one and, during overlaps, previous ones.

use time::{Duration, OffsetDateTime};

use crate::Error;
use crate::kernel::sealing::SealedSecret;

/// Maximum number of secrets that sign at the same time.
const MAX_SIGNING_SECRETS: usize = 3;

/// A replaced secret, which signs together with its successors until its overlap ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormerSecret {
    pub secret: SealedSecret,
    pub signs_until: OffsetDateTime,
}

/// The secrets of a subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SigningSecrets {
    /// Oldest first. May include secrets whose overlap has ended.
    former: Vec<FormerSecret>,
    current: SealedSecret,
}

impl SigningSecrets {
    /// The secrets of a new subscription.
    pub const fn new(current: SealedSecret) -> Self {
        Self { former: Vec::new(), current }
    }

    /// The stored secrets; `former` is sorted oldest first.
    pub const fn stored(former: Vec<FormerSecret>, current: SealedSecret) -> Self {
        Self { former, current }
    }

    /// The former secrets, oldest first, and the current one.
    pub fn parts(&self) -> (&[FormerSecret], &SealedSecret) {
        (&self.former, &self.current)
    }

    /// The secrets that sign at `now`, oldest first.
    pub fn at(&self, now: OffsetDateTime) -> impl Iterator<Item = &SealedSecret> {
        let former = self.former.iter().filter(move |former| now < former.signs_until);
        former.map(|former| &former.secret).chain([&self.current])
    }

    /// When the current secret will be the only one that signs; `None` if it is already.
    pub fn overlap_ends_at(&self, now: OffsetDateTime) -> Option<OffsetDateTime> {
        self.former.iter().map(|former| former.signs_until).filter(|end| now < *end).max()
    }

    /// Makes `next` the current secret. The previous one signs until the overlap ends, and earlier ones until theirs end. Without
    /// an overlap, only `next` signs from now on.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the maximum number of secrets sign already.
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
        let previous = std::mem::replace(&mut self.current, next);
        self.former.push(FormerSecret { secret: previous, signs_until: now + overlap });
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
        assert_eq!(names(&secrets, START + hour * 2), "a c", "the secret replaced last ended first");
        assert_eq!(names(&secrets, START + hour * 3), "c");
        assert_eq!(secrets.overlap_ends_at(START + hour * 3), None);
        secrets.rotate(sealed("d"), hour, START + hour * 2).unwrap();
        assert_eq!(names(&secrets, START + hour * 2), "a c d", "there is room again");
        secrets.rotate(sealed("e"), Duration::ZERO, START + hour * 2).unwrap();
        assert_eq!(names(&secrets, START + hour * 2), "e", "without an overlap");
    }
}
