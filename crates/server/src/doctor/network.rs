//! Network connections: the public address, the mail server, Redis, and receivers of webhooks.

use std::net::IpAddr;

use email::{Authorities, SmtpTransport, SmtpUrl};
use limiter::{RedisCheckError, RedisLimiter};
use url::{Host, Url};

use super::finding::or_ok;
use super::http::{self, Responder, block_on};
use super::{Finding, Installation};
use crate::config::{Config, checks::is_address_of_site};
use crate::exposure;

pub(super) fn public_url(installation: &Installation) -> Vec<Finding> {
    let config = &installation.config;
    let url = match Url::parse(&config.public_url) {
        Ok(url) if is_address_of_site(&url) => url,
        // Derived from the bind address.
        _ => {
            let message = format!("{} is not an address that users can open", config.public_url);
            return vec![Finding::error(
                message,
                "set SERVICE_PUBLIC_URL to the address that users open, e.g. https://work.example.com",
            )];
        }
    };
    let mut findings = Vec::new();
    if is_ip(&url, |address| address.is_unspecified()) {
        let message = format!("links in e-mails begin with {url}, which cannot be opened");
        findings.push(Finding::warning(message, "set SERVICE_PUBLIC_URL to the address that users open"));
    }
    if exposure::is_exposed(&config.bind, &config.public_url) {
        let message = format!("other machines can reach {} without https: {}", config.bind, exposure::RISK);
        findings.push(Finding::warning(message, exposure::CURE));
    } else if url.scheme() != "https" && !is_loopback(&url) {
        findings.push(Finding::warning(
            format!("{url} does not use https: passwords and keys can be read in transit"),
            "put a proxy with a certificate in front of the service, and set SERVICE_PUBLIC_URL to its https:// address",
        ));
    }
    findings.push(check_response(config, &url));
    findings
}

fn check_response(config: &Config, url: &Url) -> Finding {
    if !http::probe(&format!("http://{}", config.bind)).is_ok_and(|responder| responder == Responder::Service) {
        return Finding::not_checked(format!("{url} was not checked, because the service is not running"));
    }
    let cure = "correct SERVICE_PUBLIC_URL, its DNS name or the proxy so that they lead to the service";
    match http::probe(url.as_str()) {
        Ok(Responder::Service) => Finding::ok(format!("the service answers at {url}")),
        Ok(Responder::Other(status)) => {
            Finding::error(format!("something else answers at {url}healthz, with status {status}"), cure)
        }
        Err(error) => Finding::error(format!("the service does not answer at {url}: {error:#}"), cure),
    }
}

/// Whether the host is an IP address with this property.
fn is_ip(url: &Url, predicate: impl Fn(IpAddr) -> bool) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => predicate(address.into()),
        Some(Host::Ipv6(address)) => predicate(address.into()),
        _ => false,
    }
}

/// Whether only this machine can open the URL.
fn is_loopback(url: &Url) -> bool {
    is_ip(url, |address| address.is_loopback())
        || url.domain().is_some_and(|name| name == "localhost" || name.ends_with(".localhost"))
}

pub(super) fn webhooks(installation: &Installation) -> Vec<Finding> {
    let (config, mut findings) = (&installation.config, Vec::new());
    let is_public = Url::parse(&config.public_url).is_ok_and(|url| !is_loopback(&url));
    if config.targets.allows_http && is_public {
        findings.push(Finding::warning(
            "webhooks may go to http:// addresses: their content can be read in transit",
            "unset SERVICE_WEBHOOK_ALLOW_HTTP, and give receivers https:// addresses",
        ));
    }
    if config.targets.allows_private_networks && is_public {
        findings.push(Finding::warning(
            "webhooks may go to private and local addresses: anyone who manages webhooks can reach the network of this machine",
            "unset SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS, unless you trust everyone who manages webhooks",
        ));
    }
    or_ok(findings, if is_public { "webhooks go to public https addresses only" } else { "the service is not public" })
}

pub(super) fn mail_server(installation: &Installation) -> Vec<Finding> {
    let config = &installation.config;
    let Some(url) = &config.smtp_url else {
        let message =
            format!("none is set: e-mails are written to files in {}", config.data_dir.join("mails").display());
        return vec![match &config.database_url {
            Some(_) => {
                Finding::warning(message, "set SERVICE_SMTP_URL, e.g. smtp://user:password@mail.example.com:587")
            }
            None => Finding::ok(message),
        }];
    };
    let check = || {
        let url = SmtpUrl::parse(&url.0)?;
        let authorities = config.smtp_ca_file.as_deref().map(Authorities::read).transpose()?.unwrap_or_default();
        let transport = SmtpTransport::new(&url, &config.mail_from, &authorities)?;
        block_on(async { transport.check().await.map_err(anyhow::Error::msg) })
    };
    vec![match check() {
        Ok(()) => Finding::ok("the mail server accepts e-mails from the service"),
        Err(error) => Finding::error(
            format!("no e-mail can be sent: {error:#}"),
            "set SERVICE_SMTP_URL (and SERVICE_SMTP_CA_FILE, SERVICE_MAIL_FROM) to what the mail server requires, and try again",
        ),
    }]
}

pub(super) fn redis(installation: &Installation) -> Vec<Finding> {
    let Some(url) = &installation.config.redis_url else {
        return vec![Finding::ok("none is set: this instance counts its own requests")];
    };
    let result = block_on(async { anyhow::Ok(RedisLimiter::check(&url.0).await) });
    vec![match result {
        Ok(Ok(())) => Finding::ok("Redis answers"),
        Ok(Err(error @ RedisCheckError::Address(_))) => {
            Finding::error(error.to_string(), "set SERVICE_REDIS_URL, e.g. redis://redis.example.com:6379")
        }
        Ok(Err(error)) => Finding::error(
            format!("{error}; each instance counts its own requests"),
            "start Redis or correct SERVICE_REDIS_URL; if you have no Redis, unset SERVICE_REDIS_URL",
        ),
        Err(error) => Finding::error(format!("{error:#}"), "try again"),
    }]
}
