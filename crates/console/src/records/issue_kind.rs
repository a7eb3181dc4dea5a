//! The use cases of tasks and of tickets, which are those of issues.

/// What [`Kind`](crate::records::Kind) needs of the domain, for one kind of issues.
macro_rules! issue_use_cases {
    ($kind:expr) => {
        type Record = domain::work::issues::Issue;
        type Fields = domain::work::issues::IssueFields;
        type Patch = domain::work::issues::IssueChange;
        type Filter = domain::work::issues::IssueFilter;
        type Id = domain::IssueId;
        type Read = domain::identity::access::ReadIssues;
        type Create = domain::identity::access::CreateIssues;
        type Update = domain::identity::access::UpdateIssues;
        type Delete = domain::identity::access::DeleteIssues;

        async fn list(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Read>,
            filter: Self::Filter,
            page: domain::kernel::paging::PageRequest,
        ) -> Result<domain::kernel::paging::Page<domain::records::Listed<Self::Record>>, domain::Error> {
            let search = filter.search.map(domain::kernel::search::SearchQuery::without_excerpts);
            let filter = domain::work::issues::IssueFilter { kind: Some($kind), search, ..filter };
            domain::work::issues::list_or_deleted(ports, permit, filter, page).await
        }

        async fn totals(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Read>,
            filter: Self::Filter,
        ) -> Result<domain::kernel::totals::ListTotals, domain::Error> {
            let filter = domain::work::issues::IssueFilter { kind: Some($kind), ..filter };
            domain::work::issues::totals(ports, permit, filter).await
        }

        async fn read(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Read>,
            id: Self::Id,
        ) -> Result<Self::Record, domain::Error> {
            let issue = domain::work::issues::read(ports, permit, id).await?;
            // The other kind has pages of its own.
            if issue.kind == $kind { Ok(issue) } else { Err(domain::Error::NotFound($kind.as_str())) }
        }

        async fn create(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Create>,
            once: Option<domain::kernel::idempotency::IdempotentRequest<Self::Record>>,
            fields: Self::Fields,
        ) -> Result<domain::kernel::idempotency::IdempotentResult<Self::Record>, domain::Error> {
            let new = domain::work::issues::NewIssue { kind: domain::kernel::input::Field::Set($kind), fields };
            domain::work::issues::create(ports, permit, once, new).await
        }

        fn exported(filter: Self::Filter) -> domain::transfer::ExportedList {
            let filter = domain::work::issues::IssueFilter { kind: Some($kind), ..filter };
            domain::transfer::ExportedList::Issues(filter)
        }

        $crate::records::change_and_delete!(domain::work::issues);
    };
}
pub(crate) use issue_use_cases;
