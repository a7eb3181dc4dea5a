//! The groups of the domain are ordered: each may use only the groups before it. The engine of the storage uses no other part of the
//! storage.

use std::path::Path;

/// From the most used to the least used. A directory of `crates/domain/src` missing here is a violation.
const ORDER: [&str; 15] = [
    "kernel",
    "limits",
    "tools",
    "email",
    "identity",
    "events",
    "webhooks",
    "records",
    "crm",
    "work",
    "support",
    "console",
    "transfer",
    "restore",
    "event_types",
];

/// The ports. Every group may use them. They may name values of every group, but no use case.
const PORTS: &str = "ports";

/// The table of kinds, from which every group reads each kind's declarations. It may also name values of every group.
const KINDS: &str = "kinds.rs";

/// Test doubles, which may use everything.
const TESTING: &str = "testing";

/// The file that declares the groups and re-exports the common part of the kernel.
const ROOT: &str = "lib.rs";

/// Violations of one file; `path` is relative to `crates/domain/src`.
pub(super) fn check(path: &Path, text: &str) -> Vec<String> {
    let path_text = path.display();
    let Some(group) = path.iter().next().and_then(|first| first.to_str()) else {
        return Vec::new();
    };
    if [TESTING, ROOT].contains(&group) {
        return Vec::new();
    }
    let position = ORDER.iter().position(|known| *known == group);
    if position.is_none() && ![PORTS, KINDS].contains(&group) {
        return vec![format!("crates/domain/src/{path_text}: {group} is not in the order of xtask/src/tidy/groups.rs")];
    }
    paths(&code_of(text), "crate::")
        .iter()
        .filter_map(|used| {
            let other = ORDER.iter().position(|known| used.first() == Some(known))?;
            let problem = match position {
                Some(own) if other > own => format!("{group} is before {} and must not use it", ORDER[other]),
                None if is_use_case(used) => format!("{group} may name values, not use cases"),
                _ => return None,
            };
            Some(format!("crates/domain/src/{path_text}: {}: {problem}", used.join("::")))
        })
        .collect()
}

/// The folder of `crates/storage-diesel/src` that knows no kind of record.
pub(super) const ENGINE: &str = "engine";

/// Violations of one file of the engine.
pub(super) fn check_engine(path: &Path, text: &str) -> Vec<String> {
    let code = code_of(text);
    let foreign = paths(&code, "crate::").into_iter().filter(|used| used.first() != Some(&ENGINE));
    foreign
        .map(|used| format!("{}: {}: the engine must not use what is outside it", path.display(), used.join("::")))
        .collect()
}

/// The text without its comments and tests.
pub(super) fn code_of(text: &str) -> String {
    let code = text.split_once("#[cfg(test)]\nmod tests {").map_or(text, |(code, _)| code);
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Types, traits and constants are values; a path that ends in lower case is a function or a module.
fn is_use_case(path: &[&str]) -> bool {
    path.last().is_some_and(|last| last.starts_with(|first: char| first.is_lowercase()))
}

/// Every path that begins with `start`, e.g. `crate::`, without that prefix; a `use` tree counts as several.
pub(super) fn paths<'a>(code: &'a str, start: &str) -> Vec<Vec<&'a str>> {
    let mut paths = Vec::new();
    for (at, start) in code.match_indices(start) {
        let is_whole = !code[..at].ends_with(|before: char| before.is_alphanumeric() || "_:".contains(before));
        if is_whole {
            tree(&code[at + start.len()..], &[], &mut paths);
        }
    }
    paths
}

