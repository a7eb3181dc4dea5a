//! Adds the commit to what `--version` prints, for all shipped programs: the manifests of `server` and `dispatcher` name
//! this file, too. It is here because this crate is published and can hold no file of another.
//!
//! The commit is that of `WORKSPACE_SERVICE_COMMIT`, for sources without a repository; else that of the published crate;
//! else git's, in optimised builds: in others, each commit would rebuild the service and its tests. Without any of these
//! the version stands alone.

use std::path::Path;
use std::process::Command;

const COMMIT: &str = "WORKSPACE_SERVICE_COMMIT";
/// `cargo package` writes it.
const PUBLISHED: &str = ".cargo_vcs_info.json";
/// As many digits as git needs in any repository.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    let version = variable("CARGO_PKG_VERSION").unwrap_or_default();
    let shown = match variable(COMMIT).or_else(of_published_crate).or_else(of_git) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=VERSION_AND_COMMIT={shown}");
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn of_published_crate() -> Option<String> {
    let text = std::fs::read_to_string(PUBLISHED).ok()?;
    let hash = text.split_once("\"sha1\"")?.1.split('"').nth(1)?;
    hash.get(..DIGITS).map(str::to_owned)
}

fn of_git() -> Option<String> {
    // A published crate is not asked: the folder above it can be a repository of somebody else.
    if Path::new(PUBLISHED).exists() || variable("PROFILE")? != "release" {
        return None;
    }
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    // Both change with what is checked out; a path that does not exist would make each build a new one.
    for name in ["HEAD", "logs/HEAD"] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).exists() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", &format!("--short={DIGITS}"), "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
