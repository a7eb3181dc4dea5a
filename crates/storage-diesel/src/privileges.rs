//! Privileges in the database, for the owner of the schema and for roles that serve without owning it. Other roles have none.
//!
//! Postgres lets every role call a new function. For functions that run with the rights of the schema's owner (SECURITY DEFINER),
//! this right of PUBLIC is revoked here, after each migration and after a restore, which loads no privileges.

use const_format::formatcp;
use diesel::connection::SimpleConnection;
use diesel::sql_types::{Bool, Nullable, Text};
use diesel::{Connection, OptionalExtension, PgConnection, QueryResult, RunQueryDsl};
use domain::ports::StoreError;

use crate::engine::errors::store_error;
use crate::engine::pool::connect;
use crate::engine::statement::{Statement, sql};

/// The functions of the schema, without those of extensions.
const FUNCTIONS: &str = "pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
     WHERE nspname = current_schema() AND NOT EXISTS (
         SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')";

/// The functions that run with the rights of their owner.
const DEFINERS: &str = formatcp!("{FUNCTIONS} AND prosecdef");

/// Tables and sequences of the schema, without those of extensions; a partition is a table.
const RELATIONS: &str = "pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
     WHERE nspname = current_schema() AND NOT EXISTS (
         SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')";

/// The privileges that the role `$1` lacks to serve and to make backups without owning the schema.
fn missing_query() -> Statement<Text> {
    sql!(
        "SELECT format('%s on %s', privilege, pg_class.oid::regclass)
         FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege CROSS JOIN {RELATIONS}
             AND relkind IN ('r', 'p') AND NOT has_table_privilege($1::text, pg_class.oid, privilege)
         UNION ALL
         SELECT format('%s on %s', privilege, pg_class.oid::regclass)
         FROM unnest(ARRAY['SELECT', 'USAGE']) AS privilege CROSS JOIN {RELATIONS}
             AND relkind = 'S' AND NOT has_sequence_privilege($1::text, pg_class.oid, privilege)
         UNION ALL
         SELECT format('EXECUTE on %s', pg_proc.oid::regprocedure)
         FROM {FUNCTIONS} AND NOT has_function_privilege($1::text, pg_proc.oid, 'EXECUTE')
         ORDER BY 1"
    )
    .returns()
}

/// Functions that every role may call but should not.
fn exposed_query() -> Statement<Text> {
    sql!(
        "SELECT pg_proc.oid::regprocedure::text FROM {DEFINERS} AND EXISTS (
             SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
             WHERE acl.grantee = 0 AND acl.privilege_type = 'EXECUTE')
         ORDER BY 1"
    )
    .returns()
}

/// The revocations for [`exposed_query`] that the current role may run, as statements.
fn revocations_query() -> Statement<Text> {
    sql!(
        "SELECT format('REVOKE ALL ON ROUTINE %s FROM PUBLIC', pg_proc.oid::regprocedure)
         FROM {DEFINERS} AND pg_has_role(proowner, 'USAGE') AND EXISTS (
             SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) AS acl
             WHERE acl.grantee = 0 AND acl.privilege_type = 'EXECUTE')"
    )
    .returns()
}

/// Roles that serve without owning the schema. They are recognised by the right to maintain the months of events, which only
/// `grant` gives.
fn serving_roles_query() -> Statement<Text> {
    sql!(
        "SELECT rolname::text FROM pg_proc JOIN pg_namespace ON pg_namespace.oid = pronamespace
         CROSS JOIN LATERAL aclexplode(proacl) AS acl JOIN pg_roles ON pg_roles.oid = acl.grantee
         WHERE nspname = current_schema() AND proname = 'maintain_event_partitions' AND acl.grantee <> proowner
         ORDER BY 1"
    )
    .returns()
}

/// The grants for the role `$1` on everything that exists and on what the owner creates later, as statements.
fn grants_query() -> Statement<Text> {
    sql!(
        "SELECT format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), $1::text)
         UNION ALL
         SELECT format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO %I', pg_class.oid::regclass, $1::text)
         FROM {RELATIONS} AND relkind IN ('r', 'p')
         UNION ALL
         SELECT format('GRANT SELECT, USAGE ON SEQUENCE %s TO %I', pg_class.oid::regclass, $1::text)
         FROM {RELATIONS} AND relkind = 'S'
         UNION ALL
         SELECT format('GRANT EXECUTE ON ROUTINE %s TO %I', pg_proc.oid::regprocedure, $1::text) FROM {FUNCTIONS}
         UNION ALL
         SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I IN SCHEMA %I GRANT %s TO %I', pg_get_userbyid(relowner), nspname,
             later, $1::text)
         FROM unnest(ARRAY['SELECT, INSERT, UPDATE, DELETE ON TABLES', 'SELECT, USAGE ON SEQUENCES']) AS later
         CROSS JOIN {RELATIONS} AND relname = 'workspaces'"
    )
    .returns()
}

