//! Settings of a client.

use std::env;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use reqwest::header::HeaderValue;
use reqwest::{ClientBuilder, Url};
use ring::rand::{SecureRandom, SystemRandom};

use crate::client::Client;
use crate::error::Error;
use crate::http::Http;
use crate::retry::{OnRetry, Retry};
use crate::transport::Transport;

type Configure = Box<dyn FnOnce(ClientBuilder) -> ClientBuilder + Send>;

/// Builds a [`Client`]. Its `Debug` output does not contain the key.
pub struct Builder {
    api_key: Option<String>,
    base_url: Option<String>,
    timeout: Duration,
    max_retries: u32,
    max_retry_after: Duration,
    on_retry: OnRetry,
    configure: Option<Configure>,
}

impl fmt::Debug for Builder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Builder").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            api_key: None,
            base_url: None,
            timeout: Duration::from_secs(40),
            max_retries: 3,
            max_retry_after: Duration::from_mins(1),
            on_retry: OnRetry::default(),
            configure: None,
        }
    }
}

impl Builder {
    /// Sets the API key. Default: `SERVICE_API_KEY` in the environment.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// Sets the address of the service. Default: `SERVICE_API_URL` in the environment.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// Sets the timeout of each attempt. Default: 40 seconds. The service takes up to 30 for the largest writes.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets the maximum number of retries, which are made where that is safe. Default: 3.
    #[must_use]
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// Sets the longest `Retry-After` to wait for. Longer ones are an error immediately. Default: one minute.
    #[must_use]
    pub fn max_retry_after(mut self, longest: Duration) -> Self {
        self.max_retry_after = longest;
        self
    }

    /// Sets a function to call before each wait, with its length and reason. By default, the crate `log` logs a warning.
    #[must_use]
    pub fn on_retry(mut self, callback: impl Fn(&Retry) + Send + Sync + 'static) -> Self {
        self.on_retry = OnRetry(Some(Arc::new(callback)));
        self
    }

    /// Changes how connections are made, such as through a proxy. For your own certificate authority, pass a complete rustls
    /// configuration to `tls_backend_preconfigured`: single certificates are not added to the existing one. Redirects stay off.
    #[must_use]
    pub fn http(mut self, configure: impl FnOnce(ClientBuilder) -> ClientBuilder + Send + 'static) -> Self {
        self.configure = Some(Box::new(configure));
        self
    }

    /// Builds the client. Errors describe the invalid setting, and never contain the key.
    pub fn build(self) -> Result<Client, Error> {
        let settings = self.settings()?;
        let http = Http::new(&settings.base_url, self.configure)?;
        Ok(Client::new(Transport::new(settings, Arc::new(http))))
    }

    pub(crate) fn settings(&self) -> Result<Settings, Error> {
        let from =
            |value: &Option<String>, name: &str| value.clone().or_else(|| env::var(name).ok()).unwrap_or_default();
        let key = from(&self.api_key, "SERVICE_API_KEY");
        if key.is_empty() {
            return Err(Error::configuration("no API key: set SERVICE_API_KEY, or api_key of the builder"));
        }
        if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::configuration(
                "the API key is malformed: it contains a space, a line break or another invalid character",
            ));
        }
        if self.timeout.is_zero() {
            return Err(Error::configuration("the timeout must be more than 0"));
        }
        let mut authorization = HeaderValue::try_from(format!("Bearer {key}"))
            .map_err(|_| Error::configuration("the API key is malformed"))?;
        authorization.set_sensitive(true);
        Ok(Settings {
            authorization,
            base_url: base_url(from(&self.base_url, "SERVICE_API_URL").trim())?,
            timeout: self.timeout,
            max_retries: self.max_retries,
            max_retry_after: self.max_retry_after,
            on_retry: self.on_retry.clone(),
            random,
            new_key,
        })
    }
}

/// The settings of a client. Their `Debug` output does not show the key.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Marked as sensitive, so that `Debug` does not show it.
    pub(crate) authorization: HeaderValue,
    /// Without a trailing slash.
    pub(crate) base_url: String,
    pub(crate) timeout: Duration,
    pub(crate) max_retries: u32,
    pub(crate) max_retry_after: Duration,
    pub(crate) on_retry: OnRetry,
    /// From 0 to 1.
    pub(crate) random: fn() -> f64,
    pub(crate) new_key: fn() -> Result<String, Error>,
}

fn base_url(text: &str) -> Result<String, Error> {
    if text.is_empty() {
        return Err(Error::configuration("no address of the service: set SERVICE_API_URL, or base_url of the builder"));
    }
    let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let Some(url) = url else {
        return Err(Error::configuration(
            "the address of the service must be a URL such as https://service.example.com",
        ));
    };
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Error::configuration("the address of the service must not contain a user name or password"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(Error::configuration("the address of the service must not contain a query or a fragment"));
    }
    Ok(text.trim_end_matches('/').to_owned())
}

fn random() -> f64 {
    let mut bytes = [0; 4];
    // If there is no randomness, pauses have their maximum length.
    SystemRandom::new().fill(&mut bytes).map_or(1.0, |()| f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX))
}

/// An idempotency key.
fn new_key() -> Result<String, Error> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::configuration("the system has no random numbers"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
