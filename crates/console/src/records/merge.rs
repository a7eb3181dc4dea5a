//! Saving a form while others change the same record. Changes by only one side are merged, and the user chooses where
//! both sides changed the same member. Nothing is overwritten silently.

use actix_web::http::StatusCode;
use domain::identity::access::Permit;
use domain::kernel::input::Input;
use domain::kernel::input::json::Json;
use domain::kernel::versions::ExpectedVersion;
use time::OffsetDateTime;

use super::{Kind, edit};
use crate::form::{Field, FieldKind, WAS, ZONE, fingerprint};
use crate::parts::people;
use crate::prelude::*;

/// Save attempts before a conflict is reported.
const MAX_SAVE_ATTEMPTS: usize = 3;
/// The field with the names of the conflicting members, one value each.
const CONFLICT: &str = "_conflict";
/// Prefix of the field with the side chosen for a member.
const CHOICE: &str = "_choice.";

/// The outcome of saving a form.
pub(crate) enum SaveOutcome {
    /// The saved record.
    Done(Json),
    /// Both sides changed the same member: the current record, and the choices.
    Conflict(Json, MergeResult),
}

/// What a form changes while others may change it too: a record, or the settings.
pub(crate) trait Target {
    type Fields: Input;

    /// The current state, with its `version`.
    async fn stored(&self) -> Result<Json, Error>;
    /// Changes it if it has this version, and returns the new state.
    async fn update(&self, expected: ExpectedVersion, fields: Self::Fields) -> Result<Json, Error>;
}

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

/// The page on which the user chooses.
#[derive(Template)]
#[template(path = "records/conflict.html")]
pub(crate) struct ConflictPage {
    pub(crate) shell: Shell,
    pub(crate) merged: MergeResult,
    /// The title of the page that the form came from. `list_path` is its path.
    pub(crate) list: String,
    pub(crate) list_path: String,
    pub(crate) action: String,
    pub(crate) next: Option<String>,
    /// Who changed the record last, and when, if known.
    pub(crate) changed: Option<(String, OffsetDateTime)>,
}

impl ConflictPage {
    /// The response to a form. htmx shows the main part of the page.
    pub(crate) fn answer(self, browser: &Browser) -> PageResult {
        let response = responses::page_with(StatusCode::CONFLICT, browser, self)?;
        Ok(edit::retarget(response, "#main"))
    }
}

/// A member that both sides changed.
pub(crate) struct Conflict {
    /// The field with what was typed.
    pub(crate) mine: Field,
    pub(crate) theirs: String,
}

/// A form whose record has changed since it was rendered.
pub(crate) struct MergeResult {
    pub(crate) version: i64,
    pub(crate) conflicts: Vec<Conflict>,
    /// Hidden fields for what only this form changed, including fingerprints. They are sent along with the choices.
    pub(crate) others: Vec<(String, String)>,
    /// The labels of these fields.
    pub(crate) kept: Vec<String>,
    /// The current values of the conflicting members, to look up names.
    theirs: FormView,
}

impl MergeResult {
    /// Whether a conflict is about a workspace member, whose choices take a statement.
    pub(crate) fn names_members(&self) -> bool {
        self.conflicts.iter().any(|one| one.mine.kind == FieldKind::Member)
    }

    /// Shows names instead of ids. Two statements at most.
    pub(crate) async fn with_names(mut self, ports: &Ports, browser: &Browser) -> Result<Self, Error> {
        let mine =
            FormView { fields: self.conflicts.iter().map(|one| one.mine.clone()).collect(), ..FormView::default() };
        let mut wanted = mine.wanted_names();
        let other_names = self.theirs.wanted_names();
        wanted.people.extend(other_names.people);
        wanted.records.extend(other_names.records);
        let names = people::names(ports, browser, wanted).await?;
        let mut mine = mine.with_names(&names);
        if mine.fields.iter().any(|field| field.kind == FieldKind::Member) {
            mine = mine.with_members(&people::choices(ports, browser).await?);
        }
        self.theirs = self.theirs.with_names(&names);
        for (conflict, mine) in self.conflicts.iter_mut().zip(mine.fields) {
            conflict.mine = mine;
            if let Some(theirs) = self.theirs.field_mut(conflict.mine.name) {
                conflict.theirs = theirs.displayed();
            }
        }
        Ok(self)
    }
}

