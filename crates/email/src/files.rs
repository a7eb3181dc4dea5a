//! Letters as files in the data folder, for whoever has no mail server.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, SyncSender};

use async_trait::async_trait;
use domain::ports::{MailError, MailTransport, OutgoingMail};
use tokio::sync::oneshot;

/// How many letters may wait to be written.
const MAX_WAITING: usize = 100;
/// How many files are kept; the oldest go first.
const MAX_KEPT: usize = 1_000;

type Written = oneshot::Sender<std::io::Result<()>>;

/// Writes every letter into a file of its own, which only the service's own account can read: it may hold a one-time
/// link. A thread writes them, so that nobody else waits for a disk.
#[derive(Debug)]
pub struct FileTransport {
    waiting: SyncSender<(OutgoingMail, Written)>,
}

impl FileTransport {
    /// Writes into a folder, which is made when the first letter comes.
    pub fn new(folder: PathBuf) -> Self {
        let (waiting, letters) = mpsc::sync_channel(MAX_WAITING);
        std::thread::spawn(move || write_all(&folder, &letters));
        Self { waiting }
    }
}

#[async_trait]
impl MailTransport for FileTransport {
    async fn send(&self, mail: &OutgoingMail) -> Result<(), MailError> {
        let (done, written) = oneshot::channel();
        let waits = self.waiting.try_send((mail.clone(), done));
        waits.map_err(|_| MailError::transient("too many letters wait to be written"))?;
        match written.await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(MailError::transient(format!("it could not be written: {error}"))),
            Err(_) => Err(MailError::transient("nothing writes letters any more")),
        }
    }
}

fn write_all(folder: &Path, letters: &Receiver<(OutgoingMail, Written)>) {
    for (mail, done) in letters {
        let written = write(folder, &mail);
        if written.is_ok() {
            log::info!("wrote the letter {:?} to {}", mail.mail.subject(), folder.join(name_of(&mail)).display());
        }
        // Whoever waited may have given up; the letter is written all the same, and again under the same name.
        let _ = done.send(written);
    }
}

/// The same for every attempt. Names begin with the time, so the oldest come first.
fn name_of(mail: &OutgoingMail) -> String {
    format!("{}-{}.txt", mail.created_at.unix_timestamp(), mail.id)
}

fn write(folder: &Path, mail: &OutgoingMail) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut known: Vec<_> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    known.sort();
    for old in known.iter().take((known.len() + 1).saturating_sub(MAX_KEPT)) {
        std::fs::remove_file(old)?;
    }
    let name = name_of(mail);
    // Written under another name first: whoever sees the file sees all of it. A draft of a crash is written over.
    let draft = folder.join(format!(".{name}"));
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    let mail = &mail.mail;
    write!(file, "To: {}\nSubject: {}\n\n{}", mail.to(), mail.subject(), mail.text())?;
    std::fs::rename(draft, folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::email::Mail;
    use domain::kernel::input::Email;
    use domain::{MailId, WorkspaceId};
    use std::os::unix::fs::PermissionsExt;
    use time::{Duration, OffsetDateTime};
    use uuid::Uuid;

    fn letter(number: u32) -> OutgoingMail {
        let to = Email::parse(&format!("p{number}@example.com")).unwrap();
        OutgoingMail {
            id: MailId(Uuid::from_u128(u128::from(number))),
            workspace: WorkspaceId(Uuid::nil()),
            mail: Mail::new(&to, "Hello", "One\nTwo\n"),
            created_at: OffsetDateTime::UNIX_EPOCH + Duration::seconds(1_000_000 + i64::from(number)),
        }
    }

    fn files(folder: &Path) -> Vec<PathBuf> {
        let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }

    #[test]
    fn a_letter_is_a_file_for_our_own_eyes_and_their_number_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let mails = folder.path().join("mails");
        let number = u32::try_from(MAX_KEPT).unwrap() + 3;
        for number in 0..number {
            write(&mails, &letter(number)).unwrap();
        }
        let files = files(&mails);
        assert_eq!(files.len(), MAX_KEPT);
        let text = std::fs::read_to_string(&files[0]).unwrap();
        assert_eq!(text, "To: p3@example.com\nSubject: Hello\n\nOne\nTwo\n");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&mails), mode(&files[0])), (0o700, 0o600));
    }

    #[test]
    fn a_letter_that_is_written_again_is_one_file() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..3 {
            write(folder.path(), &letter(1)).unwrap();
        }
        assert_eq!(files(folder.path()).len(), 1);
    }
}
