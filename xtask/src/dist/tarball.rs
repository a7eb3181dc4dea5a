//! The tarball: programs, manual pages, completions, documents, and files for a manual installation.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::{Build, PROGRAMS, files};

/// Files of the repository that go into `share/doc/workspace-service`.
const DOCUMENTS: [&str; 4] = ["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md"];

/// Writes `workspace-service-VERSION-TARGET.tar.gz` and its hash. Returns the path of the tarball.
pub(super) fn write(build: &Build, bills: &[PathBuf]) -> Result<PathBuf> {
    let name = format!("workspace-service-{}-{}", build.version, build.triple);
    let folder = build.packages.join(&name);
    for (program, _) in PROGRAMS {
        files::place(&build.program(program), &folder.join("bin").join(program), 0o755)?;
    }
    let share = folder.join("share");
    let documents = share.join("doc/workspace-service");
    for document in DOCUMENTS {
        files::place(&build.root.join(document), &documents.join(document), 0o644)?;
    }
    for subfolder in ["docs", "ops"] {
        copy(&build.root.join(subfolder), &documents.join(subfolder))?;
    }
    copy(&build.root.join("packaging/systemd"), &documents.join("systemd"))?;
    let settings = build.root.join("packaging/workspace-service.toml");
    files::place(&settings, &documents.join("workspace-service.toml"), 0o644)?;
    for bill in bills {
        files::place(bill, &documents.join(bill.file_name().unwrap_or_default()), 0o644)?;
    }
    copy(&build.manual.join("man1"), &share.join("man/man1"))?;
    for (program, _) in PROGRAMS {
        for (made, installed) in completions(program) {
            files::place(&build.manual.join("completions").join(made), &share.join(installed), 0o644)?;
        }
    }
    let tarball = build.packages.join(format!("{name}.tar.gz"));
    files::write_tar_gz(&folder, &tarball)?;
    fs::remove_dir_all(&folder)?;
    files::write_hash(&tarball)?;
    Ok(tarball)
}

fn completions(program: &str) -> [(String, String); 3] {
    [
        (format!("{program}.bash"), format!("bash-completion/completions/{program}")),
        (format!("{program}.fish"), format!("fish/vendor_completions.d/{program}.fish")),
        (format!("_{program}"), format!("zsh/site-functions/_{program}")),
    ]
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    for path in files::below(from)? {
        files::place(&from.join(&path), &to.join(&path), 0o644)?;
    }
    Ok(())
}
