//! The templates of lists.

use const_format::{concatcp, str_replace};

use super::{LIVE, List, Order};

/// How many rows of a list a search reads per step. One bulk request can fill a part; a search always reads two parts, if the
/// list is that long.
pub(super) const PART: &str = "500";
/// How many parts a search reads before it sorts all matches instead: about 5 ms.
pub(super) const PARTS: &str = "20";
/// Up to this many matches are collected and sorted instead of being searched for in list order.
pub(super) const FEW: &str = "1000";

/// All matching rows, in the order of an index.
pub(super) const PLAIN: &str = "SELECT {columns} FROM {table} WHERE {conditions} {order} {page}";

/// One branch per value of a filter with several values, each with its first rows from the index.
pub(super) const BRANCHES: &str = "SELECT {columns}
    FROM unnest({values}) AS chosen (wanted)
    CROSS JOIN LATERAL (
        SELECT * FROM {table} WHERE {conditions} AND {column} = chosen.wanted {order} LIMIT {reach}
    ) AS {table}
    {order} {page}";

/// Walks through the list part by part until the page is full, as long as enough matches come: at the rate of the latest part,
/// the longest walk would fill the page. `{or_common}` is another reason to continue. So few rows are read, however many
/// match. If the page does not fill up, `{others}` adds the matches after the walk.
///
/// The first part consists of rows that satisfy all conditions; if there are few, they are the whole list. The next parts are
/// rows that an index has in order, so each reads no more rows than it has. Rows come in list order. A row keeps its `ctid`
/// while the statement runs, so only the page's rows are read in full. The words are a separate SELECT, because a prepared
/// statement would otherwise parse them again for each row.
const WALKED: &str = "WITH RECURSIVE {matches}walk (part, hits, fresh, places, at, key, more) AS (
        SELECT 1, hits, hits, places, at, key, more
        FROM (
            SELECT {found_in_part}
            FROM (
                SELECT ctid AS place, id, created_at, search @@ (SELECT {words}) AS is_hit FROM {table}
                WHERE {conditions} {order} LIMIT {part}
            ) AS part
        ) AS head
        UNION ALL
        SELECT walk.part + 1, walk.hits + next.hits, next.hits, next.places, next.at, next.key, next.more
        FROM walk CROSS JOIN LATERAL (
            SELECT {found_in_part}
            FROM (
                SELECT ctid AS place, id, created_at, search @@ (SELECT {words}){other_conditions} AS is_hit FROM {table}
                WHERE {ordered} AND (created_at, id) {behind} (walk.at, walk.key) {order} LIMIT {part}
            ) AS part
        ) AS next
        WHERE walk.more AND walk.hits < {reach} AND walk.part < {parts}
            AND (walk.part = 1 OR walk.fresh * {parts} >= {reach}{or_common})
    ), end_of_walk AS MATERIALIZED (
        SELECT more AND hits < {reach} AS is_short, at, key FROM walk ORDER BY part DESC LIMIT 1
    )
    SELECT {columns}
    FROM (
        SELECT unnest(places) AS place FROM walk
        {others}
    ) AS found
    CROSS JOIN LATERAL (SELECT * FROM {table} WHERE ctid = found.place LIMIT 1) AS {table}
    {order} {page}";

/// The result of a part: how many rows match, where the first matches are, after which row the next part begins, and whether
/// there may be one.
const FOUND_IN_PART: &str = "count(*) FILTER (WHERE is_hit) AS hits,
                (array_agg(place) FILTER (WHERE is_hit))[:{reach}] AS places,
                (array_agg(created_at))[{part}] AS at, (array_agg(id))[{part}] AS key, count(*) = {part} AS more";

/// The matches in the search index, read only as far as needed. It names no column of another index: in a table that was never
/// analysed, Postgres assumes one row per workspace, and would use that index to check all rows of the workspace.
const MATCHES: &str = "matches AS MATERIALIZED (
        SELECT *, ctid AS place FROM {table} WHERE {indexed} AND search @@ {words}
    ), ";

const OR_COMMON: &str = " OR (SELECT count(*) = {few} FROM (SELECT FROM matches LIMIT {few}) AS few)";

