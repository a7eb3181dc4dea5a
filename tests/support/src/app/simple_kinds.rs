//! The simple kinds of records, which tests cover generically.

use console::OPERATIONS;
use domain::kernel::input::Input;
use domain::records::{RecordKind, Resource};
use domain::testing::filled;
use http_core::operations;
use serde_json::{Value, json};
use server::SURFACES;

/// What tests need to know about a simple kind.
#[derive(Debug, Clone, Copy)]
pub struct SimpleKind {
    /// The singular in names of tools and events: `canned_reply`.
    pub noun: &'static str,
    /// The plural in names of tools and addresses of pages: `canned_replies`.
    pub plural: &'static str,
    /// The name of the id in paths.
    pub id: &'static str,
    /// The path of the list.
    pub path: &'static str,
    /// The first required field of a new record.
    pub required: &'static str,
    /// A record with all fields; different numbers give different values.
    pub body: fn(u8) -> Value,
}

/// All simple kinds except articles, whose routes accept only sessions.
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
    /// The patterns of its pages with this method.
    pub fn pages(self, method: &'static str) -> impl Iterator<Item = &'static str> {
        let patterns = OPERATIONS.iter().filter(move |one| one.method == method).map(|one| one.pattern);
        patterns.filter(move |pattern| pattern.split('/').nth(1) == Some(self.plural))
    }

    /// The pattern of one record.
    pub fn one(self) -> String {
        format!("{}/{{{}}}", self.path, self.id)
    }
}
