//! The page of an import, and the possible members for the columns of a chosen file.

use csv_files::{Line, Table, TableError, report_columns, write_quoted};
use domain::identity::access::TransferRecords;
use domain::records::OnMatch;
use domain::transfer::{
    Columns, DecimalSign, MAX_BATCH_ROWS, Preset, PresetName, TransferKind, has_report_columns, is_report_row,
    lack_member,
};

use super::Records;
use super::parts::json_response;
use super::plan::{found, preset_of, unreadable};
use super::values;
use crate::form::Choice;
use crate::prelude::*;
use crate::texts::shortened;

pages! {
    Show = "GET /import/{records}", access: TransferRecords, path: Records => show;
    ReadColumns = "POST /import/{records}/columns", access: TransferRecords, path: Records => read_columns;
}

/// Maximum size of a file in bytes. The browser holds it in memory.
const MAX_FILE_BYTES: usize = 50 << 20;
/// Maximum bytes of rows per request, after form encoding. With the other fields, the form stays below the maximum body
/// size.
const MAX_PART_BYTES: usize = 700_000;
/// Maximum bytes of the header, after form encoding.
const MAX_HEADER_BYTES: usize = 200_000;
/// Rows per request for kinds that are written one by one, so that a request finishes in time.
const ROWS_ONE_BY_ONE: usize = 100;
/// How many rows are shown as samples.
const SAMPLE_ROWS: usize = 3;
/// How many characters of a sample are shown.
const SHOWN_CHARS: usize = 60;

#[derive(Template)]
#[template(path = "transfer/import.html")]
struct ImportPage {
    shell: Shell,
    kind: TransferKind,
    list: String,
    list_title: String,
    presets: Vec<PresetName>,
    matches: &'static [OnMatch],
    /// Empty for records without numbers.
    decimals: &'static [DecimalSign],
    /// Values for all rows.
    values: FormView,
    limits: Limits,
    /// The command for files that are too large for this page.
    command: String,
}

struct Limits {
    file: usize,
    megabytes: String,
    part: usize,
    header: usize,
    rows: usize,
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let PageRequest { ports, path: Records(kind), browser, .. } = request;
    let is_written_at_once = matches!(kind, TransferKind::Companies | TransferKind::Contacts | TransferKind::Deals);
    let has_numbers =
        kind.members().iter().any(|member| ["integer", "number"].iter().any(|name| member.schema["type"] == *name));
    let slug = browser.caller.as_ref().map(|caller| caller.workspace().slug.clone()).unwrap_or_default();
    let page = ImportPage {
        shell: browser.shell(text_with("import-title", [("kind", label("transfer", kind.as_str()).into())])),
        kind,
        list: format!("/{kind}"),
        list_title: text(&format!("{kind}-title")),
        presets: PresetName::ALL.iter().copied().filter(|name| Preset::of(*name, kind).is_some()).collect(),
        matches: OnMatch::ALL,
        decimals: if has_numbers { DecimalSign::ALL } else { &[] },
        values: values::fields(&ports, &browser, kind).await?,
        limits: Limits {
            file: MAX_FILE_BYTES,
            megabytes: (MAX_FILE_BYTES >> 20).to_string(),
            part: MAX_PART_BYTES,
            header: MAX_HEADER_BYTES,
            rows: if is_written_at_once { MAX_BATCH_ROWS } else { ROWS_ONE_BY_ONE },
        },
        command: format!("workspace-service import {kind} FILE --workspace {slug}"),
    };
    responses::page(&browser, page)
}

#[derive(Template)]
#[template(path = "transfer/columns.html")]
struct ColumnsPart {
    columns: Vec<ColumnRow>,
    /// The separator between cells, as a number.
    delimiter: u8,
    /// The header row of a report of refused rows.
    report: String,
    /// Whether the file is itself such a report.
    is_report: bool,
    /// Whether no column says whose time it is.
    lacks_member: bool,
}

struct ColumnRow {
    index: usize,
    name: String,
    samples: Vec<String>,
    choices: Vec<Choice>,
}

