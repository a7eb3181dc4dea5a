//! The dependency graph, without cargo's types.

use std::collections::{BTreeMap, BTreeSet};

/// All crates of a build.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The crates of this workspace.
    pub(super) members: Vec<Member>,
    /// Run-time dependencies of every package, by package id.
    pub(super) normal: BTreeMap<String, BTreeSet<String>>,
    /// The name of each package id.
    pub(super) names: BTreeMap<String, String>,
}

/// One crate of this workspace.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) id: String,
    pub(super) name: String,
    /// In `tests/`.
    pub(super) is_test: bool,
    /// Direct dependencies, as the manifest names them.
    pub(super) dependencies: Vec<Dependency>,
}

/// A direct dependency.
#[derive(Debug)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// A dev-dependency.
    pub(super) is_dev: bool,
}

impl Graph {
    pub(super) fn is_member(&self, name: &str) -> bool {
        self.members.iter().any(|member| member.name == name)
    }

    /// The path from a crate to another package, by name, if any.
    pub(super) fn path(&self, from: &str, to: &str) -> Option<Vec<String>> {
        let mut came_from: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(id) = queue.pop_front() {
            if id != from && self.name(id) == to {
                return Some(self.trace(from, id, &came_from));
            }
            for next in self.normal.get(id).into_iter().flatten() {
                if next != from && !came_from.contains_key(next.as_str()) {
                    came_from.insert(next, id);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    fn trace(&self, from: &str, to: &str, came_from: &BTreeMap<&str, &str>) -> Vec<String> {
        let mut steps = vec![self.name(to).to_owned()];
        let mut current = to;
        while current != from
            && let Some(before) = came_from.get(current)
        {
            current = before;
            steps.push(self.name(current).to_owned());
        }
        steps.reverse();
        steps
    }

    fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }
}
