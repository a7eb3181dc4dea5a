//! The dispatcher's metrics.

use std::collections::HashMap;

use metrics_util::debugging::{DebugValue, DebuggingRecorder};

use super::receiver::{Receiver, ScriptedResponse};
use super::{Rig, open};
use crate::{ATTEMPTS, DELIVERIES_CLAIMED, DURATION, LAG, REQUESTS_IN_FLIGHT, UNRECORDED};

#[tokio::test]
async fn attempts_are_counted_by_outcome() {
    let recorder = DebuggingRecorder::new();
    let snapshots = recorder.snapshotter();
    // Local to this thread, on which all tasks of this test run.
    let guard = metrics::set_default_local_recorder(&recorder);
    crate::describe_metrics();
    for status in [200, 204, 404, 500] {
        let receiver = Receiver::always(ScriptedResponse::Status(status)).await;
        Rig::new().attempt(&receiver.url(), open()).await;
    }
    Rig::new().attempt("http://user@127.0.0.1/", open()).await;
    drop(guard);

    let mut counts = HashMap::new();
    let mut names = Vec::new();
    for (key, _, _, value) in snapshots.snapshot().into_vec() {
        let key = key.key();
        names.push(key.name().to_owned());
        if let (DebugValue::Counter(count), Some(label)) = (value, key.labels().next()) {
            counts.insert(format!("{}/{}", key.name(), label.value()), count);
        }
    }
    for (outcome, count) in [("2xx", 2), ("4xx", 1), ("5xx", 1), ("refused", 1)] {
        assert_eq!(counts[&format!("{ATTEMPTS}/{outcome}")], count, "{outcome}");
    }
    for name in [DURATION, LAG, REQUESTS_IN_FLIGHT, DELIVERIES_CLAIMED, UNRECORDED] {
        assert!(names.iter().any(|known| known == name), "{name}");
    }
}
