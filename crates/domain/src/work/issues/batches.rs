//! Changing many issues in one transaction, with few of them in memory at a time.

use super::Issue;
use crate::events::EventBuilder;
use crate::kernel::batches;
use crate::ports::Tx;
use crate::{Error, IssueId};

/// Changed issues, each before and after the change, without their long texts.
pub(crate) type Changes = Vec<(Issue, Issue)>;

/// Locks the live issues among `ids`, then loads and changes them and emits their events, a few megabytes at a time. `change` returns
/// the changed issue, or `None` to leave it unchanged.
pub(crate) fn change_many(
    tx: &mut dyn Tx,
    ids: &[IssueId],
    reporter: &EventBuilder,
    mut change: impl FnMut(&Issue) -> Option<Issue>,
) -> Result<Changes, Error> {
    let locked = tx.issues().lock_many(ids)?;
    let mut all = Vec::new();
    for batch in batches(locked, |(_, bytes)| *bytes) {
        let ids: Vec<_> = batch.into_iter().map(|(id, _)| id).collect();
        let stored = tx.issues().get_many_for_update(&ids)?;
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for issue in stored {
            if let Some(changed) = change(&issue) {
                before.push(issue);
                after.push(changed);
            }
        }
        if after.is_empty() {
            continue;
        }
        tx.issues().save_many(&after)?;
        let events: Vec<_> =
            before.iter().zip(&after).flat_map(|(before, after)| reporter.updated(before, after)).collect();
        tx.emit(&events)?;
        all.extend(before.into_iter().map(without_texts).zip(after.into_iter().map(without_texts)));
    }
    Ok(all)
}

fn without_texts(issue: Issue) -> Issue {
    Issue { description: None, labels: Vec::new(), ..issue }
}
