//! Tests every setting with several sources at once: flags override variables, variables override the file, and empty
//! variables count as unset. The environment belongs to the process, so each case runs in a child process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use super::{file, table};
use crate::cli::Cli;
use crate::config_args::SECRETS;

/// Two values of each setting except secrets.
pub(super) const VALUES: &[(&str, [&str; 2])] = &[
    ("bind", ["127.0.0.1:1", "127.0.0.1:2"]),
    ("admin_bind", ["127.0.0.1:3", "off"]),
    ("metrics_public", ["true", "false"]),
    ("max_connections", ["100", "200"]),
    ("connections_per_address", ["10", "20"]),
    ("connections_per_credential", ["11", "22"]),
    ("answer_memory", ["32", "64"]),
    ("data_dir", ["one", "other"]),
    ("wal_archive_dir", ["wal-one", "wal-other"]),
    ("db_pool_size", ["11", "12"]),
    ("db_prepared", ["on", "off"]),
    ("migrate", ["on", "off"]),
    ("database_replica_max_lag", ["1s", "2s"]),
    ("db_heavy_jobs", ["3", "4"]),
    ("drain_seconds", ["7", "8"]),
    ("start_wait", ["9", "10"]),
    ("public_url", ["https://one.example", "https://other.example"]),
    ("smtp_ca_file", ["one.pem", "other.pem"]),
    ("mail_from", ["one@acme.example", "other@acme.example"]),
    ("trusted_proxies", ["10.0.0.1,10.0.0.2", "10.1.0.0/16"]),
    ("abuse_contact", ["abuse@one.example", "https://other.example/abuse"]),
    ("limit_answers_per_mailbox", ["51", "52"]),
    ("answer_delay_seconds", ["61", "62"]),
    ("limit_anonymous", ["21", "22"]),
    ("limit_critical", ["23", "24"]),
    ("limit_bulk", ["25", "26"]),
    ("limit_console", ["601", "602"]),
    ("limit_stored_response_bytes", ["1000", "2000"]),
    ("default_plan", ["starter", "professional"]),
    ("operator_second_factor", ["true", "false"]),
    ("webhook_allow_http", ["true", "false"]),
    ("webhook_allow_private_networks", ["true", "false"]),
    ("webhook_max_waiting", ["101", "102"]),
    ("event_retention", ["40d", "50d"]),
    ("audit_retention", ["60d", "forever"]),
    ("demo", ["true", "false"]),
    ("dispatcher", ["inside", "off"]),
    ("log", ["warn", "debug"]),
    ("log_format", ["text", "json"]),
];

/// The values of all settings in one source: nothing, empty texts, or the values with this index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Nothing,
    Empty,
    Value(usize),
}

use Source::{Empty, Nothing, Value};

impl Source {
    fn value(self, values: [&str; 2]) -> Option<&str> {
        match self {
            Nothing => None,
            Empty => Some(""),
            Value(index) => Some(values[index]),
        }
    }
}

/// The resulting settings, by member; `None` if not set.
type ResolvedSettings = BTreeMap<String, Option<String>>;

const ARGUMENTS: &str = "TEST_ARGUMENTS_OF_CHILD";

/// This test runs in a child process and prints the resulting settings. Without the variable, it prints nothing.
#[test]
fn a_child_prints_its_settings() {
    let Ok(arguments) = std::env::var(ARGUMENTS) else { return };
    let given = Cli::parsed(arguments.lines().map(OsString::from)).unwrap().config;
    let in_file = file::read(given.config.as_deref()).unwrap();
    let no_demo = given.no_demo;
    match given.with_secrets() {
        Ok(given) => {
            let resolved: ResolvedSettings =
                given.or(in_file).given().into_iter().map(|(member, value)| (member.to_owned(), value)).collect();
            println!("\nresolved {} {no_demo}", serde_json::to_string(&resolved).unwrap());
        }
        Err(error) => println!("\nrefused {error}"),
    }
}

/// The output of a child process in this folder.
fn output_of(folder: &Path, arguments: &[String], variables: &[(String, String)]) -> String {
    let arguments =
        std::iter::once("workspace-service").chain(arguments.iter().map(String::as_str)).collect::<Vec<_>>();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "config::precedence::a_child_prints_its_settings", "--nocapture"])
        .current_dir(folder)
        .env_clear()
        .envs(variables.iter().cloned())
        .env(ARGUMENTS, arguments.join("\n"))
        .output()
        .unwrap();
    let stdout = String::from_utf8(output.stdout).unwrap();
    let line = stdout.lines().find(|line| line.starts_with("resolved ") || line.starts_with("refused "));
    line.unwrap_or_else(|| panic!("{arguments:?} {variables:?}\n{stdout}{}", String::from_utf8_lossy(&output.stderr)))
        .to_owned()
}

fn resolved(output: &str) -> ResolvedSettings {
    let resolved =
        output.strip_prefix("resolved ").and_then(|rest| rest.rsplit_once(' ')).unwrap_or_else(|| panic!("{output}"));
    serde_json::from_str(resolved.0).unwrap()
}

fn flag(member: &str) -> String {
    format!("--{}", member.replace('_', "-"))
}

