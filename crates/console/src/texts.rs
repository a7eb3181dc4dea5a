//! The texts of the pages by key, in one file per language.

use std::sync::LazyLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use unic_langid::LanguageIdentifier;

const ENGLISH: &str = include_str!("../texts/en.ftl");

static TEXTS: LazyLock<FluentBundle<FluentResource>> = LazyLock::new(|| {
    let mut bundle = FluentBundle::new_concurrent(vec!["en".parse::<LanguageIdentifier>().unwrap_or_default()]);
    // The marks for text direction around values would show up in attributes.
    bundle.set_use_isolating(false);
    // A test checks that the file has no errors.
    let texts = FluentResource::try_new(ENGLISH.to_owned()).unwrap_or_else(|(readable, _)| readable);
    if let Err(errors) = bundle.add_resource(texts) {
        log::error!("texts of the console are defined twice: {errors:?}");
    }
    bundle
});

/// The text of a key.
pub(crate) fn text(key: &str) -> String {
    formatted(key, None)
}

/// The text of a key with its variables.
pub(crate) fn text_with<'a>(key: &str, values: impl IntoIterator<Item = (&'a str, FluentValue<'a>)>) -> String {
    let values: FluentArgs<'_> = values.into_iter().collect();
    formatted(key, Some(&values))
}

/// The text of a key with `$name`.
pub(crate) fn text_named(key: &str, name: &str) -> String {
    text_with(key, [("name", name.into())])
}

/// The text of a key, if there is one.
pub(crate) fn known(key: &str) -> Option<String> {
    TEXTS.has_message(key).then(|| text(key))
}

fn formatted(key: &str, values: Option<&FluentArgs<'_>>) -> String {
    let pattern = TEXTS.get_message(key).and_then(|message| message.value());
    let Some(pattern) = pattern else {
        // A test finds keys without a text.
        log::error!("the console has no text for {key}");
        return key.to_owned();
    };
    TEXTS.format_pattern(pattern, values, &mut Vec::new()).into_owned()
}

/// The label of a member, a value or a kind: its own text, or else its name in words.
pub(crate) fn label(group: &str, name: &str) -> String {
    known(&format!("{group}-{}", name.replace(['_', '.'], "-"))).unwrap_or_else(|| in_words(name))
}

/// Turns `expected_close_date` into `Expected close date`.
pub(crate) fn in_words(name: &str) -> String {
    sentence(&name.trim_end_matches("_id").replace(['_', '.'], " "))
}

/// The first `max` characters of a text, with an ellipsis if there are more.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The text with an upper-case first letter. Messages of the domain begin in lower case, since they can follow other
/// text.
pub(crate) fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_file_has_no_errors_and_no_duplicate_keys() {
        let texts = FluentResource::try_new(ENGLISH.to_owned()).map_err(|(_, errors)| errors).unwrap();
        let mut bundle = FluentBundle::new_concurrent(Vec::new());
        bundle.add_resource(texts).unwrap();
    }

    /// Every key in quotes before `|t` in templates and after the functions below in the code.
    fn used() -> BTreeSet<String> {
        fn collect(folder: &Path, keys: &mut BTreeSet<String>) {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    collect(&path, keys);
                    continue;
                }
                let text = fs::read_to_string(&path).unwrap();
                for (place, _) in text.match_indices("\"|t").chain(text.match_indices("\" | t")) {
                    let start = text[..place].rfind('"').unwrap() + 1;
                    keys.insert(text[start..place].to_owned());
                }
                for call in ["text(\"", "text_named(\"", "text_with(\"", "notice(\""] {
                    for (place, _) in text.match_indices(call) {
                        let rest = &text[place + call.len()..];
                        keys.insert(rest[..rest.find('"').unwrap()].to_owned());
                    }
                }
            }
        }
        let mut keys = BTreeSet::new();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        collect(&root.join("templates"), &mut keys);
        collect(&root.join("src"), &mut keys);
        // The search patterns above.
        keys.remove("\\");
        keys
    }

    #[test]
    fn a_long_value_is_shortened_between_characters() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened("ßßßß", 4), "ßßßß");
        assert_eq!(shortened("ßßßßß", 4), "ßßßß…");
    }

    #[test]
    fn every_key_that_is_used_has_a_text() {
        let missing: Vec<_> = used().into_iter().filter(|key| !key.is_empty() && !TEXTS.has_message(key)).collect();
        assert!(missing.is_empty(), "texts/en.ftl lacks {missing:?}");
    }
}
