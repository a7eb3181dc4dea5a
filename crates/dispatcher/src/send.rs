//! One attempt: sign, send, and read the response.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::kernel::sealing::MasterKeys;
use domain::ports::{Clock, Random};
use domain::webhooks::{
    Attempt, AttemptOutcome, AttemptRecord, ClaimOutcome, ClaimedDelivery, PlainHeaders, PlainSecret, TargetPolicy,
    decide, request_headers,
};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderValue, USER_AGENT};
use hyper::{Request, Response, Uri};
use time::OffsetDateTime;
use tokio::time::Instant;
use uuid::Uuid;

use crate::connect::{self, HttpClient};
use crate::request_error::{self, RequestFailure};
use crate::response::{read_prefix, retry_after, stored_text};
use crate::{log_fields, metrics};

const AGENT: &str = concat!("workspace-service-webhooks/", env!("CARGO_PKG_VERSION"));

pub(crate) struct Sender {
    pub(crate) client: HttpClient,
    pub(crate) targets: TargetPolicy,
    pub(crate) master_keys: Arc<MasterKeys>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
    pub(crate) owner: Uuid,
    pub(crate) within: Duration,
    /// Whether a secret that cannot be decrypted was already logged.
    pub(crate) has_warned: AtomicBool,
}

struct AttemptResult {
    outcome: AttemptOutcome,
    error: Option<String>,
    response: Option<String>,
}

impl AttemptResult {
    fn without_response(outcome: AttemptOutcome, error: impl Into<String>) -> Self {
        Self { outcome, error: Some(error.into()), response: None }
    }

    fn of_failure(error: &(dyn std::error::Error + 'static)) -> Self {
        match request_error::of(error) {
            RequestFailure::Refused => Self::without_response(AttemptOutcome::Refused, request_error::SPECIAL_ADDRESS),
            RequestFailure::NoAnswer(why) => Self::without_response(AttemptOutcome::NoResponse, why),
        }
    }
}

impl Sender {
    /// Makes the next attempt of a delivery, if one may still start, and decides the next step. Log lines of the attempt carry its
    /// ids.
    pub(crate) async fn attempt(&self, claimed: ClaimedDelivery) -> AttemptRecord {
        let context = log_fields::of(claimed.workspace, claimed.subscription.id, claimed.delivery.id);
        let attempt = async {
            let _logs = log_fields::LogsPanic;
            self.decided(claimed).await
        };
        context.scope(attempt).await
    }

    async fn decided(&self, claimed: ClaimedDelivery) -> AttemptRecord {
        let (started_at, began) = (self.clock.now(), self.clock.elapsed());
        let due = claimed.delivery.next_attempt_at.unwrap_or(claimed.delivery.created_at);
        let first = claimed.first_attempt_at.unwrap_or(started_at);
        let (number, number_now) = (claimed.delivery.attempts + 1, claimed.delivery.attempts_now() + 1);
        let manual = claimed.delivery.redelivered_at.is_some();
        let (workspace, delivery, subscription) = (claimed.workspace, claimed.delivery.id, claimed.subscription.id);
        let record =
            |outcome, now| AttemptRecord { workspace, delivery, subscription, owner: self.owner, outcome, now };
        if claimed.last_start().is_some_and(|last| started_at > last) {
            log::debug!("the retry waited too long: the delivery fails without another attempt");
            return record(ClaimOutcome::Expired, started_at);
        }
        let result = self.call(claimed, started_at).await;
        let (now, took) = (self.clock.now(), self.clock.elapsed().saturating_sub(began));
        let lag = (started_at - due).try_into().unwrap_or_default();
        metrics::record_attempt((subscription, delivery), result.outcome, took, lag);
        let verdict = decide(result.outcome, number_now, first, now, self.jitter());
        log::debug!("attempt {number}: {:?} {:?}, {verdict:?}", result.outcome, result.error);
        let status = match result.outcome {
            AttemptOutcome::Response { status, .. } => Some(status),
            AttemptOutcome::NoResponse | AttemptOutcome::Refused => None,
        };
        let duration_ms = u32::try_from(took.as_millis()).unwrap_or(u32::MAX);
        let error = result.error.or_else(|| result.outcome.why_final().map(str::to_owned));
        let response = result.response;
        let attempt = Attempt { number, started_at, duration_ms, status, error, response, manual };
        record(ClaimOutcome::Attempted { attempt, verdict }, now)
    }