fn literal(member: &str, value: &str) -> String {
    let is_plain = value.parse::<u64>().is_ok() || value.parse::<bool>().is_ok();
    match value {
        list if member == "trusted_proxies" => format!("{:?}", list.split(',').collect::<Vec<_>>()),
        plain if is_plain => plain.to_owned(),
        text => format!("{text:?}"),
    }
}

/// Secrets can be any text until they are used.
const SECRET_VALUES: [&str; 2] = ["a secret", "another secret"];

/// The resulting settings if all settings are given in these ways. `flags_first` puts flags before the command instead of after it.
fn resolve(flags: Source, variables: Source, in_file: Source, flags_first: bool) -> ResolvedSettings {
    let folder = tempfile::tempdir().unwrap();
    let (mut arguments, mut environment, mut text) = (Vec::new(), Vec::new(), String::new());
    for setting in table::settings() {
        let values =
            VALUES.iter().find(|(member, _)| *member == setting.member).map_or(SECRET_VALUES, |(_, values)| *values);
        if let Some(value) = flags.value(values).filter(|_| !setting.is_secret) {
            arguments.extend([flag(&setting.member), value.to_owned()]);
        }
        environment.extend(variables.value(values).map(|value| (setting.variable.clone(), value.to_owned())));
        if let Some(value) = in_file.value(values) {
            let _ = writeln!(text, "{} = {}", setting.member, literal(&setting.member, value));
        }
    }
    std::fs::write(folder.path().join("workspace-service.toml"), text).unwrap();
    arguments.insert(if flags_first { arguments.len() } else { 0 }, "serve".to_owned());
    resolved(&output_of(folder.path(), &arguments, &environment))
}

#[test]
fn every_setting_has_two_values_here() {
    let settings = table::settings();
    let known: Vec<_> = settings.iter().filter(|setting| !setting.is_secret).map(|setting| &*setting.member).collect();
    let listed: Vec<_> = VALUES.iter().map(|(member, _)| *member).collect();
    assert_eq!(listed, known, "list two values of each setting, in order");
    for (member, [one, other]) in VALUES {
        assert_ne!(one, other, "{member}");
    }
}

#[test]
fn flags_override_variables_and_variables_override_the_file() {
    let values = [0, 1].map(|index| resolve(Nothing, Nothing, Value(index), false));
    for (member, value) in &values[0] {
        assert!(value.is_some() && *value != values[1][member], "{member}: {value:?}");
    }
    for (flags, variables, in_file) in [
        (Value(0), Value(1), Value(1)),
        (Value(0), Value(1), Nothing),
        (Value(0), Nothing, Value(1)),
        (Value(0), Empty, Value(1)),
        (Value(0), Nothing, Nothing),
        (Nothing, Value(0), Value(1)),
        (Nothing, Value(0), Nothing),
        (Nothing, Empty, Value(0)),
        (Nothing, Empty, Nothing),
        (Nothing, Nothing, Nothing),
    ] {
        for flags_first in [false, true] {
            let resolved = resolve(flags, variables, in_file, flags_first);
            assert_eq!(resolved.len(), values[0].len());
            for (member, value) in resolved {
                let is_secret = SECRETS.iter().any(|secret| secret.member == member);
                let sources = [if is_secret { Nothing } else { flags }, variables, in_file];
                let expected = sources.into_iter().find_map(|source| match source {
                    Value(index) => values[index][&member].clone(),
                    Nothing | Empty => None,
                });
                assert_eq!(value, expected, "{member}: {flags:?} {variables:?} {in_file:?} {flags_first}");
            }
        }
    }
}

#[test]
fn a_secret_is_in_its_variable_or_in_the_file_that_another_names() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    std::fs::write(&path, "a secret\n").unwrap();
    let path = path.to_str().unwrap().to_owned();
    let lines = SECRETS.iter().map(|secret| format!("{} = \"another secret\"\n", secret.member));
    std::fs::write(folder.path().join("workspace-service.toml"), lines.collect::<String>()).unwrap();
    let files = SECRETS.iter().map(|secret| (format!("{}_FILE", secret.variable), path.clone()));
    let empty = SECRETS.iter().map(|secret| (secret.variable.to_owned(), String::new()));
    for variables in [files.clone().collect::<Vec<_>>(), files.clone().chain(empty).collect()] {
        let resolved = resolved(&output_of(folder.path(), &[], &variables));
        assert!(SECRETS.iter().all(|secret| resolved[secret.member].as_deref() == Some("a secret")), "{resolved:?}");
    }
    for secret in SECRETS {
        let both = [(secret.variable, "a secret"), (&*format!("{}_FILE", secret.variable), &*path)];
        let both = both.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let stdout = output_of(folder.path(), &[], &both);
        assert_eq!(stdout, format!("refused {0} and {0}_FILE are both set; set one of them", secret.variable));
    }
}

#[test]
fn no_demo_overrides_the_variable_and_the_file() {
    let folder = tempfile::tempdir().unwrap();
    for value in ["true", "false"] {
        std::fs::write(folder.path().join("workspace-service.toml"), format!("demo = {value}\n")).unwrap();
        for variables in [vec![("SERVICE_DEMO".to_owned(), value.to_owned())], Vec::new()] {
            let stdout = output_of(folder.path(), &["--no-demo".to_owned()], &variables);
            assert!(stdout.ends_with(" true"), "{stdout}");
        }
    }
}