/// Saves the changed members of a record, as [`save_to`] does.
///
/// # Errors
/// Those of [`save_to`].
pub(crate) async fn save<K: Kind>(
    ports: &Ports,
    browser: &Browser,
    permit: &Permit<K::Update>,
    id: K::Id,
    form: &mut Form,
) -> Result<SaveOutcome, Error> {
    save_to(&RecordTarget::<K> { ports, browser, permit, id }, browser, form).await
}

/// Saves the members that were changed in the form. If the target has changed since, members that only others changed
/// keep their new values.
///
/// # Errors
/// Those of the update, except [`Error::ConcurrentUpdate`].
pub(crate) async fn save_to<T: Target>(target: &T, browser: &Browser, form: &mut Form) -> Result<SaveOutcome, Error> {
    let members = T::Fields::members();
    let unchosen = take_choices(form);
    let zone = &browser.preferences.zone;
    for member in &members {
        let typed = FormView::new::<T::Fields>().only(&[member.name]).with_input(form).in_zone(zone);
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
        return Ok(SaveOutcome::Conflict(record, merged));
    }
    if members.iter().all(|member| !form.has(member.name)) {
        return Ok(SaveOutcome::Done(target.stored().await?));
    }
    let mut record = if form.has_objects(&members) { target.stored().await? } else { Json::Null };
    for _ in 0..MAX_SAVE_ATTEMPTS {
        // If the record changes after it was read, the update fails, and the record is read again.
        let fields = form.read_patch_of(&record, browser)?;
        match target.update(expected, fields).await {
            Ok(record) => return Ok(SaveOutcome::Done(record)),
            Err(Error::ConcurrentUpdate { .. }) => {}
            Err(error) => return Err(error),
        }
        record = target.stored().await?;
        let merged = merge::<T::Fields>(form, &record, zone, &[]);
        if !merged.conflicts.is_empty() {
            return Ok(SaveOutcome::Conflict(record, merged));
        }
        expected = ExpectedVersion::OneOf(vec![merged.version]);
    }
    Err(Error::Conflict(text("conflict-busy")))
}

/// Applies the choices of a conflict form, and returns the names of the members without a choice.
fn take_choices(form: &mut Form) -> Vec<String> {
    let forced: Vec<_> = form.values(CONFLICT).map(str::to_owned).collect();
    let mut unchosen = Vec::new();
    for name in forced {
        match form.value(&format!("{CHOICE}{name}")) {
            Some("mine") => {}
            Some("theirs") => form.remove(&name),
            _ => unchosen.push(name),
        }
    }
    unchosen
}

/// Compares the changes in a form with the current record. The members in `asked` are conflicts in any case.
fn merge<F: Input>(form: &Form, record: &Json, zone: &jiff::tz::TimeZone, forced: &[String]) -> MergeResult {
    let theirs = FormView::new::<F>()
        .with_record_in_zones(record, |member| form.zone_of(member, zone).unwrap_or_else(|| zone.clone()));
    let mine = FormView::new::<F>().without_help().with_input(form).in_zone(zone);
    let mut merged = MergeResult {
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
        let is_forced = forced.iter().any(|name| name == mine.name);
        let (sent, stored) = (mine.sent(), theirs.sent());
        let is_changed_by_others = mine.was.as_deref() != Some(&fingerprint(&stored));
        if is_forced || (is_changed_by_others && sent != stored) {
            // From now on, changes are detected against the record as it is shown here.
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
