//! `import`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use csv_files::{FileForm, Line, Table, digest_of, report_columns, report_row};
use domain::identity::access::{Permit, TransferRecords};
use domain::identity::workspaces::{self, Workspace, WorkspaceStatus};
use domain::ports::{Operator, Ports};
use domain::records::{DryRunRows, OnMatch, RowOutcome};
use domain::transfer::{
    self, Batch, Columns, FileRow, Import, ImportDigest, MAX_BATCH_ROWS, Mapping, Notes, Preset, Progress, Repeat,
};
use serde_json::json;

use super::{RowsRefused, explain, print};
use crate::cli::ImportOptions;
use crate::draft::remove_abandoned;
use crate::transfer::{CsvFile, ProgressBar, check_replaceable, is_report, open, summary};

/// An import whose file was read once, before opening the database.
pub(super) struct PreparedImport {
    options: ImportOptions,
    columns: Columns,
    digest: ImportDigest,
    rows: u64,
    refused: PathBuf,
}

impl PreparedImport {
    pub(super) fn of(options: ImportOptions) -> anyhow::Result<Self> {
        let ImportOptions { kind, file, preset, .. } = &options;
        let table = open(file)?;
        let header = table.header().to_vec();
        let no_preset = || format!("there is no {} preset for {kind}", preset.map_or("", |name| name.as_str()));
        let found = preset.map(|name| Preset::of(name, *kind).with_context(no_preset)).transpose()?;
        let mapping = Mapping {
            preset: found,
            columns: options.columns.clone(),
            values: options.values.clone(),
            has_other_separator: table.form().delimiter != b',',
            decimal: options.decimal,
            is_report: is_report(file)?,
        };
        let columns = Columns::of(*kind, &header, &mapping).map_err(|error| explain(&error))?;
        let columns = columns.separated_by(char::from(table.form().delimiter));
        if !columns.ignored().is_empty() {
            eprintln!("Ignored columns: {}.", columns.ignored().join(", "));
        }
        let refused = options.report.clone().unwrap_or_else(|| file.with_extension("refused.csv"));
        check_replaceable(&refused, file)?;
        let summary = summary(file)?;
        let digest = digest_of(&summary.sha256, *kind, options.on_match, *preset, &mapping);
        Ok(Self { columns, digest, rows: summary.rows, refused, options })
    }
}

/// The file with refused rows. It has the columns of the imported file, so that it can be corrected and imported again. It is
/// created before any row is written, and appears only if a row was refused.
struct Report {
    path: PathBuf,
    /// The header of the imported file.
    header: Vec<String>,
    /// Whether the imported file is itself a report.
    is_of_refused_rows: bool,
    file: CsvFile,
    rows: u64,
}

impl Report {
    fn begin(path: &Path, header: &[String], is_of_refused_rows: bool, form: FileForm) -> anyhow::Result<Self> {
        let file = CsvFile::create(path, true, form, &report_columns(header, is_of_refused_rows))
            .context("cannot create the report of refused rows: name another file with --report")?;
        Ok(Self { path: path.to_owned(), header: header.to_vec(), is_of_refused_rows, file, rows: 0 })
    }

    fn add(&mut self, line: &Line, reason: &str) -> anyhow::Result<()> {
        self.rows += 1;
        self.file.row(&report_row(&self.header, self.is_of_refused_rows, line, reason))
    }

    fn finish(self) -> anyhow::Result<Option<PathBuf>> {
        if self.rows == 0 {
            return Ok(None);
        }
        self.file.finish(self.rows)?;
        Ok(Some(self.path))
    }
}

pub(super) async fn import(ports: Ports, operator: Operator, prepared: PreparedImport) -> anyhow::Result<()> {
    let PreparedImport { options, columns, digest, rows, refused } = prepared;
    let (permit, workspace) = permit(&ports, &operator, &options.workspace).await?;
    ensure!(
        workspace.status != WorkspaceStatus::Deleted,
        "the workspace {} is deleted and will be erased, along with anything you import: activate it first",
        workspace.slug
    );
    remove_abandoned(&refused);
    let table = open(&options.file)?;
    let report = Report::begin(&refused, table.header(), columns.is_report(), table.form())?;
    let import = if options.dry_run {
        None
    } else {
        let repeat = match (options.repeat.again, options.repeat.resume) {
            (true, _) => Repeat::Again,
            (false, true) => Repeat::Resume,
            (false, false) => Repeat::Refuse,
        };
        let begun = transfer::begin(&ports, &permit, digest, options.kind, repeat).await;
        Some(begun.map_err(|error| explain(&error))?)
    };
    let from = import.as_ref().map_or(0, |import| import.progress.rows());
    if from > 0 {
        eprintln!("Resuming after row {from} of {rows}.");
    }
    let mut run = ImportRun {
        ports: &ports,
        permit: &permit,
        columns,
        on_match: options.on_match,
        table,
        report,
        bar: ProgressBar::new("rows", Some(rows), from),
        progress: Progress::default(),
        dry_run_rows: Arc::default(),
        notes: Notes::default(),
    };
    if let Some(import) = &import {
        run.skip_done(import).await?;
        let lost = import.progress.refused.saturating_sub(run.report.rows);
        if lost > 0 {
            eprintln!(
                "The reasons why {lost} rows were refused are no longer stored: another import has finished since."
            );
        }
    }
    let import =
        run.import_remaining(import).await.context("the import stopped; run the same command again to resume it")?;
    let progress = import.as_ref().map_or(run.progress, |import| import.progress);
    drop(run.bar);
    for note in run.notes.texts() {
        eprintln!("Note: {note}.");
    }
    let report = run.report.finish()?;
    if let Some(import) = import.filter(|import| import.finished_at.is_none()) {
        transfer::finish(&ports, &permit, import).await.map_err(|error| explain(&error))?;
    }
    print_import(&options, progress, report.as_deref());
    ensure!(progress.refused == 0, RowsRefused);
    Ok(())
}

