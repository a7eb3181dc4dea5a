//! Reads and changes the delivery queue in the database.

use std::collections::BTreeSet;

use diesel::sql_types::{BigInt, Text};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl};
use time::Duration;

use super::App;
use crate::eventually;

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = Text)]
    id: String,
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    count: i64,
}

impl App {
    fn database(&self) -> PgConnection {
        PgConnection::establish(&self.database_url()).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Moves the clock once nothing is being sent. Otherwise a delivery that has arrived but is not yet recorded would be sent
    /// again when its lease ends.
    ///
    /// # Panics
    /// If the database fails, or something is being sent for too long.
    pub async fn advance(&self, by: Duration) {
        let leases = "SELECT (SELECT count(*) FROM webhook_deliveries WHERE state = 'delivering') \
                          + (SELECT count(*) FROM mails WHERE lease_owner IS NOT NULL) AS count";
        eventually("nothing is being sent", async || self.count(leases) == 0).await;
        self.clock.advance(by);
    }

    /// Moves the clock to the start of a window of this length, such as a minute, so that a test does not run past its end.
    ///
    /// # Panics
    /// Like [`Self::advance`].
    pub async fn begin_window(&self, length: Duration) {
        let into = self.ports.clock.now().unix_timestamp().rem_euclid(length.whole_seconds());
        self.advance(length - Duration::seconds(into)).await;
    }

    /// Expires the leases of all dispatchers, and returns the ids of the claimed deliveries.
    ///
    /// # Panics
    /// If the database fails.
    pub fn end_leases(&self) -> BTreeSet<String> {
        let update = "UPDATE webhook_deliveries SET lease_until = now() - interval '1 second' \
                      WHERE state = 'delivering' RETURNING id::text";
        let rows = diesel::sql_query(update).load::<Id>(&mut self.database());
        rows.unwrap_or_else(|error| panic!("{error}")).into_iter().map(|row| row.id).collect()
    }

    /// The number of deliveries in a state.
    ///
    /// # Panics
    /// If the database fails.
    pub fn count_deliveries(&self, state: &str) -> usize {
        let query =
            diesel::sql_query("SELECT count(*) FROM webhook_deliveries WHERE state = $1").bind::<Text, _>(state);
        let row = query.get_result::<Count>(&mut self.database()).unwrap_or_else(|error| panic!("{error}"));
        usize::try_from(row.count).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The number of sessions that listen for queued deliveries.
    ///
    /// # Panics
    /// If the database fails.
    pub fn count_delivery_listeners(&self) -> usize {
        let query = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() \
                     AND query LIKE 'LISTEN webhook_deliveries%'";
        self.count(query)
    }

    fn count(&self, query: &str) -> usize {
        let row = diesel::sql_query(query).get_result::<Count>(&mut self.database());
        usize::try_from(row.unwrap_or_else(|error| panic!("{error}")).count).unwrap_or_else(|error| panic!("{error}"))
    }
}
