//! Query parameters: each route has its own, and every other one is refused.

mod decode;
mod number;
mod reader;

pub use reader::QueryReader;

use std::marker::PhantomData;

use domain::kernel::input::Problems;
use domain::kernel::paging::{PageRequest, Paginated};

/// What an operation reads from its query.
pub trait Query {
    /// Reads it; what could not be read is noted.
    fn read(query: &mut QueryReader<'_>) -> Self;
}

/// Reads a whole query: what `Q` does not ask for is unknown.
pub fn read<Q: Query>(raw: &str, problems: &mut Problems) -> Q {
    let mut reader = QueryReader::new(raw, problems);
    let query = Q::read(&mut reader);
    reader.refuse_rest();
    query
}

/// No parameter.
impl Query for () {
    fn read(_: &mut QueryReader<'_>) -> Self {}
}

/// Whatever parameters: those of the request that a preflight asks for.
#[derive(Debug)]
pub struct Any;

impl Query for Any {
    fn read(query: &mut QueryReader<'_>) -> Self {
        query.ignore_rest();
        Self
    }
}

/// The page alone.
pub struct Paged<T> {
    /// Which page.
    pub page: PageRequest,
    list: PhantomData<fn() -> T>,
}

impl<T: Paginated> Query for Paged<T> {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self { page: query.page(T::LIST), list: PhantomData }
    }
}
