//! Members: who is in the workspace, their roles, and who is invited.

use domain::UserId;
use domain::identity::access::{ManageMembers, Permit};
use domain::identity::members::{
    self, InvitationFields, InvitationWithLink, KeysOfMember, MemberRecord, MemberStatus, MemberView, RoleFields,
};
use domain::identity::workspaces::Role;
use domain::kernel::idempotency::IdempotentResult;
use domain::kernel::input::CreatedFilter;
use domain::kernel::paging::{PageRequest as Paging, Paginated};

use crate::form::{Choice, once_as_typed};
use crate::lists::{ListView, NoFilter};
use crate::prelude::*;

pages! {
    List = "GET /settings/members", access: ManageMembers, query: MembersQuery => list;
    Invite = "POST /settings/members", class: Class::Critical, access: ManageMembers => invite;
    ChangeRole = "POST /settings/members/{member_id}", class: Class::Critical, access: ManageMembers, path: UserId
    => change_role;
    Remove = "POST /settings/members/{member_id}/remove", class: Class::Critical, access: ManageMembers, path: UserId
    => remove;
}

/// The page of the list, and whether it begins with the invitation form.
#[derive(Debug)]
pub(crate) struct MembersQuery {
    page: Paging,
    invite: bool,
}

impl Query for MembersQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let is_true = |text: &str| (text == "true").then_some(());
        let invite = query.choice("invite", is_true, || "true".to_owned()).is_some();
        Self { page: query.page(MemberRecord::LIST), invite }
    }
}

#[derive(Template)]
#[template(path = "settings/members.html")]
struct MembersPage {
    shell: Shell,
    list: ListView,
    members: Vec<MemberRow>,
    invitation: FormView,
    /// Whether the invitation form is open.
    is_inviting: bool,
    /// Why a change to a member was rejected.
    refusal: Option<String>,
}

/// Shows the invitation link if no mail server delivers it.
#[derive(Template)]
#[template(path = "settings/invited.html")]
struct InvitedPage {
    shell: Shell,
    message: String,
    /// A secret that is shown only here.
    link: Option<String>,
}

/// A member, and what the caller may do with them.
struct MemberRow {
    member: MemberView,
    is_self: bool,
    /// The roles that can be assigned; empty if the caller may not change this member.
    roles: Vec<Choice>,
}

impl MemberRow {
    fn new(member: MemberView, browser: &Browser) -> Self {
        let own_role = browser.role();
        let is_deactivated = member.status == MemberStatus::Deactivated;
        let may_change = !is_deactivated && own_role.is_some_and(|own_role| !member.role.outranks(own_role));
        let roles = if may_change { assignable_by(own_role).collect() } else { Vec::new() };
        let choice = |role: Role| Choice::new(role.as_str(), label("value", role.as_str()), role == member.role);
        let roles = roles.into_iter().map(choice);
        Self { is_self: browser.user() == Some(member.id), roles: roles.collect(), member }
    }

    fn can_be_invited(&self) -> bool {
        self.member.status != MemberStatus::Active
    }

    fn is_invited(&self) -> bool {
        self.member.status == MemberStatus::Invited
    }
}

/// The roles that a member with this role may assign.
fn assignable_by(own_role: Option<Role>) -> impl Iterator<Item = Role> {
    Role::ALL.iter().copied().filter(move |role| own_role.is_some_and(|own_role| !role.outranks(own_role)))
}

/// The invitation form, with the roles that the caller may assign.
fn invitation_form(browser: &Browser) -> FormView {
    let mut form = FormView::new::<InvitationFields>();
    if let Some(field) = form.field_mut("role") {
        let may_give: Vec<_> = assignable_by(browser.role()).map(Role::as_str).collect();
        field.choices.retain(|choice| may_give.contains(&&*choice.value));
        field.set(&[Role::Member.as_str().to_owned()]);
    }
    form
}

/// What is shown above the list.
struct Extras {
    /// The invitation form, if it is open.
    invitation: Option<FormView>,
    message: Option<String>,
}

