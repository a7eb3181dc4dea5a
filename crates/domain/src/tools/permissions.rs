//! The granular permissions of tools, and the permission map of a key (interface 15.3 and 15.4).

use std::collections::BTreeSet;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value as Json, json};

use super::permission_rows;
use crate::kernel::IssueKind;
use crate::kernel::input::{Problems, Read, Value, choices, path};

/// Expands the rows to the permissions.
macro_rules! tool_permissions {
    ($( $areas:tt { $( $(#[$doc:meta])* $permission:ident = $name:literal ),+ } $($types:ident)*; )+) => {
        choices! {
            /// A granular permission of a tool on one kind of record.
            pub enum ToolPermission { $( $( $(#[$doc])* $permission = $name ),+ ),+ }
        }

        const ROWS: &[&[ToolPermission]] = &[$( &[$(ToolPermission::$permission),+] ),+];
    };
}

permission_rows!(tool_permissions);

/// The index of the permission to read in a row.
const READS: usize = 0;
/// The index of the permission to delete in a row, the last one.
const DELETES: usize = 3;

/// The permission at one index of each row about records, in documented order.
struct RecordPermissions {
    permissions: [ToolPermission; ToolPermission::ALL.len()],
    count: usize,
}

impl RecordPermissions {
    const READ: &'static Self = &Self::at_index(READS, false);
    const READ_OR_COMMENTS: &'static Self = &Self::at_index(READS, true);
    const DELETE: &'static Self = &Self::at_index(DELETES, false);

    const fn at_index(index: usize, or_comments: bool) -> Self {
        let mut list = Self { permissions: [ToolPermission::ReadContacts; ToolPermission::ALL.len()], count: 0 };
        let mut row = 0;
        while row < ROWS.len() {
            let permissions = ROWS[row];
            let reads = permissions[READS];
            let is_included = !reads.manages_webhooks() && (or_comments || !reads.is_on_comments());
            if is_included && index < permissions.len() {
                list.permissions[list.count] = permissions[index];
                list.count += 1;
            }
            row += 1;
        }
        list
    }

    const fn as_slice(&self) -> &[ToolPermission] {
        self.permissions.split_at(self.count).0
    }
}

impl ToolPermission {
    /// The permissions to read records. Use cases about records of any kind need any one of them.
    pub const READ_RECORDS: &'static [Self] = RecordPermissions::READ.as_slice();
    /// The permissions to read records or comments on them.
    pub const READ_RECORDS_OR_COMMENTS: &'static [Self] = RecordPermissions::READ_OR_COMMENTS.as_slice();
    /// The permissions to delete records, for the kinds that can be deleted.
    pub const DELETE_RECORDS: &'static [Self] = RecordPermissions::DELETE.as_slice();

    pub fn is_read(self) -> bool {
        self.as_str().starts_with("read_")
    }

    /// Whether it manages webhooks, which no scope grants.
    pub const fn manages_webhooks(self) -> bool {
        matches!(self, Self::ReadWebhooks | Self::CreateWebhooks | Self::UpdateWebhooks | Self::DeleteWebhooks)
    }

    /// The kind of issue that it covers, if it covers exactly one.
    pub const fn issue_kind(self) -> Option<IssueKind> {
        match self {
            Self::ReadTasks | Self::CreateTasks | Self::UpdateTasks | Self::DeleteTasks => Some(IssueKind::Task),
            Self::ReadTickets | Self::CreateTickets | Self::UpdateTickets => Some(IssueKind::Ticket),
            _ => None,
        }
    }

    /// The kind of record in its name, such as `contacts`.
    pub fn noun(self) -> &'static str {
        self.as_str().split_once('_').map_or("", |(_, noun)| noun)
    }

    /// Whether it covers comments on tasks and tickets. Comments on other records need the permissions of the record.
    pub const fn is_on_comments(self) -> bool {
        matches!(self, Self::ReadComments | Self::CreateComments | Self::UpdateComments | Self::DeleteComments)
    }
}

/// An explicit permission map: the permissions in it are granted, all others are denied.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ToolPermissions(BTreeSet<ToolPermission>);

impl ToolPermissions {
    pub fn grants(&self, permission: ToolPermission) -> bool {
        self.0.contains(&permission)
    }

    pub fn granted(&self) -> impl Iterator<Item = ToolPermission> {
        self.0.iter().copied()
    }
}

impl FromIterator<ToolPermission> for ToolPermissions {
    fn from_iter<I: IntoIterator<Item = ToolPermission>>(granted: I) -> Self {
        Self(granted.into_iter().collect())
    }
}

impl Serialize for ToolPermissions {
    /// Lists every permission with true or false, so that clients need not know what a missing one means.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(ToolPermission::ALL.len()))?;
        for permission in ToolPermission::ALL {
            map.serialize_entry(permission.as_str(), &self.grants(*permission))?;
        }
        map.end()
    }
}

crate::kernel::input::output_schema::same_schema_in_responses!(ToolPermissions);

impl Value for ToolPermissions {
    fn schema() -> Json {
        json!({ "type": "object", "additionalProperties": { "type": "boolean" } })
    }

    fn read(json: Json, at: &str, problems: &mut Problems) -> Read<Self> {
        let Json::Object(map) = json else {
            return problems.malformed(at, "invalid_type", "must be an object of permissions, each true or false");
        };
        let (mut granted, mut has_listed_names) = (BTreeSet::new(), false);
        for (name, value) in &map {
            // The client's text is returned truncated.
            let field = path(at, &name.chars().take(100).collect::<String>());
            match (ToolPermission::parse(name), value) {
                (_, Json::Bool(false)) if ToolPermission::parse(name).is_some() => {}
                (Some(permission), Json::Bool(true)) => {
                    granted.insert(permission);
                }
                (_, value) if !value.is_boolean() => {
                    problems.shape(&field, "invalid_type", "must be true or false");
                }
                _ => {
                    // The valid names are listed once, because a map may have any number of invalid ones.
                    let is_first = !std::mem::replace(&mut has_listed_names, true);
                    let names = || format!("one of {}", ToolPermission::allowed_values());
                    let expected = if is_first { names() } else { "a permission name too".to_owned() };
                    problems.rule(&field, "unknown_permission", format!("must be {expected}"));
                }
            }
        }
        Read::Value(Self(granted))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: Json) -> Result<Vec<&'static str>, String> {
        let mut problems = Problems::default();
        let read = ToolPermissions::read(json, "permissions", &mut problems);
        problems.into_codes().map_err(|codes| codes.join(" "))?;
        Ok(read.value().unwrap().granted().map(ToolPermission::as_str).collect())
    }

    #[test]
    fn a_row_has_the_permissions_to_read_create_update_and_delete_in_this_order() {
        for row in ROWS {
            for (permission, verb) in row.iter().zip(["read", "create", "update", "delete"]) {
                assert_eq!(permission.as_str(), format!("{verb}_{}", row[READS].noun()));
            }
            assert!(row.len() > DELETES || row[READS] == ToolPermission::ReadTickets, "{row:?}");
        }
    }

    #[test]
    fn a_map_grants_exactly_what_it_lists() {
        assert_eq!(read(json!({})), Ok(vec![]));
        assert_eq!(read(json!({"read_deals": true, "delete_deals": false})), Ok(vec!["read_deals"]));
        assert_eq!(read(json!({"drop_tables": true})), Err("permissions.drop_tables:unknown_permission".to_owned()));
        assert_eq!(read(json!({"drop_tables": false})), Err("permissions.drop_tables:unknown_permission".to_owned()));
        assert_eq!(read(json!({"read_deals": "yes"})), Err("permissions.read_deals:invalid_type".to_owned()));
        assert_eq!(read(json!(["read_deals"])), Err("permissions:invalid_type".to_owned()));
    }

    #[test]
    fn a_map_lists_every_permission() {
        let json = serde_json::to_value(ToolPermissions::from_iter([ToolPermission::ReadDeals])).unwrap();
        assert_eq!(json.as_object().map(serde_json::Map::len), Some(ToolPermission::ALL.len()));
        assert_eq!((&json["read_deals"], &json["update_deals"]), (&json!(true), &json!(false)));
    }
}
