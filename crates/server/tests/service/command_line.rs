//! The command line: `--help`, prompts on a terminal, and the states of a workspace.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;

use crate::support::{Service, body_of, command, create_user, data_dir, eventually, failure, json_of, log_in, run};

const PASSWORD: &str = "correct horse battery";

fn help_of(folder: &Path, command_words: &[&str]) -> String {
    let output = run(folder, &[command_words, &["--help"]].concat());
    assert!(output.status.success(), "{command_words:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The names under "Commands:".
fn commands_in(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines.take_while(|line| line.starts_with("  ")).filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(ToOwned::to_owned).collect()
}

#[test]
fn help_of_a_command_shows_its_own_options_and_the_servers_only_for_serve() {
    let folder = data_dir();
    let root = help_of(folder.path(), &[]);
    assert!(!root.contains("--bind") && root.contains("--data-dir") && root.contains("serve --help"), "{root}");
    let mut leaves = Vec::new();
    for command in commands_in(&root) {
        let subcommands = commands_in(&help_of(folder.path(), &[&command]));
        let all = subcommands.into_iter().map(|name| vec![command.clone(), name]).collect::<Vec<_>>();
        leaves.extend(if all.is_empty() { vec![vec![command]] } else { all });
    }
    assert!(leaves.len() >= 17, "{leaves:?}");
    for leaf in leaves {
        let command_words: Vec<_> = leaf.iter().map(String::as_str).collect();
        let help = help_of(folder.path(), &command_words);
        for option in ["--bind", "--db-pool-size", "SERVICE_WEBHOOK_ALLOW_HTTP", "--default-plan"] {
            assert_eq!(help.contains(option), command_words == ["serve"], "{command_words:?} {option}:\n{help}");
        }
        assert!(help.contains("--data-dir"), "{command_words:?}:\n{help}");
    }
    let create = help_of(folder.path(), &["key", "create"]);
    assert!(create.contains("--permission <NAME>...") && create.contains("Examples:"), "{create}");
}

/// A command that was run in a terminal.
#[derive(Debug)]
struct TerminalRun {
    has_succeeded: bool,
    /// Its standard output.
    output: String,
    /// What the terminal showed until the last answer, and after it.
    prompts: String,
    rest: String,
}

/// Runs a command in a terminal, and types an answer when each question is shown.
fn in_terminal(folder: &Path, arguments: &[&str], answers: &[(&str, &str)]) -> TerminalRun {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&controller).unwrap();
    unlockpt(&controller).unwrap();
    let name = ptsname(&controller, Vec::new()).unwrap();
    let end = || File::options().read(true).write(true).open(name.to_str().unwrap()).unwrap();
    let mut command = command(folder);
    command.args(arguments).stdin(Stdio::from(OwnedFd::from(end()))).stderr(Stdio::from(OwnedFd::from(end())));
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    // Its copies of the other end would keep reads from ending.
    drop(command);
    let (mut controller, mut prompts, mut byte) = (File::from(controller), String::new(), [0]);
    for (question, answer) in answers {
        let from = prompts.len();
        while !prompts[from..].ends_with(question) {
            assert_eq!(controller.read(&mut byte).unwrap(), 1, "no {question:?} in {prompts:?}");
            prompts.push(char::from(byte[0]));
        }
        controller.write_all(format!("{answer}\n").as_bytes()).unwrap();
    }
    let mut output = String::new();
    child.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    let has_succeeded = child.wait().unwrap().success();
    let (mut rest, mut buffer) = (String::new(), [0; 4096]);
    // Reading fails when everyone has closed the other end.
    while let Ok(count @ 1..) = controller.read(&mut buffer) {
        rest.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    TerminalRun { has_succeeded, output, prompts, rest }
}

#[test]
fn a_terminal_prompts_for_the_passphrase_of_a_backup_and_never_shows_it() {
    let folder = data_dir();
    let _ = json_of(&run(folder.path(), &["workspace", "create", "--name", "A", "--slug", "a", "--json"]));
    std::fs::write(folder.path().join("master-key"), "A".repeat(43) + "=").unwrap();
    let file = folder.path().join("work.backup");
    let arguments = ["backup", file.to_str().unwrap()];
    let first = "Passphrase for the master key, at least 12 characters (empty: omit the key): ";
    let result = in_terminal(folder.path(), &arguments, &[(first, PASSWORD), ("Repeat: ", "correct horse battery 2")]);
    assert!(!result.has_succeeded && result.rest.contains("passphrases differ") && !file.exists(), "{result:?}");
    let result = in_terminal(folder.path(), &arguments, &[(first, PASSWORD), ("Repeat: ", PASSWORD)]);
    let terminal_text = result.prompts + &result.rest;
    assert!(
        result.has_succeeded && terminal_text.contains("with the master key") && !terminal_text.contains("horse"),
        "{terminal_text}"
    );

    let target = data_dir();
    let arguments = ["restore", file.to_str().unwrap()];
    let result = in_terminal(target.path(), &arguments, &[("Passphrase of the master key: ", PASSWORD)]);
    let terminal_text = result.prompts + &result.rest;
    assert!(
        result.has_succeeded && result.output.contains("Restored") && !terminal_text.contains("horse"),
        "{terminal_text}"
    );
}

#[test]
fn a_terminal_prompts_for_a_password_twice_and_never_shows_it() {
    let folder = data_dir();
    let _ = json_of(&run(folder.path(), &["workspace", "create", "--name", "A", "--slug", "a", "--json"]));
    let arguments =
        |email| ["user", "create", "--workspace", "a", "--email", email, "--name", "Ann", "--role", "owner", "--json"];
    let first = "Password (12 to 200 characters): ";
    for (answers, problem) in [
        (&[(first, "short")][..], "12"),
        (&[(first, PASSWORD), ("Repeat: ", "correct horse battery 2")], "passwords differ"),
    ] {
        let result = in_terminal(folder.path(), &arguments("ann@example.com"), answers);
        assert!(!result.has_succeeded && result.output.is_empty() && result.rest.contains(problem), "{result:?}");
    }
    let answers = [(first, PASSWORD), ("Repeat: ", PASSWORD)];
    let result = in_terminal(folder.path(), &arguments("ann@example.com"), &answers);
    let (output, terminal_text) = (result.output, result.prompts + &result.rest);
    assert!(result.has_succeeded && !terminal_text.contains("horse") && !output.contains("horse"), "{terminal_text}");
    let user: Value = serde_json::from_str(&output).unwrap();
    // The first user of an installation becomes an operator; the next one does not.
    assert_eq!((&user["email"], &user["operator"]), (&"ann@example.com".into(), &true.into()));
    let next = create_user(folder.path(), "a", "bob@example.com", "owner", "another horse battery\n");
    assert_eq!(json_of(&next)["operator"], false);
    let arguments = ["user", "update", "--email", "bob@example.com", "--operator", "true", "--json"];
    assert_eq!(json_of(&run(folder.path(), &arguments))["operator"], true);
    let operators = json_of(&run(folder.path(), &["user", "list-operators", "--json"]));
    assert_eq!((&operators[0]["email"], &operators[1]["email"]), (&user["email"], &"bob@example.com".into()));
    failure(&run(folder.path(), &["user", "update", "--email", "x@example.com", "--operator", "true"]));

    let mut service = start(folder.path());
    let ann = log_in(&service, "ann@example.com", PASSWORD);
    let bob = log_in(&service, "bob@example.com", "another horse battery");
    for token in [&ann, &bob] {
        assert!(service.get("/api/operator/workspaces", token).starts_with("HTTP/1.1 200"));
    }
    let arguments = ["user", "update", "--email", "bob@example.com", "--operator", "false", "--json"];
    assert_eq!(json_of(&run(folder.path(), &arguments))["operator"], false);
    eventually("the user is no longer an operator", || {
        service.get("/api/operator/workspaces", &bob).starts_with("HTTP/1.1 403")
    });
    assert_eq!(service.signal("TERM"), Some(0));
}

/// Starts the service in a folder that already has a workspace.
fn start(folder: &Path) -> Service {
    std::fs::write(folder.join("started"), "").unwrap();
    Service::start_with(folder, &[("SERVICE_LIMIT_ANONYMOUS", "1000000")])
}

#[test]
fn permissions_of_a_key_are_granted_one_by_one() {
    let folder = data_dir();
    let _ = json_of(&run(folder.path(), &["workspace", "create", "--name", "A", "--slug", "a", "--json"]));
    let create = ["key", "create", "--workspace", "a", "--name", "k", "--preset", "full_access"];
    let key = |arguments: &[&str]| run(folder.path(), &[&create, arguments, &["--json"]].concat());
    let created = json_of(&key(&["--permission", "read_deals", "read_webhooks", "--permission", "create_deals"]));
    let granted = created["permissions"].as_object().unwrap();
    let granted: Vec<_> =
        granted.iter().filter(|(_, granted)| **granted == true).map(|(name, _)| name.as_str()).collect();
    assert_eq!(granted, ["create_deals", "read_deals", "read_webhooks"]);
    assert_eq!(json_of(&key(&[]))["permissions"], Value::Null);
    for invalid in [&["--permission", "nope"][..], &["--permission"]] {
        assert!(!key(invalid).status.success(), "{invalid:?}");
    }
    let mut service = start(folder.path());
    let session = body_of(&service.get("/api/mcp/session", created["key"].as_str().unwrap()), 200);
    assert_eq!(session["permissions"]["granted"], serde_json::json!(["read_deals", "create_deals", "read_webhooks"]));
    assert_eq!(service.signal("TERM"), Some(0));
}

#[test]
fn new_workspaces_get_the_default_plan_of_the_settings() {
    let folder = data_dir();
    let create = |slug: &str, settings: &[(&str, &str)], arguments: &[&str]| {
        let create_arguments = ["workspace", "create", "--name", "W", "--slug", slug, "--json"];
        let mut command: Command = command(folder.path());
        command.envs(settings.iter().copied()).args(create_arguments).args(arguments).output().unwrap()
    };
    let starter = [("SERVICE_DEFAULT_PLAN", "starter")];
    assert_eq!(json_of(&create("a", &[], &[]))["plan"], "enterprise");
    assert_eq!(json_of(&create("b", &starter, &[]))["plan"], "starter");
    assert_eq!(json_of(&create("c", &starter, &["--plan", "professional"]))["plan"], "professional");
    std::fs::write(folder.path().join("workspace-service.toml"), "default_plan = \"professional\"\n").unwrap();
    assert_eq!(json_of(&create("d", &[], &[]))["plan"], "professional");
    let message = failure(&create("e", &[("SERVICE_DEFAULT_PLAN", "huge")], &[]));
    assert!(message.contains("SERVICE_DEFAULT_PLAN") && message.contains("starter"), "{message}");
}

#[test]
fn events_are_kept_for_at_least_30_days() {
    let folder = data_dir();
    let list = |settings: &[(&str, &str)], arguments: &[&str]| {
        let mut command: Command = command(folder.path());
        command.envs(settings.iter().copied()).args(["workspace", "list", "--json"]).args(arguments).output().unwrap()
    };
    let is_refused = |settings: &[(&str, &str)], arguments: &[&str]| {
        let message = failure(&list(settings, arguments));
        assert!(message.contains("SERVICE_EVENT_RETENTION") && message.contains("30d"), "{message}");
    };
    is_refused(&[("SERVICE_EVENT_RETENTION", "29d")], &[]);
    is_refused(&[], &["--event-retention", "forever"]);
    assert!(list(&[("SERVICE_EVENT_RETENTION", "30d")], &[]).status.success());
    std::fs::write(folder.path().join("workspace-service.toml"), "event_retention = \"1d\"\n").unwrap();
    is_refused(&[], &[]);
    assert!(list(&[], &["--event-retention", "400d"]).status.success(), "the flag takes precedence");
}

#[test]
fn a_workspace_is_restricted_deleted_activated_and_erased() {
    let folder = data_dir();
    let mut service = Service::start_with(folder.path(), &[("SERVICE_LIMIT_ANONYMOUS", "1000000")]);
    let key = service.key.clone().unwrap();
    let status = || service.get("/api/v1/projects", &key).split(' ').nth(1).unwrap().to_owned();
    let workspace = |arguments: &[&str]| run(folder.path(), &[&["workspace"], arguments].concat());
    let change_status =
        |arguments: &[&str]| json_of(&workspace(&[arguments, &["--workspace", "demo", "--json"]].concat()));
    assert_eq!(body_of(&service.post("/api/v1/projects", &key, r#"{"name": "p"}"#), 201)["data"]["name"], "p");
    assert_eq!(change_status(&["restrict"])["status"], "restricted");
    eventually("the restriction takes effect", || status() == "401");
    assert_eq!(change_status(&["activate"])["status"], "active");
    eventually("the restriction is lifted", || status() == "200");

    // Standard input is not a terminal, so there is no prompt.
    let message = failure(&workspace(&["delete", "--workspace", "demo"]));
    assert!(message.contains("--confirm"), "{message}");
    assert!(!workspace(&["delete", "--workspace", "demo", "--confirm", "other"]).status.success());
    assert_eq!(status(), "200");
    let deleted = change_status(&["delete", "--confirm", "demo"]);
    assert!(deleted["status"] == "deleted" && deleted["erase_at"].is_string(), "{deleted}");
    eventually("the deletion takes effect", || status() == "401");
    assert!(!workspace(&["delete", "--workspace", "demo", "--confirm", "demo"]).status.success(), "deleted already");
    assert!(!workspace(&["create", "--name", "x", "--slug", "demo"]).status.success(), "the slug stays taken");
    assert_eq!(change_status(&["activate"])["erase_at"], Value::Null);
    eventually("the workspace is active again", || status() == "200");

    let arguments = ["workspace", "delete", "--workspace", "demo", "--now", "--json"];
    let result = in_terminal(folder.path(), &arguments, &[("to confirm: ", "demo")]);
    assert!(result.has_succeeded, "{result:?}");
    // The service may be erasing it at the same time. Either one may finish.
    assert_eq!(serde_json::from_str::<Value>(&result.output).unwrap()["status"], "deleted");
    eventually("the workspace is erased", || json_of(&workspace(&["list", "--json"])) == serde_json::json!([]));
    eventually("the key is unknown", || status() == "401");
    assert_eq!(json_of(&workspace(&["create", "--name", "x", "--slug", "demo", "--json"]))["slug"], "demo");
    assert_eq!(service.signal("TERM"), Some(0));
}