/// An import in progress.
struct ImportRun<'a> {
    ports: &'a Ports,
    permit: &'a Permit<TransferRecords>,
    columns: Columns,
    on_match: OnMatch,
    table: Table<File>,
    report: Report,
    bar: ProgressBar,
    /// The progress of a dry run, which is not stored.
    progress: Progress,
    /// In a dry run, the state after the earlier rows.
    dry_run_rows: Arc<DryRunRows>,
    notes: Notes,
}

impl ImportRun<'_> {
    /// Skips rows that an earlier process imported, and reports those that it refused.
    async fn skip_done(&mut self, import: &Import) -> anyhow::Result<()> {
        let (done, mut skipped_rows) = (import.progress.rows(), 0);
        while skipped_rows < done {
            let count = usize::try_from(done - skipped_rows).unwrap_or(MAX_BATCH_ROWS).min(MAX_BATCH_ROWS);
            let lines = self.table.batch(count)?;
            ensure!(!lines.is_empty(), "the file has fewer rows than were imported from it");
            let (first, last) = (skipped_rows + 1, skipped_rows + lines.len() as u64);
            let refused = transfer::refusals(self.ports, self.permit, import.digest.clone(), first, last).await;
            for refusal in refused.map_err(|error| explain(&error))? {
                let index = usize::try_from(refusal.row - first)?;
                let line = lines.get(index).context("a refused row is not in the file")?;
                self.report.add(line, &refusal.reason)?;
            }
            skipped_rows = last;
        }
        Ok(())
    }

    async fn import_remaining(&mut self, mut import: Option<Import>) -> anyhow::Result<Option<Import>> {
        loop {
            let lines = self.table.batch(MAX_BATCH_ROWS)?;
            if lines.is_empty() {
                return Ok(import);
            }
            let rows = lines.iter().map(|line| FileRow { line: line.number, cells: line.cells.clone() }).collect();
            let batch = Batch {
                columns: self.columns.clone(),
                on_match: self.on_match,
                rows,
                import,
                dry_run_rows: Arc::clone(&self.dry_run_rows),
            };
            let done = transfer::import_batch(self.ports, self.permit, batch).await;
            let done = done.map_err(|error| explain(&error))?;
            import = done.import;
            if import.is_none() {
                Arc::make_mut(&mut self.dry_run_rows).add(&done.outcomes, done.companies, &done.marks);
            }
            self.progress.companies += done.companies;
            self.notes.extend(done.notes);
            for (line, outcome) in lines.iter().zip(&done.outcomes) {
                self.progress.add(outcome);
                if let RowOutcome::Refused(reason) = outcome {
                    self.report.add(line, reason)?;
                }
            }
            self.bar.show(import.as_ref().map_or(self.progress.rows(), |import| import.progress.rows()));
        }
    }
}

fn print_import(options: &ImportOptions, progress: Progress, report: Option<&Path>) {
    let Progress { created, updated, unchanged, skipped, refused, companies } = progress;
    let object = json!({
        "kind": options.kind.as_str(), "dry_run": options.dry_run, "rows": progress.rows(), "created": created,
        "updated": updated, "unchanged": unchanged, "skipped": skipped, "refused": refused, "companies": companies,
        "report": report,
    });
    let verb = if options.dry_run { "Would import" } else { "Imported" };
    let hint = |report: &Path| {
        format!("\nThe refused rows are in {}; correct them there and import that file.", report.display())
    };
    let companies_note = match companies {
        0 => String::new(),
        1 => "\nThe rows name 1 company that did not exist; it is created as well.".to_owned(),
        more => format!("\nThe rows name {more} companies that did not exist; they are created as well."),
    };
    let prose = format!(
        "{verb} {} {}: {created} created, {updated} updated, {unchanged} unchanged, {skipped} skipped, {refused} refused.{companies_note}{}",
        progress.rows(),
        options.kind,
        report.map(hint).unwrap_or_default(),
    );
    print(options.json, &object, &prose);
}

pub(super) async fn permit(
    ports: &Ports,
    operator: &Operator,
    workspace: &str,
) -> anyhow::Result<(Permit<TransferRecords>, Workspace)> {
    let found = workspaces::find(ports, operator, workspace).await.map_err(|error| explain(&error))?;
    Ok((operator.permit(found.clone()), found))
}
