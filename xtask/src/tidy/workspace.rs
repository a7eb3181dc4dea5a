//! Reads the workspace and passes it to the rules.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package};

use super::graph::{Dependency, Graph, Member};
use super::{cycles, documents, edges, groups, manifests, sources, top_level};
use crate::vendor;

/// Every violation in this workspace, one line each.
pub(super) fn check() -> Result<Vec<String>> {
    let metadata = MetadataCommand::new().features(CargoOpt::AllFeatures).exec().context("cargo metadata")?;
    let root = metadata.workspace_root.as_std_path();
    let mut violations = edges::check(&graph(&metadata));
    for package in metadata.workspace_packages() {
        let path = package.manifest_path.as_std_path();
        violations.extend(manifests::check(&relative(root, path), &read(path)?));
    }
    for folder in ["crates", "tests", "xtask"] {
        for path in rust_files(&root.join(folder))? {
            let shown = path.strip_prefix(root).unwrap_or(&path);
            violations.extend(sources::check(shown, &read(&path)?));
        }
    }
    let domain = root.join("crates/domain/src");
    for path in rust_files(&domain)? {
        violations.extend(groups::check(path.strip_prefix(&domain).unwrap_or(&path), &read(&path)?));
    }
    let engine = root.join("crates/storage-diesel/src").join(groups::ENGINE);
    for path in rust_files(&engine)? {
        violations.extend(groups::check_engine(path.strip_prefix(root).unwrap_or(&path), &read(&path)?));
    }
    for name in cycles::CRATES {
        let source = root.join("crates").join(name).join("src");
        let mut files = Vec::new();
        for path in rust_files(&source)? {
            files.push((path.strip_prefix(&source).unwrap_or(&path).to_owned(), read(&path)?));
        }
        violations.extend(cycles::check(name, &files));
    }
    violations.extend(top_level::check(&names(root)?));
    violations.extend(migrations(root)?);
    violations.extend(decisions(root)?);
    violations.extend(vendor::check(root)?);
    violations.sort();
    Ok(violations)
}

fn graph(metadata: &Metadata) -> Graph {
    let mut graph = Graph::default();
    for package in &metadata.packages {
        let id = package.id.repr.clone();
        graph.names.insert(id, package.name.to_string());
    }
    for node in metadata.resolve.iter().flat_map(|resolve| &resolve.nodes) {
        let normal = node.deps.iter().filter(|dependency| {
            let kinds = &dependency.dep_kinds;
            kinds.iter().any(|info| info.kind == DependencyKind::Normal)
        });
        let needed = normal.map(|dependency| dependency.pkg.repr.clone()).collect();
        graph.normal.insert(node.id.repr.clone(), needed);
    }
    let root = metadata.workspace_root.as_std_path();
    let members = metadata.workspace_packages();
    graph.members = members.into_iter().map(|package| member(root, package)).collect();
    graph
}

fn member(root: &Path, package: &Package) -> Member {
    let dependencies = package.dependencies.iter().map(|dependency| Dependency {
        name: dependency.name.clone(),
        is_dev: dependency.kind == DependencyKind::Development,
    });
    Member {
        id: package.id.repr.clone(),
        name: package.name.to_string(),
        is_test: package.manifest_path.as_std_path().starts_with(root.join("tests")),
        dependencies: dependencies.collect(),
    }
}

fn migrations(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("migrations/tables");
    let mut violations = Vec::new();
    for path in entries(&folder)?.into_iter().filter(|path| path.is_dir()) {
        violations.extend(documents::migration(&relative(root, &path), &names(&path)?));
    }
    Ok(violations)
}

fn decisions(root: &Path) -> Result<Vec<String>> {
    let folder = root.join("docs/adr");
    let index = folder.join("README.md");
    if !index.is_file() {
        return Ok(Vec::new());
    }
    Ok(documents::decisions(&read(&index)?, &names(&folder)?))
}

fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            files.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(files)
}

/// The entries of a directory; empty if it does not exist. Skips build output and hidden directories.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = || format!("cannot list {}", folder.display());
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let name = entry.file_name();
        if name != "target" && !name.to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    paths.sort();
    Ok(paths)
}

fn names(folder: &Path) -> Result<Vec<String>> {
    let name = |path: PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    Ok(entries(folder)?.into_iter().filter_map(name).collect())
}

fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn relative(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
