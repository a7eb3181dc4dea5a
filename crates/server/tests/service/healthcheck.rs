//! The health check that containers run.

use crate::support::{Service, command, failure, succeed};

#[test]
fn the_health_check_succeeds_while_the_service_is_ready_and_otherwise_says_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Service::start(folder.path());
    let ask =
        |admin: &str| command(folder.path()).env("SERVICE_ADMIN_BIND", admin).arg("healthcheck").output().unwrap();
    let admin = service.admin.clone();
    assert_eq!(succeed(&ask(&admin)), "ready\n");
    service.signal("TERM");
    for (setting, reason) in [(admin.as_str(), "does not answer on"), ("off", "SERVICE_ADMIN_BIND"), ("here", "here")] {
        let refused = ask(setting);
        let message = failure(&refused);
        assert!(refused.status.code() == Some(1) && message.contains(reason), "{setting}: {message}");
    }
}
