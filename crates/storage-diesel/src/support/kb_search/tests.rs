use domain::kernel::search::is_folded_mark;

use super::*;

const WORKSPACE: Uuid = Uuid::from_u128(0xAB);

fn term(stems: &[&str], forms: &[&str], starts: bool) -> Term {
    let texts = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
    Term { stems: texts(stems), forms: texts(forms), starts }
}

#[test]
fn each_term_matches_by_stem_or_form() {
    let terms = vec![term(&["studi"], &["studies"], false), term(&["run"], &["run"], true)];
    let terms = SearchTerms::of(WORKSPACE, terms).unwrap();
    assert_eq!(terms.words, "(('studi') | ('studies')) & ('run':*)");
    assert_eq!(terms.titles, "(('studi':AB) | ('studies':AB)) & ('run':*AB)");
    let IndexKeys { whole_words, words, whole_titles, titles } = terms.index;
    assert_eq!(words, "(('000000abwstudi') | ('000000abwstudies')) & ('000000abwrun':*)");
    assert_eq!(whole_words, "(('000000abwstudi') | ('000000abwstudies')) & ('000000abwrun')");
    assert_eq!(titles, "(('000000abtstudi') | ('000000abtstudies')) & ('000000abtrun':*)");
    assert_eq!(whole_titles, "(('000000abtstudi') | ('000000abtstudies')) & ('000000abtrun')");
}

#[test]
fn stop_words_count_only_alone_and_short_prefixes_skip_the_index() {
    let the = || term(&[], &["the"], true);
    assert_eq!(SearchTerms::of(WORKSPACE, vec![the()]).unwrap().words, "('the':*)");
    let key = term(&["key"], &["key"], false);
    assert_eq!(SearchTerms::of(WORKSPACE, vec![key.clone(), the()]).unwrap().words, "('key')");
    let terms = SearchTerms::of(WORKSPACE, vec![key, term(&["d"], &["d"], true)]).unwrap();
    assert_eq!((&*terms.words, &*terms.index.words), ("('key') & ('d':*)", "('000000abwkey')"));
    assert_eq!(terms.index.whole_words, "('000000abwkey') & ('000000abwd')");
    assert_eq!(SearchTerms::of(WORKSPACE, vec![term(&[], &[], true)]), None);
}

#[test]
fn single_characters_of_runs_are_prefixes_and_use_the_index_only_alone() {
    let lone = |form| term(&[form], &[form], true);
    let terms = SearchTerms::of(WORKSPACE, vec![lone("码"), lone("设")]).unwrap();
    assert_eq!((&*terms.words, &*terms.index.words), ("('码':*) & ('设':*)", "('000000abw码':*) & ('000000abw设':*)"));
    assert!(!terms.has_prefix_beside_words);
    let unsegmented = SearchTerms::of(WORKSPACE, vec![term(&["码设"], &["码设"], true)]).unwrap();
    let either = terms.or(unsegmented);
    assert_eq!(either.words, "(('码':*) & ('设':*)) | (('码设':*))");
    assert_eq!(either.index.whole_titles, "(('000000abt码') & ('000000abt设')) | (('000000abt码设'))");
    assert_eq!(either.terms.len(), 3);
}

/// `kb_fold` removes the same marks as the domain.
#[test]
fn the_database_removes_the_same_marks_as_the_domain() {
    const TEXT: &str = include_str!("../../../../../migrations/functions/kb_fold.sql");
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for mark in (0..=0x0010_FFFF).filter(|code| char::from_u32(*code).is_some_and(is_folded_mark)) {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == mark => *last = mark,
            _ => ranges.push((mark, mark)),
        }
    }
    let name = |code: u32| if code > 0xFFFF { format!("\\U{code:08x}") } else { format!("\\u{code:04x}") };
    let class = ranges.into_iter().map(|(first, last)| match last - first {
        0 => name(first),
        1 => name(first) + &name(last),
        _ => format!("{}-{}", name(first), name(last)),
    });
    let (mut lines, mut line) = (Vec::new(), String::new());
    for part in class {
        if line.len() + part.len() > 110 {
            lines.push(std::mem::take(&mut line));
        }
        line.push_str(&part);
    }
    lines.push(line);
    let lines: Vec<_> = lines.iter().map(|line| format!("            '{line}'")).collect();
    let lines = lines.join("\n");
    assert!(TEXT.contains(&lines), "kb_fold.sql needs this list:\n{lines}");
}

#[test]
fn special_characters_are_escaped_and_long_lexemes_are_cut_for_the_index() {
    let long = "'".repeat(70);
    let terms = SearchTerms::of(WORKSPACE, vec![term(&[r"o'b\r"], &[&long], true)]).unwrap();
    assert_eq!(terms.words, format!(r"(('o''b\\r':*) | ('{}':*))", "''".repeat(70)));
    assert_eq!(terms.index.words, format!(r"(('000000abwo''b\\r':*) | ('000000abw{}':*))", "''".repeat(64)));
}
