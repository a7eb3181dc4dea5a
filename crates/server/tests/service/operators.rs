//! Operator commands, with and without the service running.

use std::path::Path;
use std::process::Output;

use test_support::program::output_of;

use crate::support::{Service, cluster_runs, command, create_user, data_dir, eventually, failure, json_of, run};

/// Looks up a key given on standard input.
fn find_key(folder: &Path, plain: &str) -> Output {
    output_of(command(folder).args(["key", "find", "--json"]), &format!("{plain}\n")).unwrap()
}

#[test]
fn operator_commands_work_with_and_without_the_service() {
    let folder = data_dir();
    // Without the service, each command starts the cluster for its duration.
    let made = run(
        folder.path(),
        &["workspace", "create", "--name", "Acme", "--slug", "acme", "--plan", "professional", "--json"],
    );
    let workspace = json_of(&made);
    assert_eq!(
        (&workspace["slug"], &workspace["plan"], &workspace["status"]),
        (&"acme".into(), &"professional".into(), &"active".into())
    );
    assert!(!cluster_runs(folder.path()));
    assert!(
        failure(&run(folder.path(), &["workspace", "create", "--name", "Acme", "--slug", "acme"])).contains("slug")
    );

    std::fs::write(folder.path().join("started"), "").unwrap();
    let mut service = Service::start(folder.path());
    let create = |workspace: &str, scopes: &[&str]| {
        let key = ["key", "create", "--workspace", workspace, "--name", "k", "--json"];
        run(folder.path(), &[&key[..], scopes].concat())
    };
    let key = json_of(&create("acme", &["--scope", "deals.read", "--scope", "crm.write"]));
    assert_eq!(
        (&key["scopes"], &key["preset"], &key["expires_at"]),
        (&serde_json::json!(["crm.write", "deals.read"]), &serde_json::Value::Null, &serde_json::Value::Null)
    );
    let secret = key["key"].as_str().unwrap();
    assert!(service.get("/api/v1/crm/deals", secret).starts_with("HTTP/1.1 200"));
    assert!(service.get("/api/v1/projects", secret).starts_with("HTTP/1.1 403"));
    let id = key["id"].as_str().unwrap();
    let found = json_of(&find_key(folder.path(), secret));
    let named = serde_json::json!({
        "id": id, "name": "k", "status": "active", "workspace": "acme", "workspace_id": workspace["id"],
    });
    assert_eq!(found, named);
    let revoke = ["key", "revoke", "--workspace", workspace["id"].as_str().unwrap(), "--id", id, "--json"];
    assert_eq!(json_of(&run(folder.path(), &revoke))["revoked"], true);
    // Another process revoked it. This takes effect here within two seconds.
    eventually("the key is revoked", || service.get("/api/v1/crm/deals", secret).starts_with("HTTP/1.1 401"));
    assert!(!run(folder.path(), &revoke).status.success());
    assert_eq!(json_of(&find_key(folder.path(), secret))["status"], "revoked");
    // A well-formed key that was never created, and a text that is not a key.
    for plain in ["svc_SJwSgzrT5L4hD21yeNcnQhG4NSgEiAVryc1eY5D2ptuy1x8Ywk", "something"] {
        let message = failure(&find_key(folder.path(), plain));
        assert!(message.contains("API key") && !message.contains(plain), "{message}");
    }

    let short = json_of(&create("acme", &["--preset", "crm", "--expires-in", "1s"]));
    let short = short["key"].as_str().unwrap();
    eventually("the key expires", || service.get("/api/v1/crm/deals", short).starts_with("HTTP/1.1 401"));
    for (workspace, scopes) in [
        ("acme", &[][..]),
        ("acme", &["--preset", "nope"]),
        ("acme", &["--scope", "stock.products.read"]),
        ("acme", &["--preset", "crm", "--scope", "deals.read"]),
        ("nope", &["--preset", "crm"]),
        ("acme", &["--preset", "crm", "--expires-in", "soon"]),
    ] {
        assert!(!create(workspace, scopes).status.success(), "{workspace} {scopes:?}");
    }
    assert_eq!(service.signal("TERM"), Some(0));
    assert!(!cluster_runs(folder.path()));
}

#[test]
fn a_user_is_created_with_a_password_from_standard_input() {
    let folder = data_dir();
    let _ = json_of(&run(folder.path(), &["workspace", "create", "--name", "A", "--slug", "a", "--json"]));
    let make = |password: &str| create_user(folder.path(), "a", "ann@example.com", "admin", password);
    for refused in ["short\n", "password1234\n"] {
        assert!(!make(refused).status.success(), "{refused}");
    }
    let user = json_of(&make("correct horse battery\n"));
    assert_eq!((&user["email"], &user["role"]), (&"ann@example.com".into(), &"admin".into()));
    assert!(!failure(&make("correct horse battery\n")).contains("horse"));
}

#[test]
fn workspaces_are_suspended_activated_and_updated_while_the_service_runs() {
    let folder = data_dir();
    let mut service = Service::start_with(folder.path(), &[("SERVICE_LIMIT_ANONYMOUS", "1000000")]);
    let key = service.key.clone().unwrap();
    let workspace =
        |arguments: &[&str]| json_of(&run(folder.path(), &[&["workspace"], arguments, &["--json"]].concat()));
    let status = || service.get("/api/v1/projects", &key).split(' ').nth(1).unwrap().to_owned();
    let plan =
        workspace(&["update", "--workspace", "demo", "--plan", "enterprise", "--limit", "requests_per_minute=5000"]);
    assert_eq!(
        (&plan["plan"], &plan["limits"]["requests_per_minute"], &plan["limits"]["crm_quota_per_month"]),
        (&"enterprise".into(), &5000.into(), &serde_json::Value::Null)
    );
    let limit = || service.get("/api/v1/projects", &key).to_lowercase().contains("x-ratelimit-limit: 5000");
    eventually("the limit takes effect", limit);
    assert_eq!(workspace(&["suspend", "--workspace", "demo"])["status"], "suspended");
    eventually("the suspension takes effect", || status() == "401");
    assert_eq!(workspace(&["activate", "--workspace", "demo"])["status"], "active");
    assert_eq!(status(), "200");
    let listed = workspace(&["list"]);
    assert_eq!((listed.as_array().map(Vec::len), &listed[0]["slug"]), (Some(1), &"demo".into()));
    let keys = json_of(&run(folder.path(), &["key", "list", "--workspace", "demo", "--json"]));
    assert_eq!((keys.as_array().map(Vec::len), &keys[0]["name"]), (Some(1), &"demo".into()));
    assert!(!keys.to_string().contains(&key) && !keys.to_string().contains("svc_"));
    for arguments in [
        &["workspace", "update", "--workspace", "demo"][..],
        &["workspace", "update", "--workspace", "demo", "--limit", "nope=1"],
        &["workspace", "update", "--workspace", "demo", "--limit", "requests_per_minute=0"],
        &["workspace", "suspend", "--workspace", "nope"],
        &["key", "list", "--workspace", "nope"],
    ] {
        assert!(!run(folder.path(), arguments).status.success(), "{arguments:?}");
    }
    assert_eq!(service.signal("TERM"), Some(0));
}
