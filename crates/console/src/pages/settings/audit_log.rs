//! The audit log: what was done to the workspace, by whom and from where.

use std::collections::HashMap;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use csv_files::{DOWNLOADED, write_quoted};
use domain::identity::access::{ManageKeys, ManageMembers, ManageOwnAccount, ReadAuditLog};
use domain::identity::audit::{self, AuditEntry, AuditFilter};
use domain::identity::{accounts, api_keys, members};
use domain::kernel::input::{CreatedFilter, format_timestamp};
use domain::kernel::paging::{MAX_LIMIT, PageRequest as Paging, Paginated};
use http_core::query::Filtered;
use serde_json::Value as Json;
use uuid::Uuid;

use crate::lists::ListView;
use crate::pages::transfer::running::RunningExport;
use crate::prelude::*;
use crate::records::id_of;
use crate::texts::{in_words, known};

pages! {
    List = "GET /settings/audit-log", access: ReadAuditLog, query: Filtered<AuditFilter, AuditEntry> => list;
    Export = "GET /settings/audit-log.csv", class: Class::Bulk, access: ReadAuditLog,
    query: Filtered<AuditFilter, AuditEntry> => export;
}

/// How many entries an export has at most, and how many are read per statement.
const MAX_EXPORTED: usize = 4_000;
const PAGE_SIZE: u32 = 500;
/// An export ends once it has this many bytes. A change of 100 networks alone takes 10 KB.
const MAX_EXPORTED_BYTES: usize = 4 * 1024 * 1024;

#[derive(Template)]
#[template(path = "settings/audit_log.html")]
struct LogPage {
    shell: Shell,
    list: ListView,
    entries: Vec<EntryRow>,
    actors: Vec<ActorChoice>,
    /// The URL of the export with the same filters.
    export: String,
}

/// A member or key to filter by.
struct ActorChoice {
    id: Uuid,
    name: String,
    is_chosen: bool,
}

struct EntryRow {
    entry: AuditEntry,
    action: String,
    details: Vec<Detail>,
}

/// A detail in words.
struct Detail {
    name: String,
    value: String,
    /// The value with full ids and fingerprints, if they were shortened.
    exact: Option<String>,
}

/// The names behind ids in details.
type Names = HashMap<Uuid, String>;

impl EntryRow {
    fn new(entry: AuditEntry, names: &Names, shell: &Shell) -> Self {
        let details = left_out(&entry, shell).unwrap_or_else(|| {
            // Details without a value are left out.
            let details = entry.details.iter().filter(|(_, value)| !is_empty(value));
            details.map(|(name, value)| Detail::of(name, value, names)).collect()
        });
        Self { action: label("value", entry.action.as_str()), details, entry }
    }
}

/// How many characters of an id or fingerprint are shown.
const SHORTENED_LENGTH: usize = 8;

/// Shortens an id or a fingerprint, since people use these only to compare. Other texts stay as they are.
fn shortened(text: &str) -> String {
    let is_exact = text.len() >= 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    match text.get(..SHORTENED_LENGTH).filter(|_| is_exact) {
        Some(start) => format!("{start}…"),
        None => text.to_owned(),
    }
}

impl Detail {
    fn of(name: &str, value: &Json, names: &Names) -> Self {
        // For webhooks, this detail is a host.
        let is_of_workspace = name != FROM || id_of(value).is_some();
        let name = if is_of_workspace { label("audit-detail", name) } else { in_words(name) };
        let (shown, whole) = (described(value, names, shortened), described(value, names, str::to_owned));
        let exact = (whole != shown).then_some(whole);
        Self { name, value: shown, exact }
    }
}

/// The entries that were left out in an hour: when that was, and how many of each action.
fn left_out(entry: &AuditEntry, shell: &Shell) -> Option<Vec<Detail>> {
    let (hour, counts) = entry.left_out()?;
    let (start, end) = (shell.local(hour), shell.local(hour + time::Duration::HOUR));
    let period = format!("{}–{}", start.strftime("%-d %b %Y, %H:%M"), end.strftime("%H:%M"));
    let detail = |name, value| Detail { name, value, exact: None };
    let count = |(action, count): (&str, u64)| {
        detail(label("value", action), text_with("audit-left-out", [("count", count.into())]))
    };
    Some([detail(text("audit-hour"), period)].into_iter().chain(counts.into_iter().map(count)).collect())
}

