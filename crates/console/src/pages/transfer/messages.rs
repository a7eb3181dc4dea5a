//! Rewrites messages of the domain about rows and values, with the labels of fields instead of the names of members.

use domain::transfer::{Columns, TransferKind};

use crate::texts::{label, sentence, text_named};

/// The separator between messages about one row.
const SEPARATOR: &str = "; ";
const CUSTOM_FIELD: &str = "custom_fields.";
/// What follows a member's name at the beginning of a message.
const AFTER_NAMES: [&str; 3] = [": ", "[", " is required"];

/// The names of a kind's members.
pub(super) struct MessageRewriter(Vec<&'static str>);

impl MessageRewriter {
    pub(super) fn of(kind: TransferKind) -> Self {
        Self(Columns::choices(kind))
    }

    /// A message as a sentence that begins with the label of its field.
    pub(super) fn rewrite(&self, message: &str) -> String {
        let parts: Vec<_> = message.split(SEPARATOR).map(|part| self.with_label(part)).collect();
        sentence(&parts.join(SEPARATOR))
    }

    fn with_label(&self, part: &str) -> String {
        if let Some((field, rest)) = part.strip_prefix(CUSTOM_FIELD).and_then(|part| part.split_once(": ")) {
            return format!("{}: {rest}", text_named("import-custom-field", field));
        }
        let end =
            part.find(|character: char| !character.is_ascii_alphanumeric() && character != '_').unwrap_or(part.len());
        let (name, rest) = part.split_at(end);
        if self.0.contains(&name) && AFTER_NAMES.iter().any(|suffix| rest.starts_with(*suffix)) {
            format!("{}{rest}", label("member", name))
        } else {
            part.to_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_begin_with_the_labels_of_fields() {
        let rewriter = MessageRewriter::of(TransferKind::Contacts);
        for (message, expected) in [
            ("social_linkedin: must be a URL", "LinkedIn: must be a URL"),
            ("email: must be valid; job_title: is too long", "Email: must be valid; Job title: is too long"),
            ("email is required: enter it; without it, a", "Email is required: enter it; without it, a"),
            ("tags[3]: is too long", "Tags[3]: is too long"),
            ("custom_fields.shoe size: has another value", "Custom field “shoe size”: has another value"),
            ("this may be 2 rows; email them", "This may be 2 rows; email them"),
        ] {
            assert_eq!(rewriter.rewrite(message), expected);
        }
    }
}
