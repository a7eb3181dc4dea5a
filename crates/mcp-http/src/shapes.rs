//! The usual shapes of tools: list, get, create, update and delete, each over a use case of the domain.
//!
//! Permission, arguments and result are inferred from the types of the use case.

use domain::Error;
use domain::identity::access::{Permit, ToolPermit};
use domain::kernel::idempotency::{IdempotentRequest, IdempotentResult};
use domain::kernel::input::Input;
use domain::kernel::paging::{Page, PageRequest, Paginated};
use domain::kernel::versions::ExpectedVersion;
use domain::ports::Ports;
use domain::records::DeletedRecord;
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

use crate::arguments::{Delete, Get, New, Paged, Update};
use crate::long_texts::{Detail, LongTexts};
use crate::outputs::{Deleted, Listing, ToolOutput};
use crate::tool::{Entry, NamedTool, ToolRequest, ToolResult};

/// A use case: an async function of ports, a permit for `P` and the arguments `A`, a tuple, that returns a `T`.
pub(crate) trait UseCase<'a, P, A, T>: Copy + Send + Sync + 'static {
    /// The future, named so that it can be required to be `Send`.
    type Running: Future<Output = Result<T, Error>> + Send + 'a;

    fn run(self, ports: &'a Ports, permit: &'a Permit<P>, arguments: A) -> Self::Running;
}

macro_rules! use_cases {
    ($( ($($argument:ident: $type:ident),+) )+) => { $(
        impl<'a, F, W, P, T, $($type),+> UseCase<'a, P, ($($type,)+), T> for F
        where
            P: 'static,
            F: Fn(&'a Ports, &'a Permit<P>, $($type),+) -> W + Copy + Send + Sync + 'static,
            W: Future<Output = Result<T, Error>> + Send + 'a,
        {
            type Running = W;

            fn run(self, ports: &'a Ports, permit: &'a Permit<P>, ($($argument,)+): ($($type,)+)) -> W {
                self(ports, permit, $($argument),+)
            }
        }
    )+ };
}

use_cases! {
    (a: A)
    (a: A, b: B)
    (a: A, b: B, c: C)
}

impl NamedTool {
    /// Returns a page of the records that match a filter, as compact rows.
    pub(crate) fn list<P, F, T, R, U>(self, list: U, row: fn(&T) -> R) -> Entry
    where
        P: ToolPermit,
        F: Input + Send + 'static,
        T: Paginated + Send + 'static,
        R: Serialize + JsonSchema + Send + 'static,
        U: for<'a> UseCase<'a, P, (F, PageRequest), Page<T>>,
    {
        self.run(move |call: ToolRequest<P, Paged<F, T>>| async move {
            let Paged { filter, page, .. } = call.arguments;
            let page = list.run(&call.ports, &call.permit, (filter, page)).await?;
            Ok(ToolResult::Fresh(Listing::of(page, row)))
        })
    }

    /// Reads one record by its id.
    pub(crate) fn get<P, I, T, U>(self, read: U) -> Entry
    where
        P: ToolPermit,
        I: From<Uuid> + Send + 'static,
        T: LongTexts + Send + 'static,
        U: for<'a> UseCase<'a, P, (I,), T>,
    {
        self.run(move |call: ToolRequest<P, Get<T>>| async move {
            let record = read.run(&call.ports, &call.permit, (call.arguments.id.into(),)).await?;
            Ok(ToolResult::Fresh(Detail::new(record, call.arguments.part)))
        })
    }

    /// Creates a record, idempotent per key.
    pub(crate) fn create<P, A, T, U>(self, create: U) -> Entry
    where
        P: ToolPermit,
        A: Input + Send + 'static,
        T: LongTexts + Clone + Send + 'static,
        U: for<'a> UseCase<'a, P, (Option<IdempotentRequest<T>>, A), IdempotentResult<T>>,
    {
        self.run(move |mut call: ToolRequest<P, New<A>>| async move {
            let idempotency = call.idempotency();
            Ok(ToolResult::created(create.run(&call.ports, &call.permit, (idempotency, call.arguments.0)).await?))
        })
    }

    /// Changes the fields of one record.
    pub(crate) fn update<P, I, F, T, U>(self, update: U) -> Entry
    where
        P: ToolPermit,
        I: From<Uuid> + Send + 'static,
        F: Input + Send + 'static,
        T: LongTexts + Send + 'static,
        U: for<'a> UseCase<'a, P, (I, ExpectedVersion, F), T>,
    {
        self.run(move |call: ToolRequest<P, Update<F>>| async move {
            let Update { id, expected, fields } = call.arguments;
            let record = update.run(&call.ports, &call.permit, (id.into(), expected, fields)).await?;
            Ok(ToolResult::Fresh(Detail::new(record, None)))
        })
    }

    /// Deletes one record and ignores the use case's result.
    pub(crate) fn delete<P, I, T, U>(self, delete: U) -> Entry
    where
        P: ToolPermit,
        I: From<Uuid> + Send + 'static,
        T: Send + 'static,
        U: for<'a> UseCase<'a, P, (I, ExpectedVersion), T>,
    {
        self.run(move |call: ToolRequest<P, Delete>| async move {
            let Delete { id, expected } = call.arguments;
            delete.run(&call.ports, &call.permit, (id.into(), expected)).await?;
            Ok(ToolResult::Fresh(Deleted { id, deleted: true }))
        })
    }

    /// Deletes one record, and returns what still refers to it.
    pub(crate) fn delete_with_references<P, I, U>(self, delete: U) -> Entry
    where
        P: ToolPermit,
        I: From<Uuid> + Send + 'static,
        U: for<'a> UseCase<'a, P, (I, ExpectedVersion), DeletedRecord>,
    {
        self.run(move |call: ToolRequest<P, Delete>| async move {
            let Delete { id, expected } = call.arguments;
            Ok(ToolResult::Fresh(delete.run(&call.ports, &call.permit, (id.into(), expected)).await?))
        })
    }
}

impl ToolOutput for DeletedRecord {}
