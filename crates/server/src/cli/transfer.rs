//! The options of `import` and `export`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use domain::records::OnMatch;
use domain::transfer::{DecimalSign, PresetName, TransferKind};

use super::values::one_of;

#[derive(Debug, Args)]
pub(crate) struct ImportOptions {
    #[arg(help = format!("Kind of the records: one of {}", TransferKind::allowed_values()))]
    #[arg(value_parser = one_of(TransferKind::parse, TransferKind::allowed_values))]
    pub(crate) kind: TransferKind,
    /// CSV file to read, with a header row.
    pub(crate) file: PathBuf,
    /// Slug or ID of the workspace.
    #[arg(long)]
    pub(crate) workspace: String,
    /// Report what would happen without writing anything.
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What to do with rows whose record already exists: update, skip or refuse.
    #[arg(long = "match", value_name = "WHAT", default_value = "update")]
    #[arg(value_parser = one_of(OnMatch::parse, OnMatch::allowed_values))]
    pub(crate) on_match: OnMatch,
    /// System that the file comes from: hubspot, pipedrive, jira, trello, zendesk, zammad, toggl or harvest.
    #[arg(long, value_parser = one_of(PresetName::parse, PresetName::allowed_values))]
    pub(crate) preset: Option<PresetName>,
    /// Map a column to a member, e.g. `Mail=email`, or ignore it, e.g. `Notes=`. May be repeated. `description+` and `notes+` add a
    /// line, `company_by_name` finds or creates a company.
    #[arg(long = "map", value_name = "COLUMN=MEMBER", value_parser = parse_column)]
    pub(crate) columns: Vec<(String, String)>,
    /// Translate a cell into a value of the member, e.g. `stage:Won!=closed_won`. Without a cell, set the value in all rows
    /// that have none for the member, e.g. `stage:=proposal`. May be repeated.
    #[arg(long = "value", value_name = "MEMBER:CELL=VALUE", value_parser = parse_value)]
    pub(crate) values: Vec<(String, String, String)>,
    /// Decimal separator of numbers: point or comma [default: point if commas separate the cells, otherwise detected for each
    /// number].
    #[arg(long, value_name = "SIGN", value_parser = one_of(DecimalSign::parse, DecimalSign::allowed_values))]
    pub(crate) decimal: Option<DecimalSign>,
    /// File for refused rows, each with its line number and the reason [default: FILE with `.refused.csv`].
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) repeat: RepeatOptions,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do if the same file was already imported in the same way.
#[derive(Debug, Args)]
pub(crate) struct RepeatOptions {
    /// Import the file even if it was imported in the same way before.
    #[arg(long, conflicts_with = "dry_run")]
    pub(crate) again: bool,
    /// Resume an interrupted import of this file (the default). If the import has finished, show its result again.
    #[arg(long, conflicts_with_all = ["dry_run", "again"])]
    pub(crate) resume: bool,
}

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("what").required(true).args(["kind", "all"]))]
pub(crate) struct ExportOptions {
    #[arg(help = format!("What to export: one of {}", TransferKind::allowed_values()))]
    #[arg(value_parser = one_of(TransferKind::parse, TransferKind::allowed_values), requires = "file")]
    pub(crate) kind: Option<TransferKind>,
    /// File to write: JSON Lines if its name ends in `.jsonl`, otherwise CSV.
    pub(crate) file: Option<PathBuf>,
    /// Folder for files of all kinds in both formats, with a manifest; must be empty or not exist yet.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) all: Option<PathBuf>,
    /// Slug or ID of the workspace.
    #[arg(long)]
    pub(crate) workspace: String,
    /// Replace the file if it exists.
    #[arg(long, conflicts_with = "all")]
    pub(crate) force: bool,
    /// Begin CSV files with a byte order mark, so that Excel reads them as UTF-8.
    #[arg(long)]
    pub(crate) bom: bool,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Parses `COLUMN=MEMBER`. Names of members have no equals sign.
fn parse_column(text: &str) -> Result<(String, String), String> {
    let (column, member) = text.rsplit_once('=').ok_or("must be a column and a member, e.g. Mail=email")?;
    Ok((column.to_owned(), member.to_owned()))
}

/// `MEMBER:CELL=VALUE`
fn parse_value(text: &str) -> Result<(String, String, String), String> {
    const FORM: &str = "must be a member, a cell and a value, e.g. stage:Won!=closed_won";
    let (member, rest) = text.split_once(':').ok_or(FORM)?;
    let (cell, value) = rest.rsplit_once('=').ok_or(FORM)?;
    Ok((member.to_owned(), cell.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_and_values_may_contain_separators() {
        let owned = |parts: [&str; 3]| (parts[0].to_owned(), parts[1].to_owned(), parts[2].to_owned());
        assert_eq!(parse_column("a=b=c"), Ok(("a=b".to_owned(), "c".to_owned())));
        assert_eq!(parse_column("Notes="), Ok(("Notes".to_owned(), String::new())));
        assert_eq!(parse_value("stage:a:b=c"), Ok(owned(["stage", "a:b", "c"])));
        assert_eq!(parse_value("stage:=x"), Ok(owned(["stage", "", "x"])));
        assert!(parse_column("Mail").is_err() && parse_value("stage=x").is_err() && parse_value("stage:x").is_err());
    }
}