fn is_empty(value: &Json) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

/// The detail with what the user came from: a workspace, or for webhooks a host.
const FROM: &str = "from";

/// A detail in words: a change with both values, a list with commas, and names instead of ids.
fn described(value: &Json, names: &Names, shown: fn(&str) -> String) -> String {
    let described = |value: &Json| described(value, names, shown);
    let in_list = |items: Vec<String>| items.join(", ");
    match value {
        value if is_empty(value) => "–".to_owned(),
        Json::String(text) => {
            let word = || known(&format!("value-{}", text.replace('_', "-"))).unwrap_or_else(|| shown(text));
            id_of(value).and_then(|id| names.get(&id)).cloned().unwrap_or_else(word)
        }
        Json::Array(items) => in_list(items.iter().map(described).collect()),
        Json::Object(members) => {
            if let (Some(from), Some(to)) = (members.get("from"), members.get("to")) {
                return format!("{} → {}", described(from), described(to));
            }
            let pairs = members.iter().map(|(name, value)| format!("{name}: {}", described(value)));
            in_list(pairs.collect())
        }
        Json::Bool(flag) => text(if *flag { "yes" } else { "no" }),
        other => other.to_string(),
    }
}

/// The members and keys to filter by, the newest of each.
async fn actors(request: &PageRequest<List>, chosen: Option<Uuid>) -> Result<Vec<ActorChoice>, Error> {
    let first = Paging::first(MAX_LIMIT);
    let mut found = Vec::new();
    if let Some(permit) = request.browser.permit::<ManageMembers>() {
        let members = members::list(&request.ports, &permit, CreatedFilter::default(), first).await?;
        found.extend(members.items.into_iter().map(|member| (member.id.0, member.name)));
    }
    if let Some(permit) = request.browser.permit::<ManageKeys>() {
        let keys = api_keys::list(&request.ports, &permit, CreatedFilter::default(), first).await?;
        found.extend(keys.items.into_iter().map(|key| (key.id.0, key.name)));
    }
    if let Some(id) = chosen.filter(|id| found.iter().all(|(known, _)| known != id)) {
        found.push((id, id.to_string()));
    }
    Ok(found.into_iter().map(|(id, name)| ActorChoice { id, name, is_chosen: chosen == Some(id) }).collect())
}

/// The workspaces that entries refer to, as far as the reader belongs to them.
async fn workspaces(ports: &Ports, browser: &Browser, entries: &[AuditEntry]) -> Result<Names, Error> {
    let is_named = entries.iter().any(|entry| entry.details.get(FROM).and_then(id_of).is_some());
    let Some(permit) = browser.permit::<ManageOwnAccount>().filter(|_| is_named) else { return Ok(Names::new()) };
    let own = accounts::list_workspaces(ports, &permit).await?;
    Ok(own.into_iter().map(|own| (own.workspace.id.0, own.workspace.name)).collect())
}

async fn list(request: PageRequest<List>) -> PageResult {
    let filter = request.query.filter.clone();
    let actors = actors(&request, filter.actor_id).await?;
    let PageRequest { ports, permit, query, browser, .. } = request;
    let page = audit::list(&ports, &permit, filter, query.page).await?;
    let mut names = workspaces(&ports, &browser, &page.items).await?;
    // The chosen one may have no name.
    let with_names = actors.iter().filter(|actor| actor.name != actor.id.to_string());
    names.extend(with_names.map(|actor| (actor.id, actor.name.clone())));
    let mut list = ListView::new::<AuditFilter, _>(&browser.address, &page, &browser.preferences.zone);
    for chip in &mut list.chips {
        if let Some(actor) = actors.iter().find(|actor| actor.id.to_string() == chip.value) {
            chip.value.clone_from(&actor.name);
        }
    }
    let shell = browser.shell(text("settings-audit-log"));
    let page = LogPage {
        export: export_address(&browser),
        list,
        entries: page.items.into_iter().map(|entry| EntryRow::new(entry, &names, &shell)).collect(),
        actors,
        shell,
    };
    responses::page(&browser, page)
}

