//! axe-core: automatic accessibility checks.

use serde_json::{Value, json};

use crate::Page;

/// The published file, fetched by `cargo xtask vendor`.
const AXE: &str = include_str!("../assets/axe.min.js");

/// WCAG 2.2 AA, and what axe-core calls best practice.
const TAGS: [&str; 6] = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

const COLOURS: [&str; 2] = ["color-contrast", "link-in-text-block"];

const RUN: &str = r#"
const done = arguments[arguments.length - 1];
const rules = { runOnly: arguments[0], resultTypes: ["violations"] };
axe.run(document, rules).then(
    (found) => done(found.violations.map((rule) => ({
        id: rule.id,
        impact: rule.impact,
        help: rule.help,
        nodes: rule.nodes.slice(0, 5).map((node) => node.target.join(" ") + ": " + node.html.slice(0, 200)),
    }))),
    (error) => done([{ id: "axe", impact: "critical", help: String(error), nodes: [] }]),
);
"#;

impl Page {
    /// Fails with a list if axe-core finds anything on the page as it is now.
    pub async fn axe(&self) {
        self.axe_except(&[]).await;
    }

    /// Like [`Page::axe`], without some rules. Serious and critical violations fail in any case.
    pub async fn axe_except(&self, excused: &[&str]) {
        let found = self.run_axe(json!({"type": "tag", "values": TAGS})).await;
        let faults: Vec<String> = found.iter().filter(|rule| counts(rule, excused)).map(describe).collect();
        assert!(faults.is_empty(), "axe-core on {}:\n{}", self.url().await, faults.join("\n"));
    }

    /// The violations that axe-core finds on the current page.
    pub async fn axe_faults(&self) -> Vec<String> {
        self.run_axe(json!({"type": "tag", "values": TAGS})).await.iter().map(describe).collect()
    }

    /// The colour violations that axe-core finds, for a page whose structure was already checked.
    pub async fn axe_faults_of_colours(&self) -> Vec<String> {
        self.run_axe(json!({"type": "rule", "values": COLOURS})).await.iter().map(describe).collect()
    }

    /// Makes `axe` available to scripts.
    pub async fn load_axe(&self) {
        if self.script("return typeof axe === 'undefined'", vec![]).await == json!(true) {
            self.script(AXE, vec![]).await;
        }
    }

    async fn run_axe(&self, rules: Value) -> Vec<Value> {
        self.load_axe().await;
        let found = self.async_script(RUN, vec![rules]).await;
        found.as_array().cloned().unwrap_or_else(|| panic!("axe-core answered {found}"))
    }
}

fn counts(rule: &Value, excused: &[&str]) -> bool {
    let is_serious = rule["impact"].as_str().is_some_and(|impact| ["serious", "critical"].contains(&impact));
    is_serious || !rule["id"].as_str().is_some_and(|id| excused.contains(&id))
}

fn describe(rule: &Value) -> String {
    let text = |name: &str| rule[name].as_str().unwrap_or_default();
    let nodes = rule["nodes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let head = format!("  {} ({}): {}", text("id"), text("impact"), text("help"));
    std::iter::once(head.as_str()).chain(nodes).collect::<Vec<_>>().join("\n    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_serious_is_excused() {
        let rule = |impact: &str| json!({"id": "region", "impact": impact});
        assert!(counts(&rule("serious"), &["region"]));
        assert!(counts(&rule("critical"), &["region"]));
        assert!(!counts(&rule("moderate"), &["region"]));
        assert!(counts(&rule("moderate"), &["other"]));
    }
}
