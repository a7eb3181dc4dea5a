//! chromedriver, one per test process. A shell guards it: when the process ends for any reason, including SIGKILL, the shell
//! kills the driver by its process id and deletes its folder. The browsers exit when the pipe to their driver closes.

use std::io::{BufRead, BufReader};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{LazyLock, mpsc};
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

const DRIVER: &str = "chromedriver";
const BROWSER: &str = "chromium";

/// Timeout of the start, on a busy machine.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// `$1` is the folder, `$2` the driver. Standard input is a pipe that is never written to: reading ends when the test
/// process ends.
const GUARD: &str = r#"
"$2" --port=0 </dev/null &
driver=$!
cat >/dev/null
kill -s KILL "$driver" 2>/dev/null
wait "$driver"
rounds=0
while [ -e "$1" ] && [ "$rounds" -lt 250 ]; do
    rm -rf "$1" 2>/dev/null
    [ -e "$1" ] && sleep 0.02
    rounds=$((rounds + 1))
done
"#;

static RUNNING: LazyLock<Driver> = LazyLock::new(Driver::start);

/// The program that is missing on this machine.
pub(crate) fn missing() -> Option<&'static str> {
    let is_there = find(DRIVER).is_some() && find(BROWSER).is_some();
    (!is_there).then_some("Chromium and chromedriver; install the packages chromium and chromium-driver")
}

/// The address of the driver, which is started on first use.
pub(crate) fn url() -> &'static str {
    &RUNNING.url
}

/// A folder for a new browser.
pub(crate) fn profile() -> TempDir {
    tempfile::tempdir_in(&RUNNING.folder).unwrap_or_else(|error| panic!("no folder for a profile: {error}"))
}

/// The requested capabilities: a headless browser that can reach only loopback.
pub(crate) fn capabilities(profile: &TempDir, width: u32, height: u32) -> Value {
    let browser = find(BROWSER).unwrap_or_else(|| panic!("{BROWSER} is gone"));
    let mut arguments: Vec<String> = [
        "--headless=new",
        "--hide-scrollbars",
        // The browser exits with its driver, however that ends.
        "--remote-debugging-pipe",
        // Lets scripts read the role and name that assistive technology sees.
        "--enable-blink-features=ComputedAccessibilityInfo",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        "--disable-background-networking",
        "--disable-breakpad",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-dev-shm-usage",
        "--disable-domain-reliability",
        "--disable-extensions",
        "--disable-features=MediaRouter,OptimizationHints,Translate",
        "--disable-gpu",
        "--disable-sync",
        "--force-color-profile=srgb",
        "--lang=en-US",
        "--metrics-recording-only",
        "--no-default-browser-check",
        "--no-first-run",
        "--no-proxy-server",
        "--password-store=basic",
    ]
    .map(str::to_owned)
    .to_vec();
    arguments.push(format!("--user-data-dir={}", profile.path().display()));
    arguments.push(format!("--window-size={width},{height}"));
    if is_root() {
        // The sandbox does not work as root, as in containers.
        arguments.push("--no-sandbox".to_owned());
    }
    json!({
        "browserName": "chrome",
        "unhandledPromptBehavior": "ignore",
        "timeouts": {"pageLoad": 60_000, "script": 60_000},
        "goog:loggingPrefs": {"browser": "ALL"},
        "goog:chromeOptions": {"binary": browser, "args": arguments},
    })
}

struct Driver {
    url: String,
    folder: PathBuf,
    /// A `static` is never dropped: the pipe closes when the process ends.
    #[cfg_attr(not(test), expect(dead_code, reason = "holds the pipe open"))]
    guard: Child,
}

impl Driver {
    fn start() -> Self {
        let driver = find(DRIVER).unwrap_or_else(|| panic!("{DRIVER} is gone"));
        let folder = tempfile::Builder::new().prefix("workspace-service-browser-").tempdir();
        let folder = folder.unwrap_or_else(|error| panic!("no temporary folder: {error}")).keep();
        let mut command = Command::new("/bin/sh");
        command.args(["-c", GUARD, "guard"]).arg(&folder).arg(driver).current_dir("/");
        for variable in ["HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
            command.env(variable, &folder);
        }
        // Ctrl-C must not kill the guard, which still has to clean up.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut guard = command.spawn().unwrap_or_else(|error| panic!("cannot run /bin/sh: {error}"));
        let port = guard.stdout.take().and_then(port_of);
        let port = port.unwrap_or_else(|| panic!("{DRIVER} did not say its port within {START_TIMEOUT:?}"));
        Self { url: format!("http://127.0.0.1:{port}"), folder, guard }
    }
}

/// The port that the driver prints. Later lines are read and discarded, so that the pipe never fills up.
fn port_of(output: ChildStdout) -> Option<u16> {
    let (sender, port) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(port) = announced(&line) {
                let _ = sender.send(port);
            }
        }
    });
    port.recv_timeout(START_TIMEOUT).ok()
}

fn announced(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("started successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn the_port_is_read_from_the_output_of_the_driver() {
        assert_eq!(announced("ChromeDriver was started successfully on port 40123."), Some(40123));
        assert_eq!(announced("Starting ChromeDriver 1.2 on port 0"), None);
    }

    #[test]
    fn the_guard_kills_the_driver_and_deletes_its_folder() {
        if let Some(missing) = missing() {
            return not_run::report(missing);
        }
        let mut driver = Driver::start();
        let address = driver.url.trim_start_matches("http://").to_owned();
        assert!(TcpStream::connect(&address).is_ok() && driver.folder.is_dir());
        // Simulates the end of this process.
        drop(driver.guard.stdin.take());
        assert!(driver.guard.wait().is_ok_and(|status| status.success()));
        assert!(TcpStream::connect(&address).is_err() && !driver.folder.exists());
    }
}
