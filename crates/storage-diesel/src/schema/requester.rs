//! The columns of `issues` for the external requester and for whose turn it is. The table exceeds diesel's tuples of 32 columns, and
//! tuples of 64 triple the time that diesel takes to compile. So `table!` omits these columns, and they are declared here with the
//! few traits that insertions and selections need.

pub use super::issues::table;

macro_rules! columns {
    ($($name:ident -> $sql_type:ty,)*) => { $(
        #[expect(non_camel_case_types, reason = "named as the column, as diesel's macros do")]
        #[derive(Debug, Clone, Copy, Default, diesel::query_builder::QueryId)]
        pub struct $name;

        impl diesel::Expression for $name {
            type SqlType = diesel::sql_types::Nullable<$sql_type>;
        }

        impl diesel::query_builder::QueryFragment<diesel::pg::Pg> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut out: diesel::query_builder::AstPass<'_, 'b, diesel::pg::Pg>,
            ) -> diesel::QueryResult<()> {
                out.push_identifier("issues")?;
                out.push_sql(".");
                out.push_identifier(stringify!($name))
            }
        }

        impl diesel::Column for $name {
            type Table = table;
            const NAME: &'static str = stringify!($name);
        }

        impl diesel::SelectableExpression<table> for $name {}
        impl<Source> diesel::AppearsOnTable<Source> for $name
        where
            Source: diesel::query_source::AppearsInFromClause<table, Count = diesel::query_source::Once>,
        {
        }

        impl diesel::expression::ValidGrouping<()> for $name {
            type IsAggregate = diesel::expression::is_aggregate::No;
        }
    )* };
}

columns! {
    requester_name -> diesel::sql_types::Text,
    requester_email -> diesel::sql_types::Text,
    requester_email_key -> diesel::sql_types::Text,
    ticket_type -> diesel::sql_types::Text,
    requester_contact_id -> diesel::sql_types::Uuid,
    customer_wrote_at -> diesel::sql_types::Timestamptz,
    answered_at -> diesel::sql_types::Timestamptz,
    waiting_since -> diesel::sql_types::Timestamptz,
    last_message_at -> diesel::sql_types::Timestamptz,
}
