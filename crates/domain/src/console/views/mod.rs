//! Saved views: the filters, order and columns of a list under a name, private or shared (interface 26.21 to 26.23).

mod change;

pub use change::{arrange, create, delete, update};

use schemars::JsonSchema;
use serde::Serialize;
use time::OffsetDateTime;

use crate::identity::access::{Permit, UseSavedViews};
use crate::identity::workspaces::Role;
use crate::kernel::input::schema::{TimestampText, text_schema};
use crate::kernel::input::{Items, Line, Problems, Read, Value, fields, json::Json};
use crate::ports::{Ports, read_only};
use crate::records::{KindOf, KindSet, RecordKind};
use crate::{Error, SavedViewId, UserId};

/// The maximum number of private views per member.
pub const MAX_PRIVATE: u32 = 50;
/// The maximum number of shared views per workspace.
pub const MAX_SHARED: u32 = 200;
/// The maximum length of a view's query string.
pub const MAX_QUERY_LENGTH: usize = 2_000;

/// The kinds whose lists have views, by the names of the lists in addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewed;

impl KindSet for Viewed {
    fn has(kind: RecordKind) -> bool {
        // Cycles are listed on the page of their project.
        kind != RecordKind::Cycle
    }

    fn text(kind: RecordKind) -> &'static str {
        kind.plural()
    }
}

/// The list of a view. The list of deals is shown as a table or as a board.
pub type ViewPage = KindOf<Viewed>;

/// The query string of a page's address, without its `?`. Its meaning depends on the list: the surface reads it by the list's filter
/// before it saves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewQuery(String);

impl From<ViewQuery> for String {
    fn from(query: ViewQuery) -> Self {
        query.0
    }
}

impl Value for ViewQuery {
    fn schema() -> Json {
        text_schema(MAX_QUERY_LENGTH)
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::String(text) = json else {
            return problems.malformed(at, "invalid_type", "must be a string");
        };
        let is_of_query = |byte: u8| byte.is_ascii_graphic() && !b"#?<>\"\\^`{|}".contains(&byte);
        if text.len() > MAX_QUERY_LENGTH {
            problems.invalid(at, "too_long", format!("must be at most {MAX_QUERY_LENGTH} characters long"))
        } else if !text.bytes().all(is_of_query) {
            let message = "must be a percent-encoded query string without the leading ?";
            problems.invalid(at, "invalid_value", message)
        } else {
            Read::Value(Self(text))
        }
    }
}

fields! {
    /// The writable fields of a view.
    pub struct ViewFields {
        /// What the view is called.
        name: Line<80> = required,
        /// The query string of the page's address: filters and order.
        query: ViewQuery,
        /// The names of the columns that are shown, in their order; none for those that the page shows by default.
        column_names: Items<50, 64>,
        /// Whether everybody in the workspace sees it.
        shared: bool,
    }
}

/// A view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SavedView {
    pub id: SavedViewId,
    pub page: ViewPage,
    /// Who made it.
    pub owner_id: UserId,
    pub name: String,
    pub query: String,
    pub column_names: Vec<String>,
    pub shared: bool,
    /// Its place among the views of the page, from 1; several may have the same.
    pub position: i32,
    pub version: i64,
    #[serde(with = "TimestampText")]
    pub created_at: OffsetDateTime,
    #[serde(with = "TimestampText")]
    pub updated_at: OffsetDateTime,
}

impl SavedView {
    fn apply(&mut self, fields: ViewFields) {
        fields.name.store_or(self.name.clone(), &mut self.name);
        fields.query.store_or(String::new(), &mut self.query);
        fields.column_names.store_or(Vec::new(), &mut self.column_names);
        fields.shared.store_or(false, &mut self.shared);
    }

    /// Whether a member sees it.
    pub fn is_visible_to(&self, member: UserId) -> bool {
        self.shared || self.owner_id == member
    }

    /// Whether a member may change it: its creator, and owners and admins if it is shared.
    fn may_be_changed_by(&self, editor: Editor) -> bool {
        self.owner_id == editor.user || self.shared && editor.role.administers()
    }
}

/// The numbers of views that count towards the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ViewCounts {
    /// The views of the member that are not shared.
    pub private: u64,
    /// All shared views of the workspace.
    pub shared: u64,
}

/// A member who changes views, with their role at the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Editor {
    user: UserId,
    role: Role,
}

/// The views of a page that the caller sees: their own in order, then the shared ones in order.
///
/// # Errors
/// [`Error::SessionNeeded`] for a key.
pub async fn list(ports: &Ports, permit: &Permit<UseSavedViews>, page: ViewPage) -> Result<Vec<SavedView>, Error> {
    let member = permit.session_user()?;
    read_only(ports, permit, move |tx| Ok(tx.saved_views().list(page, member)?)).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> bool {
        let mut problems = Problems::default();
        matches!(ViewQuery::read(json!(text), "query", &mut problems), Read::Value(_))
    }

    #[test]
    fn only_query_strings_are_accepted() {
        for good in [
            "",
            "status=open&stage=won,lost",
            "search=ann%20lee&order=-value",
            "tag=a%2Cb&updated_since=2026-01-01T00:00:00Z",
        ] {
            assert!(read(good), "{good}");
        }
        for bad in ["?status=open", "a=b#c", "a=b c", "a=\"b\"", "a=<script>", "a=é", "a=\n"] {
            assert!(!read(bad), "{bad}");
        }
        assert!(read(&"a".repeat(MAX_QUERY_LENGTH)) && !read(&"a".repeat(MAX_QUERY_LENGTH + 1)));
    }
}
