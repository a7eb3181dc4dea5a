//! `export`

use std::path::Path;

use anyhow::{Context, ensure};
use csv_files::FileForm;
use domain::identity::access::{Permit, TransferRecords};
use domain::identity::workspaces::Workspace;
use domain::kernel::input::format_timestamp;
use domain::ports::{Operator, Ports};
use domain::transfer::{self, Export, ExportPage, TransferKind};
use serde_json::{Value, json};

use super::transfer::permit;
use super::{explain, print};
use crate::cli::ExportOptions;
use crate::transfer::{CsvFile, FileSummary, JsonLinesFile, ProgressBar};

pub(super) async fn run(ports: Ports, operator: Operator, options: ExportOptions) -> anyhow::Result<()> {
    let (permit, workspace) = permit(&ports, &operator, &options.workspace).await?;
    let form = FileForm { has_mark: options.bom, ..FileForm::PLAIN };
    if let Some(folder) = &options.all {
        let manifest = export_all(&ports, &permit, &workspace, folder, form).await?;
        let prose = format!("Exported the workspace {} into {}.", workspace.slug, folder.display());
        print(options.json, &manifest, &prose);
        return Ok(());
    }
    let (Some(kind), Some(file)) = (options.kind, &options.file) else {
        anyhow::bail!("name what to export and a file, or use --all");
    };
    let is_plain_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("json"));
    ensure!(!is_plain_json, "exports are JSON Lines or CSV: the file name must end in .jsonl or .csv");
    let is_json = file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("jsonl"));
    ensure!(!(is_json && options.bom), "JSON Lines have no byte order mark: leave out --bom, or export CSV");
    let export = Export::from(kind);
    transfer::note_export(&ports, &permit, std::slice::from_ref(&export)).await.map_err(|error| explain(&error))?;
    let (csv, json_lines) = if is_json { (None, Some(&**file)) } else { (Some(&**file), None) };
    let files = Files { csv, json_lines, form, replaces: options.force };
    let written = export_kind(&ports, &permit, &export, files).await?;
    let records = written.first().map_or(0, |written| written.records);
    let object = json!({ "kind": kind.as_str(), "file": file, "records": records });
    print(options.json, &object, &format!("Exported {records} {kind} into {}.", file.display()));
    Ok(())
}

/// The output files of an export.
struct Files<'a> {
    csv: Option<&'a Path>,
    json_lines: Option<&'a Path>,
    /// The format of the CSV file.
    form: FileForm,
    replaces: bool,
}

/// Writes all records of a kind to one or two files, in one pass.
async fn export_kind(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    export: &Export,
    files: Files<'_>,
) -> anyhow::Result<Vec<FileSummary>> {
    let Files { csv, json_lines, form, replaces } = files;
    let kind = export.kind();
    let mut csv = csv.map(|file| CsvFile::create(file, replaces, form, export.columns())).transpose()?;
    let mut json_lines = json_lines.map(|file| JsonLinesFile::create(file, replaces)).transpose()?;
    let mut bar = ProgressBar::new(kind.as_str(), None, 0);
    let (mut records, mut after) = (0, None);
    loop {
        let page = transfer::export_page(ports, permit, export, after).await.map_err(|error| explain(&error))?;
        write_page(&page, export, csv.as_mut(), json_lines.as_mut())?;
        records += page.records.len() as u64;
        bar.show(records);
        match page.next {
            Some(cursor) => after = Some(cursor),
            None => break,
        }
    }
    let csv = csv.map(|file| file.finish(records)).transpose()?;
    let json_lines = json_lines.map(|file| file.finish(records)).transpose()?;
    transfer::note_export_end(ports, permit, kind, records, true).await.map_err(|error| explain(&error))?;
    Ok(csv.into_iter().chain(json_lines).collect())
}

fn write_page(
    page: &ExportPage,
    export: &Export,
    csv: Option<&mut CsvFile>,
    json_lines: Option<&mut JsonLinesFile>,
) -> anyhow::Result<()> {
    if let Some(csv) = csv {
        page.records.iter().try_for_each(|record| csv.row(&export.row(record)))?;
    }
    if let Some(json_lines) = json_lines {
        page.records.iter().try_for_each(|record| json_lines.record(record))?;
    }
    Ok(())
}

/// Writes a folder with files of all kinds. The manifest is written last, so a folder without one is incomplete.
async fn export_all(
    ports: &Ports,
    permit: &Permit<TransferRecords>,
    workspace: &Workspace,
    folder: &Path,
    form: FileForm,
) -> anyhow::Result<Value> {
    let context = || format!("cannot write into {}", folder.display());
    std::fs::create_dir_all(folder).with_context(context)?;
    let is_empty = std::fs::read_dir(folder).with_context(context)?.next().is_none();
    ensure!(is_empty, "{} is not empty: name another folder", folder.display());
    let created_at = format_timestamp(ports.clock.now());
    let exports: Vec<_> = TransferKind::ALL.iter().copied().map(Export::from).collect();
    transfer::note_export(ports, permit, &exports).await.map_err(|error| explain(&error))?;
    let mut files = Vec::new();
    for export in &exports {
        let kind = export.kind();
        let names = [format!("{kind}.csv"), format!("{kind}.jsonl")];
        let [csv, json_lines] = names.each_ref().map(|name| folder.join(name));
        let both = Files { csv: Some(&csv), json_lines: Some(&json_lines), form, replaces: false };
        let written = export_kind(ports, permit, export, both).await?;
        for (name, FileSummary { records, bytes, sha256 }) in names.iter().zip(written) {
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
