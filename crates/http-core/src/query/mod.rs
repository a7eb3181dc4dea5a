//! Query parameters: each route declares its own, and all others are rejected.

mod decode;
mod reader;

pub use reader::QueryReader;

use std::marker::PhantomData;

use domain::kernel::input::{Filter, Problem, Problems};
use domain::kernel::paging::{PageRequest, Paginated};
use domain::records::{Members, Projection};

/// What an operation parses its query into.
pub trait Query {
    /// Parses the parameters; errors are collected by the reader.
    fn read(query: &mut QueryReader<'_>) -> Self;

    /// Whether a page shows this problem itself, next to the form field.
    fn says(_: &Problem) -> bool {
        false
    }
}

/// Parses a whole query: parameters that `Q` does not read are reported as unknown.
pub fn read<Q: Query>(raw: &str, problems: &mut Problems) -> Q {
    let mut reader = QueryReader::new(raw, problems);
    let query = Q::read(&mut reader);
    reader.refuse_rest();
    query
}

impl Query for () {
    fn read(_: &mut QueryReader<'_>) -> Self {}
}

/// Ignores all parameters: a preflight has those of the request that it announces.
#[derive(Debug)]
pub struct Any;

impl Query for Any {
    fn read(query: &mut QueryReader<'_>) -> Self {
        query.ignore_rest();
        Self
    }
}

/// Pagination parameters only.
pub struct Paged<T> {
    pub page: PageRequest,
    list: PhantomData<fn() -> T>,
}

impl<T: Paginated> Query for Paged<T> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self { page: query.page(T::LIST), list: PhantomData }
    }
}

/// The parameter that selects the fields in a list.
pub const FIELDS: &str = "fields";

/// The filter and page of a list of records, and the selected fields.
#[derive(Debug)]
pub struct Records<F, T> {
    pub filter: F,
    pub page: PageRequest,
    pub fields: Projection,
    list: PhantomData<fn() -> T>,
}

impl<F: Filter, T: Paginated + Members> Query for Records<F, T> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        let Filtered { filter, page, list } = Filtered::<F, T>::read(query);
        Self { filter, page, fields: query.parsed_by(FIELDS, Projection::parse::<T>), list }
    }
}

/// The filter and page of a list.
#[derive(Debug)]
pub struct Filtered<F, T> {
    pub filter: F,
    pub page: PageRequest,
    list: PhantomData<fn() -> T>,
}

impl<F: Filter, T: Paginated> Query for Filtered<F, T> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self { filter: F::from_parameters(query), page: query.page(T::LIST), list: PhantomData }
    }
}
