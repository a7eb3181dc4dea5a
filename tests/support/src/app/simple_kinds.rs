//! The simple kinds of records, for which tests need no rows of their own.

use console::OPERATIONS;
use domain::kernel::input::Input;
use domain::records::{RecordKind, Resource};
use domain::testing::filled;
use http_core::operations;
use serde_json::{Value, json};
use server::SURFACES;

/// What tests know of a simple kind.
#[derive(Debug, Clone, Copy)]
pub struct SimpleKind {
    /// One record in the names of tools and events: `canned_reply`.
    pub noun: &'static str,
    /// Several records in the names of tools and in the addresses of pages: `canned_replies`.
    pub plural: &'static str,
    /// The name of the id in paths.
    pub id: &'static str,
    /// The path of the list.
    pub path: &'static str,
    /// The first member that a new record needs.
    pub required: &'static str,
    /// A record with all its members; other numbers give others.
    pub body: fn(u8) -> Value,
}

/// All of them, but articles, whose routes are for sessions alone.
pub fn simple_kinds() -> Vec<SimpleKind> {
    macro_rules! rows {
        ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
            vec![$(row::<<$type as Resource>::Fields>(RecordKind::$one)),+]
        };
    }
    domain::simple_kinds!(rows!()).into_iter().flatten().collect()
}

fn row<F: Input>(kind: RecordKind) -> Option<SimpleKind> {
    if kind == RecordKind::Article {
        return None;
    }
    let end = format!("/{}", kind.plural().replace('_', "-"));
    let creates = |path: &str| path.starts_with("/api/v1/") && path.ends_with(&end);
    let create = operations(SURFACES).find(|one| one.method == "POST" && creates(one.pattern))?;
    Some(SimpleKind {
        noun: kind.as_str(),
        plural: kind.plural(),
        id: format!("{kind}_id").leak(),
        path: create.pattern,
        required: F::members().iter().find(|member| member.is_required)?.name,
        body: |number| filled::<F>(number, json!({})).into(),
    })
}

impl SimpleKind {
    /// The patterns of its pages that are read by this method.
    pub fn pages(self, method: &'static str) -> impl Iterator<Item = &'static str> {
        let patterns = OPERATIONS.iter().filter(move |one| one.method == method).map(|one| one.pattern);
        patterns.filter(move |pattern| pattern.split('/').nth(1) == Some(self.plural))
    }

    /// The pattern of one record.
    pub fn one(self) -> String {
        format!("{}/{{{}}}", self.path, self.id)
    }
}
