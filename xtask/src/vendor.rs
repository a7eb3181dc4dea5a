//! `cargo xtask vendor`: copies third-party browser files from the npm registry into the repository, so that building the
//! service needs neither npm nor a network. `crates/assets/vendor/vendor.toml` lists them.

mod check;
mod fetch;
mod list;

use anyhow::{Result, ensure};
use clap::Args;

use crate::cargo::Paths;
use list::List;

pub(crate) use check::check;

/// The list, which is the only file of ours in a vendored folder.
const LIST: &str = "crates/assets/vendor/vendor.toml";

#[derive(Args)]
pub(crate) struct Vendor {
    /// Compare the files with the list, without a network; `cargo xtask tidy` does the same
    #[arg(long, conflicts_with = "pin")]
    check: bool,
    /// Accept the registry's files, and write their hashes into the list; use it after changing a version or the files
    #[arg(long)]
    pin: bool,
}

impl Vendor {
    pub(crate) fn run(&self) -> Result<()> {
        let root = &Paths::find()?.root;
        if !self.check {
            let mut list = List::read(root)?;
            fetch::fetch(root, &mut list, self.pin)?;
            if self.pin {
                list.write(root)?;
            }
            fetch::remove_unlisted(root, &list)?;
        }
        let violations = check(root)?;
        for violation in &violations {
            println!("{violation}");
        }
        ensure!(violations.is_empty(), "vendor: {} violations", violations.len());
        println!("vendor: all good");
        Ok(())
    }
}
