//! The declaration of a kind whose use cases have one form.

/// Implements [`Kind`] for a type by the use cases of a module of the CRM, or of another area.
macro_rules! crm_kind {
    ($kind:ident: $module:ident, $($rest:tt)+) => {
        $crate::records::crm_kind!(@of crm $kind: $module, $($rest)+);
    };
    (
        @of $area:ident $kind:ident: $module:ident, $record:ident, $fields:ident, $filter:ident, $id:ident,
        access: $read:ident, $create:ident, $update:ident, $delete:ident,
        kind: $record_kind:expr, routes: $routes:expr, shown: $shown:expr $(, parts: $parts:path)? $(, goes_on: $goes_on:path)?
    ) => {
        impl $crate::records::Kind for $kind {
            type Record = domain::$area::$module::$record;
            type Fields = domain::$area::$module::$fields;
            type Patch = domain::$area::$module::$fields;
            type Filter = domain::$area::$module::$filter;
            type Id = domain::$id;
            type Read = domain::identity::access::$read;
            type Create = domain::identity::access::$create;
            type Update = domain::identity::access::$update;
            type Delete = domain::identity::access::$delete;
            type Beside = ();

            const KIND: domain::records::RecordKind = $record_kind;
            const ROUTES: $crate::records::Routes = $routes;
            const SHOWN: $crate::records::Shown = $shown;

            $(fn goes_on(id: Self::Id, form: &$crate::form::Form) -> Option<String> {
                $goes_on(id, form)
            })?

            $(async fn parts(
                ports: &domain::ports::Ports,
                browser: &$crate::layout::Browser,
                record: &domain::kernel::input::json::Json,
                (): (),
            ) -> Result<$crate::records::Parts, domain::Error> {
                $parts(ports, browser, record).await
            })?

            async fn list(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Read>,
                mut filter: Self::Filter,
                page: domain::kernel::paging::PageRequest,
            ) -> Result<domain::kernel::paging::Page<domain::records::Listed<Self::Record>>, domain::Error> {
                filter.search = filter.search.map(domain::kernel::search::SearchQuery::without_excerpts);
                domain::records::list_or_deleted::<Self::Record>(ports, permit, filter, page).await
            }

            const HAS_TOTALS: bool = true;

            async fn totals(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Read>,
                filter: Self::Filter,
            ) -> Result<domain::kernel::totals::ListTotals, domain::Error> {
                domain::records::totals::<Self::Record>(ports, permit, filter).await
            }

            async fn read(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Read>,
                id: Self::Id,
            ) -> Result<Self::Record, domain::Error> {
                domain::records::read(ports, permit, id).await
            }

            async fn create(
                ports: &domain::ports::Ports,
                permit: &domain::identity::access::Permit<Self::Create>,
                once: Option<domain::kernel::idempotency::IdempotentRequest<Self::Record>>,
                fields: Self::Fields,
            ) -> Result<domain::kernel::idempotency::IdempotentResult<Self::Record>, domain::Error> {
                domain::records::create::<Self::Record>(ports, permit, once, fields).await
            }

            $crate::records::change_and_delete!(domain::records, Self::Record);
        }
    };
}
pub(crate) use crm_kind;

/// The use cases of a module that every kind has in the same form, or those of a record.
macro_rules! change_and_delete {
    ($first:ident$(::$next:ident)+ $(, $record:ty)?) => {
        async fn update(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Update>,
            id: Self::Id,
            expected: domain::kernel::versions::ExpectedVersion,
            fields: Self::Fields,
        ) -> Result<Self::Record, domain::Error> {
            $first$(::$next)+::update$(::<$record>)?(ports, permit, id, expected, fields).await
        }

        async fn update_each(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Update>,
            changes: Vec<domain::records::RecordChange<Self::Patch>>,
        ) -> Result<Vec<domain::records::ChangeOutcome>, domain::Error> {
            $first$(::$next)+::update_each$(::<$record>)?(ports, permit, changes).await
        }

        async fn delete(
            ports: &domain::ports::Ports,
            permit: &domain::identity::access::Permit<Self::Delete>,
            id: Self::Id,
            expected: domain::kernel::versions::ExpectedVersion,
        ) -> Result<(), domain::Error> {
            $first$(::$next)+::delete$(::<$record>)?(ports, permit, id, expected).await?;
            Ok(())
        }
    };
}
pub(crate) use change_and_delete;
