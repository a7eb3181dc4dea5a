//! `distribute`: distributes the tables over the nodes of a Citus cluster.

use anyhow::ensure;
use serde_json::{Value, json};
use storage_diesel::Distributed;

use super::print;
use crate::cli::DistributeOptions;
use crate::config::Config;
use crate::database::Database;

pub(super) fn run(config: &Config, options: &DistributeOptions) -> anyhow::Result<()> {
    ensure!(
        config.database_url.is_some(),
        "the embedded Postgres runs on one machine: set DATABASE_URL to the coordinator of a Citus cluster"
    );
    let database = Database::reach(config)?;
    let done = storage_diesel::distribute(database.session_url(), options.role.as_deref(), |step| eprintln!("{step}"));
    let closed = database.close();
    let done = done?;
    print(options.json, &object(&done), &prose(&done));
    closed
}

fn object(done: &Distributed) -> Value {
    let tables: Vec<_> = done
        .tables
        .iter()
        .map(|(name, class, rows)| json!({"table": name, "class": class.name(), "rows": rows}))
        .collect();
    json!({"distributed": tables, "unchanged": done.unchanged, "foreign_keys": done.foreign_keys})
}

fn prose(done: &Distributed) -> String {
    if done.tables.is_empty() && done.foreign_keys == 0 {
        return format!("All {} tables are already distributed.", done.unchanged);
    }
    let rows: i64 = done.tables.iter().map(|(_, _, rows)| rows).sum();
    format!(
        "Distributed {} tables with {rows} rows ({} already were) and recreated {} foreign keys. Start the service.",
        done.tables.len(),
        done.unchanged,
        done.foreign_keys
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use storage_diesel::Class;

    #[test]
    fn the_result_says_what_was_done() {
        let done = Distributed { tables: vec![("deals", Class::Sharded, 7)], unchanged: 2, foreign_keys: 3 };
        assert_eq!(
            prose(&done),
            "Distributed 1 tables with 7 rows (2 already were) and recreated 3 foreign keys. Start the service."
        );
        let expected = json!({
            "distributed": [{"table": "deals", "class": "sharded", "rows": 7}], "unchanged": 2, "foreign_keys": 3
        });
        assert_eq!(object(&done), expected);
        let nothing = Distributed { unchanged: 60, ..Distributed::default() };
        assert_eq!(prose(&nothing), "All 60 tables are already distributed.");
    }
}
