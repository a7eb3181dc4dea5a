//! The limit on open files of the process. Each connection is an open file.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Files for everything except client connections: the database, webhooks, e-mail, the log.
const OTHER_FILES: u64 = 512;

/// Raises the limit as far as the system allows. Returns how many client connections fit, at most `requested`.
pub(crate) fn connection_capacity(requested: usize) -> usize {
    let limit = getrlimit(Resource::Nofile);
    // Errors are ignored: the result shows what was granted.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
    let Some(files) = getrlimit(Resource::Nofile).current else { return requested };
    let capacity = usize::try_from(files.saturating_sub(OTHER_FILES).max(files / 2)).unwrap_or(usize::MAX);
    if capacity < requested {
        log::warn!(
            "accepting at most {capacity} connections instead of {requested}: the process can open only {files} files; \
             raise that limit (ulimit -n) or lower SERVICE_MAX_CONNECTIONS"
        );
    }
    requested.min(capacity)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_files_for_the_rest() {
        let files = getrlimit(Resource::Nofile).maximum.unwrap_or(u64::MAX);
        assert_eq!(connection_capacity(1), 1);
        let most = connection_capacity(usize::MAX);
        assert!(most > 0 && most as u64 <= files, "{most} of {files}");
    }
}
