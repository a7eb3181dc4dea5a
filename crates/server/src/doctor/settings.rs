//! The settings: environment variables, members of the file, and their values.

use super::finding::{CheckResult, or_ok};
use super::{Finding, Installation};
use crate::config::{Config, file, table};
use crate::config_args::ConfigArgs;

/// Prefixes of variables that belong to other programs of the service and to its examples.
const OTHER_PREFIXES: [&str; 4] = ["SERVICE_MCP_", "SERVICE_API_", "SERVICE_ACCESS_TOKEN", "SERVICE_WORKSPACE"];
/// Settings without the usual prefix.
const UNPREFIXED: [&str; 2] = ["DATABASE_URL", "DATABASE_URL_FILE"];
/// A name with more typos is treated as a variable of another program.
const MAX_TYPOS: usize = 2;
/// Names less similar than this are not suggested.
const MIN_SIMILARITY: f64 = 0.75;

/// The findings, and the installation for further checks, unless the settings cannot be used.
pub(super) fn check(given: ConfigArgs) -> (Vec<CheckResult>, Option<Installation>) {
    let to_result = |check| move |finding| CheckResult { check, finding };
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    let mut findings: Vec<_> = variables(names).into_iter().map(to_result("variables")).collect();
    let config_file = file::path(given.config.as_deref());
    let (in_file, file_findings) = match &config_file {
        None => (Some(ConfigArgs::default()), vec![Finding::ok("there is no configuration file")]),
        Some(path) => match file::read_leniently(path) {
            Ok((given, unknown)) => (Some(given), members(unknown)),
            Err(error) => {
                let cure = "fix the line; docs/settings.md lists all members";
                (None, vec![Finding::error(format!("{}: {error:#}", path.display()), cure)])
            }
        },
    };
    findings.extend(file_findings.into_iter().map(to_result("config_file")));
    let config = in_file.map(|file| Config::of(given.with_secrets()?.or(file)));
    let (config, values_finding) = match config {
        None => (None, Finding::not_checked("the configuration file cannot be read")),
        Some(Ok(config)) => (Some(config), Finding::ok("all values are valid")),
        Some(Err(error)) => {
            (None, Finding::error(format!("{error:#}"), "change the value; docs/settings.md lists all settings"))
        }
    };
    findings.push(to_result("settings")(values_finding));
    (findings, config.map(|config| Installation { config, config_file }))
}

/// Finds unknown variables. They have no effect, so a misspelt name would go unnoticed.
fn variables(mut names: Vec<String>) -> Vec<Finding> {
    let known = table::variables();
    names.sort();
    let is_ours = |name: &&String| {
        (name.starts_with("SERVICE_") && OTHER_PREFIXES.iter().all(|prefix| !name.starts_with(prefix)))
            || UNPREFIXED.iter().any(|known| strsim::damerau_levenshtein(name, known) <= MAX_TYPOS)
    };
    let unknown = names.iter().filter(is_ours).filter(|name| !known.contains(name));
    let findings = unknown.map(|name| {
        let cure = cure(name, &known, "unset it", "settings");
        Finding::warning(format!("{name} is not a setting and is ignored"), cure)
    });
    or_ok(findings.collect(), "every SERVICE_* variable is a setting")
}

fn members(unknown: Vec<String>) -> Vec<Finding> {
    let known: Vec<_> = table::settings().into_iter().map(|setting| setting.member).collect();
    let findings = unknown.into_iter().map(|name| {
        let cure = cure(&name, &known, "remove it", "members");
        Finding::error(format!("{name} is not a setting, so the service does not start"), cure)
    });
    or_ok(findings.collect(), "every member is a setting")
}

/// Suggests the known name that is most similar to an unknown one, if any is.
fn cure(name: &str, known: &[String], remove: &str, kind: &str) -> String {
    let all = known.iter().map(|known| (strsim::normalized_damerau_levenshtein(name, known), known));
    match all.max_by(|one, other| one.0.total_cmp(&other.0)) {
        Some((similarity, nearest)) if similarity >= MIN_SIMILARITY => format!("write {nearest} instead, or {remove}"),
        _ => format!("{remove}; docs/settings.md lists all {kind}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_get_the_nearest_one() {
        let name = |name: &str| vec![name.to_owned()];
        for (wrong, cure) in [
            ("SERVICE_BND", "SERVICE_BIND"),
            ("SERVICE_DB_POOLSIZE", "SERVICE_DB_POOL_SIZE"),
            ("SERVICE_MASTERKEY_FILE", "SERVICE_MASTER_KEY_FILE"),
            ("DATABSE_URL", "DATABASE_URL"),
            ("SERVICE_QUITE_ANOTHER_THING", "unset it; "),
        ] {
            let findings = variables(name(wrong));
            let suggestion = findings[0].cure.as_deref().unwrap_or_default();
            assert!(findings[0].message.starts_with(wrong) && suggestion.contains(cure), "{findings:?}");
        }
        for right in [
            "SERVICE_BIND",
            "DATABASE_URL_FILE",
            "SERVICE_MCP_API_KEY",
            "TEST_DATABASE_URL",
            "SERVICE_BACKUP_PASSPHRASE",
        ] {
            assert!(variables(name(right))[0].cure.is_none(), "{right}");
        }
        assert!(members(name("db_pool_szie"))[0].cure.as_deref().unwrap_or_default().contains("db_pool_size"));
    }
}
