//! The settings of an address, which is a URL or a string of keywords as in libpq, and of the environment.

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use crate::error::AddressError;

/// The settings used here, and the environment variables from which libpq takes those that the address lacks.
const VARIABLES: [(&str, &str); 21] = [
    ("channel_binding", "PGCHANNELBINDING"),
    ("connect_timeout", "PGCONNECT_TIMEOUT"),
    ("gssencmode", "PGGSSENCMODE"),
    ("host", "PGHOST"),
    ("hostaddr", "PGHOSTADDR"),
    ("passfile", "PGPASSFILE"),
    ("password", "PGPASSWORD"),
    ("port", "PGPORT"),
    ("requirepeer", "PGREQUIREPEER"),
    ("service", "PGSERVICE"),
    ("ssl_max_protocol_version", "PGSSLMAXPROTOCOLVERSION"),
    ("ssl_min_protocol_version", "PGSSLMINPROTOCOLVERSION"),
    ("sslcert", "PGSSLCERT"),
    ("sslcertmode", "PGSSLCERTMODE"),
    ("sslcrl", "PGSSLCRL"),
    ("sslcrldir", "PGSSLCRLDIR"),
    ("sslkey", "PGSSLKEY"),
    ("sslmode", "PGSSLMODE"),
    ("sslnegotiation", "PGSSLNEGOTIATION"),
    ("sslrootcert", "PGSSLROOTCERT"),
    ("sslsni", "PGSSLSNI"),
];

/// Settings by name. An empty value means libpq's default.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Settings(BTreeMap<String, String>);

impl std::fmt::Debug for Settings {
    // One of the values is the password.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Settings").field(&self.0.keys()).finish()
    }
}

/// The text after the scheme, if this is a URL.
pub(crate) fn url_body(address: &str) -> Option<&str> {
    address.strip_prefix("postgres://").or_else(|| address.strip_prefix("postgresql://"))
}

impl Settings {
    pub(crate) fn read(address: &str) -> Result<Self, AddressError> {
        let read = url_body(address).map_or_else(|| keywords(address), url);
        read.map(Self).ok_or(AddressError::Unreadable)
    }

    /// Adds settings that the address lacks from the environment.
    pub(crate) fn with_environment(mut self, variable: impl Fn(&str) -> Option<String>) -> Self {
        for (name, from) in VARIABLES {
            if let (false, Some(value)) = (self.0.contains_key(name), variable(from)) {
                self.0.insert(name.to_owned(), value);
            }
        }
        self
    }