async fn members_page(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    browser: &Browser,
    paging: Paging,
    shown: Extras,
) -> Result<MembersPage, Error> {
    let page = members::list(ports, permit, CreatedFilter::default(), paging).await?;
    // Further pages of the list have no form.
    let address = if shown.invitation.is_some() { "/settings/members" } else { &browser.address };
    Ok(MembersPage {
        shell: browser.shell(text("settings-members")),
        list: ListView::new::<NoFilter, _>(address, &page, &browser.preferences.zone),
        members: page.items.into_iter().map(|member| MemberRow::new(member, browser)).collect(),
        is_inviting: shown.invitation.is_some(),
        invitation: shown.invitation.unwrap_or_else(|| invitation_form(browser)),
        refusal: shown.message,
    })
}

async fn list(request: PageRequest<List>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let invitation = query.invite.then(|| invitation_form(&browser));
    let page = members_page(&ports, &permit, &browser, query.page, Extras { invitation, message: None }).await?;
    responses::page(&browser, page)
}

async fn invite(request: PageRequest<Invite>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async {
        members::invite_with_link(&ports, &permit, once_as_typed(&form, Invite::ROUTE), form.read_new(&browser)?).await
    };
    match result.await {
        Ok(IdempotentResult::Replayed(_)) => responses::success(&browser, "/settings/members", text("made-already")),
        Ok(IdempotentResult::Fresh(InvitationWithLink { member, .. })) if ports.settings.has_mail_server => {
            responses::success(
                &browser,
                "/settings/members",
                text_with("members-invited", [("email", member.email.as_str().into())]),
            )
        }
        Ok(IdempotentResult::Fresh(InvitationWithLink { member, link })) => {
            let message = text_with("members-invited-file", [("email", member.email.as_str().into())]);
            let shell = browser.shell(text("settings-members")).part("members-invite");
            responses::page(&browser, InvitedPage { shell, message, link })
        }
        Err(error) => {
            let invitation = Some(invitation_form(&browser).with_input(&form).with_error(error)?);
            let shown = Extras { invitation, message: None };
            let page = members_page(&ports, &permit, &browser, first_page(), shown).await?;
            responses::unprocessable(&browser, page)
        }
    }
}

async fn change_role(request: PageRequest<ChangeRole>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let result = match form.read_new::<RoleFields>(&browser) {
        Ok(fields) => members::change_role(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    let done = |member: MemberView| {
        let role = label("value", member.role.as_str());
        text_with("members-role-changed", [("name", member.name.as_str().into()), ("role", role.into())])
    };
    answer(&ports, &permit, &browser, result.map(done)).await
}

async fn remove(request: PageRequest<Remove>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let keys = keys_of(&form);
    let result = members::remove(&ports, &permit, path, form.version()?, keys).await;
    let done = |removal: members::Removal| {
        let key = match (removal.api_keys.is_empty(), removal.keys_revoked) {
            (true, _) => "members-removed",
            (false, true) => "members-removed-revoked",
            (false, false) => "members-removed-kept",
        };
        text_with(key, [("count", removal.api_keys.len().into())])
    };
    answer(&ports, &permit, &browser, result.map(done)).await
}

fn keys_of(form: &Form) -> KeysOfMember {
    if form.value("revoke_keys") == Some("true") { KeysOfMember::Revoke } else { KeysOfMember::Keep }
}

fn first_page() -> Paging {
    Paging::first(domain::kernel::paging::DEFAULT_LIMIT)
}

/// Redirects to the list after a change, or shows why the change was rejected.
async fn answer(
    ports: &Ports,
    permit: &Permit<ManageMembers>,
    browser: &Browser,
    result: Result<String, Error>,
) -> PageResult {
    match result {
        Ok(message) => responses::success(browser, "/settings/members", message),
        Err(error) => {
            let message = FormView::default().with_error(error)?.error;
            let shown = Extras { message, invitation: None };
            let page = members_page(ports, permit, browser, first_page(), shown).await?;
            responses::unprocessable(browser, page)
        }
    }
}
