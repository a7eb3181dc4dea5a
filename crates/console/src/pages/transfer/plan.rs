//! How to import a file, as every request about the file specifies.

use csv_files::{Line, Table, TableError, digest_of, digest_of_user};
use domain::identity::access::{Permit, TransferRecords};
use domain::kernel::input::Problem;
use domain::records::OnMatch;
use domain::transfer::{Columns, DecimalSign, ImportDigest, MAX_BATCH_ROWS, Mapping, Preset, PresetName, TransferKind};

use super::messages::MessageRewriter;
use crate::prelude::*;

/// How to import a file, and the rows of one request.
pub(super) struct Plan {
    pub(super) columns: Columns,
    pub(super) on_match: OnMatch,
    pub(super) header: Vec<String>,
    pub(super) rows: Vec<Line>,
    /// The separator between cells.
    pub(super) delimiter: u8,
    preset: Option<PresetName>,
    mapping: Mapping,
}

impl Plan {
    /// # Errors
    /// [`Error::Malformed`] for what none of our pages sends. [`Error::Invalid`] for a file that cannot be read, for
    /// columns that contradict each other, and for a value that its member rejects.
    pub(super) fn of(kind: TransferKind, form: &Form, values: Vec<(String, String, String)>) -> Result<Self, Error> {
        let preset = preset_of(form)?;
        let on_match = form.value("match").and_then(OnMatch::parse).ok_or_else(|| {
            Error::malformed("match", "invalid_value", format!("must be one of {}", OnMatch::allowed_values()))
        })?;
        let (header, rows, delimiter) = read(form)?;
        let found = preset.map(|name| found(name, kind)).transpose()?;
        let mapping = Mapping {
            preset: found,
            columns: columns_of(kind, &header, found, form),
            values,
            has_other_separator: delimiter != b',',
            decimal: decimal_of(form)?,
            // The browser sends back what the server detected in the start of the file.
            is_report: form.value("report") == Some("true"),
        };
        let columns = Columns::of(kind, &header, &mapping).map_err(|error| in_words(kind, error))?;
        let columns = columns.separated_by(char::from(delimiter));
        Ok(Self { columns, on_match, header, rows, delimiter, preset, mapping })
    }

    /// The digest that identifies the import: of the user, if the records depend on who imports.
    ///
    /// # Errors
    /// [`Error::Malformed`] without the SHA-256 of the file.
    pub(super) fn digest(&self, form: &Form, permit: &Permit<TransferRecords>) -> Result<ImportDigest, Error> {
        let mut file = [0; 32];
        let sent = form.value("file").unwrap_or_default();
        hex::decode_to_slice(sent, &mut file)
            .map_err(|_| Error::malformed("file", "invalid_value", "must be the SHA-256 of the file in hexadecimal"))?;
        let kind = self.columns.kind();
        let digest = digest_of(&file, kind, self.on_match, self.preset, &self.mapping);
        Ok(match permit.session() {
            Some((_, user)) if kind.depends_on_importer() => digest_of_user(&digest, &user.0.to_string()),
            _ => digest,
        })
    }
}

/// The system that the file was exported from, as chosen in the form.
///
/// # Errors
/// [`Error::Malformed`] for an unknown one.
pub(super) fn preset_of(form: &Form) -> Result<Option<PresetName>, Error> {
    let name = form.value("preset").filter(|name| !name.is_empty());
    let unknown =
        || Error::malformed("preset", "invalid_value", format!("must be one of {}", PresetName::allowed_values()));
    name.map(|name| PresetName::parse(name).ok_or_else(unknown)).transpose()
}

/// The decimal separator chosen in the form.
fn decimal_of(form: &Form) -> Result<Option<DecimalSign>, Error> {
    let sign = form.value("decimal").filter(|sign| !sign.is_empty());
    let unknown =
        || Error::malformed("decimal", "invalid_value", format!("must be one of {}", DecimalSign::allowed_values()));
    sign.map(|sign| DecimalSign::parse(sign).ok_or_else(unknown)).transpose()
}

/// # Errors
/// [`Error::Malformed`] for a system without records of the kind.
pub(super) fn found(name: PresetName, kind: TransferKind) -> Result<Preset, Error> {
    let none = || Error::malformed("preset", "invalid_value", format!("{name} has no {kind}"));
    Preset::of(name, kind).ok_or_else(none)
}

/// A number in the form.
///
/// # Errors
/// [`Error::Malformed`] for anything else.
pub(super) fn number(form: &Form, name: &'static str) -> Result<u64, Error> {
    let number = form.value(name).and_then(|text| text.parse().ok());
    number.ok_or_else(|| Error::malformed(name, "invalid_type", "must be a whole number"))
}

/// The header, the rows with their line numbers in the whole file, and the separator. The browser splits the file between rows in
/// the same way as the server, and sends the number of rows.
fn read(form: &Form) -> Result<(Vec<String>, Vec<Line>, u8), Error> {
    let header = form.value("header").unwrap_or_default();
    let part = format!("{header}{}", form.value("rows").unwrap_or_default());
    let mut table = Table::new(part.as_bytes()).map_err(|error| unreadable(&error))?;
    table.set_line(form.value("line").and_then(|line| line.parse().ok()).unwrap_or(1));
    let mut lines = Vec::new();
    while let Some(line) = table.next().map_err(|error| unreadable(&error))? {
        lines.push(line);
        if lines.len() > MAX_BATCH_ROWS {
            return Err(Error::malformed("rows", "too_many", format!("are at most {MAX_BATCH_ROWS}")));
        }
    }
    if form.has("count") && number(form, "count")? != lines.len() as u64 {
        return Err(Error::invalid("rows", "not_whole", text("import-not-whole")));
    }
    Ok((table.header().to_vec(), lines, table.form().delimiter))
}

/// The error for a file that cannot be read.
pub(super) fn unreadable(error: &TableError) -> Error {
    Error::invalid("file", "unreadable", error.to_string())
}

/// The members chosen for the columns. Columns with the same name get the same member. Where the choice equals the preset's
/// proposal, the preset decides, because it can map a column to more than one member.
fn columns_of(kind: TransferKind, header: &[String], preset: Option<Preset>, form: &Form) -> Vec<(String, String)> {
    let proposed = preset.map(|preset| Columns::proposed(kind, header, Some(preset)));
    let mut columns: Vec<(String, String)> = Vec::new();
    for (place, column) in header.iter().enumerate() {
        let Some(member) = form.value(&format!("column.{place}")) else { continue };
        if proposed.as_ref().is_none_or(|proposed| proposed[place] != member) {
            columns.push((column.clone(), member.to_owned()));
        }
    }
    columns
}

/// Rewrites contradictions between columns for the page. The domain's messages are for the command line.
fn in_words(kind: TransferKind, error: Error) -> Error {
    let Error::Invalid(problems) = error else { return error };
    let rewriter = MessageRewriter::of(kind);
    let in_words = |problem: Problem| {
        let column = problem.field.clone();
        let message = match problem.code {
            "repeated_column" => text_with("import-repeated", [("column", column.into())]),
            "unknown_column" => text_with("import-unknown", [("column", column.into())]),
            "no_columns" => text("import-no-columns"),
            _ => rewriter.rewrite(&problem.message),
        };
        Problem { message, ..problem }
    };
    Error::Invalid(problems.into_iter().map(in_words).collect())
}
