//! Users of a workspace, for tests of the use cases.

use serde_json::json;

use super::new;
use domain::email::EmailMessage;
use domain::identity::access::{Caller, Credential, Permission, Permit, authenticate};
use domain::identity::accounts::{self, Client, Login};
use domain::identity::audit::{self, AuditFilter};
use domain::identity::workspaces::{self, NewUser, NewWorkspace, Role, Workspace};
use domain::kernel::paging::PageRequest;
use domain::limits::Plan;
use domain::testing::{self, plain_hash};
use domain::{Error, UserId};
use test_databases::TestPorts;

pub(super) const PASSWORD: &str = "a good password";

/// A workspace without members.
pub(super) struct WorkspaceFixture {
    pub(super) test: TestPorts,
    pub(super) workspace: Workspace,
}

/// A user with a session.
pub(super) struct SignedInMember {
    pub(super) id: UserId,
    pub(super) caller: Caller,
    pub(super) bearer: String,
}

impl SignedInMember {
    pub(super) fn permit<P: Permission>(&self) -> Permit<P> {
        self.caller.permit().unwrap()
    }
}

impl WorkspaceFixture {
    pub(super) fn new() -> Self {
        let test = TestPorts::new();
        let workspace = add_workspace(&test, "office");
        Self { test, workspace }
    }

    pub(super) fn operator<P: Permission>(&self) -> Permit<P> {
        testing::operator().permit(self.workspace.clone())
    }

    pub(super) fn add(&self, email: &str, role: Role) -> UserId {
        add_person(&self.test, &self.workspace, email, role)
    }

    /// A new, signed-in member.
    pub(super) fn seat(&self, email: &str, role: Role) -> SignedInMember {
        self.add(email, role);
        self.sign_in(email, PASSWORD).unwrap()
    }

    pub(super) fn login(&self, email: &str, password: &str) -> Result<Login, Error> {
        let fields = new(json!({ "email": email, "password": password }));
        let signed_in = self.test.block_on(accounts::login(&self.test.ports, &Client::default(), fields))?;
        Ok(signed_in.done().unwrap())
    }

    pub(super) fn sign_in(&self, email: &str, password: &str) -> Result<SignedInMember, Error> {
        let login = self.login(email, password)?;
        let bearer = login.token.reveal().to_owned();
        let caller = self.authenticate(&bearer)?;
        let Credential::Session { user, .. } = caller.credential() else { panic!("no session") };
        Ok(SignedInMember { id: user, caller, bearer })
    }

    pub(super) fn authenticate(&self, bearer: &str) -> Result<Caller, Error> {
        self.test.block_on(authenticate(&self.test.ports, bearer, None))
    }

    /// Whether the session is still valid.
    pub(super) fn accepts(&self, member: &SignedInMember) -> bool {
        match self.authenticate(&member.bearer) {
            Ok(_) => true,
            Err(Error::Unauthorized) => false,
            Err(error) => panic!("{error}"),
        }
    }

    /// The only e-mail that was queued since the last call.
    pub(super) fn queued_email(&self) -> EmailMessage {
        let mut emails = self.test.emails();
        assert_eq!(emails.len(), 1, "{emails:?}");
        emails.remove(0)
    }

    /// The actions in the audit log, newest first.
    pub(super) fn audit_actions(&self) -> Vec<&'static str> {
        let permit = self.operator();
        let page = audit::list(&self.test.ports, &permit, AuditFilter::default(), PageRequest::first(100));
        self.test.block_on(page).unwrap().items.iter().map(|entry| entry.action.as_str()).collect()
    }
}

pub(super) fn add_workspace(test: &TestPorts, slug: &str) -> Workspace {
    let new = NewWorkspace { name: slug.to_owned(), slug: slug.to_owned(), plan: Plan::Starter };
    test.block_on(workspaces::create(&test.ports, &testing::operator(), &new)).unwrap()
}

pub(super) fn add_person(test: &TestPorts, workspace: &Workspace, email: &str, role: Role) -> UserId {
    let new = NewUser { email: email.to_owned(), name: email.to_owned(), role, password: plain_hash(PASSWORD) };
    let permit = testing::operator().permit(workspace.clone());
    test.block_on(workspaces::create_user(&test.ports, &permit, new)).unwrap().user.id
}

/// The token in the link of an e-mail.
pub(super) fn token_of(email: &EmailMessage) -> String {
    let start = email.text().find("#token=").unwrap() + "#token=".len();
    email.text()[start..].split_whitespace().next().unwrap().to_owned()
}
