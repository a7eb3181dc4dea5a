//! How secrets created at startup reach people. A terminal shows them. Any other output is likely to be collected as a log, so
//! it only names a file that the service's account alone can read.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Display, Path, PathBuf};
use std::time::Duration;

use domain::identity::access::PlainToken;

use crate::demo::Demo;

/// Files in the data folder.
const KEY_FILE: &str = "demo-key";
const LINK_FILE: &str = "sign-in-link";
const CODE_FILE: &str = "set-up-code";
/// The address of the service that uses the data folder.
const ADDRESS_FILE: &str = "address";
/// How long a service on this machine may take to accept a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);

/// Where to put secrets of this process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HandOver<'a> {
    pub(crate) data_dir: &'a Path,
    /// The address where the service listens.
    pub(crate) address: &'a str,
    /// Whether a person sees the output.
    pub(crate) is_terminal: bool,
}

impl HandOver<'_> {
    /// The text about the demo workspace at startup.
    pub(crate) fn demo(self, demo: &Demo) -> String {
        let (created, key) = match &demo.key {
            Some(key) => ("\nCreated workspace \"demo\", a small company with sample records.", self.key(key)),
            None => ("", String::new()),
        };
        format!("{created}{}{key}\n", self.link(&demo.link))
    }

    /// The text about a sign-in link.
    pub(crate) fn link(self, link: &PlainToken) -> String {
        let url = format!("{}/sign-in/link/{}", browser_url(self.address), link.reveal());
        let terms = "it works once, for 15 minutes, in a browser on this machine";
        let printed = || format!("\nOpen this link to sign in; {terms}:\n\n  {url}\n");
        let in_file = |path: Display<'_>| format!("\nTo sign in, open the link in {path}; {terms}.\n");
        self.text(&url, LINK_FILE, "workspace-service user sign-in-link", printed, in_file)
    }

    fn key(self, key: &PlainToken) -> String {
        let (key, contacts) = (key.reveal(), format!("{}/api/v1/crm/contacts", browser_url(self.address)));
        let printed = || {
            format!(
                "\nIts API key, shown only once:\n\n  {key}\n\nTry it:\n\n  curl -H 'Authorization: Bearer {key}' \
                 {contacts}\n"
            )
        };
        let in_file = |path: Display<'_>| {
            format!(
                "\nIts API key is in {path}\n\nTry it:\n\n  curl -H \"Authorization: Bearer $(cat '{path}')\" \
                 {contacts}\n"
            )
        };
        let command = "workspace-service key create --workspace demo --name demo --preset full_access";
        self.text(key, KEY_FILE, command, printed, in_file)
    }

    /// The text at startup if there is no workspace yet.
    pub(crate) fn set_up(self, code: &PlainToken) -> String {
        let page = format!("{}/", browser_url(self.address));
        let effect = "creates the first workspace and its owner; it works once";
        let (open, code) = (format!("\nThere is no workspace yet. Open {page} and enter"), code.reveal());
        let printed = || format!("{open} this code, which {effect}:\n\n  {code}\n\n");
        let in_file = |path: Display<'_>| format!("{open} the code in {path}, which {effect}.\n\n");
        self.text(code, CODE_FILE, "workspace-service workspace create", printed, in_file)
    }

    /// The text with the secret on a terminal, and otherwise the text with the file that it is written to. If the file cannot be
    /// written, the text suggests the command.
    fn text(
        self,
        secret: &str,
        file: &str,
        command: &str,
        printed: impl FnOnce() -> String,
        in_file: impl FnOnce(Display<'_>) -> String,
    ) -> String {
        if self.is_terminal {
            return printed();
        }
        match write(secret, self.data_dir, file) {
            Ok(path) => in_file(path.display()),
            Err(error) => {
                let path = self.data_dir.join(file);
                let path = path.display();
                format!("\n{path} could not be written: {error}. Make the folder writable, or use `{command}`\n")
            }
        }
    }
}

/// Writes the service's address to the data folder, for commands that print links to it. Does not create the folder if it is
/// missing.
pub(crate) fn record_address(data_dir: &Path, address: &str) {
    if data_dir.is_dir()
        && let Err(error) = write(address, data_dir, ADDRESS_FILE)
    {
        log::debug!("the address could not be noted in {}: {error}", data_dir.display());
    }
}

/// The address in the data folder, if a service accepts connections there.
pub(crate) fn running_address(data_dir: &Path) -> Option<String> {
    let recorded = std::fs::read_to_string(data_dir.join(ADDRESS_FILE)).ok()?;
    let address = recorded.trim();
    let url = browser_url(address);
    let mut addresses = url.strip_prefix("http://")?.to_socket_addrs().ok()?;
    addresses.any(|socket| TcpStream::connect_timeout(&socket, CONNECT_TIMEOUT).is_ok()).then(|| address.to_owned())
}

