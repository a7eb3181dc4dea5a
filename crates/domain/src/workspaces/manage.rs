//! The operator's work on workspaces and people.

use super::{Member, PasswordHash, Plan, Role, User, Workspace, WorkspaceStatus};
use crate::input::{Email, Line, Problems, Read, Value};
use crate::ports::{Operator, Ports, StoreError};
use crate::{Error, UserId, WorkspaceId};

/// The currency of a workspace that names none.
const DEFAULT_CURRENCY: &str = "USD";

/// What a workspace is made from.
#[derive(Debug, Clone)]
pub struct NewWorkspace {
    /// Its name, at most 120 characters.
    pub name: String,
    /// Its slug: 1 to 63 lowercase letters, digits and inner hyphens.
    pub slug: String,
    /// What it pays for.
    pub plan: Plan,
}

/// What a person is made from.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// A valid address.
    pub email: String,
    /// At most 120 characters.
    pub name: String,
    /// What they may do.
    pub role: Role,
    /// Their password's hash.
    pub password: PasswordHash,
}

fn is_slug(text: &str) -> bool {
    let inner = text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    inner && (1..=63).contains(&text.len()) && !text.starts_with('-') && !text.ends_with('-')
}

/// Makes a workspace.
///
/// # Errors
/// [`Error::Invalid`] for a bad name or slug, [`Error::Duplicate`] for a taken slug.
pub async fn create(ports: &Ports, _: &Operator, new: &NewWorkspace) -> Result<Workspace, Error> {
    let name = Line::<120>::parse(&new.name, "name")?;
    // An id as a slug would make the two confusable in every command.
    if !is_slug(&new.slug) || crate::input::parse_uuid(&new.slug).is_some() {
        let message = "must be 1 to 63 lowercase letters, digits and inner hyphens, and not look like an id";
        return Err(Error::invalid("slug", "invalid_slug", message));
    }
    let workspace = Workspace {
        id: WorkspaceId(ports.ids.new_id()),
        slug: new.slug.clone(),
        name: name.into(),
        plan: new.plan,
        status: WorkspaceStatus::Active,
        default_currency: DEFAULT_CURRENCY.to_owned(),
    };
    ports.directory.create_workspace(&workspace, ports.clock.now()).await?;
    Ok(workspace)
}

/// Finds a workspace by slug or id.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(ports: &Ports, _: &Operator, slug_or_id: &str) -> Result<Workspace, Error> {
    ports.directory.find_workspace(slug_or_id).await?.ok_or(Error::NotFound("workspace"))
}

/// Makes a person a member of a workspace. A person whose e-mail is known keeps their name and password.
///
/// # Errors
/// [`Error::Invalid`] for a bad e-mail or name, [`Error::Duplicate`] when they are a member already.
pub async fn create_user(ports: &Ports, _: &Operator, workspace: WorkspaceId, new: NewUser) -> Result<User, Error> {
    let now = ports.clock.now();
    let mut problems = Problems::default();
    let email = Email::read(new.email.into(), "email", &mut problems);
    let name = Line::<120>::read(new.name.into(), "name", &mut problems);
    problems.into_result()?;
    let (Read::Value(email), Read::Value(name)) = (email, name) else {
        return Err(Error::invalid("email", "required", "an e-mail address and a name must be given"));
    };
    let user = User {
        id: UserId(ports.ids.new_id()),
        email: email.into(),
        name: name.into(),
        password: Some(new.password),
        created_at: now,
    };
    let member = Member { user_id: user.id, role: new.role, created_at: now };
    match ports.directory.create_member(workspace, &user, &member).await {
        Ok(id) => Ok(User { id, ..user }),
        Err(StoreError::Duplicate { .. }) => Err(Error::Duplicate("email")),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain() {
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
