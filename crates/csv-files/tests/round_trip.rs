//! Importing an export changes nothing in the same workspace, and creates the same records in another one. Tested with random
//! records of every kind, in files that are really written and read.
#![expect(clippy::unwrap_used, reason = "all of this is tests: they fail by panicking")]

use std::sync::Arc;

use csv_files::{DOWNLOADED, FileForm, Table, TableWriter, write_quoted};
use domain::Error;
use domain::crm::companies::Company;
use domain::crm::contacts::Contact;
use domain::crm::deals::Deal;
use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, SchemaMember};
use domain::records::{self, OnMatch, RowOutcome};
use domain::transfer::{
    self, Batch, Columns, Export, FileRow, ImportDigest, MAX_BATCH_ROWS, Mapping, Repeat, TransferKind, columns_of,
};
use domain::work::issues;
use domain::work::projects::Project;
use domain::work::time_entries::TimeEntry;
use serde_json::json;
use storage_contract::{StoreUnderTest, TestWorkspace};
use test_databases::TestPorts;

/// The number of records of each kind, and the number of runs.
const RECORDS: usize = 25;
const RUNS: u64 = 6;

/// Parts of texts that the service or another program could misread.
const PIECES: [&str; 38] = [
    "a", "Ann", "ü", "é", "日本", "😀", "'", "''", "'=", "=", "+", "-", "@", "\"", "\"\"", ",", ";", "; ", " ", "  ",
    "\u{a0}", "\u{feff}", "\u{200b}", "[", "]", "{", "}", "1,5", "1.500", "0012", "1e5", "true", "NULL", "\\", "\\\"",
    "&", "＝", "’",
];
const BREAKS: [&str; 3] = ["\n", "\n\n", "\t"];

/// Pseudorandom numbers, the same in every test run.
struct Random {
    state: u64,
    count: u64,
}

impl Random {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).unwrap()
    }

    fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// A number that was not used before.
    fn unused_number(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// A non-blank text, on a few lines if `has_lines`.
    fn text(&mut self, has_lines: bool) -> String {
        let mut text = String::new();
        for _ in 0..=self.below(6) {
            text.push_str(self.one_of::<&str>(&PIECES));
            if has_lines && self.below(4) == 0 {
                text.push_str(self.one_of::<&str>(&BREAKS));
            }
        }
        text.push_str(self.one_of::<&str>(&["x", "'", "\"", ";", "=1", "0"]));
        text
    }

    fn object(&mut self) -> Json {
        let mut object = Map::new();
        for _ in 0..self.below(4) {
            let value = match self.below(6) {
                0 => json!(self.below(1_000_000)),
                1 => json!(-0.25),
                2 => json!([self.text(true), { "a": [] }]),
                3 => json!(self.below(2) == 0),
                4 => json!({ "deep": { "er": self.text(false) } }),
                _ => json!(self.text(true)),
            };
            object.insert(format!("f{}", self.below(9)), value);
        }
        object.into()
    }
}

/// A workspace in its own store.
struct Workspace {
    test: TestPorts,
    world: TestWorkspace,
    imports: u8,
}

impl Workspace {
    fn start() -> Self {
        let test = TestPorts::new();
        let subject = StoreUnderTest { ports: test.ports.clone(), clock: test.clock.clone() };
        let world = test.block_on(subject.world());
        Self { test, world, imports: 0 }
    }

    fn records(&self, kind: TransferKind) -> Vec<Map<String, Json>> {
        let (mut records, mut after) = (Vec::new(), None);
        loop {
            let permit = self.world.operator::<domain::identity::access::TransferRecords>();
            let page = transfer::export_page(&self.test.ports, &permit, kind, after);
            let page = self.test.block_on(page).unwrap();
            records.extend(page.records);
            match page.next {
                Some(place) => after = Some(place),
                None => return records,
            }
        }
    }

    /// The ids of the records of a kind.
    fn ids(&self, kind: TransferKind) -> Vec<Json> {
        self.records(kind).into_iter().map(|mut record| record["id"].take()).collect()
    }

