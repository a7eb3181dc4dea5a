//! Conversions between records and the rows of tables.

use bigdecimal::BigDecimal;
use domain::console::views::ViewPage;
use domain::crm::contacts::{ContactStatus, ContactType};
use domain::crm::deals::{DealStage, DealStatus};
use domain::kernel::IssueKind;
use domain::kernel::input::{Masked, format_timestamp};
use domain::ports::StoreError;
use domain::support::kb::ArticleStatus;
use domain::work::comments::Visibility;
use domain::work::issues::IssueStatus;
use domain::work::projects::{Priority, ProjectStatus};
use domain::work::time_entries::EntryStatus;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::engine::convert;

/// A value as stored in a row, for a field of type `T`.
pub(crate) trait Column<T>: Sized {
    fn from_member(member: T) -> Self;

    /// # Errors
    /// [`StoreError::Internal`] if the stored value is not valid for the field's type.
    fn into_member(self) -> Result<T, StoreError>;
}

macro_rules! same_type {
    ($($type:ty),*) => { $(
        impl Column<$type> for $type {
            fn from_member(member: $type) -> Self {
                member
            }

            fn into_member(self) -> Result<$type, StoreError> {
                Ok(self)
            }
        }
    )* };
}

/// An id of any kind.
impl<I: From<Uuid> + Into<Uuid>> Column<I> for Uuid {
    fn from_member(member: I) -> Self {
        member.into()
    }

    fn into_member(self) -> Result<I, StoreError> {
        Ok(self.into())
    }
}

macro_rules! choices {
    ($($choice:ident),*) => { $(
        impl Column<$choice> for String {
            fn from_member(member: $choice) -> Self {
                member.as_str().to_owned()
            }

            fn into_member(self) -> Result<$choice, StoreError> {
                convert::parse_stored(&self, $choice::parse)
            }
        }
    )* };
}

same_type!(bool, i32, i64, String, Vec<String>, Date, OffsetDateTime);
choices!(
    ArticleStatus,
    ContactStatus,
    ContactType,
    DealStage,
    DealStatus,
    EntryStatus,
    IssueKind,
    IssueStatus,
    Priority,
    ProjectStatus,
    ViewPage,
    Visibility
);

impl Column<Decimal> for BigDecimal {
    fn from_member(member: Decimal) -> Self {
        convert::to_numeric(member)
    }

    fn into_member(self) -> Result<Decimal, StoreError> {
        convert::from_numeric(&self)
    }
}

impl Column<Map<String, Value>> for Value {
    fn from_member(member: Map<String, Value>) -> Self {
        Self::Object(member)
    }

    fn into_member(self) -> Result<Map<String, Value>, StoreError> {
        convert::object(self)
    }
}

impl<T, C: Column<T>> Column<Option<T>> for Option<C> {
    fn from_member(member: Option<T>) -> Self {
        member.map(C::from_member)
    }

    fn into_member(self) -> Result<Option<T>, StoreError> {
        self.map(C::into_member).transpose()
    }
}

impl<T, C: Column<T>> Column<Masked<T>> for Option<C> {
    fn from_member(member: Masked<T>) -> Self {
        member.into_value().map(C::from_member)
    }

    fn into_member(self) -> Result<Masked<T>, StoreError> {
        self.map(C::into_member).transpose().map(Masked::new)
    }
}

/// Converts a column to JSON that Postgres reads as the column's type.
pub(crate) trait JsonColumn {
    fn into_json(self) -> Value;
}

macro_rules! json_columns {
    ($($type:ty: $into_json:expr),* $(,)?) => { $(
        impl JsonColumn for $type {
            fn into_json(self) -> Value {
                let into_json: fn($type) -> Value = $into_json;
                into_json(self)
            }
        }
    )* };
}

json_columns! {
    bool: Value::from,
    i32: Value::from,
    i64: Value::from,
    String: Value::from,
    Vec<String>: Value::from,
    Value: |json| json,
    Uuid: |id| id.to_string().into(),
    // Exact, unlike a JSON number.
    BigDecimal: |number| number.to_string().into(),
    Date: |date| date.to_string().into(),
    OffsetDateTime: |time| format_timestamp(time).into(),
}

impl<C: JsonColumn> JsonColumn for Option<C> {
    fn into_json(self) -> Value {
        self.map_or(Value::Null, C::into_json)
    }
}

/// Part of [`row!`]: a row as a JSON object with its columns as fields.
macro_rules! document {
    ([] $($rest:tt)*) => {};
    ([document] $row:ident $($column:ident)*) => {
        impl $row {
            pub(crate) fn document(self) -> serde_json::Map<String, serde_json::Value> {
                let columns = [$( (stringify!($column), $crate::rows::JsonColumn::into_json(self.$column)) ),*];
                columns.into_iter().map(|(name, json)| (name.to_owned(), json)).collect()
            }
        }
    };
}
pub(crate) use document;

/// Declares the row of a record by the columns of its fields, each once and with the field's name. The compiler rejects a
/// row that omits a field (the record is destructured in one direction and rebuilt in the other), a type that the field
/// cannot be converted to ([`Column`]) and a column that does not match the table (diesel, through `schema.rs`).
///
/// `workspace_id` is added first; an actor has two columns. Attributes before `struct` go to diesel. With `document`, the row
/// can also be written as JSON, for statements that write many rows.
macro_rules! row {
    (
        $(#[$attribute:meta])*
        pub(crate) struct $row:ident in $table:ident, $into_record:ident -> $record:ident $(, $document:ident)? {
            $( $(#[$column_attribute:meta])* $column:ident: $type:ty ),* $(,)?
        }
        actors { $( $actor:ident: ($actor_type:ident, $actor_id:ident) ),* }
    ) => {
        #[derive(Queryable, Selectable, Insertable)]
        $(#[$attribute])*
        #[diesel(table_name = $table, treat_none_as_default_value = false)]
        pub(crate) struct $row {
            workspace_id: uuid::Uuid,
            $( $(#[$column_attribute])* $column: $type, )*
            $( $actor_type: String, $actor_id: Option<uuid::Uuid>, )*
        }

        $crate::rows::document!([$($document)?] $row workspace_id $($column)* $($actor_type $actor_id)*);

        impl $row {
            pub(crate) fn of(workspace: uuid::Uuid, record: &$record) -> Self {
                let $record { $($column,)* $($actor,)* } = record.clone();
                Self {
                    workspace_id: workspace,
                    $( $column: $crate::rows::Column::from_member($column), )*
                    $( $actor_type: $actor.kind.as_str().to_owned(), $actor_id: $actor.id, )*
                }
            }

            pub(crate) fn $into_record(self) -> Result<$record, domain::ports::StoreError> {
                Ok($record {
                    $( $column: $crate::rows::Column::into_member(self.$column)?, )*
                    $( $actor: $crate::engine::convert::actor(&self.$actor_type, self.$actor_id)?, )*
                })
            }
        }
    };
}
pub(crate) use row;
