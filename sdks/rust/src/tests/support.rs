//! Clients with scripted responses.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::stream;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use tokio::time::Instant;

use crate::http::{Exchange, Future, HttpFailure, HttpRequest, HttpResponse, HttpStream, late};
use crate::transport::Transport;
use crate::{Builder, Client};

/// The scripted result of a request.
#[derive(Clone, Debug)]
pub(super) enum Reply {
    Answer(u16, HeaderMap, Vec<u8>),
    Failed(HttpFailure),
    /// A stream that stays open after this content and sends nothing more.
    Silence(Vec<u8>),
}

/// Plays replies in order, repeats the last one, and records the requests and their times.
#[derive(Debug)]
pub(super) struct ScriptedExchange {
    replies: Vec<Reply>,
    requests: Mutex<Vec<(HttpRequest, Instant)>>,
}

pub(super) fn scripted(replies: impl Into<Vec<Reply>>) -> (Client, Arc<ScriptedExchange>) {
    scripted_with(Client::builder(), replies)
}

pub(super) fn scripted_with(builder: Builder, replies: impl Into<Vec<Reply>>) -> (Client, Arc<ScriptedExchange>) {
    let exchange = Arc::new(ScriptedExchange { replies: replies.into(), requests: Mutex::default() });
    let builder = builder.api_key("svc_secret").base_url("https://service.example.com/");
    let mut settings = builder.settings().unwrap();
    settings.random = || 1.0;
    (Client::new(Transport::new(settings, exchange.clone())), exchange)
}

impl ScriptedExchange {
    pub(super) fn requests(&self) -> Vec<HttpRequest> {
        self.requests.lock().unwrap().iter().map(|(request, _)| request.clone()).collect()
    }

    pub(super) fn attempts(&self) -> usize {
        self.requests().len()
    }

    /// Milliseconds between the requests.
    pub(super) fn pauses(&self) -> Vec<u128> {
        let requests = self.requests.lock().unwrap();
        requests.windows(2).map(|pair| (pair[1].1 - pair[0].1).as_millis()).collect()
    }

    pub(super) fn headers(&self, name: &str) -> Vec<Option<String>> {
        let text = |request: &HttpRequest| request.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        self.requests().iter().map(text).collect()
    }

    pub(super) fn queries(&self) -> Vec<String> {
        let query =
            |request: HttpRequest| request.url.split_once('?').map_or_else(String::new, |(_, query)| query.to_owned());
        self.requests().into_iter().map(query).collect()
    }

    /// The queries, each with its parameters in alphabetical order.
    pub(super) fn sorted_queries(&self) -> Vec<String> {
        let sorted = |query: String| {
            let mut pairs: Vec<_> = query.split('&').collect();
            pairs.sort_unstable();
            pairs.join("&")
        };
        self.queries().into_iter().map(sorted).collect()
    }

    pub(super) fn body(&self, index: usize) -> Value {
        serde_json::from_slice(self.requests()[index].body.as_deref().unwrap()).unwrap()
    }

    fn next(&self, request: HttpRequest) -> Reply {
        let mut requests = self.requests.lock().unwrap();
        requests.push((request, Instant::now()));
        self.replies[requests.len().min(self.replies.len()) - 1].clone()
    }
}

impl Exchange for ScriptedExchange {
    fn send(&self, request: HttpRequest) -> Future<Result<HttpResponse, HttpFailure>> {
        let reply = self.next(request);
        Box::pin(async move {
            match reply {
                Reply::Answer(status, headers, body) => Ok(HttpResponse { status, headers, body }),
                Reply::Failed(failed) => Err(failed),
                Reply::Silence(_) => Err(late()),
            }
        })
    }

    fn open(&self, request: HttpRequest) -> Future<Result<HttpStream, HttpFailure>> {
        let reply = self.next(request);
        Box::pin(async move {
            match reply {
                Reply::Answer(status, headers, body) => {
                    Ok(HttpStream { status, headers, pieces: Box::pin(stream::iter([Ok(body)])) })
                }
                Reply::Failed(failed) => Err(failed),
                Reply::Silence(body) => {
                    use futures_util::StreamExt as _;
                    let pieces =
                        stream::iter(Some(body).filter(|body| !body.is_empty()).map(Ok)).chain(stream::pending());
                    let headers = headers(&[("content-type", "text/event-stream")]);
                    Ok(HttpStream { status: 200, headers, pieces: Box::pin(pieces) })
                }
            }
        })
    }
}

pub(super) fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let pair =
        |(name, value): &(&'static str, &str)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap());
    pairs.iter().map(pair).collect()
}

pub(super) fn answered(status: u16, body: &Value) -> Reply {
    Reply::Answer(status, HeaderMap::new(), body.to_string().into_bytes())
}

pub(super) fn nothing(status: u16) -> Reply {
    Reply::Answer(status, HeaderMap::new(), Vec::new())
}

pub(super) fn unreached() -> Reply {
    Reply::Failed(HttpFailure { message: "refused".to_owned(), is_unreached: true, is_timeout: false })
}

pub(super) fn lost() -> Reply {
    Reply::Failed(HttpFailure { message: "reset".to_owned(), is_unreached: false, is_timeout: false })
}

pub(super) fn timed_out() -> Reply {
    Reply::Failed(late())
}

pub(super) fn limited(after: Duration) -> Reply {
    let seconds = after.as_secs();
    let body = serde_json::json!({ "error": "rate_limit_exceeded", "message": "slow down", "retry_after": seconds });
    Reply::Answer(429, headers(&[("retry-after", &seconds.to_string())]), body.to_string().into_bytes())
}

/// Test data that all SDKs share.
pub(super) fn shared(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}
