//! `cargo xtask docs-test`: runs every command and program of the README, the pages of `docs/` and the READMEs of examples.
//!
//! Each page has its own service, workspace and bash, in which its blocks run in order. Comments before a block
//! (`<!-- test: … -->`) control how it runs; docs/testing.md describes them. `cargo xtask sdks --test` runs the READMEs of SDKs.

mod compare;
mod languages;
mod page;
mod run;
mod session;
mod stage;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};
use clap::Args;

use crate::cargo::Paths;
use crate::clients::packages;
use crate::not_run::NotRun;
use crate::sdks;
use stage::Stage;

#[derive(Args)]
pub(crate) struct DocsTest {
    /// Pages, such as docs/quick-start.md; all of them by default
    pages: Vec<PathBuf>,
    /// Use the workspace-service and service-mcp of this folder instead of building them
    #[arg(long)]
    programs: Option<PathBuf>,
}

impl DocsTest {
    pub(crate) fn run(&self) -> Result<()> {
        let mut not_run = NotRun::default();
        if not_run.can_run("all pages", missing()) {
            self.test()?;
        }
        not_run.conclude()
    }

    fn test(&self) -> Result<()> {
        let Paths { root, target } = Paths::find()?;
        let pages = if self.pages.is_empty() { all_pages(&root)? } else { self.pages.clone() };
        let stage = Stage::build(&root, &target, self.programs.as_deref())?;
        let (mut blocks, mut left_out, mut failures) = (0, Vec::new(), Vec::new());
        for page in &pages {
            let name = page.display();
            match run::run(&stage, &root.join(page)) {
                Ok(report) => {
                    println!("docs: {name}: {} blocks", report.run);
                    blocks += report.run;
                    left_out.extend(report.left_out.iter().map(|(line, why)| format!("  {name}:{line}: {why}")));
                }
                Err(error) => {
                    eprintln!("docs: {name}: {error:#}");
                    failures.push(name.to_string());
                }
            }
        }
        println!("docs: {blocks} blocks run, {} left out:", left_out.len());
        for line in &left_out {
            println!("{line}");
        }
        ensure!(failures.is_empty(), "not as shown: {}", failures.join(", "));
        println!("docs: all good");
        Ok(())
    }
}

fn missing() -> Option<&'static str> {
    if packages::output("curl", ["--version"]).is_none() {
        return Some("curl; install the package curl");
    }
    sdks::missing_for_node().or_else(packages::missing_for_python)
}

/// README.md, `docs/*.md` and `examples/*/README.md`, from the root of the repository.
fn all_pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = vec![PathBuf::from("README.md")];
    let mut add_from = |folder: &str, page: fn(PathBuf) -> PathBuf| -> Result<()> {
        let Ok(entries) = fs::read_dir(root.join(folder)) else { return Ok(()) };
        for entry in entries {
            let page = page(Path::new(folder).join(entry?.file_name()));
            if page.extension().is_some_and(|one| one == "md") && root.join(&page).is_file() {
                pages.push(page);
            }
        }
        Ok(())
    };
    add_from("docs", |file| file)?;
    add_from("examples", |folder| folder.join("README.md"))?;
    pages.sort();
    Ok(pages)
}
