//! A Postgres beside the container, reached by TCP on loopback.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::super::{check, files};
use super::stage::Running;
use crate::prepare;

/// A cluster that ends with this.
pub(super) struct Postgres {
    pub(super) url: String,
    _running: Running,
}

impl Postgres {
    /// Starts one as `user`, an id with the id of its group: Postgres refuses to run as root.
    pub(super) fn start(folder: &Path, user: &str) -> Result<Self> {
        let programs = prepare::prepare()?;
        let (uid, gid) = user.split_once(':').context("the user of the last stage has no group")?;
        files::empty(folder)?;
        check(Command::new("chown").arg(user).arg(folder), "chown")?;
        check(Command::new("chmod").arg("755").args(folder.parent()), "chmod")?;
        let run = |name: &str| {
            let mut command = Command::new("setpriv");
            command.arg(format!("--reuid={uid}")).arg(format!("--regid={gid}")).arg("--clear-groups");
            command.arg(programs.program(name)).arg("-D").arg(folder.join("data")).current_dir("/");
            command
        };
        check(run("initdb").args(["--auth=trust", "--username=postgres", "--no-sync"]), "initdb")?;
        let address = free_address()?;
        let port = address.rsplit(':').next().unwrap_or_default().to_owned();
        let mut server = run("postgres");
        server.args(["-h", "127.0.0.1", "-k", "", "-p", &port]).stdout(Stdio::null()).stderr(Stdio::null());
        let running = Running(server.spawn().context("cannot run postgres")?);
        Ok(Self { url: format!("postgres://postgres@{address}/postgres"), _running: running })
    }
}

pub(super) fn free_address() -> Result<String> {
    Ok(TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr())?.to_string())
}
