//! The settings of the server. They are passed on its command line at every start, so that the files of the cluster contain no
//! settings of ours that could become outdated.

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
    /// Nothing survives a crash. Fast, and only for tests.
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

/// Keeps values of statements out of the log, where an erasure would not find them. Errors are logged without DETAIL, CONTEXT, HINT
/// and statement, and so are waits for locks. Logging of statements and parameters is off, whatever the cluster's files say.
const NO_VALUES_IN_LOG: [(&str, &str); 11] = [
    ("log_error_verbosity", "terse"),
    ("log_min_error_statement", "panic"),
    ("log_min_messages", "warning"),
    ("log_statement", "none"),
    ("log_duration", "off"),
    ("log_min_duration_statement", "-1"),
    ("log_min_duration_sample", "-1"),
    ("log_transaction_sample_rate", "0"),
    ("log_parameter_max_length_on_error", "0"),
    ("log_lock_waits", "off"),
    ("log_temp_files", "-1"),
];

const THROWAWAY: [(&str, &str); 6] = [
    ("shared_buffers", "128MB"),
    ("max_connections", "300"),
    ("fsync", "off"),
    ("synchronous_commit", "off"),
    ("full_page_writes", "off"),
    ("autovacuum", "off"),
];

/// How often autovacuum looks for tables with many changes. A new workspace fills its tables within minutes, and until they are
/// analysed, lists are planned without statistics.
const AUTOVACUUM: (&str, &str) = ("autovacuum_naptime", "10s");

/// `-c name=value` for each setting. The last one wins, so the settings that keep the server private come last, except in tests.
pub(crate) fn arguments(durability: Durability, extra: &[(String, String)], socket_dir: &Path) -> Vec<OsString> {
    let shared_buffers = shared_buffers();
    let full = [("shared_buffers", shared_buffers.as_str()), ("max_connections", "100"), AUTOVACUUM];
    let durability_settings: &[(&str, &str)] = match durability {
        Durability::Full => &full,
        Durability::Throwaway => &THROWAWAY,
    };
    let extra = extra.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let port = PORT.to_string();
    let private = [("listen_addresses", ""), ("port", port.as_str())];
    let private: Vec<_> = private.into_iter().chain(NO_VALUES_IN_LOG).collect();
    let (first, last): (Vec<_>, Vec<_>) = match durability {
        Durability::Full => (extra.collect(), private),
        Durability::Throwaway => (private, extra.collect()),
    };
    let mut arguments: Vec<OsString> = Vec::new();
    for (name, value) in COMMON.iter().chain(durability_settings).copied().chain(first).chain(last) {
        arguments.extend(["-c".into(), format!("{name}={value}").into()]);
    }
    arguments.extend(["-c".into(), socket_directories(socket_dir)]);
    arguments
}

/// The setting is a list, so the path is quoted in case it has a comma or a space.
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
    fn the_socket_folder_is_quoted() {
        assert_eq!(socket_directories(Path::new("/a, \"b\"/c")), "unix_socket_directories=\"/a, \"\"b\"\"/c\"");
    }

    #[test]
    fn settings_of_the_caller_cannot_open_the_server_or_its_log() {
        for (name, given, wanted) in [("listen_addresses", "*", ""), ("log_error_verbosity", "verbose", "terse")] {
            let extra = [(name.to_owned(), given.to_owned())];
            let arguments = arguments(Durability::Full, &extra, Path::new("/s"));
            let last =
                arguments.iter().rfind(|argument| argument.as_bytes().starts_with(format!("{name}=").as_bytes()));
            assert_eq!(last.unwrap(), format!("{name}={wanted}").as_str());
        }
    }

    #[test]
    fn only_throwaway_clusters_disable_fsync() {
        let has_fsync_off =
            |durability| arguments(durability, &[], Path::new("/s")).contains(&OsString::from("fsync=off"));
        assert!(!has_fsync_off(Durability::Full));
        assert!(has_fsync_off(Durability::Throwaway));
    }
}
