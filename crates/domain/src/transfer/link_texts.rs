//! Resolves columns that name a record by a text: the record is found or created, or the text is kept.

use std::collections::BTreeMap;

use uuid::Uuid;

use super::by_name::Names;
use super::links::{COMPANY_BY_NAME, CONTACT_BY_NAME};
use super::side_values::keep;
use super::{Notes, TransferKind};
use crate::kernel::input::parse_uuid;
use crate::kernel::search::name_key;
use crate::records::{CUSTOM_FIELDS, ImportRow, text_of};

/// The reasons to refuse a row, by member.
pub(super) type Reasons = BTreeMap<&'static str, String>;

/// A member, and where to keep a text that does not name a record: the custom field, or the label of a line.
struct LinkTarget {
    member: &'static str,
    field: &'static str,
    label: &'static str,
}

const COMPANY: LinkTarget = LinkTarget { member: "company_id", field: "company", label: "Company" };
const CONTACT: LinkTarget = LinkTarget { member: "contact_id", field: "contact", label: "Contact" };

/// A text in a row whose columns with keys were already resolved.
pub(super) struct TextOfRow<'a> {
    pub(super) kind: TransferKind,
    pub(super) row: &'a mut ImportRow,
    pub(super) refused: &'a mut Reasons,
    pub(super) notes: &'a mut Notes,
}

impl TextOfRow<'_> {
    /// Sets the company by name, unless a key already identifies one. In that case, a name of another company is kept as text. If the row
    /// has an unknown external id, the new company gets it.
    pub(super) fn company(&mut self, names: &mut Names<'_>, name: &str) {
        let is_refused = self.refused.contains_key(COMPANY.member);
        if self.row.contains_key(COMPANY.member) && !is_refused {
            // Contacts also have the name of their company as text.
            let own_text = text_of(self.row, "company_name");
            let is_text = own_text.is_some_and(|text| name_key(text) == name_key(name));
            if !is_text && !names.is_company(name, self.id(&COMPANY)) {
                self.keep_other(&COMPANY, name);
            }
            return;
        }
        if is_refused && text_of(self.row, "company_domain").is_some() {
            return;
        }
        let external_id = text_of(self.row, "company_external_id").map(str::to_owned);
        match names.company(name, external_id.as_deref()) {
            Ok(id) => {
                self.set(&COMPANY, id);
                self.refused.remove(COMPANY.member);
            }
            Err(message) => drop(self.refused.insert(COMPANY.member, format!("{COMPANY_BY_NAME}: {message}"))),
        }
    }

    /// Sets the contact by the e-mail address in the text (`id`) or else by name, unless a key identifies one. In that case, a text that
    /// names another contact is kept. A name never creates a contact, because contacts need an e-mail address.
    pub(super) fn contact(&mut self, names: &Names<'_>, id: Option<Uuid>, name: &str) {
        if self.refused.contains_key(CONTACT.member) {
            return;
        }
        if self.row.contains_key(CONTACT.member) {
            let current = self.id(&CONTACT);
            if (id.is_none() || id != current) && !names.is_contact(name, current) {
                self.keep_other(&CONTACT, name);
            }
            return;
        }
        match id.map_or_else(|| names.contact(name), |id| Ok(Some(id))) {
            Ok(Some(id)) => self.set(&CONTACT, id),
            Ok(None) => {
                self.keep(&CONTACT, name, |result| format!("no contact is named {name:?}: the name is {result}"));
            }
            Err(message) => drop(self.refused.insert(CONTACT.member, format!("{CONTACT_BY_NAME}: {message}"))),
        }
    }

    /// Sets the responsible member by e-mail address, unless another column identifies one. Any other text is kept, and so is
    /// the address of another member.
    pub(super) fn owner(&mut self, member: &'static str, id: Option<Uuid>, text: &str) {
        let owner = LinkTarget { member, field: "owner", label: "Assignee" };
        if self.refused.contains_key(member) {
            return;
        }
        if self.row.contains_key(member) {
            if id.is_none() || id != self.id(&owner) {
                self.keep_other(&owner, text);
            }
            return;
        }
        if let Some(id) = id {
            self.set(&owner, id);
            return;
        }
        self.keep(&owner, text, |result| {
            format!("{text:?} is not the e-mail address of a member: {member} stays empty, and the text is {result}")
        });
    }

    fn id(&self, target: &LinkTarget) -> Option<Uuid> {
        text_of(self.row, target.member).and_then(parse_uuid)
    }

    fn set(&mut self, target: &LinkTarget, id: Uuid) {
        self.row.insert(target.member.to_owned(), id.to_string().into());
    }

    /// Keeps a text that does not name the record that another column identifies.
    fn keep_other(&mut self, target: &LinkTarget, text: &str) {
        let member = target.member;
        self.keep(target, text, |result| {
            format!("another column already sets {member}: the text {text:?} is {result}")
        });
    }

    /// Keeps a text, and notes what happened to it. If that is impossible, the row is refused.
    fn keep(&mut self, target: &LinkTarget, text: &str, note: impl FnOnce(&str) -> String) {
        if self.kind == TransferKind::Companies {
            // Companies have no custom fields, and their notes belong to users.
            self.notes.add(note("left out"));
            return;
        }
        match keep(self.row, self.kind, target.field, target.label, text) {
            Ok(()) => {
                let result = match self.kind {
                    TransferKind::Contacts | TransferKind::Deals => format!("kept in {CUSTOM_FIELDS}.{}", target.field),
                    _ => "kept in the description".to_owned(),
                };
                self.notes.add(note(&result));
            }
            Err(message) => drop(self.refused.insert(target.member, message)),
        }
    }
}
