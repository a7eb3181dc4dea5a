//! Saving a form while others change the same record: what only one side changed is kept, and for what both changed one
//! chooses. Nothing is overwritten unseen.

use actix_web::http::StatusCode;
use askama::Template;
use domain::Error;
use domain::identity::access::Permit;
use domain::kernel::input::json::Json;
use domain::kernel::input::{Input, InputMode};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use serde_json::json;
use time::OffsetDateTime;

use super::{Kind, edit};
use crate::answers;
use crate::filters;
use crate::form::{Field, FieldKind, Form, FormView, WAS, ZONE, fingerprint};
use crate::layout::{Browser, Shell};
use crate::page::PageResult;
use crate::parts::people;
use crate::texts::text;

/// How often others may be quicker before one is told.
const TRIES: usize = 3;
/// The field with the names of those that were to be chosen, one value each.
const CONFLICT: &str = "_conflict";
/// With the name of a member behind it, the field with the side that was chosen.
const CHOICE: &str = "_choice.";

/// What came of saving a form.
pub(crate) enum Saved {
    /// The record as it is now.
    Done(Json),
    /// Both sides changed the same: the record as it is now, and what there is to choose.
    Conflict(Json, Merged),
}

/// What a form changes while others may change it too: a record of a kind, or settings.
pub(crate) trait Target {
    type Fields: Input;

    /// It as it is now, with its `version`.
    async fn stored(&self) -> Result<Json, Error>;
    /// Changes it if it has this version, and returns what it is then.
    async fn update(&self, expected: ExpectedVersion, fields: Self::Fields) -> Result<Json, Error>;
}

/// A record of a kind.
struct RecordTarget<'a, K: Kind> {
    ports: &'a Ports,
    browser: &'a Browser,
    permit: &'a Permit<K::Update>,
    id: K::Id,
}

impl<K: Kind> Target for RecordTarget<'_, K> {
    type Fields = K::Fields;

    async fn stored(&self) -> Result<Json, Error> {
        edit::stored::<K>(self.ports, self.browser, self.id).await
    }

    async fn update(&self, expected: ExpectedVersion, fields: K::Fields) -> Result<Json, Error> {
        Ok(json!(K::update(self.ports, self.permit, self.id, expected, fields).await?))
    }
}

/// The page on which one chooses.
#[derive(Template)]
#[template(path = "records/conflict.html")]
pub(crate) struct ConflictPage {
    pub(crate) shell: Shell,
    pub(crate) merged: Merged,
    /// Where one came from, and its name.
    pub(crate) list: String,
    pub(crate) list_path: String,
    pub(crate) action: String,
    pub(crate) next: Option<String>,
    /// Who changed it last, and when, where that is known.
    pub(crate) changed: Option<(String, OffsetDateTime)>,
}

impl ConflictPage {
    /// The answer to a form: the page, of which htmx takes the main part.
    pub(crate) fn answer(self, browser: &Browser) -> PageResult {
        let response = answers::page_with(StatusCode::CONFLICT, browser, self)?;
        Ok(edit::instead_of(response, "#main"))
    }
}

/// A field that both sides changed.
pub(crate) struct Conflict {
    /// With what was typed.
    pub(crate) mine: Field,
    pub(crate) theirs: String,
}

/// A form whose record has changed since.
pub(crate) struct Merged {
    pub(crate) version: i64,
    pub(crate) conflicts: Vec<Conflict>,
    /// What one changed alone: goes along with the choice. Names and values, with the fingerprints.
    pub(crate) others: Vec<(String, String)>,
    /// The labels of these.
    pub(crate) kept: Vec<String>,
    /// Both sides' fields, for the names of what they name by ids.
    theirs: FormView,
}

impl Merged {
    /// Whether a member can be chosen for one of the fields, which takes a statement.
    pub(crate) fn names_members(&self) -> bool {
        self.conflicts.iter().any(|one| one.mine.kind == FieldKind::Member)
    }

    /// With the names of members and records instead of their ids. Two statements at most.
    pub(crate) async fn completed(mut self, ports: &Ports, browser: &Browser) -> Result<Self, Error> {
        let mine =
            FormView { fields: self.conflicts.iter().map(|one| one.mine.clone()).collect(), ..FormView::default() };
        let mut wanted = mine.wanted_names();
        let of_theirs = self.theirs.wanted_names();
        wanted.people.extend(of_theirs.people);
        wanted.records.extend(of_theirs.records);
        let names = people::names(ports, browser, wanted).await?;
        let mut mine = mine.named(&names);
        if mine.fields.iter().any(|field| field.kind == FieldKind::Member) {
            mine = mine.with_members(&people::choices(ports, browser).await?);
        }
        self.theirs = self.theirs.named(&names);
        for (conflict, mine) in self.conflicts.iter_mut().zip(mine.fields) {
            conflict.mine = mine;
            if let Some(theirs) = self.theirs.field_mut(conflict.mine.name) {
                conflict.theirs = theirs.displayed();
            }
        }
        Ok(self)
    }
}

