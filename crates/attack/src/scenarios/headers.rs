//! Headers that keep browsers from helping an attacker.

use crate::lab::Lab;
use crate::table::Findings;
use crate::target::Target;

const PAGES: [&str; 3] = ["/portal", "/accept-invitation", "/reset-password"];
const OTHERS: [&str; 4] = ["/api/v1/projects", "/api/mcp/session", "/nowhere", "/healthz"];

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let https = |program: harness::service::Program| program.with("SERVICE_PUBLIC_URL", "https://work.example.com");
    let target = Target::start_with(lab, lab.data_folder()?, https)?;
    let mut findings = Findings::default();
    for path in PAGES.iter().chain(&OTHERS) {
        let answer = target.client("20.0.0.1").get(path).await?;
        let mut missing = Vec::new();
        let mut needs = |name: &'static str, parts: &[&str]| {
            let value = answer.header(name);
            if value.is_empty() || !parts.iter().all(|part| value.contains(part)) {
                missing.push(name);
            }
        };
        needs("x-content-type-options", &["nosniff"]);
        // Pages tell their own host alone where a form comes from; nothing in their addresses is secret.
        needs("referrer-policy", &[if PAGES.contains(path) { "same-origin" } else { "no-referrer" }]);
        needs("strict-transport-security", &["max-age="]);
        needs("content-security-policy", &["default-src 'none'", "frame-ancestors"]);
        if PAGES.contains(path) {
            let value = answer.header("content-security-policy");
            if value.contains("unsafe-inline") || value.contains("unsafe-eval") || value.contains('*') {
                missing.push("a strict policy");
            }
        }
        let measured = if missing.is_empty() { "all".to_owned() } else { format!("without {}", missing.join(", ")) };
        findings.expect(&format!("headers of {path}"), "all", &measured, missing.is_empty());
    }
    let plain = Target::start(lab)?.client("20.0.0.1").get("/portal").await?;
    let hsts = plain.header("strict-transport-security");
    findings.expect(
        "HSTS where the public address is http",
        "none",
        if hsts.is_empty() { "none" } else { hsts },
        hsts.is_empty(),
    );
    Ok(findings)
}
