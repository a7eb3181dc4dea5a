//! How child programs such as `pg_dump` learn the address of the database.

use std::process::{Child, Command};

use anyhow::{Context, ensure};
use percent_encoding::percent_decode_str;

use crate::config_args::SECRETS;

/// Variables that may be secret, in addition to the settings. Those of traces have standard names.
const WITHHELD: [&str; 3] =
    [super::PASSPHRASE_VARIABLE, "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];

/// Tells a program where the database is. The password goes into the environment, because arguments show in process lists.
pub(crate) fn connect(command: &mut Command, database_url: &str) -> anyhow::Result<()> {
    let (address, password) = without_password(database_url)
        .context("backup and restore need a DATABASE_URL of the form postgres://user:password@host/database")?;
    command.arg("--dbname").arg(address).arg("--no-password");
    // Postgres programs do not need the secrets of the service.
    for name in SECRETS.iter().map(|secret| secret.variable).chain(WITHHELD) {
        command.env_remove(name);
    }
    if let Some(password) = password {
        command.env("PGPASSWORD", password);
    }
    Ok(())
}

/// A child process that is killed on drop.
pub(crate) struct KillOnDrop(pub(crate) Child);

impl KillOnDrop {
    pub(crate) fn finish(&mut self, name: &str) -> anyhow::Result<()> {
        let status = self.0.wait().with_context(|| format!("cannot wait for {name}"))?;
        ensure!(status.success(), "{name} failed: {status}; see its output above");
        Ok(())
    }
}

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // Neither affects a process that has exited.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn without_password(url: &str) -> Option<(String, Option<String>)> {
    let (scheme, rest) = url.split_once("://").filter(|(scheme, _)| ["postgres", "postgresql"].contains(scheme))?;
    let (base, query) = rest.split_once('?').map_or((rest, None), |(base, query)| (base, Some(query)));
    let (authority, path) = base.find('/').map_or((base, ""), |index| base.split_at(index));
    let (user, hosts) = authority.rsplit_once('@').map_or((None, authority), |(user, hosts)| (Some(user), hosts));
    let (user, mut password) = match user.map(|user| user.split_once(':').unwrap_or((user, ""))) {
        Some((user, password)) => (format!("{user}@"), (!password.is_empty()).then_some(password)),
        None => (String::new(), None),
    };
    let (mut options, query) = (Vec::new(), query.unwrap_or_default());
    for option in query.split('&').filter(|option| !option.is_empty()) {
        match option.strip_prefix("password=") {
            Some(value) => password = Some(value),
            None => options.push(option),
        }
    }
    let query = if options.is_empty() { String::new() } else { format!("?{}", options.join("&")) };
    let password = password.map(|text| percent_decode_str(text).decode_utf8().map(std::borrow::Cow::into_owned));
    Some((format!("{scheme}://{user}{hosts}{path}{query}"), password.transpose().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_removed_from_the_environment() {
        let mut command = Command::new("pg_dump");
        connect(&mut command, "postgres://u:pw@h/d").unwrap();
        let changed: Vec<_> = command.get_envs().map(|(name, value)| (name.to_str().unwrap(), value)).collect();
        for name in ["DATABASE_URL", "SERVICE_DATABASE_DIRECT_URL", "SERVICE_SMTP_URL", "SERVICE_BACKUP_PASSPHRASE"] {
            assert!(changed.contains(&(name, None)), "{name}: {changed:?}");
        }
    }

    #[test]
    fn the_password_is_removed_from_the_address() {
        for (url, address, password) in [
            ("postgres://u:p%40ss@h:1,i:2/d?sslmode=require", "postgres://u@h:1,i:2/d?sslmode=require", Some("p@ss")),
            ("postgresql://h/d?password=x&a=b", "postgresql://h/d?a=b", Some("x")),
            ("postgres://postgres@%2Ftmp%2Fs:5432/postgres", "postgres://postgres@%2Ftmp%2Fs:5432/postgres", None),
        ] {
            assert_eq!(without_password(url), Some((address.to_owned(), password.map(ToOwned::to_owned))));
        }
        assert_eq!(without_password("host=h password=x"), None);
    }
}
