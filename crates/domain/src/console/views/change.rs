//! Creates, changes, deletes and orders saved views.

use time::OffsetDateTime;

use super::{Editor, MAX_PRIVATE, MAX_SHARED, SavedView, ViewFields, ViewPage};
use crate::identity::access::{Permit, UseSavedViews};
use crate::identity::workspaces::Role;
use crate::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use crate::kernel::later;
use crate::kernel::versions::ExpectedVersion;
use crate::ports::{Ports, Tx, transact, transact_idempotent};
use crate::{Error, SavedViewId};

/// Saves a view as the last one of its page.
///
/// # Errors
/// [`Error::SessionNeeded`] for an API key, [`Error::Forbidden`] if a member with the role viewer would share it, [`Error::Conflict`]
/// above 50 private or 200 shared views.
pub async fn create(
    ports: &Ports,
    permit: &Permit<UseSavedViews>,
    once: Option<IdempotentRequest<SavedView>>,
    page: ViewPage,
    fields: ViewFields,
) -> Result<IdempotentResult<SavedView>, Error> {
    let owner = permit.session_user()?;
    if fields.name.set().is_none() {
        return Err(Error::malformed("name", "required", "name is required"));
    }
    let now = ports.clock.now();
    let mut view = SavedView {
        id: SavedViewId(ports.ids.new_id()),
        page,
        owner_id: owner,
        name: String::new(),
        query: String::new(),
        column_names: Vec::new(),
        shared: false,
        position: 1,
        version: 1,
        created_at: now,
        updated_at: now,
    };
    view.apply(fields);
    let acting = permit.clone();
    transact_idempotent(ports, permit, once, move |tx| {
        let editor = editor(tx, &acting, now)?;
        tx.saved_views().lock()?;
        check_sharing_and_limit(tx, editor, &view)?;
        let last = tx.saved_views().list(page, owner)?.into_iter().map(|other| other.position).max();
        let view = SavedView { position: last.unwrap_or(0).saturating_add(1), ..view.clone() };
        tx.saved_views().insert(&view)?;
        Ok(view)
    })
    .await
}

/// Changes a view.
///
/// # Errors
/// Those of [`create`]; [`Error::NotFound`], also for another member's view that is not shared; [`Error::Forbidden`] for another
/// member's shared view; [`Error::ConcurrentUpdate`].
pub async fn update(
    ports: &Ports,
    permit: &Permit<UseSavedViews>,
    id: SavedViewId,
    expected: ExpectedVersion,
    fields: ViewFields,
) -> Result<SavedView, Error> {
    let (acting, now) = (permit.clone(), ports.clock.now());
    transact(ports, permit, move |tx| {
        let editor = editor(tx, &acting, now)?;
        tx.saved_views().lock()?;
        let stored = find(tx, editor, id)?;
        let mut changed = stored.clone();
        changed.apply(fields.clone());
        expected.check(stored.version)?;
        // A view that is no longer shared counts towards its creator's limit of private views.
        if changed.shared != stored.shared {
            check_sharing_and_limit(tx, editor, &changed)?;
        }
        if changed != stored {
            changed.version += 1;
            changed.updated_at = later(stored.updated_at, now);
            tx.saved_views().save(&changed)?;
        }
        Ok(changed)
    })
    .await
}

/// Deletes a view permanently.
///
/// # Errors
/// [`Error::NotFound`] and [`Error::Forbidden`] as for [`update`].
pub async fn delete(ports: &Ports, permit: &Permit<UseSavedViews>, id: SavedViewId) -> Result<(), Error> {
    let (acting, now) = (permit.clone(), ports.clock.now());
    transact(ports, permit, move |tx| {
        let editor = editor(tx, &acting, now)?;
        find(tx, editor, id)?;
        Ok(tx.saved_views().delete(id)?)
    })
    .await
}

/// Puts views of a page into the given order. Views that are not in it keep their positions.
///
/// # Errors
/// [`Error::NotFound`] and [`Error::Forbidden`] as for [`update`]; then nothing is moved.
pub async fn arrange(
    ports: &Ports,
    permit: &Permit<UseSavedViews>,
    page: ViewPage,
    order: Vec<SavedViewId>,
) -> Result<Vec<SavedView>, Error> {
    let (acting, now) = (permit.clone(), ports.clock.now());
    transact(ports, permit, move |tx| {
        let editor = editor(tx, &acting, now)?;
        tx.saved_views().lock()?;
        let views = tx.saved_views().list(page, editor.user)?;
        for id in &order {
            let view = views.iter().find(|view| view.id == *id).ok_or(Error::NotFound("saved view"))?;
            check_change(view, editor)?;
        }
        tx.saved_views().arrange(&order)?;
        Ok(tx.saved_views().list(page, editor.user)?)
    })
    .await
}

/// The caller with their current role. An ended session is refused.
fn editor<P>(tx: &mut dyn Tx, permit: &Permit<P>, now: OffsetDateTime) -> Result<Editor, Error> {
    let (session, user) = permit.session().ok_or(Error::SessionNeeded)?;
    let role = tx.sessions().role_now(session, now)?.ok_or(Error::Unauthorized)?;
    Ok(Editor { user, role })
}

/// Locks a view that the caller may change.
fn find(tx: &mut dyn Tx, editor: Editor, id: SavedViewId) -> Result<SavedView, Error> {
    let found = tx.saved_views().get_for_update(id)?.filter(|view| view.is_visible_to(editor.user));
    let view = found.ok_or(Error::NotFound("saved view"))?;
    check_change(&view, editor)?;
    Ok(view)
}

fn check_change(view: &SavedView, editor: Editor) -> Result<(), Error> {
    if view.may_be_changed_by(editor) {
        return Ok(());
    }
    let message = "only the creator of a shared view, or an owner or admin, can change it";
    Err(Error::Forbidden(message.to_owned()))
}

/// Checks that the caller may share the view, if it is shared, and that the limit leaves room for one more.
fn check_sharing_and_limit(tx: &mut dyn Tx, editor: Editor, view: &SavedView) -> Result<(), Error> {
    if view.shared && editor.role == Role::Viewer {
        return Err(Error::Forbidden("a viewer cannot share views: this requires the role member".to_owned()));
    }
    let counts = tx.saved_views().counts(view.owner_id)?;
    let (count, limit, description) = if view.shared {
        (counts.shared, MAX_SHARED, "shared views")
    } else {
        (counts.private, MAX_PRIVATE, "private views")
    };
    if count < u64::from(limit) {
        return Ok(());
    }
    let holder = if view.shared { "a workspace" } else { "a member" };
    Err(Error::Conflict(format!("{holder} has at most {limit} {description}: delete one first")))
}
