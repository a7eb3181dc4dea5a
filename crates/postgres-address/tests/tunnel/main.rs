//! The tunnel between the machine's libpq and real servers.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod odd_servers;
mod real_servers;

/// The output of psql through a tunnel.
fn ask(address: &str, sql: &str) -> Result<String, String> {
    let address = postgres_address::Address::open(address, false).map_err(|error| error.to_string())?;
    postgres_address::testing::psql(address.for_libpq(), sql)
}
