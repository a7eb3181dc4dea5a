//! The client.

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::call::{Any, Call};
use crate::config::Builder;
use crate::error::Error;
use crate::transport::Transport;

/// A client of the service. It is cheap to clone, and all tasks of a program can share it.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) transport: Transport,
}

impl Client {
    pub(crate) fn new(transport: Transport) -> Self {
        Self { transport }
    }

    /// Creates a client from `SERVICE_API_KEY` and `SERVICE_API_URL` in the environment.
    pub fn from_env() -> Result<Self, Error> {
        Self::builder().build()
    }

    /// Creates a client with your own settings.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The address of the service.
    pub fn base_url(&self) -> &str {
        &self.transport.settings.base_url
    }

    /// Calls any operation by its `operationId` in `openapi.json`. Returns the body; [`Call::send`] also returns
    /// status and headers.
    pub fn request(&self, operation_id: &str) -> Call<Value, Any> {
        Call::new(self, operation_id, &[])
    }
}

/// A complete response.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer<T> {
    pub status: u16,
    pub headers: HeaderMap,
    pub request_id: Option<String>,
    pub body: T,
}