/// Saves the members of a record that were changed in a form, as [`save_to`] does.
///
/// # Errors
/// Those of [`save_to`].
pub(crate) async fn save<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<K::Update>,
    id: K::Id,
    form: &mut Form,
) -> Result<Saved, Error> {
    save_to(&RecordTarget::<K> { ports, browser, permit, id }, ports, browser, form).await
}

/// Saves the members that were changed in a form. If what it changes has changed since, members that others alone changed
/// stay theirs.
///
/// # Errors
/// Those of the update, but [`Error::ConcurrentUpdate`].
pub(crate) async fn save_to<T: Target>(
    target: &T,
    ports: &Ports,
    browser: &Browser,
    form: &mut Form,
) -> Result<Saved, Error> {
    let members = T::Fields::members();
    let unchosen = take_choices(form);
    let zone = &browser.preferences.zone;
    for member in &members {
        let typed = FormView::new::<T::Fields>().only(&[member.name]).typed(form).in_zone(zone);
        let was = form.value(&format!("{WAS}{}", member.name));
        let is_same = typed.fields.first().is_some_and(|field| was == Some(&fingerprint(&field.sent())));
        if is_same {
            form.remove(member.name);
        }
    }
    let mut expected = form.version()?;
    if !unchosen.is_empty() {
        let record = target.stored().await?;
        let mut merged = merge::<T::Fields>(form, &record, zone, &unchosen);
        for conflict in &mut merged.conflicts {
            conflict.mine.error = Some(text("conflict-choose"));
        }
        return Ok(Saved::Conflict(record, merged));
    }
    if members.iter().all(|member| !form.has(member.name)) {
        return Ok(Saved::Done(target.stored().await?));
    }
    let mut record = if form.has_objects(&members) { target.stored().await? } else { Json::Null };
    for _ in 0..TRIES {
        // If the record changed after it was read, the update is refused, and the record is read again.
        let fields = form.read_for::<T::Fields>(&record, InputMode::Patch, ports, zone)?;
        match target.update(expected, fields).await {
            Ok(record) => return Ok(Saved::Done(record)),
            Err(Error::ConcurrentUpdate { .. }) => {}
            Err(error) => return Err(error),
        }
        record = target.stored().await?;
        let merged = merge::<T::Fields>(form, &record, zone, &[]);
        if !merged.conflicts.is_empty() {
            return Ok(Saved::Conflict(record, merged));
        }
        expected = ExpectedVersion::OneOf(vec![merged.version]);
    }
    Err(Error::Conflict(text("conflict-busy")))
}

/// Applies what was chosen in the form of a conflict; returns the names of the fields for which nothing was.
fn take_choices(form: &mut Form) -> Vec<String> {
    let asked: Vec<_> = form.values(CONFLICT).map(str::to_owned).collect();
    let mut unchosen = Vec::new();
    for name in asked {
        match form.value(&format!("{CHOICE}{name}")) {
            Some("mine") => {}
            Some("theirs") => form.remove(&name),
            _ => unchosen.push(name),
        }
    }
    unchosen
}

/// Compares what was changed in a form with the record as it is now. Fields of `asked` are conflicts in any case.
fn merge<F: Input>(form: &Form, record: &Json, zone: &jiff::tz::TimeZone, asked: &[String]) -> Merged {
    let theirs =
        FormView::new::<F>().filled_in(record, |member| form.zone_of(member, zone).unwrap_or_else(|| zone.clone()));
    let mine = FormView::new::<F>().without_help().typed(form).in_zone(zone);
    let mut merged = Merged {
        version: record["version"].as_i64().unwrap_or_default(),
        conflicts: Vec::new(),
        others: Vec::new(),
        kept: Vec::new(),
        theirs: FormView::default(),
    };
    for (mine, theirs) in mine.fields.into_iter().zip(theirs.fields) {
        if !form.has(mine.name) {
            continue;
        }
        let is_asked = asked.iter().any(|name| name == mine.name);
        let (sent, stored) = (mine.sent(), theirs.sent());
        let is_changed_by_others = mine.was.as_deref() != Some(&fingerprint(&stored));
        if is_asked || (is_changed_by_others && sent != stored) {
            // From now on, the record as it is shown here is what changes are told from.
            let mut mine = mine;
            mine.was = Some(fingerprint(&stored));
            merged.conflicts.push(Conflict { theirs: theirs.displayed(), mine });
            merged.theirs.fields.push(theirs);
        } else {
            let values = form.all(mine.name).map(|value| (mine.name.to_owned(), value.to_owned()));
            merged.others.extend(values);
            merged.others.extend(mine.was.clone().map(|was| (format!("{WAS}{}", mine.name), was)));
            merged
                .others
                .extend(mine.has_zone().then(|| (format!("{ZONE}{}", mine.name), mine.zone_name().to_owned())));
            merged.kept.push(mine.label);
        }
    }
    merged
}