    /// A file with all records of a kind, in the format of the console or the command.
    fn file(&self, kind: TransferKind, is_downloaded: bool) -> Vec<u8> {
        let export = Export::from(kind);
        let rows: Vec<_> = self.records(kind).iter().map(|record| export.row(record)).collect();
        if is_downloaded {
            let mut file = DOWNLOADED.mark().to_vec();
            write_quoted(&mut file, DOWNLOADED.delimiter, [export.columns()]);
            write_quoted(&mut file, DOWNLOADED.delimiter, rows);
            return file;
        }
        let mut writer = TableWriter::new(Vec::new(), FileForm::PLAIN).unwrap();
        writer.row(export.columns()).unwrap();
        for row in &rows {
            writer.row(row).unwrap();
        }
        writer.finish().unwrap()
    }

    /// Imports a file, ignoring some of its columns.
    fn import(&mut self, kind: TransferKind, file: &[u8], ignored: &[&str]) -> Vec<RowOutcome> {
        let mut table = Table::new(file).unwrap();
        let ignored = table.header().iter().filter(|column| ignored.contains(&column.as_str()));
        let columns = ignored.map(|column| (column.clone(), String::new())).collect();
        // An operator must name the member whose time it is.
        let member = || ("member_id".to_owned(), String::new(), self.world.member.0.to_string());
        let values = (kind == TransferKind::TimeEntries).then(member).into_iter().collect();
        let mapping = Mapping { columns, values, ..Mapping::default() };
        let columns = Columns::of(kind, table.header(), &mapping).unwrap();
        let permit = self.world.operator();
        self.imports += 1;
        let digest = ImportDigest::new([self.imports; 32]);
        let begun = transfer::begin(&self.test.ports, &permit, digest, kind, Repeat::Again);
        let mut import = Some(self.test.block_on(begun).unwrap());
        let mut outcomes = Vec::new();
        loop {
            let lines = table.batch(MAX_BATCH_ROWS).unwrap().into_iter();
            let rows: Vec<_> = lines.map(|line| FileRow { line: line.number, cells: line.cells }).collect();
            if rows.is_empty() {
                return outcomes;
            }
            let batch = Batch {
                columns: columns.clone(),
                on_match: OnMatch::Update,
                rows,
                import,
                dry_run_rows: Arc::default(),
            };
            let done = self.test.block_on(transfer::import_batch(&self.test.ports, &permit, batch));
            let done = done.unwrap_or_else(|error| panic!("{kind}: {error:?}"));
            outcomes.extend(done.outcomes);
            import = done.import;
        }
    }

    /// Imports one row.
    fn import_row(&mut self, kind: TransferKind, cells: &[(&str, &str)]) {
        let mut file = Vec::new();
        write_quoted(&mut file, b',', [cells.iter().map(|(column, _)| *column)]);
        write_quoted(&mut file, b',', [cells.iter().map(|(_, cell)| *cell)]);
        let done = self.import(kind, &file, &[]);
        assert!(matches!(done[..], [RowOutcome::Created | RowOutcome::Updated | RowOutcome::Unchanged]), "{done:?}");
    }
}