    /// The value of a setting, unless it is empty.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    pub(crate) fn number(&self, name: &'static str) -> Result<Option<i64>, AddressError> {
        let invalid = || AddressError::Value { name, expected: "a whole number" };
        self.get(name).map(|text| text.trim().parse().map_err(|_| invalid())).transpose()
    }

    pub(crate) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.0.insert(name.to_owned(), value.into());
    }

    /// A URL that gives libpq the same settings.
    pub(crate) fn to_url(&self) -> String {
        let pairs =
            self.0.iter().map(|(name, value)| format!("{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC)));
        format!("postgres:///?{}", pairs.collect::<Vec<_>>().join("&"))
    }
}

type Pairs = BTreeMap<String, String>;

fn url(body: &str) -> Option<Pairs> {
    let mut pairs = Pairs::new();
    let (before, query) = body.split_once('?').unwrap_or((body, ""));
    let (authority, database) = before.split_once('/').unwrap_or((before, ""));
    let (login, hosts) = match authority.split_once('@') {
        Some((login, hosts)) => (login, hosts),
        None => ("", authority),
    };
    // An `@` here is part of a password. Error messages would quote the rest of it as the name of a host.
    if hosts.contains('@') {
        return None;
    }
    let (user, password) = login.split_once(':').unwrap_or((login, ""));
    let (names, ports) = host_lists(hosts)?;
    for (name, value) in
        [("user", user), ("password", password), ("host", &names), ("port", &ports), ("dbname", database)]
    {
        if !value.is_empty() {
            pairs.insert(name.to_owned(), decode(value)?);
        }
    }
    for option in query.split('&').filter(|option| !option.is_empty()) {
        let (name, value) = option.split_once('=')?;
        // The JDBC spelling, which libpq supports as well.
        let (name, value) = if option == "ssl=true" { ("sslmode", "require") } else { (name, value) };
        pairs.insert(decode(name)?, decode(value)?);
    }
    Some(pairs)
}

/// The list of names and the list of ports in `a:1,[::1]:2,c`.
fn host_lists(hosts: &str) -> Option<(String, String)> {
    let (mut names, mut ports) = (Vec::new(), Vec::new());
    for host in hosts.split(',') {
        let (name, rest) = match host.strip_prefix('[') {
            Some(bracketed) => bracketed.split_once(']')?,
            None => host.split_at(host.find(':').unwrap_or(host.len())),
        };
        names.push(name);
        ports.push(if rest.is_empty() { "" } else { rest.strip_prefix(':')? });
    }
    let has_ports = ports.iter().any(|port| !port.is_empty());
    Some((names.join(","), if has_ports { ports.join(",") } else { String::new() }))
}

fn decode(text: &str) -> Option<String> {
    let is_escaped = |rest: &str| {
        rest.get(..2).is_some_and(|pair| pair != "00" && pair.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    // libpq requires spaces to be escaped, too.
    if text.contains(char::is_whitespace) || !text.split('%').skip(1).all(is_escaped) {
        return None;
    }
    percent_decode_str(text).decode_utf8().ok().map(Cow::into_owned)
}

/// Parses `name = value` pairs. Values may be quoted, and a backslash escapes the next character.
fn keywords(text: &str) -> Option<Pairs> {
    let mut pairs = Pairs::new();
    let mut rest = text.trim_start();
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let (name, after) = rest.split_once('=')?;
        let name = name.trim_end();
        if name.is_empty() || name.contains(char::is_whitespace) {
            return None;
        }
        let (value, after) = keyword_value(after.trim_start())?;
        pairs.insert(name.to_owned(), value);
        rest = after.trim_start();
    }
    Some(pairs)
}

/// The value at the beginning of a text, and the text after it.
fn keyword_value(text: &str) -> Option<(String, &str)> {
    let quoted = text.strip_prefix('\'');
    let text = quoted.unwrap_or(text);
    let (mut value, mut characters) = (String::new(), text.char_indices());
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            '\'' if quoted.is_some() => return Some((value, &text[at + 1..])),
            space if space.is_whitespace() && quoted.is_none() => return Some((value, &text[at..])),
            other => value.push(other),
        }
    }
    quoted.is_none().then_some((value, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pairs: &[(&str, &str)]) -> Settings {
        Settings(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn addresses_are_parsed_as_in_libpq() {
        for (address, settings) in [
            (
                "postgres://u:p%40ss@h:1/d?sslmode=verify-full&sslrootcert=/a%20b",
                of(&[
                    ("user", "u"),
                    ("password", "p@ss"),
                    ("host", "h"),
                    ("port", "1"),
                    ("dbname", "d"),
                    ("sslmode", "verify-full"),
                    ("sslrootcert", "/a b"),
                ]),
            ),
            ("postgresql://a,b:2,[::1]:3", of(&[("host", "a,b,::1"), ("port", ",2,3")])),
            ("postgres://%2Frun%2Fpg/d", of(&[("host", "/run/pg"), ("dbname", "d")])),
            (
                "postgres:///d?host=a&port=1&ssl=true",
                of(&[("dbname", "d"), ("host", "a"), ("port", "1"), ("sslmode", "require")]),
            ),
            ("postgres://u@h?host=other", of(&[("user", "u"), ("host", "other")])),
            (
                " host = h password='a \\'b\\\\' user=x\\ y dbname= ",
                of(&[("host", "h"), ("password", "a 'b\\"), ("user", "x y"), ("dbname", "")]),
            ),
        ] {
            let read = Settings::read(address).unwrap();
            assert_eq!(read.0, settings.0, "{address}");
            assert_eq!(Settings::read(&read.to_url()).unwrap().0, settings.0, "{address}");
        }
    }

    #[test]
    fn addresses_invalid_in_libpq_are_refused_without_quoting_them() {
        for address in [
            "",
            "work",
            "host",
            "postgres://[::1/d",
            "postgres://h/d?x",
            "postgres://h/%zz",
            "host='a",
            "postgres://h/%00",
            "postgres://u:a b@h",
            "postgres://u:a@b@h",
        ] {
            assert!(matches!(Settings::read(address), Err(AddressError::Unreadable)), "{address}");
        }
        assert!(!format!("{:?}", Settings::read("host=h password=secret").unwrap()).contains("secret"));
    }

    #[test]
    fn the_environment_adds_missing_settings() {
        let read = Settings::read("postgres://h/d?sslmode=disable").unwrap();
        let complete =
            read.with_environment(|name| ["PGSSLMODE", "PGSSLROOTCERT"].contains(&name).then(|| name.to_owned()));
        assert_eq!((complete.get("sslmode"), complete.get("sslrootcert")), (Some("disable"), Some("PGSSLROOTCERT")));
    }
}
