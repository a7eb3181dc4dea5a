//! The nodes of the cluster: a coordinator and two workers, all on this machine.

use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, geteuid, kill_process};
use test_support::program::free_address;

use super::pause;
use crate::clients::packages::{output, run_quietly};

pub(super) const COORDINATOR: usize = 0;
pub(super) const WORKERS: [usize; 2] = [1, 2];
const START_TIMEOUT: Duration = Duration::from_mins(1);
const SETTINGS: &str = "
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
wal_level = logical
max_prepared_transactions = 400
max_connections = 300
output_plugin_libraries = 'citus, pgoutput'
lc_messages = 'C'
timezone = 'UTC'
citus.shard_count = 8
citus.enable_stat_counters = on
# Citus has one for each database.
max_worker_processes = 64
";

/// The database that most steps use.
const DATABASE: &str = "service";

/// Running nodes, stopped on drop.
pub(super) struct Nodes {
    programs: PathBuf,
    /// The account that Postgres runs as; `None` if it is the current one.
    account: Option<(u32, u32)>,
    all: Vec<Node>,
}

struct Node {
    data: PathBuf,
    log: PathBuf,
    port: u16,
    server: Option<Child>,
}

impl Nodes {
    /// Creates the nodes in the folder, and joins them to a cluster.
    pub(super) fn start(programs: &Path, folder: &Path) -> Result<Self> {
        let account = geteuid().is_root().then(account_of_postgres).transpose()?;
        let mut nodes = Self { programs: programs.to_owned(), account, all: Vec::new() };
        for number in [COORDINATOR].into_iter().chain(WORKERS) {
            nodes.create(folder, number)?;
            nodes.start_again(number)?;
        }
        nodes.create_database(DATABASE)?;
        Ok(nodes)
    }

    /// Creates a database on all nodes, and registers the nodes in it.
    pub(super) fn create_database(&self, name: &str) -> Result<()> {
        for number in 0..self.all.len() {
            self.sql_in("postgres", number, &format!("CREATE DATABASE {name}"))?;
            self.sql_in(name, number, "CREATE EXTENSION citus")?;
        }
        let [coordinator, workers @ ..] = &self.all[..] else { bail!("there are no nodes") };
        let statement = format!("SELECT citus_set_coordinator_host('127.0.0.1', {})", coordinator.port);
        self.sql_in(name, COORDINATOR, &statement)?;
        for worker in workers {
            self.sql_in(name, COORDINATOR, &format!("SELECT citus_add_node('127.0.0.1', {})", worker.port))?;
        }
        Ok(())
    }

