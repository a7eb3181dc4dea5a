//! Writes e-mails as files to the data directory, for installations without a mail server.

use std::fs::{DirBuilder, OpenOptions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::ports::{EmailCopies, EmailError, EmailTransport, NamesPerson, OutgoingEmail};
use tokio::sync::oneshot;

/// The maximum number of e-mails waiting to be written.
const MAX_WAITING: usize = 100;
/// The maximum number of files. The oldest are removed first.
const MAX_KEPT: usize = 1_000;

type Reply = oneshot::Sender<std::io::Result<()>>;

/// Writes each e-mail to its own file. The file may contain a one-time link, so only the service's account can read it. A
/// dedicated thread writes the files, so that no async task blocks on the disk.
#[derive(Debug)]
pub struct FileTransport {
    waiting: SyncSender<(OutgoingEmail, Reply)>,
}

impl FileTransport {
    /// Writes to `folder`, which is created for the first e-mail.
    pub fn new(folder: PathBuf) -> Self {
        let (waiting, messages) = mpsc::sync_channel(MAX_WAITING);
        std::thread::spawn(move || write_all(&folder, &messages));
        Self { waiting }
    }
}

#[async_trait]
impl EmailTransport for FileTransport {
    async fn send(&self, email: &OutgoingEmail) -> Result<(), EmailError> {
        let (reply, result) = oneshot::channel();
        let queued = self.waiting.try_send((email.clone(), reply));
        queued.map_err(|_| EmailError::transient("too many e-mails are waiting to be written"))?;
        match result.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(EmailError::transient(format!("the file could not be written: {error}"))),
            Err(_) => Err(EmailError::transient("the file writer has stopped")),
        }
    }
}

fn write_all(folder: &Path, messages: &Receiver<(OutgoingEmail, Reply)>) {
    for (email, reply) in messages {
        let result = write(folder, &email);
        if result.is_ok() {
            log::info!("wrote e-mail {:?} to {}", email.email.subject(), folder.join(name_of(&email)).display());
        }
        // The sender may have timed out; a retry writes the same file again.
        let _ = reply.send(result);
    }
}

/// Removes files that [`FileTransport`] wrote, including those from before a mail server was configured.
#[derive(Debug)]
pub struct EmailFiles {
    folder: PathBuf,
}

impl EmailFiles {
    pub const fn new(folder: PathBuf) -> Self {
        Self { folder }
    }
}

#[async_trait]
impl EmailCopies for EmailFiles {
    /// Runs on a new thread: there are few erasures, and up to 1,000 files.
    async fn erase(&self, workspace: WorkspaceId, names_person: NamesPerson) -> Result<u64, EmailError> {
        let (folder, (done, erased)) = (self.folder.clone(), oneshot::channel());
        // Fails if the caller has given up; the erasure is retried.
        std::thread::spawn(move || drop(done.send(erase(&folder, workspace, &names_person))));
        match erased.await {
            Ok(Ok(erased)) => Ok(erased),
            Ok(Err(error)) => Err(EmailError::transient(format!("e-mail files could not be erased: {error}"))),
            Err(_) => Err(EmailError::transient("the thread that erases e-mail files has ended")),
        }
    }
}

fn erase(folder: &Path, workspace: WorkspaceId, names_person: &NamesPerson) -> std::io::Result<u64> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut erased = 0;
    for entry in entries {
        let path = entry?.path();
        if !may_be_of(&path, workspace) {
            continue;
        }
        let text = match std::fs::read(&path) {
            // The limit on files may have removed it in the meantime.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            text => text?,
        };
        if names_person(&String::from_utf8_lossy(&text)) {
            remove(&path)?;
            erased += 1;
        }
    }
    Ok(erased)
}

fn remove(path: &Path) -> std::io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Whether the e-mail may belong to the workspace. Files of earlier releases do not name theirs.
fn may_be_of(path: &Path, workspace: WorkspaceId) -> bool {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    name.trim_start_matches('.').split('.').nth(1).is_none_or(|id| id == workspace.to_string())
}

/// The same name for every attempt. Names begin with the time, so they sort oldest first.
fn name_of(email: &OutgoingEmail) -> String {
    format!("{}-{}.{}.txt", email.created_at.unix_timestamp(), email.id, email.workspace)
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
    use std::sync::Arc;
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

    /// Only e-mails of the workspace are erased, and those of an earlier release, which do not name theirs.
    #[tokio::test]
    async fn emails_to_a_person_and_about_them_are_erased() {
        let folder = tempfile::tempdir().unwrap();
        let mails = folder.path().join("mails");
        let copies = EmailFiles::new(mails.clone());
        let erase = async || {
            let names_person: NamesPerson =
                Arc::new(|text| text.contains("p1@example.com") || text.contains("Ada Lovelace"));
            copies.erase(WorkspaceId(Uuid::nil()), names_person).await.unwrap()
        };
        assert_eq!(erase().await, 0, "there is no folder yet");
        let about = OutgoingEmail {
            email: EmailMessage::new(&EmailAddress::parse("bob@example.com").unwrap(), "News", "Ada Lovelace asks"),
            ..message(2)
        };
        let other_workspace = OutgoingEmail { workspace: WorkspaceId(Uuid::from_u128(9)), ..message(1) };
        for email in [&message(1), &about, &other_workspace, &message(3)] {
            write(&mails, email).unwrap();
        }
        std::fs::write(mails.join("1000001-earlier.txt"), "To: p1@example.com\n\nOne").unwrap();
        assert_eq!(erase().await, 3);
        assert_eq!(files(&mails), [mails.join(name_of(&other_workspace)), mails.join(name_of(&message(3)))]);
        assert_eq!(erase().await, 0);
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