/// The address for a browser on this machine.
fn browser_url(address: &str) -> String {
    match address.parse::<SocketAddr>() {
        Ok(SocketAddr::V4(v4)) if v4.ip().is_unspecified() => format!("http://127.0.0.1:{}", v4.port()),
        Ok(SocketAddr::V6(v6)) if v6.ip().is_unspecified() => format!("http://[::1]:{}", v6.port()),
        _ => format!("http://{address}"),
    }
}

/// Writes a secret to a new file that only the service's account can read. An existing file or link is replaced, never written
/// to.
fn write(secret: &str, data_dir: &Path, file: &str) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(data_dir.join(file))?;
    // With an external Postgres, the folder may not exist yet.
    DirBuilder::new().recursive(true).mode(0o700).create(data_dir)?;
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    writeln!(file, "{secret}")?;
    file.sync_all()?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::identity::access::TokenKind;
    use std::os::unix::fs::PermissionsExt;
    use system::SecureRandom;

    fn token(kind: TokenKind) -> PlainToken {
        PlainToken::generate(kind, &SecureRandom::default())
    }

    fn demo() -> Demo {
        Demo { key: Some(token(TokenKind::ApiKey)), link: token(TokenKind::SignInLink) }
    }

    #[test]
    fn secrets_are_printed_on_a_terminal_and_otherwise_written_to_private_files() {
        let folder = tempfile::tempdir().unwrap();
        let (demo, code) = (demo(), token(TokenKind::SetUpCode));
        let key = demo.key.as_ref().unwrap();
        let secrets = [(KEY_FILE, key), (LINK_FILE, &demo.link), (CODE_FILE, &code)];
        let output = |is_terminal| HandOver { data_dir: folder.path(), address: "0.0.0.0:81", is_terminal };
        let printed = output(true).demo(&demo) + &output(true).set_up(&code);
        assert!(secrets.iter().all(|(_, secret)| printed.contains(secret.reveal())), "{printed}");
        for usable in ["http://127.0.0.1:81/sign-in/link/", " http://127.0.0.1:81/api/v1/crm/contacts"] {
            assert!(printed.contains(usable), "{printed}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

        // A file of an earlier data folder is replaced, whatever its permissions.
        std::fs::write(folder.path().join(KEY_FILE), "former").unwrap();
        let printed = output(false).demo(&demo) + &output(false).set_up(&code);
        for (file, secret) in secrets {
            let path = folder.path().join(file);
            assert!(!printed.contains(secret.reveal()) && printed.contains(&path.display().to_string()), "{printed}");
            assert!(std::fs::read_to_string(&path).unwrap().ends_with(&format!("{}\n", secret.reveal())), "{file}");
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
        }
    }

    #[test]
    fn a_running_service_is_found_by_its_data_folder() {
        let folder = tempfile::tempdir().unwrap();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        assert_eq!(running_address(folder.path()), None);
        record_address(folder.path(), &format!("0.0.0.0:{port}"));
        assert_eq!(running_address(folder.path()), Some(format!("0.0.0.0:{port}")));
        drop(listener);
        assert_eq!(running_address(folder.path()), None, "the service has stopped");
        let missing = folder.path().join("missing");
        record_address(&missing, "127.0.0.1:1");
        assert!(!missing.exists());
    }

    #[test]
    fn a_missing_data_folder_is_created() {
        let folder = tempfile::tempdir().unwrap();
        let (data_dir, code) = (folder.path().join("data"), token(TokenKind::SetUpCode));
        let printed = HandOver { data_dir: &data_dir, address: "127.0.0.1:1", is_terminal: false }.set_up(&code);
        assert!(data_dir.join(CODE_FILE).exists(), "{printed}");
        assert_eq!(std::fs::metadata(&data_dir).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_secret_that_cannot_be_written_is_not_printed_either() {
        let folder = tempfile::tempdir().unwrap();
        let (demo, code) = (demo(), token(TokenKind::SetUpCode));
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let output = HandOver { data_dir: &file.join("missing"), address: "127.0.0.1:1", is_terminal: false };
        let printed = output.demo(&demo) + &output.set_up(&code);
        for secret in [demo.key.as_ref().unwrap(), &demo.link, &code] {
            assert!(!printed.contains(secret.reveal()) && printed.contains("key create"), "{printed}");
        }
    }
}
