//! Rotation of the master key while the service runs.

use serde_json::Value;

use crate::support::{Service, failure, json_of, log_of, run, succeed};
use crate::used::{HOOKS, Used};

/// The keys as shown by `master-key list`: status and number of secrets.
fn keys(used: &Used) -> Vec<(String, i64)> {
    let listed = json_of(&run(used.path(), &["master-key", "list", "--json"]));
    let row = |row: &Value| (row["status"].as_str().unwrap().to_owned(), row["sealed"].as_i64().unwrap());
    listed.as_array().unwrap().iter().map(row).collect()
}

fn stop(mut service: Service, used: &Used) {
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(used.path()));
}

#[test]
fn the_master_key_is_rotated_and_the_former_one_dropped() {
    let (used, service) = Used::new();
    let file = used.path().join("master-key");
    let old = std::fs::read_to_string(&file).unwrap();
    let busy = failure(&run(used.path(), &["master-key", "add"]));
    assert!(busy.contains("stop it first"), "{busy}");
    stop(service, &used);

    succeed(&run(used.path(), &["master-key", "add"]));
    let both = std::fs::read_to_string(&file).unwrap();
    let new = both.strip_suffix(&format!(",{old}")).unwrap().to_owned();
    let sealed = keys(&used);
    assert!(sealed[0] == ("current".to_owned(), 0) && sealed[1].0 == "former" && sealed[1].1 > 0, "{sealed:?}");
    let needed = failure(&run(used.path(), &["master-key", "drop"]));
    assert!(needed.contains("still needed") && needed.contains("master-key reseal"), "{needed}");
    // A key that was removed by hand is missed at startup.
    std::fs::write(&file, &new).unwrap();
    let refused = failure(&run(used.path(), &["serve"]));
    assert!(refused.contains("sealed with the master key") && refused.contains("after the current one"), "{refused}");
    let lost = failure(&run(used.path(), &["master-key", "reseal"]));
    assert!(lost.contains("no configured key opens"), "{lost}");
    std::fs::write(&file, &both).unwrap();

    let service = Service::start_with(used.path(), &HOOKS);
    used.assert_served_by(&service);
    let message = succeed(&run(used.path(), &["master-key", "reseal"]));
    assert!(message.contains("you can remove former ones"), "{message}");
    assert!(succeed(&run(used.path(), &["master-key", "reseal"])).starts_with("0 secrets"));
    used.assert_served_by(&service);
    let sealed = keys(&used);
    assert!(sealed[0].1 > 0 && sealed[1] == ("former".to_owned(), 0), "{sealed:?}");
    let busy = failure(&run(used.path(), &["master-key", "drop"]));
    assert!(busy.contains("stop it first"), "{busy}");
    stop(service, &used);

    succeed(&run(used.path(), &["master-key", "drop"]));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), new);
    used.assert_served_by(&Service::start_with(used.path(), &HOOKS));
}
