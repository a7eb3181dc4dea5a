//! Splits a migration into its commands.
//!
//! When a command changes a distributed table, Citus forwards the whole text that was sent to its nodes, so the text must be a
//! single command.

/// The commands of a SQL text, without empty ones. It recognises the quotes that migrations use: `'…'`, `"…"` and `$tag$…$tag$`.
pub(super) fn commands(sql: &str) -> Vec<&str> {
    let (mut commands_found, mut start, mut position) = (Vec::new(), 0, 0);
    let mut has_content = false;
    while position < sql.len() {
        let rest = &sql[position..];
        let first = rest.chars().next().unwrap_or_default();
        if first == ';' {
            push(&mut commands_found, &sql[start..position], has_content);
            (start, has_content) = (position + 1, false);
        }
        let is_comment = rest.starts_with("--");
        has_content |= !(is_comment || first.is_whitespace() || first == ';');
        position += match first {
            '-' if is_comment => rest.find('\n').unwrap_or(rest.len()),
            '\'' | '"' => quoted(rest, &rest[..1]),
            '$' => match tag(rest) {
                Some(tag) => quoted(rest, tag),
                None => 1,
            },
            other => other.len_utf8(),
        };
    }
    push(&mut commands_found, &sql[start..], has_content);
    commands_found
}

fn push<'a>(list: &mut Vec<&'a str>, command: &'a str, has_content: bool) {
    if has_content {
        list.push(command.trim());
    }
}

/// The length of the quoted text, including its quotes. A doubled quote counts as two adjacent texts.
fn quoted(rest: &str, quote: &str) -> usize {
    rest[quote.len()..].find(quote).map_or(rest.len(), |end| end + 2 * quote.len())
}

/// The `$tag$` that begins the body of a function.
fn tag(rest: &str) -> Option<&str> {
    let end = rest[1..].find('$')? + 2;
    let is_tag = rest[1..end - 1].chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    // A placeholder such as $1 is not a tag.
    (is_tag && !rest[1..].starts_with(|c: char| c.is_ascii_digit())).then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_end_at_semicolons_outside_quotes() {
        let sql = "-- a; comment\nSET x = 'a;''b';\n\nDO $$ BEGIN; 'x END $$;CREATE \"a;b\"; -- end;\n SELECT $tag$;$$;$tag$, 1";
        assert_eq!(
            commands(sql),
            [
                "-- a; comment\nSET x = 'a;''b'",
                "DO $$ BEGIN; 'x END $$",
                "CREATE \"a;b\"",
                "-- end;\n SELECT $tag$;$$;$tag$, 1"
            ]
        );
        assert_eq!(commands(" ;; -- nothing\n"), Vec::<&str>::new());
        assert_eq!(commands("SELECT $1; SELECT 'é';"), ["SELECT $1", "SELECT 'é'"]);
    }
}
