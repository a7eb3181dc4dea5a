//! Operator commands for workspaces and users.

use serde_json::json;
use time::OffsetDateTime;

use super::{PasswordHash, Role, User, Workspace, WorkspaceStatus};
use crate::identity::access::{ManageMembers, Permit, Principal};
use crate::identity::audit::{AuditAction, AuditEntry, AuditSubject};
use crate::identity::members::{Member, MemberStatus};
use crate::identity::notifications::NotificationChoices;
use crate::kernel::input::{EmailAddress, Line, Problems, Read, Value};
use crate::kernel::time_zone::DEFAULT_TIME_ZONE;
use crate::kernel::{KbLanguage, Networks};
use crate::limits::{Plan, WorkspaceLimits};
use crate::ports::{Operator, Ports, transact};
use crate::{Error, UserId, WorkspaceId};

/// The default currency of a new workspace.
pub(super) const DEFAULT_CURRENCY: &str = "USD";
/// The knowledge-base language of a new workspace.
pub(super) const DEFAULT_KB_LANGUAGE: KbLanguage = KbLanguage::English;

/// The input for a new workspace.
#[derive(Debug, Clone)]
pub struct NewWorkspace {
    /// At most 120 characters.
    pub name: String,
    /// 1 to 63 lowercase letters, digits and inner hyphens.
    pub slug: String,
    pub plan: Plan,
}

/// The input for a new user.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// A valid e-mail address.
    pub email: String,
    /// At most 120 characters.
    pub name: String,
    pub role: Role,
    pub password: PasswordHash,
}

impl Workspace {
    pub(crate) fn with_defaults(id: WorkspaceId, slug: String, name: String, plan: Plan, now: OffsetDateTime) -> Self {
        Self {
            id,
            slug,
            name,
            plan,
            status: WorkspaceStatus::Active,
            erasure: None,
            default_currency: DEFAULT_CURRENCY.to_owned(),
            kb_language: DEFAULT_KB_LANGUAGE,
            widget_enabled: false,
            widget_origins: Vec::new(),
            help_centre_enabled: true,
            help_centre_pictures: false,
            time_zone: DEFAULT_TIME_ZONE.to_owned(),
            time_locked_until: None,
            time_overlaps_allowed: false,
            require_second_factor: false,
            notify_requesters: None,
            allowed_networks: Networks::default(),
            limits: WorkspaceLimits::default(),
            version: 1,
            created_at: now,
            updated_at: now,
        }
    }

    pub(super) const fn touch(&mut self, now: OffsetDateTime) {
        self.version += 1;
        self.updated_at = now;
    }
}

/// A user added to a workspace.
#[derive(Debug, Clone)]
pub struct CreatedUser {
    pub user: User,
    /// Whether the account existed before; its name and password are kept.
    pub keeps_password: bool,
    pub is_operator: bool,
}

/// The rule for slugs, as error messages show it.
pub(super) const SLUG_RULE: &str =
    "must be 1 to 63 lowercase letters, digits and inner hyphens, and must not be a UUID";

/// Whether a text can be a slug. One that looks like an id would be ambiguous in commands.
pub(crate) fn is_slug(text: &str) -> bool {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    is_plain
        && crate::kernel::input::parse_uuid(text).is_none()
        && (1..=63).contains(&text.len())
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A new workspace with the defaults of all settings.
///
/// # Errors
/// [`Error::Invalid`] for an invalid name or slug.
pub(in crate::identity) fn blank(ports: &Ports, new: &NewWorkspace) -> Result<Workspace, Error> {
    let name = Line::<120>::parse(&new.name, "name")?;
    if !is_slug(&new.slug) {
        return Err(Error::invalid("slug", "invalid_slug", SLUG_RULE));
    }
    let id = WorkspaceId(ports.ids.new_id());
    Ok(Workspace::with_defaults(id, new.slug.clone(), name.into(), new.plan, ports.clock.now()))
}

/// The first entry of a workspace's audit log.
pub(in crate::identity) fn creation_entry(ports: &Ports, principal: &Principal, workspace: &Workspace) -> AuditEntry {
    let details = json!({ "name": workspace.name, "slug": workspace.slug, "plan": workspace.plan });
    AuditEntry::new(ports, principal, AuditAction::WorkspaceCreated, AuditSubject::workspace(workspace.id), details)
}

/// Creates a workspace.
///
/// # Errors
/// [`Error::Invalid`] for an invalid name or slug, [`Error::Duplicate`] for a slug that is already in use.
pub async fn create(ports: &Ports, operator: &Operator, new: &NewWorkspace) -> Result<Workspace, Error> {
    let workspace = blank(ports, new)?;
    let entry = creation_entry(ports, &Principal::operator(operator), &workspace);
    ports.directory.create_workspace(&workspace, &entry).await?;
    Ok(workspace)
}

/// Finds a workspace by slug or id.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(ports: &Ports, _: &Operator, slug_or_id: &str) -> Result<Workspace, Error> {
    ports.directory.find_workspace(slug_or_id).await?.ok_or(Error::NotFound("workspace"))
}

