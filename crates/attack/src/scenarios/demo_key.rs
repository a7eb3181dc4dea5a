//! The first start makes a key. What a program collects from its output must not hold it.

use std::os::unix::fs::PermissionsExt;

use anyhow::Context;

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

/// How every key begins.
const BEGINNING: &str = "svc_";

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let folder = tempfile::tempdir().context("cannot create a temporary directory")?;
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o755))?;
    let target = Target::start_with(lab, folder, |program| program.with("SERVICE_LOG", "info"))?;
    let _ = target.client("20.0.0.1").get("/readyz").await?;
    let said = target.printed() + &target.log();
    let mut findings = Findings::default();
    let shown = said.contains(BEGINNING);
    findings.expect("the key in collected output", "no", if shown { "yes" } else { "no" }, !shown);
    let mut modes = Vec::new();
    for file in std::fs::read_dir(target.folder())?.flatten() {
        if std::fs::read_to_string(file.path()).is_ok_and(|text| text.contains(BEGINNING)) {
            let name = file.file_name().to_string_lossy().into_owned();
            let path = said.contains(&name);
            modes.push(format!(
                "{:o}{}",
                file.metadata()?.permissions().mode() & 0o777,
                if path { "" } else { ", unnamed" }
            ));
        }
    }
    findings.equal(
        "mode of the file that has it, and whether its path is printed",
        &"600".to_owned(),
        &modes.join("; "),
    );
    Ok(findings)
}
