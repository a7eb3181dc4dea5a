//! Keeps the values of a row that have no member, so that nothing is lost.

use serde_json::{Map, Value as Json};

use super::TransferKind;
use crate::records::{ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS, ImportRow};

/// The separator between several values of one name.
const BETWEEN: &str = "; ";

/// Values by name, which become custom fields or lines of a long text.
#[derive(Debug, Default)]
pub(super) struct SideValues {
    kind: Option<TransferKind>,
    /// The prefix of lines before the name of their column, such as the name of a system.
    title: &'static str,
    custom_fields: Vec<(String, String)>,
    lines: Vec<(String, String)>,
}

impl SideValues {
    pub(super) fn new(kind: TransferKind, title: &'static str) -> Self {
        Self { kind: Some(kind), title, ..Self::default() }
    }

    /// Adds a custom field. Different values of the same name are joined.
    pub(super) fn custom_field(&mut self, name: &str, value: &str) {
        add(&mut self.custom_fields, name, value);
    }

    /// Adds a line to the description or the notes.
    pub(super) fn line(&mut self, column: &str, value: &str) {
        add(&mut self.lines, &label_of(self.title, column), value);
    }

    /// Keeps a cell whose member already has another value: as a custom field if the kind has them, otherwise as a line.
    ///
    /// # Errors
    /// For companies, which have neither; their notes are left to users.
    pub(super) fn aside(&mut self, column: &str, value: &str) -> Result<(), String> {
        match self.kind {
            Some(TransferKind::Contacts | TransferKind::Deals) => self.custom_field(&field_name(column), value),
            Some(TransferKind::Tasks | TransferKind::Tickets | TransferKind::TimeEntries) => self.line(column, value),
            _ => {
                return Err(format!(
                    "{column}: another column has a different value for the same member: empty one of the two cells, or \
                     ignore the column with --map {column:?}="
                ));
            }
        }
        Ok(())
    }

    /// Refuses a custom field that has one value in the object and another in a separate column.
    ///
    /// # Errors
    /// How to correct it.
    pub(super) fn check_one_value(&self, row: &ImportRow) -> Result<(), String> {
        let whole = row.get(CUSTOM_FIELDS).and_then(Json::as_object);
        let differs =
            |name: &str, value: &str| whole.and_then(|whole| whole.get(name)).is_some_and(|known| known != value);
        let twice = self.custom_fields.iter().find(|(name, value)| differs(name, value));
        twice.map_or(Ok(()), |(name, _)| {
            Err(format!("{ADDED_CUSTOM_FIELDS}{name}: has a different value in {CUSTOM_FIELDS}: keep one of the two"))
        })
    }

    /// Writes the values into the row.
    pub(super) fn store(self, row: &mut ImportRow) {
        if !self.custom_fields.is_empty() {
            let fields: Map<_, _> = self.custom_fields.into_iter().map(|(name, value)| (name, value.into())).collect();
            row.insert(ADDED_CUSTOM_FIELDS.to_owned(), fields.into());
        }
        let Some(member) = self.kind.and_then(TransferKind::long_text).filter(|_| !self.lines.is_empty()) else {
            return;
        };
        append_lines(row, member, "\n\n", &self.lines);
    }
}

/// The label of a line: the name of the system, if it is known, and of the column.
fn label_of(title: &str, column: &str) -> String {
    if title.is_empty() { column.to_owned() } else { format!("{title} {column}") }
}

/// Appends lines to the text of a member, with this text between.
fn append_lines(row: &mut ImportRow, member: &str, between: &str, lines: &[(String, String)]) {
    let lines: Vec<_> = lines.iter().map(|(label, value)| format!("{label}: {value}")).collect();
    let lines = lines.join("\n");
    let text = match row.get(member).and_then(Json::as_str) {
        // The text of the member, or lines that were appended before.
        Some(text) => format!("{}{between}{lines}", text.trim_end()),
        None => lines,
    };
    row.insert(member.to_owned(), text.into());
}

/// Adds lines to the text of a member in a row whose cells were already read, below the lines of the same system.
pub(super) fn keep_lines(row: &mut ImportRow, member: &str, title: &str, lines: &[(&str, String)]) {
    if lines.is_empty() {
        return;
    }
    let last = row.get(member).and_then(Json::as_str).and_then(|text| text.trim_end().lines().next_back());
    let is_of_system = last.is_some_and(|line| !title.is_empty() && line.starts_with(&label_of(title, "")));
    let between = if is_of_system { "\n" } else { "\n\n" };
    let lines: Vec<_> = lines.iter().map(|(column, value)| (label_of(title, column), value.clone())).collect();
    append_lines(row, member, between, &lines);
}

