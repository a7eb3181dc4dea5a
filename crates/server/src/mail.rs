//! Letters as files in the data folder, for whoever has no mail server.

use std::fs::{DirBuilder, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};

use domain::ports::{Clock, Ids, Mail, Mailer};

/// How many letters may wait to be written.
const MAX_WAITING: usize = 1_000;
/// How many files are kept; the oldest go first.
const MAX_KEPT: usize = 1_000;

/// Writes every letter into a file of its own, which only the service's own account can read: it may hold a one-time
/// link. A thread writes them, so that no request waits for a disk.
#[derive(Debug)]
pub struct FileMailer {
    waiting: SyncSender<Mail>,
}

impl FileMailer {
    /// Writes into a folder, which is made when the first letter comes.
    pub fn new(folder: PathBuf, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        let (waiting, letters) = mpsc::sync_channel(MAX_WAITING);
        std::thread::spawn(move || write_all(&folder, &letters, &*clock, &*ids));
        Self { waiting }
    }
}

impl Mailer for FileMailer {
    fn post(&self, mail: Mail) {
        if self.waiting.try_send(mail).is_err() {
            log::error!("a letter was lost: too many wait to be written");
        }
    }
}

fn write_all(folder: &Path, letters: &Receiver<Mail>, clock: &dyn Clock, ids: &dyn Ids) {
    for mail in letters {
        let name = format!("{}-{}.txt", clock.now().unix_timestamp(), ids.new_id());
        match write(folder, &name, &mail) {
            Ok(()) => log::info!("wrote the letter {:?} to {}", mail.subject, folder.join(&name).display()),
            Err(error) => log::error!("a letter could not be written to {}: {error}", folder.display()),
        }
    }
}

fn write(folder: &Path, name: &str, mail: &Mail) -> std::io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let mut known: Vec<_> = std::fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    // Names begin with the time, so the oldest come first.
    known.sort();
    for old in known.iter().take((known.len() + 1).saturating_sub(MAX_KEPT)) {
        std::fs::remove_file(old)?;
    }
    // Written under another name first: whoever sees the file sees all of it.
    let draft = folder.join(format!(".{name}"));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    write!(file, "To: {}\nSubject: {}\n\n{}", mail.to, mail.subject, mail.text)?;
    std::fs::rename(draft, folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn letter(number: usize) -> Mail {
        Mail { to: format!("p{number}@example.com"), subject: "Hello".to_owned(), text: "One\nTwo\n".to_owned() }
    }

    #[test]
    fn a_letter_is_a_file_for_our_own_eyes_and_their_number_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let mails = folder.path().join("mails");
        for number in 0..MAX_KEPT + 3 {
            write(&mails, &format!("{number:05}.txt"), &letter(number)).unwrap();
        }
        let mut names: Vec<_> = std::fs::read_dir(&mails).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!((names.len(), names[0].to_str()), (MAX_KEPT, Some("00003.txt")));
        let text = std::fs::read_to_string(mails.join("00003.txt")).unwrap();
        assert_eq!(text, "To: p3@example.com\nSubject: Hello\n\nOne\nTwo\n");
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&mails), mode(&mails.join("00003.txt"))), (0o700, 0o600));
    }
}
