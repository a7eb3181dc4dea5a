//! The command line and the environment.

use std::collections::BTreeSet;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};
use hyper::header::HeaderValue;
use thiserror::Error;

use crate::api_key::ApiKey;
use crate::api_url::{ApiUrl, ApiUrlError};

/// Offers an AI client the tools that the service lists for an API key, over standard input and output.
#[derive(Debug, Parser)]
#[command(name = "service-mcp", version = env!("VERSION_AND_COMMIT"))]
pub(crate) struct Cli {
    /// API key. Prefer the environment variable: process lists show arguments.
    #[arg(long, env = "SERVICE_MCP_API_KEY", value_name = "KEY", hide_env_values = true, value_parser = api_key)]
    api_key: Option<ApiKey>,
    /// Base URL of the service, https:// or http://.
    #[arg(
        long,
        env = "SERVICE_MCP_API_URL",
        value_name = "URL",
        hide_env_values = true,
        default_value = "http://127.0.0.1:8080"
    )]
    api_url: String,
    /// Offer only the tools of these features, such as crm,projects.
    #[arg(long, value_name = "FEATURES", value_delimiter = ',')]
    features: Vec<String>,
    /// Offer only read-only tools; calls to other tools are rejected locally.
    #[arg(long)]
    read_only: bool,
}

/// The configuration of the adapter.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) key: ApiKey,
    /// The value of the `Authorization` header.
    pub(crate) bearer: HeaderValue,
    pub(crate) api_url: ApiUrl,
    pub(crate) limits: Limits,
}

/// Which of the listed tools are offered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    /// All features if empty.
    pub(crate) features: BTreeSet<String>,
    pub(crate) read_only: bool,
}

/// Why the adapter cannot start.
#[derive(Debug, Error)]
pub(crate) enum OptionsError {
    /// An error in the command line.
    #[error("{0}")]
    Usage(String),
    #[error("{0}")]
    HelpRequested(clap::Error),
    #[error("no API key: set SERVICE_MCP_API_KEY or --api-key")]
    NoKey,
    #[error("the API key is malformed: it contains a space, a line break or another invalid character")]
    MalformedKey,
    #[error("--features is empty: list some, such as crm,projects, or omit the option to offer all")]
    NoFeature,
    #[error("--api-url is invalid: {0}")]
    ApiUrl(#[from] ApiUrlError),
}

/// Never fails, because clap would repeat a rejected value.
#[expect(clippy::unnecessary_wraps, reason = "clap requires a result")]
fn api_key(text: &str) -> Result<ApiKey, std::convert::Infallible> {
    Ok(ApiKey::new(text))
}

impl Options {
    /// Parses the process arguments, the first of which is the name of the binary.
    pub(crate) fn read(arguments: impl Iterator<Item = std::ffi::OsString>) -> Result<Self, OptionsError> {
        let cli = parse(arguments).map_err(usage_error)?;
        let key = cli.api_key.filter(|key| !key.is_empty()).ok_or(OptionsError::NoKey)?;
        let bearer = key.bearer().ok_or(OptionsError::MalformedKey)?;
        let features: BTreeSet<String> =
            cli.features.iter().map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect();
        if features.is_empty() && !cli.features.is_empty() {
            // An empty variable must not offer all features.
            return Err(OptionsError::NoFeature);
        }
        let limits = Limits { features, read_only: cli.read_only };
        Ok(Self { key, bearer, api_url: ApiUrl::parse(&cli.api_url)?, limits })
    }
}

/// Flags override variables, and empty variables count as unset.
fn parse(arguments: impl Iterator<Item = std::ffi::OsString>) -> Result<Cli, clap::Error> {
    let is_empty = |name: &std::ffi::OsStr| std::env::var_os(name).is_some_and(|value| value.is_empty());
    let command = Cli::command()
        .mut_args(|argument| if argument.get_env().is_some_and(is_empty) { argument.env(None) } else { argument });
    Cli::from_arg_matches(&command.try_get_matches_from(arguments)?)
}

/// clap's message, unless it would repeat an argument, which could be a misplaced key.
fn usage_error(error: clap::Error) -> OptionsError {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => OptionsError::HelpRequested(error),
        ErrorKind::UnknownArgument => {
            let name = match error.get(ContextKind::InvalidArg) {
                Some(ContextValue::String(name)) if name.starts_with("--") => name.split('=').next(),
                _ => None,
            };
            OptionsError::Usage(format!("unexpected argument {}; see --help", name.unwrap_or("(not shown)")))
        }
        ErrorKind::TooManyValues | ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            OptionsError::Usage("the command line is invalid; see --help".to_owned())
        }
        _ => OptionsError::Usage(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Options, OptionsError> {
        let all = std::iter::once("service-mcp").chain(arguments.iter().copied());
        Options::read(all.map(std::ffi::OsString::from))
    }

    #[test]
    fn features_are_a_list_and_the_key_is_never_shown() {
        let options = read(&["--api-key", "svc_marker", "--features", "crm, projects,", "--read-only"]).unwrap();
        assert_eq!(options.limits.features, ["crm", "projects"].map(str::to_owned).into());
        assert!(options.limits.read_only);
        assert_eq!(options.api_url.to_string(), "http://127.0.0.1:8080");
        assert!(!format!("{options:?}").contains("marker"));
    }

    #[test]
    fn errors_repeat_no_value() {
        for arguments in [
            &["svc_marker"][..],
            &["--apikey=svc_marker"],
            &["--read-only=svc_marker", "--api-key", "a"],
            &["--api-key", "svc_marker "],
            &["--api-key", "svc_a", "--api-url", "https://user:svc_marker@example.com"],
            &["--api-key", "svc_a", "--api-url", "svc_marker"],
            &["--api-key", "svc_marker", "--api-key", "svc_marker"],
        ] {
            let error = read(arguments).unwrap_err();
            assert!(!format!("{error} {error:?}").contains("marker"), "{error}");
        }
        assert!(read(&["--apikey=x"]).unwrap_err().to_string().contains("unexpected argument --apikey;"));
    }
}