    async fn call(&self, claimed: ClaimedDelivery, now: OffsetDateTime) -> AttemptResult {
        let until = Instant::now() + self.within;
        let target = match connect::target(&claimed.subscription.url, self.targets) {
            Ok(target) => target,
            Err(refusal) => return AttemptResult::without_response(AttemptOutcome::Refused, refusal.to_string()),
        };
        let Some(sealed) = self.open(&claimed, now) else {
            // Treated as no response, so that it is retried after the operator has restored the master key.
            return AttemptResult::without_response(AttemptOutcome::NoResponse, request_error::SEALED);
        };
        let request = match request(target, claimed, &sealed, now) {
            Ok(request) => request,
            Err(error) => return AttemptResult::of_failure(&error),
        };
        match tokio::time::timeout_at(until, self.client.request(request)).await {
            Ok(Ok(response)) => self.read(response, &sealed, until).await,
            Ok(Err(error)) => AttemptResult::of_failure(&error),
            Err(_) => AttemptResult::without_response(AttemptOutcome::NoResponse, request_error::TIME_OUT),
        }
    }

    /// Reads the response. Only the status decides the outcome. The part of the body that arrives in time is stored in the history.
    async fn read(&self, response: Response<Incoming>, sealed: &OpenedSeals, until: Instant) -> AttemptResult {
        let status = response.status().as_u16();
        let retry_after = retry_after(response.headers(), self.clock.now());
        let (mut body, mut prefix) = (response.into_body(), Vec::new());
        // Dropping a body before its end closes the connection.
        let _ = tokio::time::timeout_at(until, read_prefix(&mut body, &mut prefix)).await;
        AttemptResult {
            outcome: AttemptOutcome::Response { status, retry_after },
            error: None,
            response: stored_text(&prefix, sealed.headers.iter().flat_map(PlainHeaders::iter).map(|(_, value)| value)),
        }
    }

    fn open(&self, claimed: &ClaimedDelivery, now: OffsetDateTime) -> Option<OpenedSeals> {
        let owner = (claimed.workspace, claimed.subscription.id);
        let secrets = claimed.subscription.secrets.at(now).map(|it| PlainSecret::open(&self.master_keys, owner, it));
        let headers = claimed.subscription.headers.as_ref().map(|headers| headers.open(&self.master_keys, owner));
        let opened = secrets
            .collect::<Result<_, _>>()
            .and_then(|secrets| Ok(OpenedSeals { secrets, headers: headers.transpose()? }));
        opened
            .inspect_err(|error| {
                // Logged once, because the history of each delivery shows it too.
                if !self.has_warned.swap(true, Ordering::Relaxed) {
                    log::error!("{error}; its deliveries will be retried; further failing secrets are not logged");
                }
            })
            .ok()
    }

    fn jitter(&self) -> f64 {
        let mut bytes = [0; 4];
        self.random.fill(&mut bytes);
        f64::from(u32::from_ne_bytes(bytes)) / f64::from(u32::MAX)
    }
}

/// The decrypted secrets and headers of a subscription.
struct OpenedSeals {
    /// The signing secrets, oldest first.
    secrets: Vec<PlainSecret>,
    headers: Option<PlainHeaders>,
}

fn request(
    target: Uri,
    claimed: ClaimedDelivery,
    sealed: &OpenedSeals,
    now: OffsetDateTime,
) -> Result<Request<Full<Bytes>>, hyper::http::Error> {
    let (delivery, module) = (claimed.delivery, claimed.subscription.module);
    let mut request = Request::post(target).header(USER_AGENT, AGENT);
    for (name, value) in request_headers(&delivery, module, &sealed.secrets, now.unix_timestamp()) {
        request = request.header(name, value);
    }
    for (name, value) in sealed.headers.iter().flat_map(PlainHeaders::iter) {
        let mut value = HeaderValue::from_str(value)?;
        value.set_sensitive(true);
        request = request.header(name, value);
    }
    request.body(Full::new(Bytes::from(delivery.body)))
}
