//! Reads the JSON output of `EXPLAIN`.

use serde_json::Value;

/// Visits every node of a plan.
pub(super) fn walk<'p>(node: &'p Value, visit: &mut impl FnMut(&'p Value)) {
    visit(node);
    for child in node["Plans"].as_array().into_iter().flatten() {
        walk(child, visit);
    }
}

/// The nodes of a plan as kind, index and rows, where `rows` counts returned and filtered rows.
pub(super) fn nodes(plan: &Value) -> Vec<(String, String, f64)> {
    let mut nodes = Vec::new();
    walk(&plan[0]["Plan"], &mut |node| {
        let text = |name: &str| node[name].as_str().unwrap_or_default().to_owned();
        let row_counts = ["Actual Rows", "Rows Removed by Filter", "Rows Removed by Index Recheck"];
        let rows: f64 = row_counts.iter().map(|name| number(node, name)).sum();
        // Nodes that never ran are skipped.
        let loops = number(node, "Actual Loops");
        if loops > 0.0 || node.get("Actual Loops").is_none() {
            nodes.push((text("Node Type"), text("Index Name"), rows * loops));
        }
    });
    nodes
}

pub(super) fn number(node: &Value, name: &str) -> f64 {
    node[name].as_f64().unwrap_or_default()
}

/// Whether a node reads a monthly partition. A partition without rows is scanned without an index.
pub(super) fn is_partition(node: &Value) -> bool {
    let relation = node["Relation Name"].as_str().unwrap_or_default();
    ["events_", "event_positions_", "audit_log_"].iter().any(|table| relation.starts_with(table))
}
