//! Two instances on one Postgres, any of which can be killed.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use tempfile::TempDir;
use test_support::program::{Program, Service, free_address};

use crate::lab::Lab;
use crate::postgres::{self, Sql};

/// How long Postgres may take to recover. An instance notices within a second that Postgres is gone.
const RECOVERY: Duration = Duration::from_mins(1);
/// How long a killed instance stays down.
const DEAD_TIME: Duration = Duration::from_millis(300);

/// What is killed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Victim {
    Instance(usize),
    Postgres,
    /// A backend process of Postgres.
    Connection,
}

/// An instance that restarts at the same address.
#[derive(Debug)]
struct Instance {
    program: Program,
    service: Option<Service>,
}

#[derive(Debug)]
pub(super) struct Instances {
    both: Vec<Instance>,
    pub(super) addresses: [SocketAddr; 2],
    // Declared last: the instances stop before the folder is removed.
    folder: TempDir,
}

impl Instances {
    pub(super) fn start(lab: &Lab) -> anyhow::Result<Self> {
        let folder = lab.data_folder()?;
        let (mut instances, mut addresses) = (Vec::new(), Vec::new());
        for number in 0..2 {
            let (address, admin) = (free_address()?, free_address()?);
            let program = Program::new(&lab.binary, folder.path())
                .with("SERVICE_LOG", "warn")
                .with("SERVICE_BIND", &address.to_string())
                .with("SERVICE_ADMIN_BIND", &admin.to_string())
                .with("SERVICE_LIMIT_BULK", "1000000")
                .logging_to(&folder.path().join(format!("instance-{number}.log")));
            let service = Some(program.start_dispatching("inside")?);
            instances.push(Instance { program, service });
            addresses.push(address);
        }
        let addresses = <[_; 2]>::try_from(addresses).ok().context("two instances")?;
        Ok(Self { both: instances, addresses, folder })
    }

    pub(super) fn program(&self) -> &Program {
        &self.both[0].program
    }

    /// The data directory, shared by both instances.
    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Kills the victim, and waits until it is back.
    pub(super) async fn kill(&mut self, victim: Victim) -> anyhow::Result<()> {
        match victim {
            Victim::Instance(number) => return self.both[number].kill().await,
            Victim::Postgres => postgres::kill_server(self.folder.path())?,
            Victim::Connection => postgres::kill_a_connection(self.folder.path())?,
        }
        self.recovered().await
    }

    async fn recovered(&self) -> anyhow::Result<()> {
        let data: &Path = self.folder.path();
        let mut sql = Sql::eventually(data, RECOVERY).await?;
        // The first connection may have reached the server just before it exited.
        while sql.run("SELECT 1").await.is_err() {
            sql = Sql::eventually(data, RECOVERY).await?;
        }
        Ok(())
    }
}

impl Instance {
    async fn kill(&mut self) -> anyhow::Result<()> {
        if let Some(service) = self.service.take() {
            service.kill()?;
        }
        tokio::time::sleep(DEAD_TIME).await;
        self.service = Some(self.program.start_dispatching("inside")?);
        Ok(())
    }
}
