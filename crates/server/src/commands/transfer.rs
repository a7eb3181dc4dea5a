//! `import` and `export`

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, ensure};
use csv_files::{FileForm, Line, Table, digest_of, report_columns, report_row};
use domain::identity::access::{Permit, TransferRecords};
use domain::identity::workspaces::{self, Workspace, WorkspaceStatus};
use domain::kernel::input::format_timestamp;
use domain::ports::{Operator, Ports};
use domain::records::{OnMatch, RowOutcome, TriedRows};
use domain::transfer::{
    self, Batch, Columns, ExportPage, FileRow, Import, ImportDigest, MAX_BATCH_ROWS, Mapping, Notes, Preset, Progress, Repeat,
    TransferKind, columns_of,
};
use serde_json::{Value, json};

use super::{RowsRefused, explained, print};
use crate::cli::{ExportOptions, ImportOptions};
use crate::draft::remove_abandoned;
use crate::transfer::{CsvFile, JsonLinesFile, ProgressBar, Written, check_replaceable, open, summary};

/// An import whose file was read once, before the database is opened.
pub(super) struct Prepared {
    options: ImportOptions,
    columns: Columns,
    digest: ImportDigest,
    rows: u64,
    refused: PathBuf,
}

impl Prepared {
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
        };
        let columns = Columns::of(*kind, &header, &mapping).map_err(|error| explained(&error))?;
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

/// Refused rows, as a file in the form of the imported one that can be mended and imported again. It is begun before any row is
/// written, and appears if a row was refused.
struct Report {
    path: PathBuf,
    /// Of the file that is imported.
    header: Vec<String>,
    file: CsvFile,
    rows: u64,
}

impl Report {
    fn begin(path: &Path, header: &[String], form: FileForm) -> anyhow::Result<Self> {
        let file = CsvFile::create(path, true, form, &report_columns(header))
            .context("cannot create the report of refused rows: name another file with --report")?;
        Ok(Self { path: path.to_owned(), header: header.to_vec(), file, rows: 0 })
    }

    fn add(&mut self, line: &Line, reason: &str) -> anyhow::Result<()> {
        self.rows += 1;
        self.file.row(&report_row(&self.header, line, reason))
    }

    fn finish(self) -> anyhow::Result<Option<PathBuf>> {
        if self.rows == 0 {
            return Ok(None);
        }
        self.file.finish(self.rows)?;
        Ok(Some(self.path))
    }
}

pub(super) async fn import(ports: Ports, operator: Operator, prepared: Prepared) -> anyhow::Result<()> {
    let Prepared { options, columns, digest, rows, refused } = prepared;
    let (permit, workspace) = permit(&ports, &operator, &options.workspace).await?;
    ensure!(
        workspace.status != WorkspaceStatus::Deleted,
        "the workspace {} is deleted and will be erased, along with anything you import: activate it first",
        workspace.slug
    );
    remove_abandoned(&refused);
    let table = open(&options.file)?;
    let report = Report::begin(&refused, table.header(), table.form())?;
    let import = if options.dry_run {
        None
    } else {
        let repeat = match (options.repeat.again, options.repeat.resume) {
            (true, _) => Repeat::Again,
            (false, true) => Repeat::Resume,
            (false, false) => Repeat::Refuse,
        };
        let begun = transfer::begin(&ports, &permit, digest, options.kind, repeat).await;
        Some(begun.map_err(|error| explained(&error))?)
    };
    let from = import.as_ref().map_or(0, |import| import.progress.rows());
    if from > 0 {
        eprintln!("Resuming after row {from} of {rows}.");
    }
    let mut run = Run {
        ports: &ports,
        permit: &permit,
        columns,
        on_match: options.on_match,
        table,
        report,
        bar: ProgressBar::new("rows", Some(rows), from),
        progress: Progress::default(),
        tried: Arc::default(),
        notes: Notes::default(),
    };
    if let Some(import) = &import {
        run.pass_over(import).await?;
        let forgotten = import.progress.refused.saturating_sub(run.report.rows);
        if forgotten > 0 {
            eprintln!(
                "The reasons why {forgotten} rows were refused are no longer stored: another import has finished since."
            );
        }
    }
    let import = run.rest(import).await.context("the import stopped; run the same command again to resume it")?;
    let progress = import.as_ref().map_or(run.progress, |import| import.progress);
    drop(run.bar);
    for note in run.notes.texts() {
        eprintln!("Note: {note}.");
    }
    let report = run.report.finish()?;
    if let Some(import) = import.filter(|import| import.finished_at.is_none()) {
        transfer::finish(&ports, &permit, import).await.map_err(|error| explained(&error))?;
    }
    print_import(&options, progress, report.as_deref());
    ensure!(progress.refused == 0, RowsRefused);
    Ok(())
}

