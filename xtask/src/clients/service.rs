//! Starts a service for one run in its own directory.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::json;
use test_support::program::{Program, Service};
use test_support::request::{bearer, request};

/// Requests per minute, far more than a run sends.
const REQUESTS_PER_MINUTE: &str = "requests_per_minute=100000";
const BULK_PER_MINUTE: &str = "100000";
pub(crate) const WORKSPACE: &str = "clients";

/// Starts the service with these settings. The log is in the directory too.
pub(crate) fn start(program: &Path, folder: &Path, settings: &[(&str, &str)]) -> Result<Service> {
    let program = Program::new(program, folder).with("SERVICE_LIMIT_BULK", BULK_PER_MINUTE).with_all(settings);
    program.logging_to(&folder.join("service.log")).start()
}

/// Creates a workspace with a full-access key.
pub(crate) fn make_key(service: &Service, slug: &str) -> Result<String> {
    service.program.create_workspace(slug, "enterprise")?;
    service.program.set_limits(slug, &[REQUESTS_PER_MINUTE])?;
    service.program.create_key(slug)
}

/// An access token of this user, for a workspace by its slug.
pub(crate) fn sign_in(service: &Service, workspace: &str, email: &str, password: &str) -> Result<String> {
    let body = json!({"workspace": workspace, "email": email, "password": password}).to_string();
    // docs/accounts.md shows a session that curl started.
    let headers = format!("User-Agent: curl/8.0.0\r\n{}", bearer("none"));
    let response = request(&service.address.to_string(), "POST", "/api/auth/login", &headers, &body);
    let response = response.context("the login was not answered")?.body;
    let token = response["data"]["access_token"].as_str();
    Ok(token.with_context(|| format!("the login failed: {response}"))?.to_owned())
}
