//! `cargo xtask test-program`: a runner through which cargo runs each test program, so that `cargo xtask test` can report test times.
//!
//! The harness reports times only with an unstable option, which needs `RUSTC_BOOTSTRAP` on stable. The variable is set only for
//! the test program, not for the compiler.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::Args;

use crate::not_run::ReportFile;

/// The variable with the path of the times file: one line per test, with seconds, a space and the name.
const TIMES_FILE: &str = "TESTS_TIMES_FILE";
const SLOWEST: usize = 15;

#[derive(Args)]
pub(crate) struct TestProgram {
    program: OsString,
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl TestProgram {
    pub(crate) fn run(&self) -> Result<()> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).args(["-Zunstable-options", "--report-time"]).env("RUSTC_BOOTSTRAP", "1");
        let mut child = command.stdout(Stdio::piped()).spawn().context("cannot run the test program")?;
        let mut times = Vec::new();
        let mut stdout = std::io::stdout().lock();
        for line in BufReader::new(child.stdout.take().context("no output")?).split(b'\n') {
            let line = line.context("cannot read what the test program prints")?;
            stdout.write_all(&line)?;
            stdout.write_all(b"\n")?;
            times.extend(time_of(&String::from_utf8_lossy(&line)));
        }
        let status = child.wait().context("cannot wait for the test program")?;
        if let Some(path) = std::env::var_os(TIMES_FILE) {
            let mut file = OpenOptions::new().append(true).open(path).context("cannot open the file of times")?;
            let lines: Vec<_> = times.iter().map(|(seconds, name)| format!("{seconds} {name}\n")).collect();
            file.write_all(lines.concat().as_bytes())?;
        }
        // Exit like the test program, without another message.
        std::process::exit(status.code().unwrap_or(101));
    }
}

/// Parses a line such as `test deals::a_deal_is_created ... ok <0.123s>`.
fn time_of(line: &str) -> Option<(f64, String)> {
    let (name, rest) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = rest.rsplit_once('<')?.1.strip_suffix("s>")?.parse().ok()?;
    Some((seconds, name.to_owned()))
}

/// Makes this `cargo test` record test times, and returns the times file.
pub(crate) fn record_times(cargo: &mut Command) -> Result<ReportFile> {
    let program = std::env::current_exe().context("the path of this program is unknown")?;
    let runner = serde_json::json!([program.to_string_lossy(), "test-program"]);
    cargo.arg("--config").arg(format!("target.'cfg(all())'.runner = {runner}"));
    let times = ReportFile::create(TIMES_FILE)?;
    times.set_for(cargo);
    Ok(times)
}

/// The slowest tests as text.
pub(crate) fn slowest(times: &str) -> String {
    let read = |line: &str| line.split_once(' ').and_then(|(time, name)| Some((time.parse().ok()?, name.to_owned())));
    let mut times: Vec<(f64, String)> = times.lines().filter_map(read).collect();
    times.sort_by(|one, other| other.0.total_cmp(&one.0));
    times.truncate(SLOWEST);
    let lines = times.iter().map(|(seconds, name)| format!("  {seconds:>7.1} s  {name}\n"));
    std::iter::once("slowest tests:\n".to_owned()).chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_from_the_lines_of_the_harness() {
        assert_eq!(time_of("test a::b ... ok <1.250s>"), Some((1.25, "a::b".to_owned())));
        assert_eq!(time_of("test a::b ... FAILED <0.001s>"), Some((0.001, "a::b".to_owned())));
        for other in ["test a::b ... ignored", "running 3 tests", "test result: ok. 3 passed", ""] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn the_slowest_come_first() {
        assert_eq!(slowest("0.5 one\n12 two\n"), "slowest tests:\n     12.0 s  two\n      0.5 s  one\n");
    }
}
