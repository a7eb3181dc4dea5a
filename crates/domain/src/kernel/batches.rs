//! Splits work on many records, so that few of them are in memory at a time, and takes turns between workspaces.

use crate::{Error, WorkspaceId};

/// About how many bytes of stored records one batch loads. This bounds the memory of a request, because stored records may be much
/// larger than the request that changes them. It also bounds the time of a statement, which indexes every word of the records that
/// it writes. A batch holds up to about 500 of the smallest records.
pub(crate) const BATCH_BYTES: u64 = 2 << 20;
/// Estimated bytes of a record without its long texts.
const RECORD_BYTES: u64 = 4 << 10;

/// Splits items into batches of about [`BATCH_BYTES`] of stored records, in their order. `bytes_of` is the size of an item's long texts.
pub(crate) fn batches<T>(items: Vec<T>, bytes_of: impl Fn(&T) -> u64) -> Vec<Vec<T>> {
    let (mut batches, mut batch, mut bytes) = (Vec::new(), Vec::new(), 0);
    for item in items {
        bytes += RECORD_BYTES + bytes_of(&item);
        batch.push(item);
        if bytes >= BATCH_BYTES {
            batches.push(std::mem::take(&mut batch));
            bytes = 0;
        }
    }
    if !batch.is_empty() {
        batches.push(batch);
    }
    batches
}

/// The result of one step in each of several workspaces.
#[derive(Debug, Default)]
pub struct Stepped {
    /// Whether any workspace had work.
    pub any: bool,
    /// The workspaces whose step failed.
    pub failed: Vec<(WorkspaceId, Error)>,
}

/// Does one step in each workspace in turn, so that a lot of work in one does not delay the others; a step returns whether there
/// was work. A failed step does not stop the others.
pub(crate) async fn step_in_each<F: Future<Output = Result<bool, Error>>>(
    workspaces: Vec<WorkspaceId>,
    step: impl Fn(WorkspaceId) -> F,
) -> Stepped {
    let mut stepped = Stepped::default();
    for workspace in workspaces {
        match step(workspace).await {
            Ok(any) => stepped.any |= any,
            Err(error) => stepped.failed.push((workspace, error)),
        }
    }
    stepped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_records_are_changed_in_several_batches() {
        let sizes = |bytes: Vec<u64>| batches(bytes, |bytes| *bytes).iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(sizes(vec![0; 500]), [500]);
        assert_eq!(sizes(vec![BATCH_BYTES / 2; 5]), [2, 2, 1]);
        assert_eq!(sizes(Vec::new()), [0_usize; 0]);
    }
}