/// Keeps a value of a row whose cells were already read. If the row has another text in the custom field, both are kept.
///
/// # Errors
/// If the row has a value in the custom field that is not a text.
pub(super) fn keep(
    row: &mut ImportRow,
    kind: TransferKind,
    field: &str,
    label: &str,
    value: &str,
) -> Result<(), String> {
    if !matches!(kind, TransferKind::Contacts | TransferKind::Deals) {
        if let Some(member) = kind.long_text() {
            append_lines(row, member, "\n\n", &[(label.to_owned(), value.to_owned())]);
        }
        return Ok(());
    }
    let stored = [ADDED_CUSTOM_FIELDS, CUSTOM_FIELDS].iter().find_map(|fields| row.get(*fields)?.get(field));
    let mut text = match stored {
        None | Some(Json::Null) => String::new(),
        Some(Json::String(text)) => text.clone(),
        Some(_) => {
            return Err(format!(
                "{CUSTOM_FIELDS}: {field:?} has a value that is not a text, so {value:?} cannot be kept there, too"
            ));
        }
    };
    join(&mut text, value);
    let fields = row.entry(ADDED_CUSTOM_FIELDS).or_insert_with(|| Map::new().into());
    if let Json::Object(fields) = fields {
        fields.insert(field.to_owned(), text.into());
    }
    Ok(())
}

fn add(values: &mut Vec<(String, String)>, name: &str, value: &str) {
    match values.iter_mut().find(|(known, _)| known == name) {
        None => values.push((name.to_owned(), value.to_owned())),
        Some((_, known)) => join(known, value),
    }
}

/// Adds a value to the values in a text, unless it is one of them.
fn join(text: &mut String, value: &str) {
    let is_known = text.trim() == value.trim() || text.split(BETWEEN).any(|one| one.trim() == value.trim());
    if is_known {
        return;
    }
    if text.trim().is_empty() {
        text.clear();
    } else {
        text.push_str(BETWEEN);
    }
    text.push_str(value);
}

/// Turns a column name into the name of a custom field: `Person - Email - Home` becomes `email_home`.
pub(super) fn field_name(column: &str) -> String {
    let folded = column.trim().to_lowercase();
    let name = ["person - ", "deal - ", "organization - "].iter().find_map(|prefix| folded.strip_prefix(prefix));
    let name = name.unwrap_or(&folded);
    name.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn columns_become_names_of_custom_fields() {
        for (column, name) in [
            ("Person - Email - Home", "email_home"),
            ("Mobile Phone Number", "mobile_phone_number"),
            ("Date entered \"Closed Won (Sales Pipeline)\"", "date_entered_closed_won_sales_pipeline"),
            ("Größe", "größe"),
        ] {
            assert_eq!(field_name(column), name);
        }
    }

    #[test]
    fn lines_follow_the_text_and_values_of_one_column_are_joined() {
        let mut values = SideValues::new(TransferKind::Tasks, "Jira");
        for (column, cell) in [("Sprint", "One"), ("Sprint", "Two"), ("Sprint", "One"), ("Issue key", "A-1")] {
            values.line(column, cell);
        }
        let mut row = ImportRow::from_iter([("description".to_owned(), "Text\n".into())]);
        values.store(&mut row);
        assert_eq!(row["description"], "Text\n\nJira Sprint: One; Two\nJira Issue key: A-1");
    }

    #[test]
    fn lines_that_are_kept_later_follow_those_of_their_system() {
        let kept = |note: &str, title: &str| {
            let mut row = ImportRow::from_iter([("note".to_owned(), note.into())]);
            keep_lines(&mut row, "note", title, &[("Client", "Acme".to_owned()), ("Project", "Shop".to_owned())]);
            row["note"].clone()
        };
        let lines = "Toggl Client: Acme\nToggl Project: Shop";
        assert_eq!(kept("Plan\n\nToggl Tags: a", "Toggl"), format!("Plan\n\nToggl Tags: a\n{lines}"));
        assert_eq!(kept("Plan", "Toggl"), format!("Plan\n\n{lines}"));
        assert_eq!(kept("Plan", ""), "Plan\n\nClient: Acme\nProject: Shop");
    }

    #[test]
    fn a_kept_value_does_not_overwrite_another() {
        let keep_owner = |row: Json, value: &str| {
            let Json::Object(mut row) = row else { panic!("no object") };
            keep(&mut row, TransferKind::Deals, "owner", "Assignee", value).map(|()| row[ADDED_CUSTOM_FIELDS].clone())
        };
        for (row, expected) in [
            (json!({}), json!({ "owner": "Bo" })),
            (json!({ "custom_fields.": { "a": "b" } }), json!({ "a": "b", "owner": "Bo" })),
            (json!({ "custom_fields.": { "owner": "Ann" } }), json!({ "owner": "Ann; Bo" })),
            (json!({ "custom_fields.": { "owner": "Bo; Ann" } }), json!({ "owner": "Bo; Ann" })),
            (json!({ "custom_fields": { "owner": "Ann", "a": 1 } }), json!({ "owner": "Ann; Bo" })),
            (json!({ "custom_fields": { "owner": null } }), json!({ "owner": "Bo" })),
            (json!({ "custom_fields": { "owner": "" } }), json!({ "owner": "Bo" })),
        ] {
            assert_eq!(keep_owner(row.clone(), "Bo"), Ok(expected), "{row}");
        }
        let refused = keep_owner(json!({ "custom_fields": { "owner": 7 } }), "Bo").unwrap_err();
        assert!(refused.starts_with("custom_fields: \"owner\" has a value that is not a text"), "{refused}");
    }
}
