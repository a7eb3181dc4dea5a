//! Protects the callers of one process from each other: limits on connections, memory for responses and log lines.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::Method;

use crate::answers::{AnswerBudget, Estimates, Owner};
use crate::connections::{Connection, ConnectionLimits, Connections, Refused};
use crate::errors::HttpError;
use crate::page_pace::PagePace;
use crate::refusal_log::RefusalLog;
use crate::refusal_pace::RefusalPace;
use crate::rendering::RenderingPool;
use crate::request_context::RequestContext;
use crate::settings::HttpSettings;

/// The limits of one process, shared by all workers.
#[derive(Debug)]
pub(crate) struct Guards {
    pub(crate) connections: Arc<Connections>,
    pub(crate) answers: Arc<AnswerBudget>,
    pub(crate) estimates: Estimates,
    pub(crate) refusals: Arc<RefusalLog>,
    pub(crate) pace: RefusalPace,
    pub(crate) pages: PagePace,
    pub(crate) rendering: Arc<RenderingPool>,
}

impl Guards {
    pub(crate) fn new(settings: &HttpSettings) -> Self {
        Self {
            connections: Connections::new(ConnectionLimits {
                total: settings.max_connections,
                per_address: settings.connections_per_address,
                per_credential: settings.connections_per_credential,
                proxies: settings.trusted_proxies.clone(),
            }),
            answers: AnswerBudget::new(settings.answers),
            estimates: Estimates::default(),
            refusals: Arc::default(),
            pace: RefusalPace::default(),
            pages: PagePace::default(),
            rendering: Arc::default(),
        }
    }

    /// Reserves a connection and the memory for the response, before the use case runs. Fails with [`HttpError::Busy`] if
    /// the caller, its workspace or the process has used up either budget.
    pub(crate) fn hold(&self, request: &HttpRequest, owner: Owner) -> Result<(), HttpError> {
        let exchange = RequestContext::of(request);
        if exchange.memory.borrow().is_some() {
            return Ok(());
        }
        if let Owner::Credential { credential, .. } = owner
            && let Some(connection) = request.conn_data::<Arc<Connection>>()
        {
            let admitted = if connection.is_shared() {
                // A proxy's connections carry many clients, so requests are counted instead.
                let has_room = self.answers.responses_of(credential) < self.connections.limits.per_credential;
                has_room.then_some(()).ok_or(Refused::Credential)
            } else {
                self.connections.attribute(connection, credential)
            };
            if let Err(refused) = admitted {
                refused.count();
                return Err(HttpError::Busy);
            }
        }
        let is_read = [Method::GET, Method::HEAD].contains(request.method());
        let estimate = self.estimates.bytes_for(owner.workspace(), exchange.route.get(), is_read);
        let reservation = self.answers.reserve(owner, estimate).map_err(|_| HttpError::Busy)?;
        exchange.memory.replace(Some(reservation));
        Ok(())
    }
}