/// If there are few matches, they are the counted ones.
const FEW_AFTER_WALK: &str = "UNION ALL
        (
            SELECT place FROM (SELECT * FROM matches LIMIT {few}) AS {table}
            WHERE {conditions} AND (created_at, id) {behind} (SELECT at, key FROM end_of_walk)
                AND (SELECT is_short FROM end_of_walk)
                AND (SELECT count(*) < {few} FROM (SELECT FROM matches LIMIT {few}) AS few)
            {order} LIMIT {reach}
        )
        ";

/// Finds all matches before sorting: the OFFSET stops Postgres from checking every row in list order.
const ALL_AFTER_WALK: &str = "UNION ALL
        (
            SELECT place FROM (
                SELECT ctid AS place, id, created_at FROM {table} WHERE {conditions} AND search @@ {words}
                    AND (created_at, id) {behind} (SELECT at, key FROM end_of_walk)
                    AND (SELECT is_short FROM end_of_walk){and_common}
                OFFSET 0
            ) AS {table}
            {order} LIMIT {reach}
        )";

const AND_COMMON: &str = "
                    AND (SELECT count(*) = {few} FROM (SELECT FROM matches LIMIT {few}) AS few)";

/// A search in a list with at most one other filter.
pub(super) const SEARCHED: &str = {
    const WALK: &str = str_replace!(WALKED, "{found_in_part}", FOUND_IN_PART);
    const COUNTED: &str = str_replace!(WALK, "{matches}", MATCHES);
    const COMMON: &str = str_replace!(COUNTED, "{or_common}", OR_COMMON);
    const ALL: &str = str_replace!(ALL_AFTER_WALK, "{and_common}", AND_COMMON);
    str_replace!(COMMON, "{others}", concatcp!(FEW_AFTER_WALK, ALL))
};

/// A search combined with several other filters: Postgres estimates how many rows satisfy all of them.
pub(super) const SEARCHED_WITH_FILTERS: &str = {
    const WALK: &str = str_replace!(WALKED, "{found_in_part}", FOUND_IN_PART);
    const UNCOUNTED: &str = str_replace!(WALK, "{matches}", "");
    const RARE: &str = str_replace!(UNCOUNTED, "{or_common}", "");
    const ALL: &str = str_replace!(ALL_AFTER_WALK, "{and_common}", "");
    str_replace!(RARE, "{others}", ALL)
};

/// Finds all matches in the search index before sorting. The OFFSET stops Postgres from checking every row in list order for a
/// rare word.
pub(super) const ALL_FOUND: &str = "SELECT {columns}
    FROM (SELECT * FROM {table} WHERE {conditions} AND search @@ {words} OFFSET 0) AS {table}
    {order} {page}";

/// Two branches, for a filter that either of two columns can satisfy or for rows with and without a sort value: the first rows
/// of each from its index.
pub(super) const EITHER: &str = "SELECT {columns}
    FROM (
        (SELECT * FROM {table} WHERE {conditions} AND {first} {within} LIMIT {reach})
        UNION ALL
        (SELECT * FROM {table} WHERE {conditions} AND {second} {within} LIMIT {reach})
    ) AS {table}
    {order} {page}";

/// The newest rows of a list that match words, found like the first page of a search; part of a larger statement.
pub(crate) fn newest_matches(list: &List, words: &str, most: &str, is_cluster: bool) -> String {
    let page = format!("LIMIT {most}");
    fill(if is_cluster { ALL_FOUND } else { SEARCHED }, |name| match name {
        "columns" => list.select,
        "table" => list.from,
        "conditions" | "ordered" => list.conditions,
        "order" => Order::Newest.by(),
        "behind" => Order::Newest.after_operator(),
        "part" => PART,
        "parts" => PARTS,
        "few" => FEW,
        "page" => &page,
        "reach" => most,
        "words" => words,
        "indexed" => LIVE,
        _ => "",
    })
}

/// Fills the slots of a template.
pub(crate) fn fill<'v>(shape: &str, value: impl Fn(&str) -> &'v str) -> String {
    let mut text = String::with_capacity(2_048);
    let mut rest = shape;
    while let Some((before, slot)) = rest.split_once('{') {
        let (name, after) = slot.split_once('}').unwrap_or((slot, ""));
        text.push_str(before);
        text.push_str(value(name));
        rest = after;
    }
    text.push_str(rest);
    text
}
