//! Lists and their pages.

use std::future::IntoFuture;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_core::Stream;
use futures_util::{StreamExt, TryStreamExt, stream};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::http::Future;
use crate::transport::{Request, Transport};
use crate::types::Pagination;

/// A list. Awaiting it returns the first page; `items` returns all items, and `pages` all pages.
#[must_use = "a list is not requested until it is awaited"]
#[derive(Debug)]
pub struct List<T> {
    pub(crate) call: Call<Body<T>>,
    transport: Transport,
}

#[derive(Debug, serde::Deserialize)]
pub(crate) struct Body<T> {
    data: Vec<T>,
    pagination: Pagination,
}

/// A page of a list.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Page<T> {
    pub items: Vec<T>,
    pub pagination: Pagination,
    request: Request,
    transport: Transport,
}

impl<T> List<T> {
    pub(crate) fn new(client: &Client, operation: &str, path: &[(&str, &str)]) -> Self {
        Self { call: Call::new(client, operation, path), transport: client.transport.clone() }
    }

    pub(crate) fn with_query(self, query: &(impl Serialize + ?Sized)) -> Self {
        Self { call: self.call.with_query(query), ..self }
    }

    /// Timeout of each attempt, instead of the client's.
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { call: self.call.timeout(timeout), ..self }
    }

    /// Maximum number of retries, instead of the client's.
    pub fn max_retries(self, retries: u32) -> Self {
        Self { call: self.call.max_retries(retries), ..self }
    }
}

impl<T: DeserializeOwned + Send + 'static> List<T> {
    /// All items of all pages.
    pub fn items(self) -> Items<T> {
        let pages = self.pages();
        Items(pages.map_ok(|page| stream::iter(page.items.into_iter().map(Ok))).try_flatten().boxed())
    }

    /// All pages.
    pub fn pages(self) -> Items<Page<T>> {
        Items(
            stream::try_unfold(Some(self), |list| async move {
                let Some(list) = list else { return Ok(None) };
                let page = list.await?;
                let following = page.following();
                Ok(Some((page, following)))
            })
            .boxed(),
        )
    }
}

impl<T: DeserializeOwned + Send + 'static> IntoFuture for List<T> {
    type Output = Result<Page<T>, Error>;
    type IntoFuture = Future<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let request = match &self.call.request {
                Ok(request) => request.clone(),
                Err(_) => Request::default(),
            };
            let body = self.call.await?;
            Ok(Page { items: body.data, pagination: body.pagination, request, transport: self.transport })
        })
    }
}

impl<T> Page<T> {
    /// Whether there are more items after this page.
    pub fn has_more(&self) -> bool {
        self.pagination.has_more
    }

    /// The cursor of the next page. A list that you can follow, such as one ordered by `updated`, has one even on its last page.
    pub fn next_cursor(&self) -> Option<&str> {
        self.pagination.next_cursor.as_deref()
    }
}

impl<T> Page<T> {
    /// The list from the next page on.
    fn following(&self) -> Option<List<T>> {
        let cursor = self.next_cursor().filter(|_| self.has_more())?;
        let mut request = self.request.clone();
        if let Some(query) = request.query.as_object_mut() {
            query.remove("page");
            query.insert("cursor".to_owned(), cursor.into());
        } else {
            request.query = serde_json::json!({ "cursor": cursor });
        }
        let client = Client::new(self.transport.clone());
        let mut list = List::new(&client, &request.operation, &[]);
        list.call.request = Ok(request);
        Some(list)
    }
}

impl<T: DeserializeOwned + Send + 'static> Page<T> {
    /// The next page; `None` at the end.
    pub async fn next_page(&self) -> Result<Option<Self>, Error> {
        match self.following() {
            Some(list) => list.await.map(Some),
            None => Ok(None),
        }
    }
}

/// Items that arrive one by one. This is a [`Stream`]; `next` needs no other crate.
#[must_use = "nothing is requested until `next` is awaited or the stream is polled"]
pub struct Items<T>(pub(crate) Pin<Box<dyn Stream<Item = Result<T, Error>> + Send>>);

impl<T> Items<T> {
    /// The next item; `None` at the end. After an error there are no more.
    pub async fn next(&mut self) -> Option<Result<T, Error>> {
        self.0.next().await
    }

    /// Collects all items.
    pub async fn collect(self) -> Result<Vec<T>, Error> {
        self.0.try_collect().await
    }
}

impl<T> Stream for Items<T> {
    type Item = Result<T, Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context)
    }
}

impl<T> std::fmt::Debug for Items<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Items")
    }
}
