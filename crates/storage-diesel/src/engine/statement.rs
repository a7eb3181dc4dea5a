//! Statements as SQL literals with typed binds.
//!
//! Diesel caches them by text and bind types, so each is prepared once per connection; `diesel::sql_query` would
//! prepare on every call.

use std::borrow::Cow;
use std::marker::PhantomData;

use bigdecimal::BigDecimal;
use diesel::data_types::PgInterval;
use diesel::expression::Expression;
use diesel::pg::Pg;
use diesel::query_builder::{AstPass, Query, QueryFragment, QueryId};
use diesel::serialize::ToSql;
use diesel::sql_types::{
    Array, BigInt, Binary, Bool, Date as SqlDate, HasSqlType, Integer, Interval, Nullable, Numeric, SmallInt, Text,
    Timestamptz, Uuid as SqlUuid,
};
use diesel::{PgConnection, QueryResult, RunQueryDsl};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

/// A [`Statement`] from one literal that psql's `PREPARE name AS` accepts verbatim: `$1`, `$2`, … are the binds in
/// order. A name in braces is a constant that is inserted at compile time.
macro_rules! sql {
    ($($text:tt)+) => {{
        const TEXT: &str = const_format::formatcp!($($text)+);
        #[cfg(test)]
        inventory::submit! { $crate::engine::statement::Literal { text: TEXT, place: concat!(file!(), ":", line!()) } }
        $crate::engine::statement::Statement::new(TEXT)
    }};
}
pub(crate) use sql;

/// A statement on rows of any workspace. In a cluster, `{one}` is a further condition that restricts them to one workspace, which
/// is the last bind ([`Statement::of_one`]).
macro_rules! placed_sql {
    ($is_cluster:expr, $one:expr, $($text:tt)+) => {
        if $is_cluster {
            $crate::engine::statement::sql!($($text)+, one = concat!("AND ", $one))
        } else {
            $crate::engine::statement::sql!($($text)+, one = "")
        }
    };
}
pub(crate) use placed_sql;

/// A statement whose rows have the SQL type `ST`. Its text must come from a small set: every cacheable text stays
/// prepared for the lifetime of its connection.
pub(crate) struct Statement<ST = ()> {
    text: Cow<'static, str>,
    /// The text for a Citus cluster, if it differs.
    in_cluster: Option<Cow<'static, str>>,
    binds: Binds,
    cacheable: bool,
    row: PhantomData<fn() -> ST>,
}

impl Statement {
    /// For [`sql!`], and for texts assembled from literals.
    pub(crate) fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self { text: text.into(), in_cluster: None, binds: Binds::default(), cacheable: true, row: PhantomData }
    }
}

impl<ST> Statement<ST> {
    /// A statement that runs once, and is therefore not prepared under a name.
    pub(crate) fn once(text: impl Into<Cow<'static, str>>) -> Self {
        Statement::new(text).planned_each_time().returns()
    }

    /// Sets the SQL type of the rows.
    pub(crate) fn returns<Rows>(self) -> Statement<Rows> {
        let Self { text, in_cluster, binds, cacheable, .. } = self;
        Statement { text, in_cluster, binds, cacheable, row: PhantomData }
    }

    /// Keeps the binds and replaces the text.
    pub(crate) fn with_text(self, text: String) -> Self {
        Self { text: text.into(), ..self }
    }

    /// Adds the statement for a cluster, if it differs. It must have the same binds.
    pub(crate) fn or_in_cluster(self, other: Option<Statement>) -> Self {
        Self { in_cluster: other.map(|other| other.text), ..self }
    }

    /// Uses the text for a cluster, if there is one.
    pub(crate) fn for_cluster(self) -> Self {
        match self.in_cluster {
            Some(text) => Self { text, in_cluster: None, ..self },
            None => self,
        }
    }

    /// Binds the next placeholder.
    pub(crate) fn bind(mut self, value: impl SqlValue) -> Self {
        self.binds.0.push(value.into_bind());
        self
    }

    /// Binds an array with one value of each row.
    pub(crate) fn bind_each<R, V>(self, rows: impl IntoIterator<Item = R>, value: impl FnMut(R) -> V) -> Self
    where
        Vec<V>: SqlValue,
    {
        self.bind(rows.into_iter().map(value).collect::<Vec<_>>())
    }

