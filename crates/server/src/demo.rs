//! The demo workspace created on the first start.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use domain::Error;
use domain::identity::access::PlainToken;
use domain::identity::api_keys::{self, KeyFields};
use domain::identity::workspaces::{self, NewWorkspace};
use domain::kernel::input::{Input, InputMode};
use domain::ports::{Operator, Ports};
use serde_json::json;

/// Creates the demo workspace with a full-access key, unless any workspace exists.
pub(crate) async fn make_once(ports: &Ports, operator: &Operator) -> Result<Option<PlainToken>, Error> {
    if ports.directory.has_workspaces().await? {
        return Ok(None);
    }
    let new = NewWorkspace { name: "Demo".to_owned(), slug: "demo".to_owned(), plan: ports.settings.default_plan };
    let workspace = workspaces::create(ports, operator, &new).await?;
    let fields = json!({ "name": "demo", "preset": "full_access" });
    let fields = KeyFields::from_object(fields.as_object().cloned().unwrap_or_default(), InputMode::Create)?;
    Ok(Some(api_keys::create(ports, &operator.permit(workspace), fields).await?.plain))
}

/// The file in the data directory that the key is written to where nobody watches the output.
const KEY_FILE: &str = "demo-key";

/// What the start prints about a new key. The key itself is printed to a terminal only: any other output is likely to
/// be collected as a log, where a key with full access would stay readable for others.
pub(crate) fn hand_over(key: &PlainToken, data_dir: &Path, address: &str, is_terminal: bool) -> String {
    let contacts = format!("http://{address}/api/v1/crm/contacts");
    if is_terminal {
        let key = key.reveal();
        return format!(
            "\nCreated workspace \"demo\". Its API key, shown only once:\n\n  {key}\n\nTry it:\n\n  curl -H \
             'Authorization: Bearer {key}' {contacts}\n\n"
        );
    }
    match write(key, data_dir) {
        Ok(path) => {
            let path = path.display();
            format!(
                "\nCreated workspace \"demo\". Its API key is in {path}\n\nTry it:\n\n  curl -H \"Authorization: Bearer \
                 $(cat '{path}')\" {contacts}\n\n"
            )
        }
        Err(error) => format!(
            "\nCreated workspace \"demo\", but its API key could not be written to {}: {error}. Create one with \
             `workspace-service key create --workspace demo --name demo --preset full_access`\n\n",
            data_dir.join(KEY_FILE).display()
        ),
    }
}

/// Writes the key to a file that only the service's account can read; a file or link that is there already is not
/// written to.
fn write(key: &PlainToken, data_dir: &Path) -> std::io::Result<PathBuf> {
    let path = std::path::absolute(data_dir.join(KEY_FILE))?;
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    writeln!(file, "{}", key.reveal())?;
    file.sync_all()?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::identity::access::TokenKind;
    use std::os::unix::fs::PermissionsExt;
    use system::SecureRandom;

    #[test]
    fn the_key_is_printed_to_a_terminal_and_else_in_a_private_file() {
        let folder = tempfile::tempdir().unwrap();
        let key = PlainToken::generate(TokenKind::ApiKey, &SecureRandom::default());
        let shown = hand_over(&key, folder.path(), "127.0.0.1:1", true);
        assert!(shown.contains(key.reveal()), "{shown}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

        // A file of an earlier data folder is replaced, whatever its permissions.
        let path = folder.path().join(KEY_FILE);
        std::fs::write(&path, "former").unwrap();
        let shown = hand_over(&key, folder.path(), "127.0.0.1:1", false);
        assert!(!shown.contains(key.reveal()) && shown.contains(&path.display().to_string()), "{shown}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{}\n", key.reveal()));
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_key_that_cannot_be_written_is_not_printed_either() {
        let folder = tempfile::tempdir().unwrap();
        let key = PlainToken::generate(TokenKind::ApiKey, &SecureRandom::default());
        let shown = hand_over(&key, &folder.path().join("missing"), "127.0.0.1:1", false);
        assert!(!shown.contains(key.reveal()) && shown.contains("key create"), "{shown}");
    }
}