/// An import under way.
struct Run<'a> {
    ports: &'a Ports,
    permit: &'a Permit<TransferRecords>,
    columns: Columns,
    on_match: OnMatch,
    table: Table<File>,
    report: Report,
    bar: ProgressBar,
    /// Of a try, which leaves none behind.
    progress: Progress,
    /// What a try knows of its rows.
    tried: Arc<TriedRows>,
    /// Of the rows that this process has read.
    notes: Notes,
}

impl Run<'_> {
    /// Passes over rows that an earlier process has read, and reports those that it refused.
    async fn pass_over(&mut self, import: &Import) -> anyhow::Result<()> {
        let (done, mut passed) = (import.progress.rows(), 0);
        while passed < done {
            let most = usize::try_from(done - passed).unwrap_or(MAX_BATCH_ROWS).min(MAX_BATCH_ROWS);
            let lines = self.table.batch(most)?;
            ensure!(!lines.is_empty(), "the file has fewer rows than were imported from it");
            let (first, last) = (passed + 1, passed + lines.len() as u64);
            let refused = transfer::refusals(self.ports, self.permit, import.digest.clone(), first, last).await;
            for refusal in refused.map_err(|error| explained(&error))? {
                let place = usize::try_from(refusal.row - first)?;
                let line = lines.get(place).context("a refused row is not in the file")?;
                self.report.add(line, &refusal.reason)?;
            }
            passed = last;
        }
        Ok(())
    }

    async fn rest(&mut self, mut import: Option<Import>) -> anyhow::Result<Option<Import>> {
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
                tried: Arc::clone(&self.tried),
            };
            let done = transfer::import_batch(self.ports, self.permit, batch).await;
            let done = done.map_err(|error| explained(&error))?;
            import = done.import;
            if import.is_none() {
                Arc::make_mut(&mut self.tried).add(&done.outcomes, done.companies, &done.marks);
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
    let mend = |report: &Path| {
        format!("\nThe refused rows are in {}; correct them there and import that file.", report.display())
    };
    let named = match companies {
        0 => String::new(),
        1 => "\nThe rows name 1 company that was not there: it is created, too.".to_owned(),
        more => format!("\nThe rows name {more} companies that were not there: they are created, too."),
    };
    let prose = format!(
        "{verb} {} {}: {created} created, {updated} updated, {unchanged} unchanged, {skipped} skipped, {refused} refused.{named}{}",
        progress.rows(),
        options.kind,
        report.map(mend).unwrap_or_default(),
    );
    print(options.json, &object, &prose);
}

async fn permit(
    ports: &Ports,
    operator: &Operator,
    workspace: &str,
) -> anyhow::Result<(Permit<TransferRecords>, Workspace)> {
    let found = workspaces::find(ports, operator, workspace).await.map_err(|error| explained(&error))?;
    Ok((operator.permit(found.clone()), found))
}

