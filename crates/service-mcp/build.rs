//! Adds the commit to the output of `--version`, for all shipped programs: the manifests of `server` and `dispatcher` name this
//! file, too. It is in this crate because a published crate can contain only its own files.
//!
//! The commit comes from `WORKSPACE_SERVICE_COMMIT`, for sources without a repository. Otherwise it is that of the published
//! crate. Otherwise git provides it, but only in optimised builds: in others, each commit would rebuild the service and its
//! tests. Without any of these, `--version` prints only the version.

use std::path::Path;
use std::process::Command;

const COMMIT: &str = "WORKSPACE_SERVICE_COMMIT";
/// The file that `cargo package` writes.
const PUBLISHED: &str = ".cargo_vcs_info.json";
/// As many digits as git needs to be unambiguous in any repository.
const DIGITS: usize = 12;

fn main() {
    println!("cargo::rerun-if-env-changed={COMMIT}");
    let version = variable("CARGO_PKG_VERSION").unwrap_or_default();
    let version_text = match variable(COMMIT).or_else(published_commit).or_else(git_commit) {
        Some(commit) => format!("{version} ({commit})"),
        None => version,
    };
    println!("cargo::rustc-env=VERSION_AND_COMMIT={version_text}");
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn published_commit() -> Option<String> {
    let text = std::fs::read_to_string(PUBLISHED).ok()?;
    let hash = text.split_once("\"sha1\"")?.1.split('"').nth(1)?;
    hash.get(..DIGITS).map(str::to_owned)
}

fn git_commit() -> Option<String> {
    // Not for a published crate, because the folder above it may be someone else's repository.
    if Path::new(PUBLISHED).exists() || variable("PROFILE")? != "release" {
        return None;
    }
    git(&["ls-files", "--error-unmatch", "Cargo.toml"])?;
    // Both change with the checkout. A path that does not exist would make every build run this again.
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
