//! Rows of an import of projects.

use super::create::add;
use super::update::change;
use super::{Project, ProjectFields};
use crate::kernel::RecordKeys;
use crate::kernel::input::{Input, InputMode};
use crate::kernel::versions::ExpectedVersion;
use crate::ports::Tx;
use crate::records::{
    ImportContext, ImportRow, Kind, RecordKind, RowImport, Transferred, UniqueMembers, check_free, id_of, keys_in,
    text_of,
};
use crate::{Error, ProjectId};
use uuid::Uuid;

impl Transferred for Project {
    const LONG_TEXT: Option<&'static str> = Some("description");

    fn file_keys(_: RecordKind) -> &'static [&'static str] {
        &["external_id"]
    }
}

/// A project is found by `id`, as an export has it, then by `external_id`.
pub(crate) struct ProjectImport<'a>(pub(crate) &'a ImportContext);

impl RowImport for ProjectImport<'_> {
    type Stored = Project;
    const NOUN: &'static str = Project::NOUN;

    fn id(stored: &Project) -> Uuid {
        stored.id.0
    }

    fn keys(row: &ImportRow) -> RecordKeys {
        keys_in(row, Some("external_id"), None)
    }

    fn find(&self, tx: &mut dyn Tx, row: &ImportRow) -> Result<Option<Project>, Error> {
        if let Some(id) = id_of(row)
            && let Some(found) = tx.records::<Project>().get_for_update(ProjectId(id))?
        {
            return Ok(Some(found));
        }
        let Some(external_id) = text_of(row, "external_id") else { return Ok(None) };
        let found = tx.record_with(&Project::unique("external_id", external_id.to_owned()))?;
        Ok(match found {
            Some(id) => tx.records::<Project>().get_for_update(ProjectId(id))?,
            None => None,
        })
    }

    fn create(&self, tx: &mut dyn Tx, row: ImportRow) -> Result<Uuid, Error> {
        let fields = ProjectFields::from_object(row, InputMode::Create)?;
        check_free(tx, &fields.unique_values(), None)?;
        let project = Project::made(ProjectId(self.0.ports.ids.new_id()), fields, self.0.actor, self.0.now)?;
        add(tx, &project, &self.0.reporter)?;
        Ok(project.id.0)
    }

    fn change(&self, tx: &mut dyn Tx, stored: Project, row: ImportRow) -> Result<bool, Error> {
        let fields = ProjectFields::from_object(row, InputMode::Patch)?;
        check_free(tx, &fields.unique_values(), Some(stored.id.0))?;
        let after = change(tx, &stored, fields, &ExpectedVersion::Any, &self.0.reporter, self.0.now)?;
        Ok(after != stored)
    }
}