async fn read_columns(request: PageRequest<ReadColumns>) -> PageResult {
    let PageRequest { path: Records(kind), browser, form, renderer, .. } = request;
    // On the rendering threads, because a file with many columns has a list of choices for each.
    match renderer.run(move || columns_of(kind, &form)).await? {
        Ok(part) => responses::page(&browser, part),
        Err(error) => json_response(Err(error)),
    }
}

/// Reads the start of a file, which may end in the middle of a row.
fn columns_of(kind: TransferKind, form: &Form) -> Result<ColumnsPart, Error> {
    let start = form.value("start").unwrap_or_default();
    let is_cut = form.value("cut") == Some("true");
    let too_long = || Error::invalid("file", "header_too_long", text("import-long-header"));
    let mut table = match Table::new(start.as_bytes()) {
        Ok(table) if is_cut && !table.is_ended() => return Err(too_long()),
        Ok(table) => table,
        Err(TableError::Unclosed { .. }) if is_cut => return Err(too_long()),
        Err(error) => return Err(unreadable(&error)),
    };
    let rows = samples(&mut table, is_cut).map_err(|error| unreadable(&error))?;
    let is_report = looks_like_report(&mut table, &rows, is_cut);
    let delimiter = table.form().delimiter;
    let preset = preset_of(form)?.map(|name| found(name, kind)).transpose()?;
    let header = table.header();
    let proposed = Columns::proposed(kind, header, preset);
    let label_of = |name: &str| label("member", &name.replace('+', "_line"));
    let members: Vec<_> = Columns::choices(kind).into_iter().map(|name| (name, label_of(name))).collect();
    let reported = report_columns(header, is_report);
    // Without the last two columns, which the report adds.
    let own_columns = reported.len() - 2;
    let row = |index: usize| {
        let samples = rows.iter().filter_map(|row| row.cells.get(index)).filter(|cell| !cell.is_empty());
        let samples = samples.map(|cell| shortened(cell, SHOWN_CHARS)).collect();
        let choices = choices_of(kind, &header[index], &members, &proposed[index]);
        ColumnRow { index, name: header[index].clone(), samples, choices }
    };
    // Columns with the same name belong to the same member.
    let indexes = (0..own_columns).filter(|index| !header[..*index].contains(&header[*index]));
    let columns = indexes.map(row).collect();
    let mut report = Vec::new();
    write_quoted(&mut report, delimiter, [reported]);
    let report = String::from_utf8_lossy(&report).into_owned();
    Ok(ColumnsPart { columns, delimiter, report, is_report, lacks_member: lack_member(kind, &proposed) })
}

/// The first rows of the file. A row that is cut off is left out.
fn samples(table: &mut Table<&[u8]>, is_cut: bool) -> Result<Vec<Line>, TableError> {
    let mut rows = Vec::new();
    while rows.len() < SAMPLE_ROWS {
        match table.next() {
            Ok(Some(row)) if !is_cut || table.is_ended() => rows.push(row),
            Ok(_) => break,
            Err(TableError::Unclosed { .. }) if is_cut => break,
            Err(error) => return Err(error),
        }
    }
    Ok(rows)
}

/// Whether the complete rows in the start of the file look like those of a report of refused rows. `read` has the first
/// of them.
fn looks_like_report(table: &mut Table<&[u8]>, read: &[Line], is_cut: bool) -> bool {
    let mut is_report = has_report_columns(table.header()) && !read.is_empty();
    is_report &= read.iter().all(|row| is_report_row(&row.cells));
    // If the rest cannot be read, the browser reports that before it sends rows.
    while is_report && let Ok(Some(row)) = table.next() {
        is_report = is_report_row(&row.cells) || (is_cut && !table.is_ended());
    }
    is_report
}

fn choices_of(kind: TransferKind, column: &str, members: &[(&str, String)], proposed: &str) -> Vec<Choice> {
    let of_kind = members.iter().map(|(name, label)| ((*name).to_owned(), label.clone()));
    let custom_name = proposed.strip_prefix("custom_fields.").unwrap_or(column);
    let custom = Columns::custom_field(kind, custom_name);
    let custom = custom.map(|name| (name, text_named("import-custom-field", custom_name)));
    let choices = of_kind.chain(custom);
    choices.map(|(value, label)| Choice { is_chosen: value == proposed, value, label }).collect()
}
