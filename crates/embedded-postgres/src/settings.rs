//! The settings that the server is started with. They are passed on its command line at every start, so that the files
//! of the cluster contain no settings of ours that could become outdated.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use crate::shared_buffers::shared_buffers;
use crate::socket::PORT;

/// How durable the cluster's content must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Committed data survives a crash of the machine.
    Full,
    /// Nothing survives a crash: as fast as possible, only for tests.
    Throwaway,
}

const COMMON: [(&str, &str); 6] = [
    ("unix_socket_permissions", "0700"),
    ("timezone", "UTC"),
    ("log_timezone", "UTC"),
    // JIT compilation of short statements costs more than it saves.
    ("jit", "off"),
    ("log_checkpoints", "off"),
    ("logging_collector", "off"),
];

const THROWAWAY: [(&str, &str); 6] = [
    ("shared_buffers", "128MB"),
    ("max_connections", "300"),
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("autovacuum", "off"),
];

/// How often tables are looked at that changed much. A new workspace fills tables within minutes, and until they were analysed,
/// lists are planned without statistics.
const AUTOVACUUM: (&str, &str) = ("autovacuum_naptime", "10s");

/// `-c name=value` for each setting; later ones win, so those that keep the server private come last. Tests may open theirs.
pub(crate) fn arguments(durability: Durability, extra: &[(String, String)], socket_dir: &Path) -> Vec<OsString> {
    let shared_buffers = shared_buffers();
    let full = [("shared_buffers", shared_buffers.as_str()), ("max_connections", "100"), AUTOVACUUM];
    let own: &[(&str, &str)] = match durability {
        Durability::Full => &full,
        Durability::Throwaway => &THROWAWAY,
    };
    let extra = extra.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let port = PORT.to_string();
    let private = [("listen_addresses", ""), ("port", port.as_str())];
    let (first, last): (Vec<_>, Vec<_>) = match durability {
        Durability::Full => (extra.collect(), private.to_vec()),
        Durability::Throwaway => (private.to_vec(), extra.collect()),
    };
    let mut arguments: Vec<OsString> = Vec::new();
    for (name, value) in COMMON.iter().chain(own).copied().chain(first).chain(last) {
        arguments.extend(["-c".into(), format!("{name}={value}").into()]);
    }
    arguments.extend(["-c".into(), socket_directories(socket_dir)]);
    arguments
}

/// The setting is a list: quotes keep a comma or a space in the path from splitting it.
fn socket_directories(dir: &Path) -> OsString {
    let mut value = b"unix_socket_directories=\"".to_vec();
    for byte in dir.as_os_str().as_bytes() {
        if *byte == b'"' {
            value.push(b'"');
        }
        value.push(*byte);
    }
    value.push(b'"');
    OsString::from_vec(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_the_socket_folder() {
        assert_eq!(socket_directories(Path::new("/a, \"b\"/c")), "unix_socket_directories=\"/a, \"\"b\"\"/c\"");
    }

    #[test]
    fn no_setting_of_the_caller_opens_the_server() {
        let extra = [("listen_addresses".to_owned(), "*".to_owned())];
        let arguments = arguments(Durability::Full, &extra, Path::new("/s"));
        let last = arguments.iter().rfind(|argument| argument.as_bytes().starts_with(b"listen_addresses="));
        assert_eq!(last.unwrap(), "listen_addresses=");
    }

    #[test]
    fn only_throwaway_gives_up_fsync() {
        let has_fsync_off =
            |durability| arguments(durability, &[], Path::new("/s")).contains(&OsString::from("fsync=off"));
        assert!(!has_fsync_off(Durability::Full));
        assert!(has_fsync_off(Durability::Throwaway));
    }
}
