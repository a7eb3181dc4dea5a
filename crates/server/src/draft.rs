//! Writes files under another name first, so that a file is never visible half written.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use domain::ports::Clock;
use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};
use system::SystemClock;
use time::{Duration, OffsetDateTime};

const SUFFIX: &str = ".unfinished";
/// A backup in progress is written to all the time.
const ABANDONED_AFTER: Duration = Duration::HOUR;

/// A file that appears only when it is published. If it is never published, nothing is left behind.
pub(crate) struct Draft {
    output: File,
    /// The name while it is incomplete.
    unfinished: PathBuf,
    file: PathBuf,
    replaces: bool,
    is_published: bool,
}

impl Draft {
    pub(crate) fn create(file: &Path, replaces: bool) -> anyhow::Result<Self> {
        ensure!(replaces || !file.exists(), "{} exists: name another file, or add --force", file.display());
        let mut unfinished = file.as_os_str().to_owned();
        unfinished.push(format!(".{}{SUFFIX}", std::process::id()));
        let unfinished = PathBuf::from(unfinished);
        let output = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&unfinished);
        let output = output.with_context(|| format!("cannot write {}", file.display()))?;
        // The lock reveals a writer whose process id is unknown here, as in another container. Some file systems have no locks.
        let _ = output.try_lock();
        Ok(Self { output, unfinished, file: file.to_owned(), replaces, is_published: false })
    }

    /// Makes the file visible once it is on disk.
    pub(crate) fn publish(&mut self) -> anyhow::Result<()> {
        let context = || format!("cannot write {}", self.file.display());
        self.output.sync_all().with_context(context)?;
        let result = if self.replaces { fs::rename(&self.unfinished, &self.file) } else { self.link() };
        match result {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                bail!("{} was created in the meantime: name another file, or add --force", self.file.display())
            }
            result => result.with_context(context)?,
        }
        self.is_published = true;
        File::open(folder_of(&self.file)).and_then(|folder| folder.sync_all()).with_context(context)
    }

    /// Unlike a rename, a link fails if the file has appeared in the meantime. Some file systems have no links.
    fn link(&self) -> io::Result<()> {
        match fs::hard_link(&self.unfinished, &self.file) {
            Ok(()) => fs::remove_file(&self.unfinished),
            Err(_) if self.file.exists() => Err(ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(&self.unfinished, &self.file),
        }
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if !self.is_published {
            let _ = fs::remove_file(&self.unfinished);
        }
    }
}