    /// Turns a database into a template, which nobody may be connected to.
    pub(super) fn close(&self, name: &str) -> Result<()> {
        for number in 0..self.all.len() {
            self.sql_in("postgres", number, &format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"))?;
            let end = format!("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}'");
            let began = Instant::now();
            while self.sql_in("postgres", number, &end)? != "0" {
                ensure!(began.elapsed() < START_TIMEOUT, "{name} is still in use on node {number}");
                pause(Duration::from_millis(100));
            }
        }
        Ok(())
    }

    pub(super) fn url(&self, number: usize) -> String {
        self.url_of(DATABASE, number)
    }

    pub(super) fn url_of(&self, database: &str, number: usize) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.all[number].port)
    }

    /// The addresses of a database on all nodes, these nodes first, for tests (`tests/support`).
    pub(super) fn urls_of(&self, database: &str, first: &[usize]) -> String {
        let others = (0..self.all.len()).filter(|other| !first.contains(other));
        let urls: Vec<_> = first.iter().copied().chain(others).map(|number| self.url_of(database, number)).collect();
        urls.join(" ")
    }

    pub(super) fn port(&self, number: usize) -> u16 {
        self.all[number].port
    }

    /// The shard that holds a workspace's companies, and the port of its node.
    pub(super) fn place_of(&self, slug: &str) -> Result<(String, u16)> {
        let sql = format!(
            "SELECT shardid || ' ' || nodeport FROM citus_shards WHERE table_name = 'companies'::regclass
            AND shardid = (SELECT get_shard_id_for_distribution_column('companies', id) FROM workspaces WHERE slug = '{slug}')"
        );
        let placed = self.sql(COORDINATOR, &sql)?;
        let (shard, port) = placed.split_once(' ').with_context(|| format!("no shard of {slug}: {placed}"))?;
        Ok((shard.to_owned(), port.parse().with_context(|| format!("no port: {port}"))?))
    }

    /// The logs of all nodes.
    pub(super) fn logs(&self) -> Result<String> {
        self.all.iter().map(|node| fs::read_to_string(&node.log).context("cannot read a node's log")).collect()
    }

    /// The output of a statement, unaligned.
    pub(super) fn sql(&self, number: usize, sql: &str) -> Result<String> {
        self.sql_in(DATABASE, number, sql)
    }

    pub(super) fn sql_in(&self, database: &str, number: usize, sql: &str) -> Result<String> {
        self.psql(database, number, &["-c", sql])
    }

    /// The output of psql with these arguments.
    pub(super) fn psql(&self, database: &str, number: usize, arguments: &[&str]) -> Result<String> {
        let port = self.all[number].port.to_string();
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-qAtX", "-v", "ON_ERROR_STOP=1", "-h", "127.0.0.1", "-U", "postgres", "-p", &port, "-d", database]);
        run_quietly(psql.args(arguments), &format!("psql {}", arguments.join(" ")))
    }

    /// Kills a node, as if its machine had lost power.
    pub(super) fn kill(&mut self, number: usize) -> Result<()> {
        let Some(mut server) = self.all[number].server.take() else { bail!("node {number} is not running") };
        // SIGQUIT also ends its children, and skips the shutdown checkpoint.
        signal(&server, Signal::QUIT)?;
        server.wait().context("cannot wait for Postgres")?;
        Ok(())
    }

    /// Starts an existing node, and waits until it accepts connections.
    pub(super) fn start_again(&mut self, number: usize) -> Result<()> {
        let node = &self.all[number];
        let log = File::options().create(true).append(true).open(&node.log).context("cannot write Postgres' log")?;
        let mut postgres = self.command("postgres");
        postgres.arg("-D").arg(&node.data).arg("-c").arg(format!("port={}", node.port));
        let server = postgres.stdout(Stdio::null()).stderr(log).spawn().context("cannot start Postgres")?;
        self.all[number].server = Some(server);
        let began = Instant::now();
        while self.sql_in("postgres", number, "SELECT 1").is_err() {
            let node = &mut self.all[number];
            let exited = node.server.as_mut().is_some_and(|server| !matches!(server.try_wait(), Ok(None)));
            ensure!(
                !exited && began.elapsed() < START_TIMEOUT,
                "node {number} does not start: {}",
                fs::read_to_string(&node.log).unwrap_or_default()
            );
            pause(Duration::from_millis(100));
        }
        Ok(())
    }

    fn create(&mut self, folder: &Path, number: usize) -> Result<()> {
        let home = folder.join(format!("node-{number}"));
        fs::create_dir(&home).context("cannot create a folder for a node")?;
        if let Some((uid, gid)) = self.account {
            chown(&home, Some(uid), Some(gid)).context("cannot give the folder to Postgres' account")?;
        }
        let data = home.join("data");
        let mut initdb = self.command("initdb");
        initdb.arg("-D").arg(&data).args(["-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8"]);
        run_quietly(&mut initdb, "initdb")?;
        let file = data.join("postgresql.conf");
        let settings = fs::read_to_string(&file).context("cannot read the settings of a node")?;
        fs::write(&file, settings + SETTINGS).context("cannot write the settings of a node")?;
        // The port is free now. The start fails if another process takes it before Postgres does.
        let port = free_address().context("there is no free port")?.port();
        self.all.push(Node { data, log: home.join("log"), port, server: None });
        Ok(())
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.programs.join(program));
        // The account's own home, not root's: connections to other nodes look for certificates there.
        command.env("LC_ALL", "C").env_remove("HOME").current_dir("/").stdin(Stdio::null());
        if let Some((uid, gid)) = self.account {
            command.uid(uid).gid(gid);
        }
        command
    }
}

impl Drop for Nodes {
    fn drop(&mut self) {
        // The coordinator first, since it connects to the others.
        for server in self.all.iter_mut().filter_map(|node| node.server.as_mut()) {
            let _ = signal(server, Signal::INT);
            let _ = server.wait();
        }
    }
}

fn signal(server: &Child, signal: Signal) -> Result<()> {
    let id = i32::try_from(server.id()).ok().and_then(Pid::from_raw).context("the server has no process id")?;
    kill_process(id, signal).context("cannot signal Postgres")
}

/// Postgres refuses to run as root.
fn account_of_postgres() -> Result<(u32, u32)> {
    let ask = |option: &str| -> Result<u32> {
        output("id", [option, "postgres"]).and_then(|id| id.parse().ok()).context("there is no account postgres")
    };
    Ok((ask("-u")?, ask("-g")?))
}
