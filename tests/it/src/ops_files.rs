//! The files in `ops/` that use metrics of the service: alerts and the dashboard.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

/// Metrics of Prometheus itself, or suffixes of its histograms.
const SUFFIXES: [&str; 3] = ["_bucket", "_count", "_sum"];

fn ops() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ops")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
}

/// The service's metrics that a text names, without the suffixes of histograms.
fn metrics_in(text: &str) -> BTreeSet<String> {
    let metrics = words(text).filter(|word| word.starts_with("service_") || word.starts_with("http_request"));
    let base = |name: &str| {
        let stripped = SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix));
        stripped.filter(|base| base.ends_with("_seconds")).unwrap_or(name).to_owned()
    };
    metrics.map(base).collect()
}

fn documented() -> BTreeSet<String> {
    let page = read(&ops().join("../docs/observability.md"));
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    rows.flat_map(|row| metrics_in(row.split('|').nth(1).unwrap_or_default())).collect()
}

fn dashboard_expressions() -> Vec<String> {
    let dashboard: Value = serde_json::from_str(&read(&ops().join("grafana/dashboard.json"))).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let targets = panels.iter().filter_map(|panel| panel["targets"].as_array()).flatten();
    targets.map(|target| target["expr"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn alerts_and_dashboard_use_documented_metrics() {
    let documented = documented();
    let alerts = metrics_in(&read(&ops().join("prometheus/alerts.yml")));
    let dashboard = metrics_in(&dashboard_expressions().join(" "));
    assert!(alerts.len() > 8 && dashboard.len() > 20, "{alerts:?} {dashboard:?}");
    let unknown: Vec<_> = alerts.union(&dashboard).filter(|name| !documented.contains(*name)).collect();
    assert!(unknown.is_empty(), "not in docs/observability.md: {unknown:?}");
    let not_shown: Vec<_> = documented
        .difference(&dashboard)
        // Only in alerts: they have a single right value.
        .filter(|name| !alerts.contains(*name))
        .collect();
    let left_out = [
        "service_db_pool_checkout_seconds",
        "service_emails_queued_total",
        "service_event_follower_reads_total",
        "service_event_log_bytes_today",
        "service_event_oldest_month_age_seconds",
        "service_event_ring_bytes",
        "service_link_requests_dropped_total",
        "service_renderings_refused_total",
        "service_webhook_attempts_unrecorded",
        "service_webhook_deliveries_claimed",
        "service_webhook_replayed_deliveries_total",
        "service_webhook_requests_in_flight",
    ];
    assert_eq!(not_shown, left_out, "a metric is on the dashboard, in an alert, or in this list");
}

fn promtool(arguments: &[&str], path: &Path) {
    let output = Command::new("promtool").args(arguments).arg(path).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "promtool {arguments:?}: {text}");
}

#[test]
fn promtool_accepts_alerts_and_expressions() {
    if Command::new("promtool").arg("--version").output().is_err() {
        return not_run::report("promtool");
    }
    let prometheus = ops().join("prometheus");
    promtool(&["check", "config"], &prometheus.join("prometheus.yml"));
    promtool(&["test", "rules"], &prometheus.join("alerts.test.yml"));
    // The expressions of the dashboard, as rules, with Grafana's variables replaced.
    let rule = |(number, expr): (usize, String)| {
        let expr = expr.replace("$__rate_interval", "5m").replace("$instance", ".*");
        json!({"record": format!("panel:{number}"), "expr": expr})
    };
    let rules: Vec<_> = dashboard_expressions().into_iter().enumerate().map(rule).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dashboard.json");
    std::fs::write(&file, json!({"groups": [{"name": "dashboard", "rules": rules}]}).to_string()).unwrap();
    promtool(&["check", "rules"], &file);
}
