//! A Postgres outside the container, reached by TCP on loopback.

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use test_support::program::free_address;

use super::super::files;
use super::stage::Running;
use crate::clients::packages::{output, run_quietly};
use crate::prepare;

/// The account that Postgres runs as.
const ACCOUNT: &str = "nobody";

/// A running cluster, stopped on drop.
pub(super) struct Postgres {
    pub(super) url: String,
    _running: Running,
}

impl Postgres {
    /// Starts a cluster as [`ACCOUNT`]: Postgres refuses to run as root, or as an account that does not exist on this machine, such as
    /// the container's.
    pub(super) fn start(folder: &Path) -> Result<Self> {
        let programs = prepare::prepare()?;
        let id = |what: &str| output("id", [what, ACCOUNT]).with_context(|| format!("there is no account {ACCOUNT}"));
        let (uid, gid) = (id("-u")?, id("-g")?);
        files::empty(folder)?;
        run_quietly(Command::new("chown").arg(format!("{uid}:{gid}")).arg(folder), "chown")?;
        run_quietly(Command::new("chmod").arg("755").args(folder.parent()), "chmod")?;
        let run = |name: &str| {
            let mut command = Command::new("setpriv");
            command.arg(format!("--reuid={uid}")).arg(format!("--regid={gid}")).arg("--clear-groups");
            command.arg(programs.program(name)).arg("-D").arg(folder.join("data")).current_dir("/");
            command
        };
        run_quietly(run("initdb").args(["--auth=trust", "--username=postgres", "--no-sync"]), "initdb")?;
        let address = free_address()?;
        let mut server = run("postgres");
        server.args(["-h", "127.0.0.1", "-k", "", "-p", &address.port().to_string()]);
        server.stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(server.spawn().context("cannot run postgres")?);
        Ok(Self { url: format!("postgres://postgres@{address}/postgres"), _running: running })
    }
}
