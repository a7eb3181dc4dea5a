//! Writes e-mails as files to the data directory, for installations without a mail server.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};

use async_trait::async_trait;
use domain::ports::{EmailError, EmailTransport, OutgoingEmail};
use tokio::sync::oneshot;

/// Maximum e-mails waiting to be written.
const MAX_WAITING: usize = 100;
/// Maximum files; the oldest are removed first.
const MAX_KEPT: usize = 1_000;

type Written = oneshot::Sender<std::io::Result<()>>;

/// Writes each e-mail to its own file, readable only by the service's account: it may hold a one-time link. A dedicated
/// thread writes them, so that no async task blocks on the disk.
#[derive(Debug)]
pub struct FileTransport {
    waiting: SyncSender<(OutgoingEmail, Written)>,
}

impl FileTransport {
    /// Writes to `folder`, which is created with the first e-mail.
    pub fn new(folder: PathBuf) -> Self {
        let (waiting, messages) = mpsc::sync_channel(MAX_WAITING);
        std::thread::spawn(move || write_all(&folder, &messages));
        Self { waiting }
    }
}

#[async_trait]
impl EmailTransport for FileTransport {
    async fn send(&self, email: &OutgoingEmail) -> Result<(), EmailError> {
        let (done, written) = oneshot::channel();
        let waits = self.waiting.try_send((email.clone(), done));
        waits.map_err(|_| EmailError::transient("too many e-mails are waiting to be written"))?;
        match written.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(EmailError::transient(format!("the file could not be written: {error}"))),
            Err(_) => Err(EmailError::transient("the file writer has stopped")),
        }
    }
}

fn write_all(folder: &Path, messages: &Receiver<(OutgoingEmail, Written)>) {
    for (email, done) in messages {
        let written = write(folder, &email);
        if written.is_ok() {
            log::info!("wrote e-mail {:?} to {}", email.email.subject(), folder.join(name_of(&email)).display());
        }
        // The sender may have timed out; a retry writes the same file again.
        let _ = done.send(written);
    }
}

/// The same for every attempt. Names begin with the time, so they sort oldest first.
fn name_of(email: &OutgoingEmail) -> String {
    format!("{}-{}.txt", email.created_at.unix_timestamp(), email.id)
}

fn write(folder: &Path, email: &OutgoingEmail) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut existing: Vec<_> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    existing.sort();
    for old in existing.iter().take((existing.len() + 1).saturating_sub(MAX_KEPT)) {
        std::fs::remove_file(old)?;
    }
    let name = name_of(email);
    // Written under another name first, so that the file appears complete. A draft left by a crash is overwritten.
    let draft = folder.join(format!(".{name}"));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    let email = &email.email;
    write!(file, "To: {}\nSubject: {}\n\n{}", email.to(), email.subject(), email.text())?;
    std::fs::rename(draft, folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::email::EmailMessage;
    use domain::kernel::input::EmailAddress;
    use domain::{EmailId, WorkspaceId};
    use std::os::unix::fs::PermissionsExt;
    use time::{Duration, OffsetDateTime};
    use uuid::Uuid;

    fn message(number: u32) -> OutgoingEmail {
        let to = EmailAddress::parse(&format!("p{number}@example.com")).unwrap();
        OutgoingEmail {
            id: EmailId(Uuid::from_u128(u128::from(number))),
            workspace: WorkspaceId(Uuid::nil()),
            email: EmailMessage::new(&to, "Hello", "One\nTwo\n"),
            created_at: OffsetDateTime::UNIX_EPOCH + Duration::seconds(1_000_000 + i64::from(number)),
        }
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn emails_are_private_files_of_bounded_number() {
        let folder = tempfile::tempdir().unwrap();
        let emails = folder.path().join("mails");
        let number = u32::try_from(MAX_KEPT).unwrap() + 3;
        for number in 0..number {
            write(&emails, &message(number)).unwrap();
        }
        let files = files(&emails);
        assert_eq!(files.len(), MAX_KEPT);
        let text = std::fs::read_to_string(&files[0]).unwrap();
        assert_eq!(text, "To: p3@example.com\nSubject: Hello\n\nOne\nTwo\n");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&emails), mode(&files[0])), (0o700, 0o600));
    }

    #[test]
    fn an_email_written_twice_is_one_file() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            write(folder.path(), &message(1)).unwrap();
        }
        assert_eq!(files(folder.path()).len(), 1);
    }
}