/// Parses one path or tree of paths; returns the end position.
fn tree<'a>(code: &'a str, before: &[&'a str], paths: &mut Vec<Vec<&'a str>>) -> usize {
    let mut path = before.to_vec();
    let mut end = 0;
    loop {
        end += code[end..].len() - code[end..].trim_start().len();
        if code[end..].starts_with('{') {
            end += 1;
            loop {
                end += code[end..].len() - code[end..].trim_start_matches([' ', '\n', ',']).len();
                if code[end..].is_empty() || code[end..].starts_with('}') {
                    return end + 1;
                }
                end += tree(&code[end..], &path, paths);
            }
        }
        let length =
            code[end..].find(|next: char| !(next.is_alphanumeric() || next == '_')).unwrap_or(code.len() - end);
        let name = &code[end..end + length];
        if name != "self" && !name.is_empty() {
            path.push(name);
        }
        end += length.max(1).min(code.len() - end);
        if !code[end..].starts_with("::") || code[end..].starts_with("::<") {
            paths.push(path);
            return end;
        }
        end += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(path: &str, text: &str) -> Vec<String> {
        check(Path::new(path), text)
    }

    #[test]
    fn groups_may_use_earlier_groups_and_the_ports() {
        let text = "use crate::kernel::input::{Field, fields};\nuse crate::ports::{Ports, transact};\n\
                    use crate::{Error, identity::access::Permit};\nuse super::Deal;\n";
        assert_eq!(violations("crm/deals/create.rs", text), [""; 0]);
        assert_eq!(violations("kernel/references.rs", "use crate::ports::Tx;"), [""; 0]);
    }

    #[test]
    fn later_groups_are_refused_everywhere() {
        for text in [
            "use crate::work::issues::Issue;",
            "use crate::{\n    Error,\n    work::{issues::Issue},\n};",
            "fn f() { crate::work::issues::create() }",
            "pub use crate::work::issues::Issue;",
        ] {
            assert_eq!(violations("crm/deals/mod.rs", text).len(), 1, "{text}");
        }
        let violations = violations("kernel/error.rs", "use crate::{tools::Tool, limits::{Class, count}};");
        let expected = ["tools::Tool", "limits::Class", "limits::count"].map(|name| {
            let group = name.split("::").next().unwrap();
            format!("crates/domain/src/kernel/error.rs: {name}: kernel is before {group} and must not use it")
        });
        assert_eq!(violations, expected);
    }

    #[test]
    fn ports_and_the_table_of_kinds_name_values_and_no_use_cases() {
        assert_eq!(violations("ports/store.rs", "use crate::crm::deals::{Deal, DealFilter};"), [""; 0]);
        assert_eq!(violations("ports/store.rs", "use crate::crm::deals::{Deal, create};").len(), 1);
        assert_eq!(violations("ports/store.rs", "use crate::crm::deals;").len(), 1);
        assert_eq!(violations("kinds.rs", "&crate::crm::deals::events::EVENTS"), [""; 0]);
        assert_eq!(violations("kinds.rs", "crate::crm::deals::create()").len(), 1);
    }

    #[test]
    fn comments_and_tests_may_name_anything() {
        let text = "//! [`crate::support`]\n/// crate::support::list\nfn f() {}\n#[cfg(test)]\nmod tests { use crate::support::list; }";
        assert_eq!(violations("kernel/ids.rs", text), [""; 0]);
    }

    #[test]
    fn the_engine_uses_only_itself() {
        let violations = |text| check_engine(Path::new("tx.rs"), text);
        assert_eq!(violations("use crate::engine::{pool, statement::sql};\nuse domain::crm::deals::Deal;"), [""; 0]);
        assert_eq!(violations("fn f() { $crate::engine::statement::sql!(\"\") }"), [""; 0]);
        assert_eq!(violations("use crate::crm::deals;").len(), 1);
        assert_eq!(violations("use crate::{engine::tx::PgTx, work};").len(), 1);
    }

    #[test]
    fn a_folder_without_a_place_is_refused() {
        let violations = violations("helpers/mod.rs", "");
        assert_eq!(
            violations,
            ["crates/domain/src/helpers/mod.rs: helpers is not in the order of xtask/src/tidy/groups.rs"]
        );
    }
}
