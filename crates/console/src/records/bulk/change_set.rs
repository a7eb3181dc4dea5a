//! The changes to make to many records. Fields that are left alone keep their values.

use domain::kernel::input::json::{Json, Map};
use domain::kernel::input::{Input, InputMode, Problems, SchemaMember};

use crate::form::{FieldKind, ID_OF, NAME_OF, ZONE};
use crate::parts::pick;
use crate::prelude::*;
use crate::records::Kind;

/// The check boxes that clear members. Their values are the names of the members.
pub(super) const CLEAR: &str = "_clear";
pub(super) const ADD_TAGS: &str = "_add_tags";
pub(super) const REMOVE_TAGS: &str = "_remove_tags";

/// Whether a member can be cleared. One with a default goes back to it, and lists are changed by adding and removing
/// items.
pub(super) fn can_be_empty(member: &SchemaMember) -> bool {
    let is_list = matches!(FieldKind::of(member), FieldKind::List | FieldKind::Choices | FieldKind::Object);
    member.is_nullable && member.default.is_none() && !is_list
}

/// The changes to make to every record.
#[derive(Debug, Default)]
pub(super) struct ChangeSet {
    patch: Map<String, Json>,
    add_tags: Vec<String>,
    remove_tags: Vec<String>,
}

impl ChangeSet {
    /// Reads the form.
    ///
    /// # Errors
    /// By the names of the members, also if one has a value and is to be cleared; [`Error::Conflict`] if there is
    /// nothing to change.
    pub(super) async fn read<K: Kind>(ports: &Ports, browser: &Browser, form: &Form) -> Result<Self, Error> {
        let (mut change_set, mut problems) = (Self::default(), Problems::in_context(ports));
        let mut typed = Vec::new();
        for member in K::bulk_members() {
            let is_cleared = can_be_empty(&member) && form.values(CLEAR).any(|name| name == member.name);
            let is_typed = form.values(member.name).any(|value| !value.trim().is_empty());
            match (is_cleared, is_typed) {
                (true, true) => problems.rule(member.name, "contradicts_clear", text("bulk-both")),
                (true, false) => drop(change_set.patch.insert(member.name.to_owned(), Json::Null)),
                (false, true) => typed.push(member),
                (false, false) => {}
            }
        }
        problems.into_result()?;
        change_set.patch.extend(values_of(ports, browser, form, &typed).await?);
        if K::VIEW.has_tags {
            [change_set.add_tags, change_set.remove_tags] = [ADD_TAGS, REMOVE_TAGS].map(|name| tags_in(form, name));
        }
        if change_set.patch.is_empty() && change_set.add_tags.is_empty() && change_set.remove_tags.is_empty() {
            return Err(Error::Conflict(text("bulk-nothing")));
        }
        change_set.check::<K>(ports)?;
        Ok(change_set)
    }

    /// The change of a button, such as `status=closed`. Without a value, the member is cleared.
    ///
    /// # Errors
    /// [`Error::Malformed`], [`Error::Invalid`].
    pub(super) fn of_button<K: Kind>(ports: &Ports, text: &str) -> Result<Self, Error> {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        let value = if value.is_empty() { Json::Null } else { Json::from(value) };
        let change_set = Self { patch: std::iter::once((name.to_owned(), value)).collect(), ..Self::default() };
        change_set.check::<K>(ports)?;
        Ok(change_set)
    }

    /// Checks the members and values, which are the same for all records.
    fn check<K: Kind>(&self, ports: &Ports) -> Result<(), Error> {
        let members = K::bulk_members();
        let is_known = |name: &String| members.iter().any(|member| member.name == name);
        if let Some(other) = self.patch.keys().find(|name| !is_known(name)) {
            return Err(Error::malformed(other, "unknown_field", "must be a member that can be set for many"));
        }
        if self.patch.is_empty() {
            return Ok(());
        }
        K::Patch::from_object_with(self.patch.clone(), InputMode::Patch, Problems::in_context(ports)).map(drop)
    }

    /// The patch for a record with these tags.
    pub(super) fn patch_of(&self, tags: &[String]) -> Map<String, Json> {
        let mut patch = self.patch.clone();
        let has = |tags: &[String], tag: &String| tags.iter().any(|known| known.eq_ignore_ascii_case(tag));
        let mut after: Vec<_> = tags.iter().filter(|tag| !has(&self.remove_tags, tag)).cloned().collect();
        for tag in &self.add_tags {
            if !has(&after, tag) {
                after.push(tag.clone());
            }
        }
        if after != tags {
            patch.insert("tags".to_owned(), Json::from(after));
        }
        patch
    }
}

fn tags_in(form: &Form, name: &str) -> Vec<String> {
    let tags = form.values(name).flat_map(|text| text.split(','));
    tags.map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned).collect()
}

/// The typed values, with ids instead of names.
async fn values_of(
    ports: &Ports,
    browser: &Browser,
    form: &Form,
    members: &[SchemaMember],
) -> Result<Map<String, Json>, Error> {
    let mut typed = Form::default();
    for member in members {
        for name in ["", ZONE, ID_OF, NAME_OF].map(|prefix| format!("{prefix}{}", member.name)) {
            if let Some(value) = form.value(&name) {
                typed.set(&name, value);
            }
        }
    }
    pick::resolve(ports, browser, &mut typed, members).await?;
    let (zone, mut problems) = (&browser.preferences.zone, Problems::in_context(ports));
    typed.note_unreadable(members, zone, &mut problems);
    problems.into_result()?;
    Ok(typed.to_object(members, zone))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_matched_case_insensitively() {
        let of = |tags: &[&str]| tags.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>();
        let change_set =
            ChangeSet { add_tags: of(&["Hot", "old"]), remove_tags: of(&["COLD"]), ..ChangeSet::default() };
        let tags = |tags: &[&str]| change_set.patch_of(&of(tags)).remove("tags");
        assert_eq!(tags(&["cold", "Old"]), Some(serde_json::json!(["Old", "Hot"])));
        assert_eq!(tags(&["hot", "old"]), None, "existing tags change nothing");
    }
}
