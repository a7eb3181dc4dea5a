//! Secrets from environment variables, or from files that variables name.

use std::ffi::OsStr;
use std::path::PathBuf;

/// The largest file that is read, far larger than any key or address.
const MAX_BYTES: u64 = 64 * 1024;

/// A secret cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SecretVariableError {
    #[error("{name} and {name}_FILE are both set; set one of them")]
    SetTwice { name: String },
    #[error("{name}_FILE names {path}, which cannot be read: {cause}")]
    Unreadable { name: String, path: PathBuf, cause: std::io::Error },
    #[error("{name}_FILE names {path}, which is empty or larger than 64 KiB; it must contain only the value")]
    NotASecret { name: String, path: PathBuf },
}

/// Whether a variable is empty, which counts as unset: container files pass variables on even if they are unset.
pub fn is_empty_variable(name: &OsStr) -> bool {
    std::env::var_os(name).is_some_and(|value| value.is_empty())
}

/// The value of the variable `name`, or the content of the file that `{name}_FILE` names, without white space around it.
/// Empty variables count as unset.
///
/// # Errors
/// If both are set, or the file cannot be read. No error repeats the value.
pub fn secret_variable(name: &str) -> Result<Option<String>, SecretVariableError> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let from_file = variable(&format!("{name}_FILE")).map(PathBuf::from);
    secret(name, variable(name).map(|value| value.to_string_lossy().into_owned()), from_file)
}

fn secret(name: &str, value: Option<String>, file: Option<PathBuf>) -> Result<Option<String>, SecretVariableError> {
    let name = name.to_owned();
    let path = match (value, file) {
        (Some(_), Some(_)) => return Err(SecretVariableError::SetTwice { name }),
        (value, None) => return Ok(value),
        (None, Some(path)) => path,
    };
    let read = || {
        let size = std::fs::metadata(&path)?.len();
        if size > MAX_BYTES { Ok(String::new()) } else { std::fs::read_to_string(&path) }
    };
    match read() {
        Err(cause) => Err(SecretVariableError::Unreadable { name, path, cause }),
        Ok(text) if value_in(&text).is_empty() => Err(SecretVariableError::NotASecret { name, path }),
        Ok(text) => Ok(Some(value_in(&text).to_owned())),
    }
}

/// The value without the byte order mark that some editors put first.
fn value_in(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    #[test]
    fn a_secret_is_the_variable_or_the_content_of_the_file() {
        assert_eq!(secret("KEY", None, None).unwrap(), None);
        assert_eq!(secret("KEY", Some(" a ".into()), None).unwrap().as_deref(), Some(" a "));
        for text in ["abc=\n", "\u{feff}abc=\r\n"] {
            let (_folder, path) = file(text);
            assert_eq!(secret("KEY", None, Some(path)).unwrap().as_deref(), Some("abc="));
        }
    }

    #[test]
    fn errors_name_the_variable_but_not_its_content() {
        let (_folder, path) = file("hunter2");
        let twice = secret("KEY", Some("hunter2".into()), Some(path)).unwrap_err().to_string();
        assert_eq!(twice, "KEY and KEY_FILE are both set; set one of them");
        let missing = secret("KEY", None, Some("/nowhere/secret".into())).unwrap_err().to_string();
        assert!(missing.contains("KEY_FILE") && missing.contains("/nowhere/secret"), "{missing}");
        let unreadable = secret("KEY", None, Some("/nowhere/secret".into())).unwrap_err();
        assert!(std::error::Error::source(&unreadable).is_none(), "the text has the reason already");
        for content in [" \n".to_owned(), "x".repeat(70_000)] {
            let (_folder, path) = file(&content);
            let error = secret("KEY", None, Some(path)).unwrap_err().to_string();
            assert!(error.contains("KEY_FILE") && !error.contains("xxx"), "{error}");
        }
    }
}
