//! The files of a crate have no import cycles: each can be read with only what it imports.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use super::groups::{code_of, paths};

/// The checked directories of `crates/`.
pub(super) const CRATES: [&str; 2] = ["dispatcher", "http-core"];

/// Path from the crate root to a module; empty for the root.
type Module = Vec<String>;

/// Violations of one crate; the files' paths are relative to its `src`.
///
/// Re-exporting a child's name is not an import. The file that imports the re-exported name imports the child.
pub(super) fn check(name: &str, files: &[(PathBuf, String)]) -> Vec<String> {
    let mut modules = Modules::default();
    let mut code = Vec::new();
    for (path, text) in files.iter().filter(|(path, _)| !is_test(path)) {
        let module = module_of(path);
        let (rest, re_exports) = split_re_exports(&code_of(text));
        for used in re_exports.iter().flat_map(|line| paths(line, "use ")) {
            if let Some(last) = used.last() {
                modules.re_exports.insert((module.clone(), (*last).to_owned()), owned(&used));
            }
        }
        modules.files.insert(module.clone(), path.display().to_string());
        code.push((module, rest));
    }
    let imports = code.iter().map(|(module, rest)| (module, modules.imports(module, rest))).collect();
    cycles(&imports)
        .iter()
        .map(|cycle| cycle.iter().filter_map(|module| modules.files.get(*module)).map(String::as_str).collect())
        .map(|shown: Vec<_>| format!("crates/{name}/src: files import each other: {}", shown.join(" -> ")))
        .collect()
}

#[derive(Default)]
struct Modules {
    files: BTreeMap<Module, String>,
    /// A re-exported name, and the path that it comes from.
    re_exports: BTreeMap<(Module, String), Vec<String>>,
}

impl Modules {
    /// The modules that the code of a module names, except itself.
    fn imports(&self, module: &Module, code: &str) -> BTreeSet<Module> {
        let mut imports: BTreeSet<_> =
            paths(code, "crate::").iter().map(|used| self.resolve(&[], &owned(used))).collect();
        for used in paths(code, "super::") {
            let more_levels = used.iter().take_while(|name| **name == "super").count();
            let base = &module[..module.len().saturating_sub(1 + more_levels)];
            imports.insert(self.resolve(base, &owned(&used[more_levels..])));
        }
        let is_child = |other: &&Module| other.len() == module.len() + 1 && other.starts_with(module);
        for child in self.files.keys().filter(is_child) {
            let start = format!("{}::", child[module.len()]);
            imports.extend(paths(code, &start).iter().map(|used| self.resolve(child, &owned(used))));
        }
        imports.remove(module);
        imports
    }

    /// The module that a path resolves to: the deepest one with a file, following re-exports.
    fn resolve(&self, base: &[String], used: &[String]) -> Module {
        let mut module = base.to_vec();
        for name in used {
            module.push(name.clone());
            if self.files.contains_key(&module) {
                continue;
            }
            module.pop();
            return match self.re_exports.get(&(module.clone(), name.clone())).map(Vec::as_slice) {
                Some([first, origin @ ..]) if first == "crate" => self.resolve(&[], origin),
                Some(origin) => self.resolve(&module, origin),
                None => module,
            };
        }
        module
    }
}

/// One shortest cycle of each strongly connected group of modules. It ends with its first module again.
fn cycles<'a>(imports: &'a BTreeMap<&Module, BTreeSet<Module>>) -> Vec<Vec<&'a Module>> {
    let mut cycles: Vec<Vec<&Module>> = Vec::new();
    let mut visited = BTreeSet::new();
    for start in imports.keys() {
        if visited.contains(start) {
            continue;
        }
        let came_from = predecessors(imports, start);
        let Some(mut at) = came_from.get(start).copied() else { continue };
        let mut cycle = vec![*start];
        while at != *start {
            cycle.push(at);
            at = came_from[at];
        }
        cycle.push(*start);
        cycle.reverse();
        visited.extend(came_from.keys().copied().filter(|other| predecessors(imports, other).contains_key(start)));
        cycles.push(cycle);
    }
    cycles
}

/// Every reachable module with its predecessor on the shortest path.
fn predecessors<'a>(
    imports: &'a BTreeMap<&Module, BTreeSet<Module>>,
    start: &'a Module,
) -> BTreeMap<&'a Module, &'a Module> {
    let mut came_from = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(module) = queue.pop_front() {
        for next in imports.get(module).into_iter().flatten() {
            came_from.entry(next).or_insert_with(|| {
                queue.push_back(next);
                module
            });
        }
    }
    came_from
}