/// Removes incomplete versions of a file that killed processes left. Those that cannot be removed stay and do no harm.
pub(crate) fn remove_abandoned(file: &Path) {
    let Some(name) = file.file_name() else { return };
    for entry in fs::read_dir(folder_of(file)).into_iter().flatten().flatten() {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file
            && writer_of(&entry.file_name(), name.as_bytes()).is_some_and(has_ended)
            && is_unlocked(&entry.path())
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes incomplete files of any name that killed processes left in the folder of `file`, such as backups with the day in their
/// names. Another machine may write to the folder, and its processes and locks may not be visible here. So files that were written
/// to within the last hour stay.
pub(crate) fn remove_abandoned_in_folder_of(file: &Path) {
    for entry in fs::read_dir(folder_of(file)).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else { continue };
        let is_old = metadata
            .modified()
            .is_ok_and(|modified| SystemClock.now() - OffsetDateTime::from(modified) > ABANDONED_AFTER);
        let writer = any_writer_of(&entry.file_name());
        if metadata.is_file() && is_old && writer.is_some_and(has_ended) && is_unlocked(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process that writes a draft of any file; `None` for other names.
fn any_writer_of(draft: &OsString) -> Option<Pid> {
    let name = draft.as_bytes().strip_suffix(SUFFIX.as_bytes())?;
    let dot = name.iter().rposition(|byte| *byte == b'.').filter(|dot| *dot > 0)?;
    writer_of(draft, &name[..dot])
}

/// The process that writes a draft of the file with this name; `None` for files of other names.
fn writer_of(draft: &OsString, file: &[u8]) -> Option<Pid> {
    let pid = draft.as_bytes().strip_prefix(file)?.strip_prefix(b".")?.strip_suffix(SUFFIX.as_bytes())?;
    let pid = std::str::from_utf8(pid).ok().filter(|pid| pid.bytes().all(|digit| digit.is_ascii_digit()))?;
    Pid::from_raw(pid.parse().ok()?)
}

fn has_ended(process: Pid) -> bool {
    test_kill_process(process) == Err(Errno::SRCH)
}

fn is_unlocked(draft: &Path) -> bool {
    // An error of the file system does not mean that the file is locked.
    File::open(draft).is_ok_and(|file| !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
}

fn folder_of(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<_> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_published_and_leaves_nothing_otherwise() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.csv");
        drop(Draft::create(&file, false).unwrap());
        assert!(names_in(folder.path()).is_empty());
        let mut draft = Draft::create(&file, false).unwrap();
        draft.write_all(b"one").unwrap();
        assert!(!file.exists());
        draft.publish().unwrap();
        drop(draft);
        assert_eq!((names_in(folder.path()), fs::read(&file).unwrap()), (vec!["a.csv".to_owned()], b"one".to_vec()));
        assert!(Draft::create(&file, false).is_err());

        let raced = folder.path().join("b.csv");
        let mut draft = Draft::create(&raced, false).unwrap();
        fs::write(&raced, "of somebody else").unwrap();
        assert!(draft.publish().unwrap_err().to_string().contains("in the meantime"));
        drop(draft);
        assert_eq!((names_in(folder.path()).len(), fs::read(&raced).unwrap().len()), (2, 16));
        let mut draft = Draft::create(&raced, true).unwrap();
        draft.publish().unwrap();
        assert!(fs::read(&raced).unwrap().is_empty());
    }

    #[test]
    fn only_drafts_of_dead_processes_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("r.csv");
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let (dead_pid, own_pid) = (child.id(), std::process::id());
        let untouched = [
            format!("r.csv.{own_pid}.unfinished"),
            "r.csv.1.unfinished".to_owned(),
            format!("r.csv.{dead_pid}"),
            format!("r.csv.{dead_pid}.unfinished.csv"),
            format!("r.csv.+{dead_pid}.unfinished"),
            format!("r.csv.-{dead_pid}.unfinished"),
            "r.csv.0.unfinished".to_owned(),
            "r.csv..unfinished".to_owned(),
            "r.csv.unfinished".to_owned(),
            format!("xr.csv.{dead_pid}.unfinished"),
            format!("r.csv.x.{dead_pid}.unfinished"),
        ];
        for name in &untouched {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let abandoned = folder.path().join(format!("r.csv.{dead_pid}.unfinished"));
        // A lock shows that its writer still runs, perhaps in another container.
        let writer = File::create(&abandoned).unwrap();
        writer.try_lock().unwrap();
        remove_abandoned(&file);
        assert!(abandoned.exists());
        drop(writer);
        remove_abandoned(&file);
        let mut untouched = untouched.to_vec();
        untouched.sort();
        assert_eq!(names_in(folder.path()), untouched);
        // A folder or a link with this name was not written by us.
        fs::create_dir(&abandoned).unwrap();
        remove_abandoned(&file);
        assert!(abandoned.exists());
        remove_abandoned(Path::new("/"));
    }

    #[test]
    fn old_drafts_of_dead_processes_in_the_folder_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let mut child = Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let (dead_pid, own_pid) = (child.id(), std::process::id());
        let [old, young, alive, locked] = [
            format!("monday.backup.{dead_pid}.unfinished"),
            format!("tuesday.backup.{dead_pid}.unfinished"),
            format!("monday.backup.{own_pid}.unfinished"),
            format!("wednesday.backup.{dead_pid}.unfinished"),
        ]
        .map(|name| folder.path().join(name));
        let others = ["monday.backup", "7.unfinished", ".7.unfinished"].map(|name| folder.path().join(name));
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
        for path in [&old, &alive, &locked].into_iter().chain(&others) {
            File::create(path).unwrap().set_modified(long_ago).unwrap();
        }
        File::create(&young).unwrap();
        let writer = File::open(&locked).unwrap();
        writer.try_lock().unwrap();
        remove_abandoned_in_folder_of(&folder.path().join("friday.backup"));
        assert!(!old.exists());
        assert!(
            [young, alive, locked].iter().chain(&others).all(|path| path.exists()),
            "{:?}",
            names_in(folder.path())
        );
    }
}
