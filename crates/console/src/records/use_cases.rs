//! The use cases that the pages of a kind call.

use std::fmt::Display;
use std::marker::PhantomData;

use domain::identity::access::{CreateIssues, DeleteIssues, Permission, Permit, ReadIssues, UpdateIssues};
use domain::kernel::IssueKind;
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::{Field, Filter, Input};
use domain::kernel::paging::{Page, PageRequest as Paging, Paginated};
use domain::kernel::search::SearchQuery;
use domain::kernel::totals::ListTotals;
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records::{self, ChangeOutcome, Editable, Listed, RecordChange, RecordFilter, RecordKind};
use domain::work::issues::{self, Issue, IssueChange, IssueFields, IssueFilter, NewIssue};
use domain::{Error, IssueId};
use http_core::path::RecordPath;
use serde::Serialize;
use uuid::Uuid;

/// The use cases for the records of a kind.
pub(crate) trait UseCases: Sized + 'static {
    type Record: Serialize + Paginated;
    type Fields: Input;
    /// The members of bulk changes and undos, which include those of `Fields`.
    type Patch: Input;
    type Filter: Filter;
    type Id: RecordPath<Id = Self::Id> + Copy + From<Uuid> + Display;
    type Read: Permission;
    type Create: Permission;
    type Update: Permission;
    type Delete: Permission;

    const KIND: RecordKind;

    async fn list(
        ports: &Ports,
        permit: &Permit<Self::Read>,
        filter: Self::Filter,
        page: Paging,
    ) -> Result<Page<Listed<Self::Record>>, Error>;
    async fn totals(ports: &Ports, permit: &Permit<Self::Read>, filter: Self::Filter) -> Result<ListTotals, Error>;
    async fn read(ports: &Ports, permit: &Permit<Self::Read>, id: Self::Id) -> Result<Self::Record, Error>;
    async fn create(
        ports: &Ports,
        permit: &Permit<Self::Create>,
        once: Option<IdempotentRequest<Self::Record>>,
        fields: Self::Fields,
    ) -> Result<IdempotentResult<Self::Record>, Error>;
    async fn update(
        ports: &Ports,
        permit: &Permit<Self::Update>,
        id: Self::Id,
        expected: ExpectedVersion,
        fields: Self::Fields,
    ) -> Result<Self::Record, Error>;
    async fn update_each(
        ports: &Ports,
        permit: &Permit<Self::Update>,
        changes: Vec<RecordChange<Self::Patch>>,
    ) -> Result<Vec<ChangeOutcome>, Error>;
    async fn delete(
        ports: &Ports,
        permit: &Permit<Self::Delete>,
        id: Self::Id,
        expected: ExpectedVersion,
    ) -> Result<(), Error>;
}

/// The use cases of kinds that implement [`Editable`].
pub(crate) struct Records<R>(PhantomData<fn() -> R>);

impl<R> UseCases for Records<R>
where
    R: Editable,
    R::Id: RecordPath<Id = R::Id> + Display,
    R::Filter: Filter,
{
    type Record = R;
    type Fields = R::Fields;
    type Patch = R::Fields;
    type Filter = R::Filter;
    type Id = R::Id;
    type Read = R::Read;
    type Create = R::Create;
    type Update = R::Update;
    type Delete = R::Delete;

    const KIND: RecordKind = R::KINDS[0];

    async fn list(
        ports: &Ports,
        permit: &Permit<R::Read>,
        filter: R::Filter,
        page: Paging,
    ) -> Result<Page<Listed<R>>, Error> {
        // Comments that match a search are not shown here, so they are not read.
        if filter.lists_deleted() {
            records::list_or_deleted::<R>(ports, permit, filter, page).await
        } else {
            Ok(records::list::<R>(ports, permit, filter, page).await?.map(Listed::from))
        }
    }

    async fn totals(ports: &Ports, permit: &Permit<R::Read>, filter: R::Filter) -> Result<ListTotals, Error> {
        records::totals::<R>(ports, permit, filter).await
    }

    async fn read(ports: &Ports, permit: &Permit<R::Read>, id: R::Id) -> Result<R, Error> {
        records::read::<R>(ports, permit, id).await
    }

    async fn create(
        ports: &Ports,
        permit: &Permit<R::Create>,
        once: Option<IdempotentRequest<R>>,
        fields: R::Fields,
    ) -> Result<IdempotentResult<R>, Error> {
        records::create::<R>(ports, permit, once, fields).await
    }

    async fn update(
        ports: &Ports,
        permit: &Permit<R::Update>,
        id: R::Id,
        expected: ExpectedVersion,
        fields: R::Fields,
    ) -> Result<R, Error> {
        records::update::<R>(ports, permit, id, expected, fields).await
    }

    async fn update_each(
        ports: &Ports,
        permit: &Permit<R::Update>,
        changes: Vec<RecordChange<R::Fields>>,
    ) -> Result<Vec<ChangeOutcome>, Error> {
        records::update_each::<R>(ports, permit, changes).await
    }

    async fn delete(
        ports: &Ports,
        permit: &Permit<R::Delete>,
        id: R::Id,
        expected: ExpectedVersion,
    ) -> Result<(), Error> {
        records::delete::<R>(ports, permit, id, expected).await.map(drop)
    }
}

