//! Direct access to a test's database.

use diesel::connection::SimpleConnection;
use diesel::dsl::sql;
use diesel::sql_types::{Array, BigInt, Text};
use diesel::{Connection, PgConnection, RunQueryDsl};
use test_support::App;

fn connect(app: &App) -> PgConnection {
    PgConnection::establish(&app.database_url()).unwrap()
}

pub(crate) fn execute(app: &App, statements: &str) {
    connect(app).batch_execute(statements).unwrap();
}

/// The value of an expression or of a query that returns one number.
pub(crate) fn number(app: &App, query: &str) -> i64 {
    diesel::select(sql::<BigInt>(&format!("({query})::bigint"))).get_result(&mut connect(app)).unwrap()
}

/// The number of rows, such as of `users WHERE name = 'Ann'`.
pub(crate) fn count(app: &App, from: &str) -> i64 {
    number(app, &format!("SELECT count(*) FROM {from}"))
}

pub(crate) fn texts(app: &App, query: &str) -> Vec<String> {
    diesel::select(sql::<Array<Text>>(&format!("ARRAY({query})"))).get_result(&mut connect(app)).unwrap()
}

/// A transaction of another session, such as one that holds locks.
pub(crate) struct OtherTransaction(PgConnection);

impl OtherTransaction {
    pub(crate) fn begin(app: &App, statements: &str) -> Self {
        let mut connection = connect(app);
        connection.batch_execute(&format!("BEGIN; {statements}")).unwrap();
        Self(connection)
    }

    pub(crate) fn commit(mut self) {
        self.0.batch_execute("COMMIT").unwrap();
    }
}
