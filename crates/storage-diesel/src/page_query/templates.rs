//! The templates of lists.

use super::{List, Order};

/// How many rows at the head of a list a search scans.
pub(super) const HEAD: &str = "500";

/// All matching rows, in the order of an index.
pub(super) const PLAIN: &str = "SELECT {columns} FROM {table} WHERE {conditions} {order} {page}";

/// One branch per value of a filter with several values: the first rows of each from its index.
pub(super) const BRANCHES: &str = "SELECT {columns}
    FROM unnest({values}) AS chosen (wanted)
    CROSS JOIN LATERAL (
        SELECT * FROM {table} WHERE {conditions} AND {column} = chosen.wanted {order} LIMIT {reach}
    ) AS {table}
    {order} {page}";

/// First scans the head of the list, which fills a page for a common word with too many matches to sort. Only if it
/// does not, the search index finds the rows after the head.
pub(super) const SEARCHED: &str = "WITH head AS MATERIALIZED (
        SELECT * FROM {table} WHERE {conditions} {order} LIMIT {head}
    ), hit AS MATERIALIZED (
        SELECT * FROM head WHERE search @@ {words} {order} LIMIT {reach}
    )
    SELECT {columns}
    FROM (
        SELECT * FROM hit
        UNION ALL
        (
            SELECT * FROM {table} WHERE {conditions} AND search @@ {words}
                AND (created_at, id) {behind} (SELECT created_at, id FROM head ORDER BY created_at, id LIMIT 1)
                AND (SELECT count(*) FROM head) = {head} AND (SELECT count(*) FROM hit) < {reach}
            OFFSET 0
        )
    ) AS {table}
    {order} {page}";

/// All matches, found by the search index before any is sorted. The OFFSET stops Postgres from checking every row in
/// list order for a rare word.
pub(super) const ALL_FOUND: &str = "SELECT {columns}
    FROM (SELECT * FROM {table} WHERE {conditions} AND search @@ {words} OFFSET 0) AS {table}
    {order} {page}";

/// Two branches for a filter that either of two columns can satisfy: the first rows of each from its index.
pub(super) const EITHER: &str = "SELECT {columns}
    FROM (
        (SELECT * FROM {table} WHERE {conditions} AND {first} {order} LIMIT {reach})
        UNION ALL
        (SELECT * FROM {table} WHERE {conditions} AND {second} {order} LIMIT {reach})
    ) AS {table}
    {order} {page}";

/// The newest rows of a list that match words, found like the first page of a search: a part of a larger statement.
pub(crate) fn newest_matches(list: &List, words: &str, most: &str) -> String {
    let page = format!("LIMIT {most}");
    fill(SEARCHED, |name| match name {
        "columns" => list.select,
        "table" => list.from,
        "conditions" => list.conditions,
        "order" => Order::Newest.by(),
        "behind" => Order::Newest.behind(),
        "head" => HEAD,
        "page" => &page,
        "reach" => most,
        "words" => words,
        _ => "",
    })
}

/// Fills the slots of a template.
pub(super) fn fill<'v>(shape: &str, value: impl Fn(&str) -> &'v str) -> String {
    let mut text = String::with_capacity(2_048);
    let mut rest = shape;
    while let Some((before, behind)) = rest.split_once('{') {
        let (name, after) = behind.split_once('}').unwrap_or((behind, ""));
        text.push_str(before);
        text.push_str(value(name));
        rest = after;
    }
    text.push_str(rest);
    text
}
