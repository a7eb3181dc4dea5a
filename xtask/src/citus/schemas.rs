//! Checks that the order does not matter: a database that is distributed before the takeover and before later migrations and
//! functions gets the same schema as one that is distributed last.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::distribute;
use super::nodes::{COORDINATOR, Nodes, WORKERS};
use crate::cargo::Paths;

/// Migrated after distribution.
const STEPPED: &str = "stepped";
/// Contains only the schema.
pub(super) const WHOLE: &str = "whole";
/// The first migration after the baseline. It and later ones find distributed tables.
const FIRST_AFTER_BASELINE: &str = "0011";
/// The number of replaced migrations that b9cfaa01 had.
const OF_B9CFAA01: usize = 75;
/// Turns the baseline into the state from which b9cfaa01 is taken over.
const AS_BEFORE: &str = "
    DROP TABLE schema_functions, audit_counts, event_chunks;
    ALTER TABLE workspaces DROP COLUMN event_bytes_per_day;
    ALTER TABLE request_counts DROP COLUMN event_bytes;
    ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_content_check;
    ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_content_check CHECK (num_nulls(event_id, body) = 1) NOT VALID;
    DROP FUNCTION ensure_assumed;
    DELETE FROM __diesel_schema_migrations";
/// Citus requires this mode to change tables with foreign keys to reference tables, and tables with triggers.
const ONE_SHARD_AFTER_THE_OTHER: &str =
    "SET LOCAL citus.multi_shard_modify_mode = 'sequential'; SET LOCAL citus.enable_unsafe_triggers = on";
/// Maximum number of differences to show.
const MAX_SHOWN: usize = 20;

/// Every column, constraint, index, trigger and function of the schema on a node, including those of shards without their numbers.
const SCHEMA: &str = "SELECT regexp_replace(replace(line, E'\\n', ' '), '_1[0-9]{5}\\y', '_N', 'g') FROM (
        SELECT format('column %s.%s %s %s %s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull,
                pg_get_expr(d.adbin, d.adrelid)) AS line
            FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
        UNION ALL SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT format('trigger %s', pg_get_triggerdef(oid)) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT format('function %s', pg_get_functiondef(oid)) FROM pg_proc
            WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'
    ) AS lines ORDER BY 1";

/// The class of each table, with its distribution column, number of shards, and the first table that it is colocated with.
const CLASSES: &str = "SELECT format('class %s %s %s %s %s %s %s', p.logicalrelid, p.partmethod, p.repmodel, p.autoconverted,
        column_to_column_name(p.logicalrelid, p.partkey),
        (SELECT count(*) FROM pg_dist_shard s WHERE s.logicalrelid = p.logicalrelid),
        (SELECT min(o.logicalrelid::text) FROM pg_dist_partition o WHERE o.colocationid = p.colocationid AND o.colocationid <> 0))
    FROM pg_dist_partition p ORDER BY 1";

pub(super) fn run(service: &Path, folder: &Path, nodes: &Nodes) -> Result<()> {
    for database in [WHOLE, STEPPED] {
        nodes.create_database(database)?;
        distribute(service, folder, &nodes.url_of(database, COORDINATOR))?;
    }
    let steps = step_back(nodes)?;
    ensure!(lines(nodes, STEPPED, &[COORDINATOR])? != lines(nodes, WHOLE, &[COORDINATOR])?, "nothing was reverted");
    distribute(service, folder, &nodes.url_of(STEPPED, COORDINATOR))?;
    for (place, numbers) in [("the coordinator", &[COORDINATOR][..]), ("the workers", &WORKERS)] {
        let (whole, stepped) = (lines(nodes, WHOLE, numbers)?, lines(nodes, STEPPED, numbers)?);
        let differences = [only_in(&whole, &stepped, "-"), only_in(&stepped, &whole, "+")].concat();
        ensure!(
            differences.is_empty(),
            "{steps} steps after distribution make another schema on {place}, in {} lines:\n{}",
            differences.len(),
            differences.iter().take(MAX_SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n")
        );
        println!("citus: {steps} steps after distribution make the same schema on {place}: {} lines", whole.len());
    }
    Ok(())
}

/// Reverts later migrations and the takeover on distributed tables. Returns the number of steps.
fn step_back(nodes: &Nodes) -> Result<usize> {
    let folder = Paths::find()?.root.join("migrations");
    let mut steps: Vec<PathBuf> = fs::read_dir(folder.join("tables"))
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect())
        .context("no migrations")?;
    steps.retain(|step| step.file_name().is_some_and(|name| name.to_string_lossy().as_ref() >= FIRST_AFTER_BASELINE));
    steps.sort();
    for step in steps.iter().rev() {
        let name = step.file_name().context("a migration without a name")?.to_string_lossy().into_owned();
        let Some((version, _)) = name.split_once('_') else { bail!("{name} has no version") };
        let forget = format!("DELETE FROM __diesel_schema_migrations WHERE version = '{}'", version.replace('-', ""));
        let down = step.join("down.sql").display().to_string();
        let message =
            nodes.psql(STEPPED, COORDINATOR, &["-1", "-c", ONE_SHARD_AFTER_THE_OTHER, "-f", &down, "-c", &forget]);
        message.with_context(|| format!("{name} cannot be reverted where tables are distributed"))?;
    }
    let replaced =
        fs::read_to_string(folder.join("takeover/replaced.txt")).context("no list of replaced migrations")?;
    let versions: Vec<String> = replaced.lines().take(OF_B9CFAA01).map(|version| format!("('{version}')")).collect();
    let note = format!("INSERT INTO __diesel_schema_migrations (version) VALUES {}", versions.join(", "));
    let mut arguments = vec!["-1", "-c", ONE_SHARD_AFTER_THE_OTHER];
    for command in AS_BEFORE.split(';').chain([&*note]) {
        arguments.extend(["-c", command]);
    }
    nodes
        .psql(STEPPED, COORDINATOR, &arguments)
        .context("the takeover cannot be reverted where tables are distributed")?;
    Ok(steps.len() + 1)
}

/// The schema on these nodes, and the table classes on the coordinator.
fn lines(nodes: &Nodes, database: &str, numbers: &[usize]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for number in numbers {
        let classes = if *number == COORDINATOR { nodes.sql_in(database, *number, CLASSES)? } else { String::new() };
        let schema = nodes.sql_in(database, *number, SCHEMA)?;
        lines.extend(classes.lines().chain(schema.lines()).map(str::to_owned));
    }
    lines.sort();
    Ok(lines)
}

/// Lines that the first has more often than the second. Both are sorted.
fn only_in(first: &[String], second: &[String], mark: &str) -> Vec<String> {
    let mut rest = second.iter().peekable();
    let mut only = Vec::new();
    for line in first {
        while rest.next_if(|other| *other < line).is_some() {}
        if rest.next_if_eq(&line).is_none() {
            only.push(format!("{mark} {line}"));
        }
    }
    only
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_counted() {
        let lines = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(only_in(&lines("a b b d"), &lines("a b c"), "-"), ["- b", "- d"]);
        assert_eq!(only_in(&lines("a b c"), &lines("a b b d"), "+"), ["+ c"]);
        assert_eq!(only_in(&lines("a b"), &lines("a b"), "+"), Vec::<String>::new());
    }
}
