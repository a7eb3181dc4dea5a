//! A workspace per case, and helpers for its records.

use serde_json::json;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::StoreUnderTest;
use domain::console::views::SavedView;
use domain::crm::comments::RecordComment;
use domain::crm::contacts::{Contact, ContactFilter};
use domain::events::LoggedEvent;
use domain::identity::access::{Caller, Credential, ManageKeys, ManageMembers, Permission, Permit, ReadDeals};
use domain::identity::api_keys::{self, ApiKey};
use domain::identity::audit::AuditEntry;
use domain::identity::workspaces::{self, NewUser, NewWorkspace, Role, Workspace};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::limits::Plan;
use domain::ports::{Ports, StoreError, Tx, statement, transact};
use domain::records::{Kind, ListedKind};
use domain::support::PortalSession;
use domain::support::erasure::PersonErasure;
use domain::testing::{self, caller_with, key_fields, plain_hash};
use domain::transfer::Import;
use domain::webhooks::{Delivery, Replay};
use domain::work::comments::Comment;
use domain::work::cycles::Cycle;
use domain::work::issues::{Issue, TrackingLink};
use domain::{ApiKeyId, Error, UserId};

/// The password of every member in a fixture.
pub const PASSWORD: &str = "the password of all";

/// A workspace with a full-access key and a member.
pub struct TestWorkspace {
    pub ports: Ports,
    pub workspace: Workspace,
    pub caller: Caller,
    pub member: UserId,
}

/// A record that a transaction can add.
pub trait Record: Clone + Send + 'static {
    fn insert(&self, tx: &mut dyn Tx) -> Result<(), StoreError>;
}

macro_rules! records {
    ($($record:ty: |$tx:ident| $repo:expr, $insert:ident;)*) => { $(
        impl Record for $record {
            fn insert(&self, $tx: &mut dyn Tx) -> Result<(), StoreError> {
                $repo.$insert(self)
            }
        }
    )* };
}

records! {
    ApiKey: |tx| tx.api_keys(), insert;
    AuditEntry: |tx| tx.audit(), append;
    Comment: |tx| tx.comments(), insert;
    Cycle: |tx| tx.records::<Cycle>(), insert;
    Delivery: |tx| tx.deliveries(), insert;
    Import: |tx| tx.imports(), insert;
    Issue: |tx| tx.records::<Issue>(), insert;
    PersonErasure: |tx| tx.erasures(), insert;
    PortalSession: |tx| tx.tickets(), add_session;
    RecordComment: |tx| tx.record_comments(), insert;
    Replay: |tx| tx.replays(), insert;
    SavedView: |tx| tx.saved_views(), insert;
    TrackingLink: |tx| tx.tickets(), add_link;
}

impl StoreUnderTest {
    pub async fn world(&self) -> TestWorkspace {
        let operator = testing::operator();
        // The id makes the slug unique in a shared database.
        let slug = format!("suite-{}", self.ports.ids.new_id().simple());
        let new = NewWorkspace { name: "Suite".to_owned(), slug, plan: Plan::Professional };
        let workspace = workspaces::create(&self.ports, &operator, &new).await.unwrap();
        let fields = key_fields(json!({ "name": "suite", "preset": "full_access" }));
        let permit = operator.permit::<ManageKeys>(workspace.clone());
        let key = api_keys::create(&self.ports, &permit, fields).await.unwrap().key;
        let caller = caller_with(workspace.clone(), Credential::Key(key.id), &key.name, key.scopes, key.tool_grants());
        let mut world = TestWorkspace { ports: self.ports.clone(), workspace, caller, member: UserId(Uuid::nil()) };
        world.member = world.new_member().await;
        world
    }
}

impl TestWorkspace {
    /// A permit of the full-access key.
    pub fn permit<P: Permission>(&self) -> Permit<P> {
        self.caller.permit().unwrap()
    }

    pub async fn new_member(&self) -> UserId {
        let new = NewUser {
            email: self.new_email(),
            name: "A member".to_owned(),
            role: Role::Member,
            password: plain_hash(PASSWORD),
        };
        workspaces::create_user(&self.ports, &self.operator::<ManageMembers>(), new).await.unwrap().user.id
    }

