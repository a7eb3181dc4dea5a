//! What a database session keeps between transactions, and the check for it at startup.
//!
//! A pooler in transaction mode, such as PgBouncer, runs each transaction on any of its server connections: a session then
//! sees the settings and prepared statements of the client that used the connection before.

use std::hash::{BuildHasher, Hasher, RandomState};

use diesel::connection::{AnsiTransactionManager, CacheSize, SimpleConnection, TransactionManager};
use diesel::sql_types::{BigInt, Bool};
use diesel::{Connection, PgConnection, QueryResult, RunQueryDsl};

use crate::engine::errors::unreachable_reason;
use crate::engine::pool::{ping, with_timeouts};
use crate::engine::statement::Statement;

/// Each round checks the server connections twice. Other clients of the pooler can hide it in one round, but hardly in all.
const ROUNDS: usize = 4;
const MARK: &str = "service.session_check";

/// How connections may be used. Created by [`Sessions::check`], so that what it allows was verified to work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sessions {
    keeps_settings: bool,
    prepares: bool,
}

/// Why a database cannot be used through an address.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("the database cannot be reached: {0}")]
    Unreachable(String),
    #[error(
        "the connection pooler is in statement mode, but the service needs transactions: set pool_mode = transaction or \
         session in PgBouncer"
    )]
    StatementPooling,
    #[error(
        "the connection pooler is in transaction mode and does not keep prepared statements: set SERVICE_DB_PREPARED=off, or \
         use PgBouncer 1.21 or newer with max_prepared_statements above 0, or pool_mode = session"
    )]
    PreparedStatements,
    #[error("the check of the connection failed: {0}")]
    Failed(#[from] diesel::result::Error),
}

impl Sessions {
    /// Connections without a pooler, or with one in session mode: settings and prepared statements are kept.
    pub const DIRECT: Self = Self { keeps_settings: true, prepares: true };
    /// Connections through a pooler in transaction mode.
    #[cfg(test)]
    pub(crate) const POOLED: Self = Self { keeps_settings: false, prepares: true };

    /// Detects whether sessions keep settings, and if `prepares`, whether prepared statements work.
    pub fn check(database_url: &str, prepares: bool) -> Result<Self, SessionError> {
        let (mut one, mut other) = (connect(database_url)?, connect(database_url)?);
        let mut keeps_settings = true;
        for _ in 0..ROUNDS {
            keeps_settings &= keep_settings(&mut one, &mut other)?;
        }
        if !keeps_settings && prepares {
            for round in 0..ROUNDS {
                if !prepared_statements_work(&mut one, &mut other, round) {
                    return Err(SessionError::PreparedStatements);
                }
            }
        }
        Ok(Self { keeps_settings, prepares })
    }

    /// Whether settings, LISTEN and session locks outlive a transaction.
    #[must_use]
    pub const fn keep_state(self) -> bool {
        self.keeps_settings
    }

    pub(crate) const fn prepares(self) -> bool {
        self.prepares
    }

    pub(crate) fn prepare(self, connection: &mut PgConnection) {
        if !self.prepares {
            connection.set_prepared_statement_cache_size(CacheSize::Disabled);
        }
    }
}

fn connect(database_url: &str) -> Result<PgConnection, SessionError> {
    PgConnection::establish(&with_timeouts(database_url)).map_err(|error| {
        if error.to_string().contains("statement pooling") {
            return SessionError::StatementPooling;
        }
        SessionError::Unreachable(unreachable_reason(&error))
    })
}

/// Why a transaction could not begin. PgBouncer in statement mode reports why and closes the connection; only the closed
/// connection is visible here, but other connections still work.
fn without_transactions(error: diesel::result::Error, other: &mut PgConnection) -> SessionError {
    if ping(other).is_ok() { SessionError::StatementPooling } else { SessionError::Failed(error) }
}

/// Whether each session has its own server connection: `one` keeps a setting, and `other` does not see it. A pooler would run
/// the transaction of `other` on the server connection that `one` has just used.
fn keep_settings(one: &mut PgConnection, other: &mut PgConnection) -> Result<bool, SessionError> {
    let value = RandomState::new().build_hasher().finish();
    let has_value = |connection: &mut PgConnection| -> QueryResult<bool> {
        let sql = format!("SELECT coalesce(current_setting('{MARK}', true), '') = '{value}'");
        Statement::<Bool>::once(sql).get_result(connection)
    };
    // Only unnamed statements: this check must not depend on prepared statements, which are checked later.
    one.batch_execute(&format!("SET {MARK} = '{value}'"))?;
    AnsiTransactionManager::begin_transaction(other).map_err(|error| without_transactions(error, one))?;
    // While `other` holds a server connection, `one` gets its own or a different one. `other` reads first: a pooler with a
    // single server connection would keep `one` waiting.
    let is_direct = !has_value(other)? && has_value(one)?;
    AnsiTransactionManager::rollback_transaction(other)?;
    one.batch_execute(&format!("RESET {MARK}"))?;
    Ok(is_direct)
}

/// Whether each connection executes the statements that it prepared itself. Both use the same names, and a pooler would give
/// one of them the server connection that the other has just used. Outside transactions, because there may be only one server
/// connection.
fn prepared_statements_work(one: &mut PgConnection, other: &mut PgConnection, round: usize) -> bool {
    let run = |connection: &mut PgConnection, text: &str, value: i64| -> bool {
        let statement = Statement::new(text.to_owned()).returns::<BigInt>().bind(value);
        statement.get_result::<i64>(connection).is_ok_and(|returned| returned == value)
    };
    let round = i64::try_from(round).unwrap_or_default();
    let (first, second) = (format!("SELECT $1::bigint + {round} * 0"), format!("SELECT 0 * {round} + $1::bigint"));
    run(one, &first, 1) && run(other, &second, 2) && run(one, &first, 3) && run(other, &second, 4)
}
