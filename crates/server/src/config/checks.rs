//! Checks values that the service uses only later, so that `doctor` and every command refuse invalid ones at once.

use anyhow::{Context, ensure};
use telemetry::log_context::LogFormat;
use url::Url;

use super::Config;

/// `is_configured` means that the public URL was configured, not derived from the bind address.
pub(super) fn check(config: &Config, is_configured: bool) -> anyhow::Result<()> {
    telemetry::log_context::logger("", &config.log, LogFormat::default())
        .context("log (SERVICE_LOG) is not a valid filter, e.g. info or warn,request=info")?;
    telemetry::traces::check()?;
    ensure!(
        config.database_url.is_some() || std::env::var_os("DATABASE_URL").is_none_or(|value| !value.is_empty()),
        "DATABASE_URL is empty: set it to postgres://user:password@host:port/database, or unset it for the embedded database"
    );
    if is_configured {
        // The URL is not shown, because it may contain a password.
        ensure!(
            Url::parse(&config.public_url).is_ok_and(|url| is_address_of_site(&url)),
            "public_url (SERVICE_PUBLIC_URL) must be the address that users open, such as https://work.example.com, without \
             a user name, password, query or fragment"
        );
    }
    Ok(())
}

/// Whether links can begin with it.
pub(crate) fn is_address_of_site(url: &Url) -> bool {
    let has_more =
        url.query().is_some() || url.fragment().is_some() || !url.username().is_empty() || url.password().is_some();
    ["http", "https"].contains(&url.scheme()) && url.host().is_some() && !has_more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_begin_with_the_address_of_a_site() {
        for (address, is_site) in [
            ("https://work.example.com", true),
            ("http://127.0.0.1:8080/work/", true),
            ("work.example.com", false),
            ("ftp://work.example.com", false),
            ("https://", false),
            ("https://user:hunter2@work.example.com", false),
            ("https://work.example.com/?a=b", false),
            ("https://work.example.com/#a", false),
        ] {
            assert_eq!(Url::parse(address).is_ok_and(|url| is_address_of_site(&url)), is_site, "{address}");
        }
    }
}
