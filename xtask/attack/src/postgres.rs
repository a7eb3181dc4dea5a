//! The embedded Postgres of an attacked service: runs statements as superuser, and kills its processes.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

/// Timeout of one statement.
const STATEMENT_TIMEOUT: Duration = Duration::from_secs(30);
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Protocol version 3.0, and the user and database that every cluster has.
const GREETING: &[u8] = b"\0\x03\0\0user\0postgres\0database\0postgres\0\0";

/// A row as text.
pub(crate) type Row = Vec<Option<String>>;

/// A connection over the private socket that uses the simple query protocol.
#[derive(Debug)]
pub(crate) struct Sql(UnixStream);

impl Sql {
    /// Connects to the cluster of a data directory.
    ///
    /// # Errors
    /// If the cluster is not running, or does not accept connections yet.
    pub(crate) async fn connect(data: &Path) -> anyhow::Result<Self> {
        let stream = UnixStream::connect(socket(data)?).await.context("Postgres does not accept connections")?;
        let mut sql = Self(stream);
        let length = u32::try_from(GREETING.len() + 4)?;
        sql.0.write_all(&[&length.to_be_bytes(), GREETING].concat()).await?;
        tokio::time::timeout(STATEMENT_TIMEOUT, sql.answer()).await.context("Postgres does not answer")??;
        Ok(sql)
    }

    /// Waits until Postgres accepts connections, and connects.
    pub(crate) async fn eventually(data: &Path, within: Duration) -> anyhow::Result<Self> {
        let start = Instant::now();
        loop {
            match Self::connect(data).await {
                Ok(sql) => return Ok(sql),
                Err(error) if start.elapsed() > within => return Err(error),
                Err(_) => tokio::time::sleep(POLL_INTERVAL).await,
            }
        }
    }

    /// Runs statements, and returns the rows of all of them.
    pub(crate) async fn run(&mut self, statements: &str) -> anyhow::Result<Vec<Row>> {
        let length = u32::try_from(statements.len() + 5)?;
        self.0.write_all(&[b"Q", &length.to_be_bytes()[..], statements.as_bytes(), b"\0"].concat()).await?;
        tokio::time::timeout(STATEMENT_TIMEOUT, self.answer()).await.context("the statement timed out")?
    }

    /// The number that a statement returns.
    pub(crate) async fn number(&mut self, statement: &str) -> anyhow::Result<usize> {
        let rows = self.run(statement).await?;
        let value = rows.first().and_then(|row| row.first()?.as_deref());
        value.with_context(|| format!("no row of {statement}"))?.parse().context("not a number")
    }

    /// Reads until Postgres is ready for the next statement.
    async fn answer(&mut self) -> anyhow::Result<Vec<Row>> {
        let (mut rows, mut failure) = (Vec::new(), None);
        loop {
            let kind = self.0.read_u8().await?;
            let length = self.0.read_u32().await?;
            let mut body = vec![0; usize::try_from(length)?.saturating_sub(4)];
            self.0.read_exact(&mut body).await?;
            match kind {
                b'D' => rows.push(row(&body).context("a row is truncated")?),
                // The fields are zero-terminated texts.
                b'E' => failure = Some(String::from_utf8_lossy(&body).replace('\0', " ")),
                // The server asks for a password.
                b'R' => ensure!(body == [0; 4], "Postgres asks for a password"),
                b'Z' => match failure {
                    Some(failure) => bail!("Postgres refuses: {failure}"),
                    None => return Ok(rows),
                },
                _ => {}
            }
        }
    }
}

fn row(body: &[u8]) -> Option<Row> {
    let (count, mut rest) = body.split_first_chunk::<2>()?;
    let mut row = Vec::new();
    for _ in 0..u16::from_be_bytes(*count) {
        let (length, remainder) = rest.split_first_chunk::<4>()?;
        // A negative length stands for null.
        let Ok(length) = usize::try_from(i32::from_be_bytes(*length)) else {
            row.push(None);
            rest = remainder;
            continue;
        };
        let (value, remainder) = remainder.split_at_checked(length)?;
        row.push(Some(String::from_utf8_lossy(value).into_owned()));
        rest = remainder;
    }
    Some(row)
}

/// The lines of `postmaster.pid`: the process id first, then among others the port and the socket's folder.
fn record(data: &Path) -> anyhow::Result<Vec<String>> {
    let text = fs::read_to_string(data.join("postgres/postmaster.pid")).context("Postgres is not running")?;
    Ok(text.lines().map(|line| line.trim().to_owned()).collect())
}

fn socket(data: &Path) -> anyhow::Result<PathBuf> {
    let record = record(data)?;
    let (port, folder) = (record.get(3), record.get(4));
    let (port, folder) = port.zip(folder).context("Postgres is still starting")?;
    Ok(Path::new(folder).join(format!(".s.PGSQL.{port}")))
}

/// Kills the postmaster, as the kernel does when memory is short. The other processes exit by themselves.
pub(crate) fn kill_server(data: &Path) -> anyhow::Result<()> {
    kill(server(data)?)
}

/// Kills one backend process. The postmaster then terminates the others and recovers.
pub(crate) fn kill_a_connection(data: &Path) -> anyhow::Result<()> {
    let server = server(data)?;
    let mut serving = Vec::new();
    for entry in fs::read_dir("/proc").context("cannot list the processes")?.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        if parent(pid) == Some(server) && has_a_client(pid) {
            serving.push(pid);
        }
    }
    kill(*serving.get(serving.len() / 2).context("Postgres has no connections")?)
}

fn server(data: &Path) -> anyhow::Result<i32> {
    record(data)?.first().context("an empty record")?.parse().context("no process id")
}

fn parent(pid: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().parse().ok()
}

fn has_a_client(pid: i32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/cmdline")).is_ok_and(|line| line.contains("[local]"))
}

fn kill(pid: i32) -> anyhow::Result<()> {
    let pid = Pid::from_raw(pid).context("not a process")?;
    kill_process(pid, Signal::KILL).context("cannot kill the process")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_texts_and_nulls() {
        let body = b"\0\x02\0\0\0\x02ab\xff\xff\xff\xff";
        assert_eq!(row(body), Some(vec![Some("ab".to_owned()), None]));
        assert_eq!(row(&body[..6]), None, "it ends early");
    }
}
