//! Which crate may depend on which.

use super::graph::{Graph, Member};

/// The workspace crates that a crate may depend on.
enum May {
    Use(&'static [&'static str]),
    UseAnything,
}

/// Every crate of the workspace needs a line here. A missing one is a violation. Tests use `not-run` to report that they were not run
/// because a program is missing.
const ALLOWED: &[(&str, May)] = &[
    ("domain", May::Use(&[])),
    // Its download tests need pip.
    ("embedded-postgres", May::Use(&["not-run"])),
    ("telemetry", May::Use(&["tls"])),
    ("system", May::Use(&["domain", "telemetry"])),
    ("tls", May::Use(&[])),
    // Its tests need an embedded Postgres with TLS.
    ("postgres-address", May::Use(&["embedded-postgres", "not-run", "tls"])),
    ("background", May::Use(&[])),
    ("storage-diesel", May::Use(&["background", "domain", "telemetry"])),
    ("storage-contract", May::Use(&["domain"])),
    ("email", May::Use(&["background", "domain", "telemetry", "tls"])),
    ("event-feed", May::Use(&["background", "domain"])),
    // Its tests need Redis.
    ("limiter", May::Use(&["domain", "not-run", "tls"])),
    // Its test fixtures use a database.
    ("http-core", May::Use(&["background", "domain", "telemetry", "test-databases"])),
    ("http-actix", May::Use(&["domain", "http-core"])),
    ("assets", May::Use(&[])),
    ("api-docs", May::Use(&["assets", "domain", "http-core"])),
    // Its tests of browser code need Node.
    ("csv-files", May::Use(&["domain", "not-run"])),
    ("console", May::Use(&["assets", "csv-files", "domain", "http-core", "telemetry"])),
    ("mcp-http", May::Use(&["domain", "http-core", "telemetry"])),
    // Its binary wires the storage.
    (
        "dispatcher",
        May::Use(&["background", "domain", "postgres-address", "storage-diesel", "system", "telemetry", "tls"]),
    ),
    // Uses the service only over HTTP. It is published, so it can only use published crates.
    ("service-mcp", May::Use(&[])),
    // Generates files from the command lines of the shipped programs.
    ("manual", May::Use(&["dispatcher", "server", "service-mcp"])),
    ("server", May::UseAnything),
    ("seed", May::Use(&["domain", "storage-diesel", "embedded-postgres", "postgres-address"])),
    // Use the service over HTTP; `bench` compares it with Postgres alone.
    ("bench", May::Use(&["test-support", "embedded-postgres"])),
    ("attack", May::Use(&["test-support"])),
    ("xtask", May::UseAnything),
    ("test-databases", May::Use(&["domain", "embedded-postgres", "storage-diesel"])),
    ("test-support", May::UseAnything),
    ("it", May::UseAnything),
    ("fuzz", May::UseAnything),
    ("browser", May::UseAnything),
    ("not-run", May::Use(&[])),
    // It is a helper of tests that need PgBouncer.
    ("pgbouncer", May::Use(&["not-run"])),
];

/// Crates that the tests of any crate may use in addition.
const FOR_TESTS: [&str; 5] = ["embedded-postgres", "pgbouncer", "storage-contract", "test-databases", "test-support"];

/// Crates that the domain must not reach, even transitively: it does no I/O.
const CLOSED_TO_DOMAIN: [&str; 8] = ["diesel", "r2d2", "pq-sys", "rusqlite", "actix-web", "tokio", "hyper", "reqwest"];

/// Crates that only [`DATABASE_ADAPTER`], tests and xtask may depend on.
const DATABASE_CRATES: [&str; 4] = ["diesel", "diesel_migrations", "r2d2", "pq-sys"];
const DATABASE_ADAPTER: &str = "storage-diesel";
const TASK_RUNNER: &str = "xtask";

/// Every violation, one line each.
pub(super) fn check(graph: &Graph) -> Vec<String> {
    let mut violations: Vec<String> =
        graph.members.iter().flat_map(|member| [workspace_edges(graph, member), database(member)].concat()).collect();
    violations.extend(purity(graph));
    violations
}

fn workspace_edges(graph: &Graph, member: &Member) -> Vec<String> {
    let name = &member.name;
    let Some((_, may)) = ALLOWED.iter().find(|(known, _)| known == name) else {
        return vec![format!("{name}: not in the table of xtask/src/tidy/edges.rs")];
    };
    let May::Use(allowed) = may else {
        return Vec::new();
    };
    let edges =
        member.dependencies.iter().filter(|dependency| graph.is_member(&dependency.name) && dependency.name != *name);
    edges
        .filter(|edge| !allowed.contains(&edge.name.as_str()))
        .filter(|edge| !(edge.is_dev && FOR_TESTS.contains(&edge.name.as_str())))
        .map(|edge| format!("{name}: must not depend on {}", edge.name))
        .collect()
}