    pub fn operator<P: Permission>(&self) -> Permit<P> {
        testing::operator().permit(self.workspace.clone())
    }

    pub fn key_id(&self) -> ApiKeyId {
        ApiKeyId(self.caller.credential().id())
    }

    pub fn new_email(&self) -> String {
        format!("Person.{}@Example.org", self.id().simple())
    }

    pub fn id(&self) -> Uuid {
        self.ports.ids.new_id()
    }

    pub fn now(&self) -> OffsetDateTime {
        self.ports.clock.now()
    }

    /// Runs a transaction.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut dyn Tx) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        transact(&self.ports, &self.permit::<ReadDeals>(), work).await
    }

    /// Runs a transaction that must succeed.
    pub async fn commit<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        self.run(move |tx| Ok(work(tx)?)).await.unwrap()
    }

    /// Runs a single statement, usually a query, which must succeed.
    pub async fn read<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&mut dyn Tx) -> Result<T, StoreError> + Send + 'static,
    ) -> T {
        statement(&self.ports, &self.permit::<ReadDeals>(), move |tx| Ok(work(tx)?)).await.unwrap()
    }

    /// Adds a record, or returns the error.
    pub async fn try_add<R: Record>(&self, record: &R) -> Result<(), Error> {
        let record = record.clone();
        self.run(move |tx| Ok(record.insert(tx)?)).await
    }

    pub async fn add<R: Record>(&self, record: R) -> R {
        self.try_add(&record).await.unwrap();
        record
    }

    /// The live record with the id.
    pub async fn get<K: Kind>(&self, id: K::Id) -> Option<K> {
        self.read(move |tx| tx.records::<K>().get(id)).await
    }

    pub async fn save<K: Kind>(&self, record: &K) {
        let record = record.clone();
        self.commit(move |tx| tx.records::<K>().save(&record)).await;
    }

    /// Deletes a live record.
    pub async fn delete<K: Kind>(&self, id: K::Id) {
        let now = self.now();
        assert!(self.commit(move |tx| tx.records::<K>().delete(id, now)).await);
    }

    pub async fn list<K: ListedKind>(&self, filter: K::Filter) -> Vec<K> {
        self.read(move |tx| tx.lists::<K>().list(&filter, &PageRequest::first(100))).await
    }

    pub async fn ids<K: ListedKind>(&self, filter: K::Filter) -> Vec<Uuid> {
        self.list::<K>(filter).await.iter().map(K::uuid).collect()
    }

    pub async fn change_workspace(&self, change: impl Fn(&mut Workspace) + Send + 'static) {
        self.commit(move |tx| {
            let mut workspace = tx.workspace().get_for_update()?;
            change(&mut workspace);
            tx.workspace().save(&workspace)
        })
        .await;
    }

    /// Saves issues as use cases that change several do.
    pub async fn save_issues(&self, issues: &[Issue]) {
        let issues = issues.to_vec();
        let ids: Vec<_> = issues.iter().map(|issue| issue.id).collect();
        self.commit(move |tx| {
            assert_eq!(tx.issues().get_many_for_update(&ids)?.len(), ids.len());
            tx.issues().save_many(&issues)
        })
        .await;
    }

    /// The first events of the log, all of which have positions.
    pub async fn logged_events(&self) -> Vec<LoggedEvent> {
        self.commit(|tx| {
            tx.event_log().number()?;
            tx.event_log().after(0, 1_000)
        })
        .await
    }

    pub async fn next_number(&self, kind: IssueKind) -> i64 {
        self.read(move |tx| tx.issues().reserve_numbers(kind, 1)).await
    }

    pub async fn contacts(&self) -> Vec<Contact> {
        self.list(ContactFilter::default()).await
    }

    /// Seven creation times with ties, as offsets from now.
    pub fn seven_times(&self) -> [OffsetDateTime; 7] {
        [3, 1, 2, 1, 1, 0, 3].map(|micros| self.now() + Duration::microseconds(micros))
    }
}