fn is_test(path: &Path) -> bool {
    path.iter().any(|part| part == "tests" || part == "tests.rs")
}

/// The module of a file.
fn module_of(path: &Path) -> Module {
    let mut module: Module = path.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module.last().is_some_and(|last| ["lib", "main", "mod"].contains(&last.as_str())) {
        module.pop();
    }
    module
}

/// Splits code into the part without `pub use …;` items, and these items from `use` on.
fn split_re_exports(code: &str) -> (String, Vec<String>) {
    let (mut rest, mut re_exports) = (String::new(), Vec::new());
    for statement in code.split_inclusive(';') {
        let parts = statement.match_indices("pub").find_map(|(pos, _)| Some((pos, re_export(&statement[pos + 3..])?)));
        let (pos, item) = parts.unwrap_or((statement.len(), ""));
        rest.push_str(&statement[..pos]);
        re_exports.push(item.to_owned());
    }
    (rest, re_exports)
}

/// The re-export that follows a `pub`, from `use` on; `None` if it is another item.
fn re_export(after_pub: &str) -> Option<&str> {
    let visible = match after_pub.strip_prefix('(') {
        Some(within) => within.split_once(')')?.1,
        None => after_pub,
    };
    Some(visible.trim_start()).filter(|rest| rest.starts_with("use "))
}

fn owned(path: &[&str]) -> Vec<String> {
    path.iter().map(|name| (*name).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn violations(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<_> = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        check("a", &files)
    }

    #[test]
    fn a_chain_of_imports_passes() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::{Top, made};\n"),
            ("a.rs", "use crate::b::Middle;\nuse crate::{c};\n"),
            ("b.rs", "use crate::c::Bottom;\n"),
            ("c.rs", "use std::fmt;\n"),
        ];
        assert_eq!(violations(&files), [""; 0]);
    }

    #[test]
    fn a_cycle_fails_once_with_its_shortest_path() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a.rs", "fn f() { crate::b::g() }"),
            ("b.rs", "use crate::{c::{self, C}, d::D};"),
            ("c.rs", "use super::a;"),
            ("d.rs", "use crate::c::C;"),
        ];
        assert_eq!(violations(&files), ["crates/a/src: files import each other: a.rs -> b.rs -> c.rs -> a.rs"]);
    }

    #[test]
    fn a_re_export_resolves_to_the_origin_of_the_name() {
        let via_the_root =
            [("lib.rs", "mod a;\nmod b;\npub use a::A;\n"), ("a.rs", "use crate::b::B;"), ("b.rs", "use crate::A;")];
        assert_eq!(violations(&via_the_root), ["crates/a/src: files import each other: a.rs -> b.rs -> a.rs"]);
        let via_the_parent = [
            ("a/mod.rs", "mod x;\nmod y;\npub(crate) use x::{\n    X,\n    Z,\n};\npub(super) use y::Y;\n"),
            ("a/x.rs", "use super::Y;"),
            ("a/y.rs", "use std::fmt;"),
            ("b.rs", "use crate::a::X;"),
        ];
        assert_eq!(violations(&via_the_parent), [""; 0]);
        let of_another_module = [
            ("a.rs", "pub use crate::b::B;"),
            ("b.rs", "use crate::serve;"),
            ("lib.rs", "pub use serve::serve;"),
            ("serve.rs", "use crate::a::B;"),
        ];
        let expected = "crates/a/src: files import each other: b.rs -> serve.rs -> b.rs";
        assert_eq!(violations(&of_another_module), [expected]);
    }

    #[test]
    fn parents_and_children_may_not_import_each_other() {
        let files = [("a/mod.rs", "mod x;\nuse x::X;\npub struct A(X);\n"), ("a/x.rs", "use super::A;")];
        assert_eq!(violations(&files), ["crates/a/src: files import each other: a/mod.rs -> a/x.rs -> a/mod.rs"]);
        let deeper = [("a/mod.rs", "fn f() { x::y::g() }"), ("a/x/mod.rs", ""), ("a/x/y.rs", "use super::super::A;")];
        assert_eq!(violations(&deeper), ["crates/a/src: files import each other: a/mod.rs -> a/x/y.rs -> a/mod.rs"]);
    }

    #[test]
    fn tests_and_comments_may_name_anything() {
        let files = [
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "//! [`crate::a`]\nfn f() {} // crate::a\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
            ("tests.rs", "use crate::{a, b};"),
            ("tests/more.rs", "use crate::{a, b};"),
        ];
        assert_eq!(violations(&files), [""; 0]);
    }
}