pub(super) async fn export(ports: Ports, operator: Operator, options: ExportOptions) -> anyhow::Result<()> {
    let (permit, workspace) = permit(&ports, &operator, &options.workspace).await?;
    if let Some(folder) = &options.all {
        let manifest = export_all(&ports, &permit, &workspace, folder).await?;
        let prose = format!("Exported the workspace {} into {}.", workspace.slug, folder.display());
        print(options.json, &manifest, &prose);
        return Ok(());
    }
    let (Some(kind), Some(file)) = (options.kind, &options.file) else {
        anyhow::bail!("name what to export and a file, or use --all");
    };
    transfer::note_export(&ports, &permit, &[kind]).await.map_err(|error| explained(&error))?;
    let is_other = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    ensure!(!is_other, "exports are JSON Lines or CSV: the file name must end in .jsonl or .csv");
    let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    let (csv, json_lines) = if is_json { (None, Some(&**file)) } else { (Some(&**file), None) };
    let written = export_kind(&ports, &permit, kind, csv, json_lines, options.force).await?;
    let records = written.first().map_or(0, |written| written.records);
    let object = json!({ "kind": kind.as_str(), "file": file, "records": records });
    print(options.json, &object, &format!("Exported {records} {kind} into {}.", file.display()));
    Ok(())
}

/// Writes all records of a kind into one or two files, in one pass.
async fn export_kind(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    kind: TransferKind,
    csv: Option<&Path>,
    json_lines: Option<&Path>,
    replaces: bool,
) -> anyhow::Result<Vec<Written>> {
    let mut csv = csv.map(|file| CsvFile::create(file, replaces, FileForm::PLAIN, &columns_of(kind))).transpose()?;
    let mut json_lines = json_lines.map(|file| JsonLinesFile::create(file, replaces)).transpose()?;
    let mut bar = ProgressBar::new(kind.as_str(), None, 0);
    let (mut records, mut after) = (0, None);
    loop {
        let page = transfer::export_page(ports, permit, kind, after).await.map_err(|error| explained(&error))?;
        write_page(&page, kind, csv.as_mut(), json_lines.as_mut())?;
        records += page.records.len() as u64;
        bar.show(records);
        match page.next {
            Some(place) => after = Some(place),
            None => break,
        }
    }
    let csv = csv.map(|file| file.finish(records)).transpose()?;
    let json_lines = json_lines.map(|file| file.finish(records)).transpose()?;
    Ok(csv.into_iter().chain(json_lines).collect())
}

fn write_page(
    page: &ExportPage,
    kind: TransferKind,
    csv: Option<&mut CsvFile>,
    json_lines: Option<&mut JsonLinesFile>,
) -> anyhow::Result<()> {
    if let Some(csv) = csv {
        page.rows(kind).try_for_each(|row| csv.row(&row))?;
    }
    if let Some(json_lines) = json_lines {
        page.records.iter().try_for_each(|record| json_lines.record(record))?;
    }
    Ok(())
}

/// Writes a folder with files of all kinds. The manifest comes last: a folder without one is not complete.
async fn export_all(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    workspace: &Workspace,
    folder: &Path,
) -> anyhow::Result<Value> {
    let failed = || format!("cannot write into {}", folder.display());
    std::fs::create_dir_all(folder).with_context(failed)?;
    let is_empty = std::fs::read_dir(folder).with_context(failed)?.next().is_none();
    ensure!(is_empty, "{} is not empty: name another folder", folder.display());
    let created_at = format_timestamp(ports.clock.now());
    transfer::note_export(ports, permit, TransferKind::ALL).await.map_err(|error| explained(&error))?;
    let mut files = Vec::new();
    for kind in TransferKind::ALL.iter().copied() {
        let names = [format!("{kind}.csv"), format!("{kind}.jsonl")];
        let [csv, json_lines] = names.each_ref().map(|name| folder.join(name));
        let written = export_kind(ports, permit, kind, Some(&csv), Some(&json_lines), false).await?;
        for (name, Written { records, bytes, sha256 }) in names.iter().zip(written) {
            files.push(
                json!({ "name": name, "kind": kind.as_str(), "records": records, "bytes": bytes, "sha256": sha256 }),
            );
        }
    }
    let manifest = json!({
        "format": 1,
        "program": env!("CARGO_PKG_VERSION"),
        "workspace": { "id": workspace.id, "slug": workspace.slug, "name": workspace.name },
        "created_at": created_at,
        "files": files,
    });
    let mut file = JsonLinesFile::create(&folder.join("manifest.json"), false)?;
    file.record(manifest.as_object().context("a manifest is an object")?)?;
    file.finish(1)?;
    Ok(manifest)
}
