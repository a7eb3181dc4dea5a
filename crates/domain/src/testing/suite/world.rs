//! A workspace of a case's own, and short ways to its records.

use std::sync::Arc;

use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::Subject;
use crate::access::{Caller, Credential, ManageKeys, ManageMembers, Permission, Permit, ReadDeals};
use crate::api_keys;
use crate::companies::Company;
use crate::contacts::{Contact, ContactFilter};
use crate::deals::Deal;
use crate::issues::{Comment, Issue, IssueKind};
use crate::kb::Article;
use crate::paging::PageRequest;
use crate::ports::{Operator, Ports, StoreError, Tx, statement, transact};
use crate::projects::{Cycle, Project};
use crate::testing::{key_fields, plain_hash};
use crate::workspaces::{self, NewUser, NewWorkspace, Plan, Role, Workspace};
use crate::{ApiKeyId, Error, UserId};

/// The password of every member that a world makes.
pub(crate) const PASSWORD: &str = "the password of all";

/// A workspace with a key that may do everything and a member.
pub(crate) struct World {
    pub(crate) ports: Ports,
    pub(crate) workspace: Workspace,
    pub(crate) caller: Caller,
    pub(crate) member: UserId,
}

/// A record that a transaction can add.
pub(crate) trait Record: Clone + Send + 'static {
    fn insert(&self, tx: &mut dyn Tx) -> Result<(), StoreError>;
}

macro_rules! records {
    ($($record:ty => $repo:ident),* $(,)?) => { $(
        impl Record for $record {
            fn insert(&self, tx: &mut dyn Tx) -> Result<(), StoreError> {
                tx.$repo().insert(self)
            }
        }
    )* };
}

records! {
    Company => companies,
    Contact => contacts,
    Deal => deals,
    Project => projects,
    Cycle => cycles,
    Issue => issues,
    Comment => comments,
    Article => kb_articles,
}

impl Subject {
    /// A new workspace.
    pub(crate) async fn world(&self) -> World {
        let operator = Operator::of_this_process();
        // The id makes the slug free in a database that others use too.
        let slug = format!("suite-{}", self.ports.ids.new_id().simple());
        let new = NewWorkspace { name: "Suite".to_owned(), slug, plan: Plan::Professional };
        let workspace = workspaces::create(&self.ports, &operator, &new).await.unwrap();
        let fields = key_fields(json!({ "name": "suite", "preset": "full_access" }));
        let permit = operator.permit::<ManageKeys>(workspace.clone());
        let key = api_keys::create(&self.ports, &permit, fields).await.unwrap().key;
        let caller = Caller {
            workspace: Arc::new(workspace.clone()),
            credential: Credential::Key(key.id),
            name: Arc::from(key.name.as_str()),
            scopes: key.scopes,
            tools: Arc::new(key.tool_grants()),
            address: None,
        };
        let mut world = World { ports: self.ports.clone(), workspace, caller, member: UserId(Uuid::nil()) };
        world.member = world.new_member().await;
        world
    }
}

impl World {
    /// A permit of the key that may do everything.
    pub(crate) fn permit<P: Permission>(&self) -> Permit<P> {
        self.caller.permit().unwrap()
    }

    /// Another member.
    pub(crate) async fn new_member(&self) -> UserId {
        let new = NewUser {
            email: self.new_email(),
            name: "A member".to_owned(),
            role: Role::Member,
            password: plain_hash(PASSWORD),
        };
        workspaces::create_user(&self.ports, &self.operator::<ManageMembers>(), new).await.unwrap().user.id
    }

    /// A permit of an operator.
    pub(crate) fn operator<P: Permission>(&self) -> Permit<P> {
        Operator::of_this_process().permit(self.workspace.clone())
    }

    /// The key that may do everything.
    pub(crate) fn key_id(&self) -> ApiKeyId {
        ApiKeyId(self.caller.credential.id())
    }

    pub(crate) fn new_email(&self) -> String {
        format!("Person.{}@Example.org", self.id().simple())
    }

    pub(crate) fn id(&self) -> Uuid {
        self.ports.ids.new_id()
    }

    pub(crate) fn now(&self) -> OffsetDateTime {
        self.ports.clock.now()
    }

    /// A transaction.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        transact(&self.ports, &self.permit::<ReadDeals>(), work).await
    }

    /// A transaction that must succeed.
    pub(crate) async fn done<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.run(move |tx| Ok(work(tx)?)).await.unwrap()
    }

    /// A statement that must succeed.
    pub(crate) async fn look<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        statement(&self.ports, &self.permit::<ReadDeals>(), move |tx| Ok(work(tx)?)).await.unwrap()
    }

    /// Adds a record, or says why not.
    pub(crate) async fn try_add<R: Record>(&self, record: &R) -> Result<(), Error> {
        let record = record.clone();
        self.run(move |tx| Ok(record.insert(tx)?)).await
    }

    /// Adds a record.
    pub(crate) async fn add<R: Record>(&self, record: R) -> R {
        self.try_add(&record).await.unwrap();
        record
    }

    /// The next number of a kind.
    pub(crate) async fn next_number(&self, kind: IssueKind) -> i64 {
        self.look(move |tx| tx.issues().reserve_number(kind)).await
    }

    /// Every live contact.
    pub(crate) async fn contacts(&self) -> Vec<Contact> {
        self.look(|tx| tx.contacts().list(&ContactFilter::default(), &PageRequest::first(100))).await
    }

    /// Seven creation times with ties, as offsets from now.
    pub(crate) fn seven_times(&self) -> [OffsetDateTime; 7] {
        [3, 1, 2, 1, 1, 0, 3].map(|micros| self.now() + Duration::microseconds(micros))
    }
}
