//! Whether the addresses to listen on are free.

use std::io::ErrorKind;
use std::net::TcpListener;

use telemetry::admin::AdminBind;

use super::http::{self, Responder};
use super::{Finding, Installation};
use crate::config::DEFAULT_ADMIN_BIND;

pub(super) fn check(installation: &Installation) -> Vec<Finding> {
    let config = &installation.config;
    let mut findings = vec![listen(&config.bind, "SERVICE_BIND", true)];
    findings.extend(match &config.admin_bind {
        AdminBind::Off => None,
        AdminBind::Default(_) => Some(listen(DEFAULT_ADMIN_BIND, "SERVICE_ADMIN_BIND", false)),
        AdminBind::Named(address) => Some(listen(address, "SERVICE_ADMIN_BIND", true)),
    });
    findings
}

/// Tries to listen for a moment.
fn listen(address: &str, setting: &str, is_required: bool) -> Finding {
    let Err(error) = TcpListener::bind(address) else {
        return Finding::ok(format!("{address} ({setting}) is free"));
    };
    if error.kind() != ErrorKind::AddrInUse {
        return Finding::error(
            format!("cannot listen on {address} ({setting}): {error}"),
            format!("set {setting} to an address of this machine and a port that this account may use"),
        );
    }
    if http::probe(&format!("http://{address}")).is_ok_and(|responder| responder == Responder::Service) {
        return Finding::warning(
            format!("{address} ({setting}) is in use by a running workspace-service"),
            "nothing to do if it is this installation; otherwise set another address",
        );
    }
    let (message, cure) = (
        format!("{address} ({setting}) is in use by another program"),
        format!("stop that program (`ss -ltnp` shows it), or set {setting} to another address"),
    );
    if is_required { Finding::error(message, cure) } else { Finding::warning(message, cure) }
}
