//! Adds texts to open e-mails, so that everything within a minute is sent as one e-mail.

use super::{EmailPart, Enqueued, QueuedEmail};
use crate::Error;
use crate::ports::{StoreError, Tx};

/// Maximum attempts to add a text to an open e-mail or to open one.
const MAX_TRIES: u32 = 3;

/// Adds each part to the open e-mail of its batch, and opens one if there is none. `open` creates that e-mail for the part with
/// this index; it returns `None` if no e-mail can be sent. A part whose e-mail exceeds a limit is dropped. Returns the indexes of
/// the parts whose e-mail was opened. The number of statements does not depend on the number of parts.
///
/// # Errors
/// [`StoreError::Contended`] if others keep opening and sending the same e-mails.
pub(crate) fn add_parts(
    tx: &mut dyn Tx,
    parts: &[EmailPart],
    mut open: impl FnMut(usize) -> Result<Option<QueuedEmail>, Error>,
) -> Result<Vec<usize>, Error> {
    let (mut left, mut opened): (Vec<usize>, _) = ((0..parts.len()).collect(), Vec::new());
    for _ in 0..MAX_TRIES {
        let wanted: Vec<_> = left.iter().map(|index| parts[*index].clone()).collect();
        let added = tx.emails().append_all(&wanted)?;
        left = left.into_iter().zip(added).filter(|(_, is_added)| !is_added).map(|(index, _)| index).collect();
        let mut emails = Vec::new();
        for index in std::mem::take(&mut left) {
            if let Some(email) = open(index)? {
                left.push(index);
                emails.push(email);
            }
        }
        if left.is_empty() {
            return Ok(opened);
        }
        let outcomes = tx.emails().enqueue_all(&emails)?;
        let of = |wanted: Enqueued| left.iter().zip(&outcomes).filter(move |(_, outcome)| **outcome == wanted);
        let queued: Vec<usize> = of(Enqueued::Queued).map(|(index, _)| *index).collect();
        // If a concurrent transaction opens one, the part is added to that.
        let others = of(Enqueued::AlreadyOpen).map(|(index, _)| *index);
        left = queued.iter().copied().chain(others).collect();
        opened.extend(queued);
        if left.is_empty() {
            return Ok(opened);
        }
    }
    Err(StoreError::Contended.into())
}