/// A valid value for the member; `None` if there is none.
fn value_of(random: &mut Random, workspace: &Workspace, member: &SchemaMember) -> Option<Json> {
    let schema = &member.schema;
    let referred = |random: &mut Random, kind| {
        let ids = workspace.ids(kind);
        (!ids.is_empty()).then(|| random.one_of(&ids).clone())
    };
    match member.name {
        "company_id" => return referred(random, TransferKind::Companies),
        "contact_id" => return referred(random, TransferKind::Contacts),
        "deal_id" => return referred(random, TransferKind::Deals),
        "project_id" => return referred(random, TransferKind::Projects),
        "assigned_to" | "rep_id" | "assignee_id" | "lead_user_id" | "member_id" => {
            return Some(json!(workspace.world.member.0));
        }
        // A file cannot identify issues of another workspace.
        "parent_id" | "cycle_id" | "task_id" | "ticket_id" | "started_at" | "ended_at" => return None,
        "seconds" => return Some(json!(1 + random.below(86_400))),
        "email" => return Some(json!(format!("P{}@x.example", random.unused_number()))),
        "domain" => return Some(json!(format!("d{}.example", random.unused_number()))),
        "slug" => return Some(json!(format!("s-{}", random.unused_number()))),
        "external_id" => return Some(json!(format!("{}{}", random.text(false), random.unused_number()))),
        "github_url" => return Some(json!("https://github.com/a/b")),
        _ => {}
    }
    if let Some(Json::Array(choices)) = schema.get("enum") {
        return Some(random.one_of(choices).clone());
    }
    let variants = schema.get("anyOf").and_then(Json::as_array).into_iter().flatten();
    let format = std::iter::once(schema).chain(variants).find_map(|schema| schema.get("format")?.as_str());
    Some(match (schema["type"].as_str(), format) {
        (_, Some("date")) => json!(format!("2026-0{}-1{}", 1 + random.below(9), random.below(10))),
        (_, Some("date-time")) => json!(*random.one_of(&["2026-07-01T12:30:00Z", "2026-07-01T00:00:00.123456+02:00"])),
        (_, Some("uri")) => json!(format!("https://example.com/{}?a=b,c;d", random.unused_number())),
        (_, Some("uuid")) => json!(workspace.world.id()),
        (Some("integer"), _) => json!(random.below(101)),
        (Some("number"), _) => match random.below(3) {
            0 => json!(random.below(100)),
            1 => json!(f64::from(u16::try_from(random.below(9_999)).unwrap()) / 100.0),
            _ => json!(0.1),
        },
        (Some("boolean"), _) => json!(random.below(2) == 0),
        (Some("array"), _) => (0..random.below(4)).map(|_| random.text(false)).collect(),
        (Some("object"), _) => random.object(),
        _ => json!(random.text(matches!(member.name, "notes" | "description" | "body" | "lost_reason"))),
    })
}

/// Creates a record, leaving out members that the rules refuse together.
fn make(workspace: &Workspace, kind: TransferKind, mut body: Map<String, Json>) -> Json {
    fn read<I: Input>(body: Map<String, Json>) -> Result<I, Error> {
        I::from_object(body, InputMode::Create)
    }
    macro_rules! create {
        ($create:path) => {
            read(body.clone()).and_then(|fields| {
                let permit = workspace.world.operator();
                let creation = $create(&workspace.test.ports, &permit, None, fields);
                Ok(json!(workspace.test.block_on(creation)?.fresh().unwrap().id))
            })
        };
    }
    macro_rules! create_of_kind {
        ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
            match kind {
                TransferKind::Companies => create!(records::create::<Company>),
                TransferKind::Contacts => create!(records::create::<Contact>),
                TransferKind::Deals => create!(records::create::<Deal>),
                TransferKind::Projects => create!(records::create::<Project>),
                TransferKind::Tasks | TransferKind::Tickets => create!(issues::create),
                TransferKind::TimeEntries => create!(records::create::<TimeEntry>),
                $(TransferKind::$kinds => create!(records::create::<$type>),)+
            }
        };
    }
    for _ in 0..20 {
        let created = domain::simple_kinds!(create_of_kind!());
        match created {
            Ok(id) => return id,
            Err(error) => {
                for problem in error.details() {
                    let name = problem.field.split(['.', '[']).next().unwrap().to_owned();
                    assert!(body.remove(&name).is_some(), "{kind} {problem:?} {body:?}");
                }
            }
        }
    }
    panic!("{kind} {body:?}")
}

