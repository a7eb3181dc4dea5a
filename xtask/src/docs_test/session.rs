//! A bash that runs the commands of a page one after another.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Timeout of one step, which may compile a Rust program.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Killed on drop, together with all processes that it started.
pub(super) struct Session {
    bash: Child,
    input: ChildStdin,
    /// The exit code of each step.
    ended: Receiver<String>,
    /// Folder of the steps and their outputs.
    scratch: PathBuf,
    steps: usize,
}

/// The result of a step.
pub(super) struct Outcome {
    pub(super) succeeded: bool,
    /// Standard output and standard error.
    pub(super) output: String,
}

impl Session {
    pub(super) fn start(folder: &Path, scratch: &Path, environment: &[(&str, String)]) -> Result<Self> {
        let mut bash = Command::new("bash");
        bash.args(["--norc", "--noprofile"]).current_dir(folder).process_group(0);
        bash.envs(environment.iter().map(|(name, value)| (name, value)));
        bash.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(File::create(scratch.join("bash.log"))?);
        let mut bash = bash.spawn().context("cannot run bash")?;
        let input = bash.stdin.take().context("bash has no input")?;
        let output = bash.stdout.take().context("bash has no output")?;
        let (sender, ended) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { bash, input, ended, scratch: scratch.to_owned(), steps: 0 })
    }

    /// Runs commands in the session itself, so that later commands see their variables.
    pub(super) fn run(&mut self, commands: &str) -> Result<Outcome> {
        self.step(commands, |file| format!(". '{file}'"))
    }

    /// Runs commands in the session itself, up to the first failure.
    pub(super) fn run_all(&mut self, commands: &str) -> Result<Outcome> {
        // `set -e` has no effect in a function, so a failure ends the session.
        self.run(&format!("set -e\n{commands}\nset +e"))
    }

    /// Runs commands in a subshell, up to the first failure, so that they can be repeated.
    pub(super) fn run_in_subshell(&mut self, commands: &str) -> Result<Outcome> {
        self.step(commands, |file| format!("( set -e; . '{file}' )"))
    }

    fn step(&mut self, commands: &str, run: impl Fn(&str) -> String) -> Result<Outcome> {
        self.steps += 1;
        let (step, output) = (self.file("sh"), self.file("out"));
        fs::write(&step, format!("{commands}\n"))?;
        let run = run(&step.display().to_string());
        let sent = writeln!(self.input, "{run} > '{}' 2>&1 < /dev/null; echo $?", output.display());
        let code = match sent.map(|()| self.ended.recv_timeout(TIMEOUT)) {
            Ok(Ok(code)) => code,
            Ok(Err(RecvTimeoutError::Timeout)) => bail!("no end after {} s: {}", TIMEOUT.as_secs(), read(&output)),
            // `set -e` ended the session.
            Ok(Err(RecvTimeoutError::Disconnected)) | Err(_) => "1".to_owned(),
        };
        Ok(Outcome { succeeded: code == "0", output: read(&output) })
    }

    fn file(&self, extension: &str) -> PathBuf {
        self.scratch.join(format!("step-{}.{extension}", self.steps))
    }
}

fn read(path: &Path) -> String {
    fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default()
}

impl Drop for Session {
    fn drop(&mut self) {
        let group = format!("-{}", self.bash.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.bash.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_share_variables_and_failures_end_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = Session::start(folder.path(), folder.path(), &[("NAME", "a".to_owned())]).unwrap();
        assert!(session.run("ONE=$NAME; false").is_ok_and(|outcome| !outcome.succeeded));
        let outcome = session.run_all("echo $ONE\necho b >&2").unwrap();
        assert!(outcome.succeeded);
        assert_eq!(outcome.output, "a\nb\n");
        assert!(!session.run_in_subshell("false; echo c").unwrap().succeeded);
        assert!(session.run("true").unwrap().succeeded);
        let outcome = session.run_all("false\necho d").unwrap();
        assert!(!outcome.succeeded);
        assert_eq!(outcome.output, "");
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "polls a process, with a bound")]
    fn nothing_outlives_the_session() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = Session::start(folder.path(), folder.path(), &[]).unwrap();
        let id = session.run("sleep 1000 & echo $!").unwrap().output;
        let is_alive = || Path::new("/proc").join(id.trim()).join("exe").exists();
        assert!(is_alive());
        drop(session);
        let is_ended = (0..200).any(|_| {
            thread::sleep(Duration::from_millis(10));
            !is_alive()
        });
        assert!(is_ended);
    }
}
