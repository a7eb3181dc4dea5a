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

/// Makes a [`Client`]. The key is in no rendering of it.
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
    /// The API key; otherwise it is `SERVICE_API_KEY` of the environment.
    #[must_use]
    pub fn api_key(mut self, key: impl Into<String>) -> Self {
        self.api_key = Some(key.into());
        self
    }

    /// The address of the service; otherwise it is `SERVICE_API_URL` of the environment.
    #[must_use]
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = Some(url.into());
        self
    }

    /// How long each attempt may take: 40 seconds. The service takes up to 30 for the largest writes.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// How often a failed attempt is repeated at most, where that is safe: three times.
    #[must_use]
    pub fn max_retries(mut self, retries: u32) -> Self {
        self.max_retries = retries;
        self
    }

    /// The longest `Retry-After` that is waited for: a minute. Beyond it, the answer is an error at once.
    #[must_use]
    pub fn max_retry_after(mut self, longest: Duration) -> Self {
        self.max_retry_after = longest;
        self
    }

    /// Called before each wait, with how long and why. Without it, a warning of the crate `log` says so.
    #[must_use]
    pub fn on_retry(mut self, told: impl Fn(&Retry) + Send + Sync + 'static) -> Self {
        self.on_retry = OnRetry(Some(Arc::new(told)));
        self
    }

    /// Changes how connections are made, for a proxy; for a certificate authority of your own, pass a whole configuration of
    /// rustls by `tls_backend_preconfigured`, since single certificates are not added to the one in use. Redirects stay off.
    #[must_use]
    pub fn http(mut self, configure: impl FnOnce(ClientBuilder) -> ClientBuilder + Send + 'static) -> Self {
        self.configure = Some(Box::new(configure));
        self
    }

    /// The client, or what is wrong with its settings; a message never repeats the key.
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

/// The settings of a client. The key is not shown.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// A header value that is marked as sensitive shows nothing.
    pub(crate) authorization: HeaderValue,
    /// Without a slash at its end.
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
    // Without randomness, the pauses are the longest.
    SystemRandom::new().fill(&mut bytes).map_or(1.0, |()| f64::from(u32::from_le_bytes(bytes)) / f64::from(u32::MAX))
}

/// An idempotency key.
fn new_key() -> Result<String, Error> {
    let mut bytes = [0; 16];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::configuration("the system has no random numbers"))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}