/// Adds a record with random values in some of its members.
fn add_random(workspace: &mut Workspace, random: &mut Random, kind: TransferKind) {
    const OF_IMPORTS: [&str; 4] = ["labels", "start_date", "requester_email", "requester_name"];
    const NEEDED: [&str; 5] = ["external_id", "domain", "member_id", "date", "seconds"];
    let mut body = Map::new();
    for member in kind.members() {
        let is_wanted = member.is_required || NEEDED.contains(&member.name) || random.below(3) > 0;
        if is_wanted
            && !OF_IMPORTS.contains(&member.name)
            && let Some(value) = value_of(random, workspace, &member)
        {
            body.insert(member.name.to_owned(), value);
        }
    }
    if kind == TransferKind::Tickets && random.below(2) == 0 {
        // Only an import can set the requester of a ticket that a member creates.
        let (name, title) = (random.text(false), format!("{}{}", random.text(false), random.unused_number()));
        let email = format!("c{}@x.example", random.unused_number());
        let cells = [("title", &*title), ("requester_email", &*email), ("requester_name", &*name)];
        workspace.import_row(kind, &cells);
        return;
    }
    if let TransferKind::Tasks | TransferKind::Tickets = kind {
        let word = if kind == TransferKind::Tasks { "task" } else { "ticket" };
        body.insert("kind".to_owned(), word.into());
    }
    let id = make(workspace, kind, body);
    if let TransferKind::Tasks | TransferKind::Tickets = kind {
        let labels: Json = (0..random.below(4)).map(|_| random.text(false)).collect();
        let cells = [("id", id.as_str().unwrap()), ("labels", &*labels.to_string()), ("start_date", "2026-07-01")];
        workspace.import_row(kind, &cells);
    }
}

/// Whether another workspace has its own values in this column, or cannot know them.
fn is_own(column: &str) -> bool {
    let of_members = ["assigned_to", "rep_", "assignee_", "lead_user_", "member_", "created_by"];
    let of_service = ["version", "number", "created_at", "updated_at", "completed_at", "resolved_at", "published_at"];
    is_reference(column) || of_service.contains(&column) || of_members.iter().any(|start| column.starts_with(start))
}

/// Whether the column has ids of one workspace.
fn is_reference(column: &str) -> bool {
    let external = ["external_id", "price_book_id", "package_id", "developer_id", "team_id", "template_id"];
    matches!(column, "id" | "reference") || column.ends_with("_id") && !external.iter().any(|end| column.ends_with(end))
}

#[test]
fn exports_change_nothing_at_home_and_recreate_records_elsewhere() {
    for run in 0..RUNS {
        let (mut source, mut target) = (Workspace::start(), Workspace::start());
        let mut random = Random { state: run, count: 0 };
        for kind in TransferKind::ALL.iter().copied() {
            for _ in 0..RECORDS {
                add_random(&mut source, &mut random, kind);
            }
            let file = source.file(kind, run % 2 == 0);
            let before = source.records(kind);
            let outcomes = source.import(kind, &file, &[]);
            assert_eq!(outcomes, vec![RowOutcome::Unchanged; RECORDS], "{kind} of run {run}");
            assert_eq!(source.records(kind), before);
            let columns = columns_of(kind);
            let ignored: Vec<_> = columns.iter().copied().filter(|column| is_own(column)).collect();
            let outcomes = target.import(kind, &file, &ignored);
            assert_eq!(outcomes, vec![RowOutcome::Created; RECORDS], "{kind} of run {run}");
            let compared = |records: Vec<Map<String, Json>>| {
                let value = |record: &Map<String, Json>, name: &str| record.get(name).cloned().unwrap_or_default();
                let shared: Vec<_> = columns.iter().filter(|name| !is_own(name)).collect();
                let row = |record| shared.iter().map(|name| (**name, value(record, name))).collect::<Vec<_>>();
                let mut rows: Vec<_> = records.iter().map(row).collect();
                rows.sort_by_key(|row| format!("{row:?}"));
                rows
            };
            assert_eq!(compared(target.records(kind)), compared(before), "{kind} of run {run}");
        }
    }
}
