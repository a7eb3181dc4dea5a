//! A bounded number of deletions.

/// Deletes expired rows and counts them, up to a limit.
pub(super) struct Pruning {
    limit: u64,
    pub(super) done: u64,
}

impl Pruning {
    pub(super) fn up_to(limit: u32) -> Self {
        Self { limit: limit.into(), done: 0 }
    }

    pub(super) fn keeps(&mut self, is_old: bool) -> bool {
        let goes = is_old && self.done < self.limit;
        self.done += u64::from(goes);
        !goes
    }
}
