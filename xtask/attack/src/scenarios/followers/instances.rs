//! Two instances on one Postgres, and how they and it are killed.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;
use tempfile::TempDir;
use test_support::program::{Program, Service, free_address};

use crate::lab::Lab;
use crate::postgres::{self, Sql};

/// How long Postgres may take to recover: an instance notices within a second that it has ended.
const RECOVERY: Duration = Duration::from_mins(1);
/// How long a killed instance stays away.
const DEAD_TIME: Duration = Duration::from_millis(300);

/// What is killed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Victim {
    Instance(usize),
    Postgres,
    /// A process of Postgres that serves a connection.
    Connection,
}

/// An instance that comes back at the same address.
#[derive(Debug)]
struct Instance {
    program: Program,
    service: Option<Service>,
}

#[derive(Debug)]
pub(super) struct Instances {
    both: Vec<Instance>,
    pub(super) addresses: [SocketAddr; 2],
    // Last: the instances stop before the folder goes.
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

    /// The data directory of both.
    pub(super) fn data(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Kills, and waits until what was killed is there again.
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
        // It may have been a connection to the server that was about to end.
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
