//! Adapts the password file: libpq looks up hosts in it, and behind the tunnel they have other names.

use std::fs;
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use crate::error::AddressError;
use crate::hosts::Host;
use crate::settings::Settings;

/// Permissions of others. libpq ignores a file that has any of them.
const FORBIDDEN_BITS: u32 = 0o077;

/// Writes a password file for the tunnel's sockets, if libpq would use one. `places` are hosts and the folders of their sockets.
pub(crate) fn translate(
    settings: &Settings,
    folders: &[(&Host, PathBuf)],
    into: &Path,
) -> Result<Option<PathBuf>, AddressError> {
    if settings.get("password").is_some() {
        return Ok(None);
    }
    let default = || std::env::var_os("HOME").map(|home| Path::new(&home).join(".pgpass"));
    let Some(from) = settings.get("passfile").map(PathBuf::from).or_else(default) else { return Ok(None) };
    // libpq ignores a file that is missing or that others may read.
    let is_private = |metadata: fs::Metadata| metadata.is_file() && metadata.permissions().mode() & FORBIDDEN_BITS == 0;
    if !fs::metadata(&from).is_ok_and(is_private) {
        return Ok(None);
    }
    let text = fs::read_to_string(&from).map_err(|error| AddressError::File {
        name: "passfile",
        path: from.clone(),
        reason: error.to_string(),
    })?;
    let path = into.join("pgpass");
    let failed = |cause| AddressError::Folder { what: "write the password file", path: into.to_owned(), cause };
    let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path).map_err(failed)?;
    file.write_all(translate_text(&text, folders).as_bytes()).map_err(failed)?;
    Ok(Some(path))
}

/// Repeats every line of a host for the folder of its socket.
fn translate_text(text: &str, folders: &[(&Host, PathBuf)]) -> String {
    let mut lines = String::new();
    for line in text.lines() {
        let (host, rest) = line.split_at(end_of_field(line));
        for (target, folder) in folders {
            if unescape(host) == target.name {
                lines.push_str(&escape(&folder.display().to_string()));
                lines.push_str(rest);
                lines.push('\n');
            }
        }
        lines.push_str(line);
        lines.push('\n');
    }
    lines
}

/// The offset of the first colon without a backslash.
fn end_of_field(line: &str) -> usize {
    let mut is_escaped = false;
    let end = line.find(|character| {
        let ends = character == ':' && !is_escaped;
        is_escaped = character == '\\' && !is_escaped;
        ends
    });
    end.unwrap_or(line.len())
}

fn unescape(field: &str) -> String {
    let mut characters = field.chars();
    std::iter::from_fn(|| match characters.next() {
        Some('\\') => characters.next(),
        other => other,
    })
    .collect()
}

fn escape(field: &str) -> String {
    field.replace('\\', "\\\\").replace(':', "\\:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_host_are_repeated_for_its_folder() {
        let host = |name: &str| Host { name: name.to_owned(), address: None, port: 5432 };
        let (named, numbered) = (host("db.example.com"), host("::1"));
        let folders = [(&named, "/t/db.example.com".into()), (&numbered, "/t/::1".into())];
        let text = "# mine\nother:*:*:*:x\ndb.example.com:5432:d:u:a\\:b\n\\:\\:1:*:*:*:y\n*:*:*:*:z\n";
        let expected = "# mine\nother:*:*:*:x\n/t/db.example.com:5432:d:u:a\\:b\ndb.example.com:5432:d:u:a\\:b\n\
                      /t/\\:\\:1:*:*:*:y\n\\:\\:1:*:*:*:y\n*:*:*:*:z\n";
        assert_eq!(translate_text(text, &folders), expected);
    }
}