/// The URL of the export. It has the page's filters, and begins with the newest entry.
fn export_address(browser: &Browser) -> String {
    let query = browser.address.split_once('?').map_or("", |(_, query)| query);
    let form = Form::parse(query.as_bytes());
    let filters =
        form.pairs().filter(|(name, value)| !matches!(*name, "cursor" | "page" | "limit") && !value.is_empty());
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(filters).finish();
    format!("/settings/audit-log.csv?{query}")
}

async fn export(request: PageRequest<Export>) -> PageResult {
    let PageRequest { ports, permit, query, renderer, .. } = request;
    let _running = RunningExport::begin(&permit, ports.clock.elapsed())?;
    let mut file = DOWNLOADED.mark().to_vec();
    file.extend_from_slice(b"time,action,actor_type,actor_id,actor,subject_type,subject_id,address,details\r\n");
    let (mut paging, mut left) = (Paging { limit: PAGE_SIZE, ..query.page }, MAX_EXPORTED);
    while left > 0 && file.len() < MAX_EXPORTED_BYTES {
        let page = audit::list(&ports, &permit, query.filter.clone(), paging).await?;
        left = left.saturating_sub(page.items.len());
        let last = page.items.last().filter(|_| page.has_more).map(Paginated::cursor_key);
        file = renderer.run(move || with_entries(file, &page.items)).await?;
        match last {
            Some((time, id)) => paging = Paging::after(time, id, PAGE_SIZE),
            None => break,
        }
    }
    Ok(HttpResponse::Ok()
        .content_type("text/csv; charset=utf-8")
        .insert_header((CONTENT_DISPOSITION, "attachment; filename=\"audit-log.csv\""))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(file))
}

/// The file with more entries appended.
fn with_entries(mut file: Vec<u8>, entries: &[AuditEntry]) -> Vec<u8> {
    write_quoted(&mut file, b',', entries.iter().map(cells_of));
    file
}

fn cells_of(entry: &AuditEntry) -> [String; 9] {
    let actor = entry.actor.actor;
    [
        format_timestamp(entry.created_at),
        entry.action.to_string(),
        actor.kind.to_string(),
        actor.id.map(|id| id.to_string()).unwrap_or_default(),
        entry.actor.name.clone(),
        entry.subject.kind.to_string(),
        entry.subject.id.to_string(),
        entry.ip.clone().unwrap_or_default(),
        Json::Object(entry.details.clone()).to_string(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn details_are_shown_in_words() {
        let names = Names::from([(Uuid::from_u128(7), "Mara".to_owned())]);
        let shown = |value: Json| described(&value, &names, shortened);
        assert_eq!(shown(json!({"from": "viewer", "to": "admin"})), "viewer → admin");
        assert_eq!(shown(json!({"from": [], "to": ["10.0.0.0/8", "::1/128"]})), "– → 10.0.0.0/8, ::1/128");
        assert_eq!(shown(json!(7)), "7");
        assert_eq!(shown(json!("sign_in_link")), "Sign-in link");
        let long = Detail::of("file", &json!("0123456789abcdef".repeat(4)), &names);
        assert_eq!((&*long.name, &*long.value), ("File (SHA-256)", "01234567…"));
        assert_eq!(long.exact.as_deref(), Some(&*"0123456789abcdef".repeat(4)));
        let how = Detail::of("by", &json!("switch"), &names);
        assert_eq!((&*how.name, &*how.value, how.exact), ("How", "Switched workspace", None));
        // Ids within lists and objects are replaced as well.
        let (mara, other) = (Uuid::from_u128(7), Uuid::from_u128(8));
        let list = Detail::of("members", &json!([mara, {"key": other}]), &names);
        assert_eq!(list.value, "Mara, key: 00000000…");
        assert_eq!(list.exact, Some(format!("Mara, key: {other}")));
        let from = |value: Json| Detail::of("from", &value, &names);
        assert_eq!((from(json!(mara)).name, from(json!(mara)).value), ("From workspace".to_owned(), "Mara".to_owned()));
        assert_eq!((from(json!("a.example")).name, from(json!("a.example")).exact), ("From".to_owned(), None));
    }
}