/// The current role, and whether it may act as the owner of the schema; null if the schema has no tables of the service.
fn current_role_query() -> Statement<(Text, Nullable<Bool>)> {
    sql!(
        "SELECT current_user::text, (SELECT pg_has_role(relowner, 'USAGE') FROM {RELATIONS} AND relname = 'workspaces')"
    )
    .returns()
}

/// Whether the role `$1` may act as the owner of the schema.
fn role_query() -> Statement<Bool> {
    sql!(
        "SELECT EXISTS (SELECT FROM {RELATIONS} AND relname = 'workspaces' AND pg_has_role(pg_roles.oid, relowner, 'USAGE'))
         FROM pg_roles WHERE rolname = $1::text"
    )
    .returns()
}

/// Why a role was granted no privileges.
#[derive(Debug, thiserror::Error)]
pub enum GrantError {
    #[error("there is no role {0} on this server: make it first, by `CREATE ROLE … LOGIN PASSWORD …`")]
    NoRole(String),
    #[error("the role {0} may act as the owner of the schema, and needs no grants")]
    IsOwner(String),
    #[error("the role {0} does not own the schema: let DATABASE_URL name the role that runs the migrations")]
    NotOwner(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The privileges of the connecting role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Privileges {
    pub role: String,
    /// Whether it may act as the owner of the schema.
    pub owns: bool,
    /// The privileges that it lacks to serve, e.g. `INSERT on contacts`.
    pub missing: Vec<String>,
    /// Functions that run with the rights of the schema's owner and that every role of the server may call.
    pub exposed: Vec<String>,
}

/// Reads the privileges of the connecting role.
pub fn privileges(database_url: &str) -> Result<Privileges, StoreError> {
    let read_privileges = |connection: &mut PgConnection| -> QueryResult<Privileges> {
        let (role, owns): (String, Option<bool>) = current_role_query().get_result(connection)?;
        let missing = missing_query().bind(role.clone()).load(connection)?;
        let exposed = exposed_query().load(connection)?;
        Ok(Privileges { role, owns: owns.unwrap_or(false), missing, exposed })
    };
    read_privileges(&mut connect(database_url)?).map_err(store_error)
}

/// The roles that serve without owning the schema.
pub fn serving_roles(database_url: &str) -> Result<Vec<String>, StoreError> {
    serving_roles_query().load(&mut connect(database_url)?).map_err(store_error)
}

/// Grants a role the privileges to serve and to make backups without owning the schema. Idempotent.
///
/// # Errors
/// [`GrantError`]; nothing is granted in that case.
pub fn grant(database_url: &str, role: &str) -> Result<(), GrantError> {
    let mut connection = connect(database_url)?;
    let is_owner = role_query().bind(role.to_owned()).get_result::<bool>(&mut connection).optional();
    match is_owner.map_err(store_error)? {
        None => return Err(GrantError::NoRole(role.to_owned())),
        Some(true) => return Err(GrantError::IsOwner(role.to_owned())),
        Some(false) => {}
    }
    let (current, owns): (String, Option<bool>) =
        current_role_query().get_result(&mut connection).map_err(store_error)?;
    if owns != Some(true) {
        return Err(GrantError::NotOwner(current));
    }
    let granted = connection.transaction(|connection| {
        secure(connection)?;
        let statements = grants(connection, role)?;
        run(connection, &statements)
    });
    Ok(granted.map_err(store_error)?)
}

/// Revokes functions that run with the rights of their owner from PUBLIC, and grants serving roles what they lack after a
/// migration, as far as the current role may. Run it in a transaction that holds the lock of migrations.
pub(crate) fn secure(connection: &mut PgConnection) -> QueryResult<()> {
    let revocations: Vec<String> = revocations_query().load(connection)?;
    run(connection, &revocations)?;
    // Only now: before the revocation, the roles could call these functions through PUBLIC.
    let grants = missing_grants(connection)?;
    run(connection, &grants)
}

/// Whether [`secure`] would change anything.
pub(crate) fn is_due(connection: &mut PgConnection) -> QueryResult<bool> {
    let revocations: Vec<String> = revocations_query().load(connection)?;
    Ok(!revocations.is_empty() || !missing_grants(connection)?.is_empty())
}

/// The grants for serving roles, if they lack any and the current role may grant them.
fn missing_grants(connection: &mut PgConnection) -> QueryResult<Vec<String>> {
    let (_, owns): (String, Option<bool>) = current_role_query().get_result(connection)?;
    if owns != Some(true) {
        return Ok(Vec::new());
    }
    let roles: Vec<String> = serving_roles_query().load(connection)?;
    let mut statements = Vec::new();
    for role in roles {
        let missing: Vec<String> = missing_query().bind(role.clone()).load(connection)?;
        if !missing.is_empty() {
            statements.extend(grants(connection, &role)?);
        }
    }
    Ok(statements)
}

fn grants(connection: &mut PgConnection, role: &str) -> QueryResult<Vec<String>> {
    grants_query().bind(role.to_owned()).load(connection)
}

fn run(connection: &mut PgConnection, statements: &[String]) -> QueryResult<()> {
    if statements.is_empty() { Ok(()) } else { connection.batch_execute(&statements.join("; ")) }
}