/// Lists workspaces by slug, starting after `after`.
pub async fn list(ports: &Ports, _: &Operator, after_slug: &str, limit: u32) -> Result<Vec<Workspace>, Error> {
    Ok(ports.directory.list_workspaces(after_slug, limit).await?)
}

/// Adds a user to a workspace, creating the account if needed. An existing account keeps its name and password.
///
/// # Errors
/// [`Error::Invalid`] for an invalid e-mail or name, [`Error::Duplicate`] if the user is already a member.
pub async fn create_user(ports: &Ports, permit: &Permit<ManageMembers>, new: NewUser) -> Result<CreatedUser, Error> {
    let now = ports.clock.now();
    let mut problems = Problems::default();
    let email = EmailAddress::read(new.email.into(), "email", &mut problems);
    let name = Line::<120>::read(new.name.into(), "name", &mut problems);
    problems.into_result()?;
    let (Read::Value(email), Read::Value(name)) = (email, name) else {
        return Err(Error::invalid("email", "required", "an e-mail address and a name are required"));
    };
    let user = User {
        id: UserId(ports.ids.new_id()),
        email: email.into(),
        name: name.into(),
        password: Some(new.password),
        notifications: NotificationChoices::default(),
        created_at: now,
    };
    let role = new.role;
    let subject = AuditSubject::member(user.id);
    let entry = AuditEntry::new(ports, &permit.principal(), AuditAction::MemberCreated, subject, json!({}));
    transact(ports, permit, {
        let user = user.clone();
        move |tx| {
            let found = tx.members().find_by_email(&user.email_key())?;
            let record = match found {
                Some(record) if record.member.status() == MemberStatus::Active => {
                    return Err(Error::duplicate("email"));
                }
                Some(mut record) => {
                    record.member.reinvite(role, now);
                    record.member.join(now);
                    tx.members().save(&record.member)?;
                    tx.members().withdraw_invitation(record.member.user_id)?;
                    record
                }
                None => tx.members().add(&user, &Member::joined(user.id, role, now))?,
            };
            let is_new = record.member.user_id == user.id;
            // A user who never accepted an invitation has no password yet.
            let user = User { id: record.member.user_id, ..user.clone() };
            let keeps_password = !is_new && !tx.members().set_profile(&user)?;
            let entry = AuditEntry { subject: AuditSubject::member(record.member.user_id), ..entry.clone() };
            tx.audit().append(&entry.with(json!({ "email": record.email, "role": role })))?;
            let is_operator = tx.members().is_operator(user.id)?;
            let existing = User { email: record.email, name: record.name, ..user.clone() };
            Ok(CreatedUser { user: if keeps_password { existing } else { user }, keeps_password, is_operator })
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_lowercase_with_inner_hyphens() {
        for (text, good) in [
            ("acme", true),
            ("a-1", true),
            ("", false),
            ("-a", false),
            ("a-", false),
            ("Acme", false),
            ("a_b", false),
            ("ä", false),
        ] {
            assert_eq!(is_slug(text), good, "{text}");
        }
        assert!(is_slug(&"a".repeat(63)) && !is_slug(&"a".repeat(64)));
    }
}