/// A kind of issue, which uses the use cases of all issues.
pub(crate) trait KindOfIssue: Sized + 'static {
    const ISSUE_KIND: IssueKind;
}

impl<K: KindOfIssue> UseCases for K {
    type Record = Issue;
    type Fields = IssueFields;
    type Patch = IssueChange;
    type Filter = IssueFilter;
    type Id = IssueId;
    type Read = ReadIssues;
    type Create = CreateIssues;
    type Update = UpdateIssues;
    type Delete = DeleteIssues;

    const KIND: RecordKind = match K::ISSUE_KIND {
        IssueKind::Task => RecordKind::Task,
        IssueKind::Ticket => RecordKind::Ticket,
    };

    async fn list(
        ports: &Ports,
        permit: &Permit<ReadIssues>,
        filter: IssueFilter,
        page: Paging,
    ) -> Result<Page<Listed<Issue>>, Error> {
        let search = filter.search.map(SearchQuery::without_excerpts);
        let filter = IssueFilter { kind: Some(K::ISSUE_KIND), search, ..filter };
        issues::list_or_deleted(ports, permit, filter, page).await
    }

    async fn totals(ports: &Ports, permit: &Permit<ReadIssues>, filter: IssueFilter) -> Result<ListTotals, Error> {
        issues::totals(ports, permit, IssueFilter { kind: Some(K::ISSUE_KIND), ..filter }).await
    }

    async fn read(ports: &Ports, permit: &Permit<ReadIssues>, id: IssueId) -> Result<Issue, Error> {
        let issue = issues::read(ports, permit, id).await?;
        // The other kind of issue has its own pages.
        if issue.kind == K::ISSUE_KIND { Ok(issue) } else { Err(Error::NotFound(K::ISSUE_KIND.as_str())) }
    }

    async fn create(
        ports: &Ports,
        permit: &Permit<CreateIssues>,
        once: Option<IdempotentRequest<Issue>>,
        fields: IssueFields,
    ) -> Result<IdempotentResult<Issue>, Error> {
        issues::create(ports, permit, once, NewIssue { kind: Field::Set(K::ISSUE_KIND), fields }).await
    }

    async fn update(
        ports: &Ports,
        permit: &Permit<UpdateIssues>,
        id: IssueId,
        expected: ExpectedVersion,
        fields: IssueFields,
    ) -> Result<Issue, Error> {
        issues::update(ports, permit, id, expected, fields).await
    }

    async fn update_each(
        ports: &Ports,
        permit: &Permit<UpdateIssues>,
        changes: Vec<RecordChange<IssueChange>>,
    ) -> Result<Vec<ChangeOutcome>, Error> {
        issues::update_each(ports, permit, changes).await
    }

    async fn delete(
        ports: &Ports,
        permit: &Permit<DeleteIssues>,
        id: IssueId,
        expected: ExpectedVersion,
    ) -> Result<(), Error> {
        issues::delete(ports, permit, id, expected).await
    }
}