    /// Binds the workspace of a statement of `placed_sql!`.
    pub(crate) fn of_one(self, is_cluster: bool, workspace: Option<Uuid>) -> Self {
        if is_cluster { self.bind(workspace.unwrap_or_default()) } else { self }
    }

    /// Makes Postgres plan the statement for its values on each execution.
    pub(crate) fn planned_each_time(mut self) -> Self {
        self.cacheable = false;
        self
    }

    /// The binds alone, for a text that combines several statements.
    pub(crate) fn into_binds(self) -> Binds {
        self.binds
    }

    #[cfg(test)]
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    #[cfg(test)]
    pub(crate) const fn is_cacheable(&self) -> bool {
        self.cacheable
    }
}

impl<ST> QueryFragment<Pg> for Statement<ST> {
    fn walk_ast<'b>(&'b self, mut out: AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        // Here instead of in `is_safe_to_cache_prepared`: diesel calls that on a reference when it executes a statement, and a
        // reference only delegates to this.
        if !self.cacheable {
            out.unsafe_to_cache_prepared();
        }
        out.push_sql(&self.text);
        self.binds.push(&mut out)
    }
}

/// The values of the placeholders `$1`, `$2`, …
#[derive(Default)]
pub(crate) struct Binds(Vec<Box<dyn Bind + Send>>);

impl Binds {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends the binds of another statement, whose placeholders follow.
    pub(crate) fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    pub(crate) fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        self.0.iter().try_for_each(|bind| bind.push(out))
    }
}

/// A value that can be bound: its type determines the SQL type.
pub(crate) trait SqlValue {
    fn into_bind(self) -> Box<dyn Bind + Send>;
}

macro_rules! sql_value {
    ($value:ty => $sql_type:ty) => {
        impl SqlValue for $value {
            fn into_bind(self) -> Box<dyn Bind + Send> {
                Box::new(Typed::<$sql_type, Self> { value: self, sql_type: PhantomData })
            }
        }
    };
}

/// Implements [`SqlValue`] for these types, for optional values, and for lists of both.
macro_rules! sql_values {
    ($($value:ty => $sql_type:ty),* $(,)?) => { $(
        sql_value!($value => $sql_type);
        sql_value!(Option<$value> => Nullable<$sql_type>);
        sql_value!(Vec<$value> => Array<$sql_type>);
        sql_value!(Vec<Option<$value>> => Array<Nullable<$sql_type>>);
    )* };
}

sql_values! {
    bool => Bool,
    i16 => SmallInt,
    i32 => Integer,
    i64 => BigInt,
    BigDecimal => Numeric,
    String => Text,
    &'static str => Text,
    Vec<u8> => Binary,
    Uuid => SqlUuid,
    Date => SqlDate,
    OffsetDateTime => Timestamptz,
    PgInterval => Interval,
}
sql_value!(Option<Vec<String>> => Nullable<Array<Text>>);
sql_value!(Option<Vec<&'static str>> => Nullable<Array<Text>>);

/// The value of a placeholder with its types erased.
pub(crate) trait Bind {
    fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()>;
}

struct Typed<T, V> {
    value: V,
    sql_type: PhantomData<fn() -> T>,
}

impl<T, V> Bind for Typed<T, V>
where
    Pg: HasSqlType<T>,
    V: ToSql<T, Pg>,
{
    fn push<'b>(&'b self, out: &mut AstPass<'_, 'b, Pg>) -> QueryResult<()> {
        out.push_bind_param_value_only::<T, V>(&self.value)
    }
}

// Without a static query id, diesel caches the statement by its text and bind types.
impl<ST> QueryId for Statement<ST> {
    type QueryId = ();
    const HAS_STATIC_QUERY_ID: bool = false;
}

impl<ST> Query for Statement<ST> {
    type SqlType = ST;
}

impl<ST> RunQueryDsl<PgConnection> for Statement<ST> {}

/// The SQL type of a complete row; the matching text is [`columns!`](crate::engine::columns::columns).
pub(crate) type RowOf<R> = <diesel::dsl::AsSelect<R, Pg> as Expression>::SqlType;

/// The text of a statement, for the test that Postgres parses all of them.
#[cfg(test)]
pub(crate) struct Literal {
    pub(crate) text: &'static str,
    pub(crate) place: &'static str,
}

#[cfg(test)]
inventory::collect!(Literal);