fn database(member: &Member) -> Vec<String> {
    if member.is_test || [DATABASE_ADAPTER, TASK_RUNNER].contains(&member.name.as_str()) {
        return Vec::new();
    }
    let edges = member.dependencies.iter().filter(|dependency| DATABASE_CRATES.contains(&dependency.name.as_str()));
    edges.map(|edge| format!("{}: only {DATABASE_ADAPTER} may depend on {}", member.name, edge.name)).collect()
}

fn purity(graph: &Graph) -> Vec<String> {
    let Some(domain) = graph.members.iter().find(|member| member.name == "domain") else { return Vec::new() };
    let paths = CLOSED_TO_DOMAIN.iter().filter_map(|closed| graph.path(&domain.id, closed));
    paths.map(|path| format!("domain: must not reach {}", path.join(" -> "))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::graph::Dependency;
    use super::*;

    fn member(name: &str, dependencies: &[&str]) -> Member {
        let dependencies = dependencies.iter().map(|name| Dependency {
            name: name.trim_start_matches("dev:").to_owned(),
            is_dev: name.starts_with("dev:"),
        });
        Member {
            id: name.to_owned(),
            name: name.to_owned(),
            is_test: matches!(name, "test-support" | "it"),
            dependencies: dependencies.collect(),
        }
    }

    /// A graph whose ids are the names, with the dependencies of the members and those between external crates.
    fn graph(members: Vec<Member>, external: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        let direct = members.iter().flat_map(|member| {
            let normal = member.dependencies.iter().filter(|d| !d.is_dev);
            normal.map(|dependency| (member.name.clone(), dependency.name.clone()))
        });
        let external = external.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned()));
        for (from, to) in direct.chain(external) {
            graph.normal.entry(from).or_default().insert(to);
        }
        graph.members = members;
        graph
    }

    #[test]
    fn the_intended_graph_passes() {
        let members = vec![
            member("domain", &["serde"]),
            member("storage-diesel", &["domain", "diesel", "r2d2", "dev:test-support"]),
            member("http-core", &["domain", "actix-web"]),
            member("http-actix", &["domain", "http-core", "actix-web"]),
            member("mcp-http", &["domain", "http-core", "dev:http-core"]),
            member("service-mcp", &["serde"]),
            member("embedded-postgres", &["log"]),
            member("server", &["domain", "storage-diesel", "http-core", "http-actix", "embedded-postgres"]),
            member("test-support", &["server", "diesel"]),
        ];
        assert_eq!(check(&graph(members, &[])), [""; 0]);
    }

    #[test]
    fn crates_depend_only_on_those_of_the_table() {
        for (name, dependencies, refused) in [
            ("http-actix", vec!["mcp-http"], vec!["mcp-http"]),
            ("mcp-http", vec!["http-actix"], vec!["http-actix"]),
            ("http-core", vec!["dev:http-actix", "mcp-http"], vec!["http-actix", "mcp-http"]),
            ("service-mcp", vec!["domain", "serde"], vec!["domain"]),
            ("http-actix", vec!["dev:storage-diesel"], vec!["storage-diesel"]),
            ("embedded-postgres", vec!["domain"], vec!["domain"]),
        ] {
            let others = refused.iter().map(|other| member(other, &[]));
            let members = others.chain([member(name, &dependencies)]).collect();
            let expected: Vec<_> = refused.iter().map(|other| format!("{name}: must not depend on {other}")).collect();
            assert_eq!(check(&graph(members, &[])), expected);
        }
    }

    #[test]
    fn only_the_storage_depends_on_the_database_crates() {
        for external in DATABASE_CRATES {
            let expected = format!("server: only storage-diesel may depend on {external}");
            let members = vec![member("server", &[external])];
            assert_eq!(check(&graph(members, &[])), [expected]);
        }
    }

    #[test]
    fn the_domain_is_pure_even_transitively() {
        for external in CLOSED_TO_DOMAIN {
            let edges = [("validator", "helper"), ("helper", external)];
            let members = vec![member("domain", &["validator"])];
            let violations = check(&graph(members, &edges));
            let expected = format!("domain: must not reach domain -> validator -> helper -> {external}");
            assert_eq!(violations, [expected]);
        }
    }

    #[test]
    fn tests_of_the_domain_may_use_a_runtime() {
        assert_eq!(check(&graph(vec![member("domain", &["dev:tokio"])], &[])), [""; 0]);
    }

    #[test]
    fn a_crate_missing_from_the_table_is_a_violation() {
        let violations = check(&graph(vec![member("helpers", &[])], &[]));
        assert_eq!(violations, ["helpers: not in the table of xtask/src/tidy/edges.rs"]);
    }
}
