//! `POST /api/auth/password-resets`.

use std::sync::Arc;

use actix_web::HttpResponse;
use domain::accounts::{self, ResetRequestFields};
use domain::limits::Class;
use http_frame::admission::Open;
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::Endpoint;
use http_frame::errors::Failure;
use http_frame::reply;

use super::Done;

pub(crate) struct RequestPasswordReset;

impl Endpoint for RequestPasswordReset {
    const ROUTE: &'static str = "POST /api/auth/password-resets";
    const CLASS: Class = Class::Critical;
    type Access = Open;
    type Path = ();
    type Query = ();
    type Headers = ();
    type Body = body::Create<ResetRequestFields>;

    /// Answers first and works then: neither the answer nor its time says whether the address is known.
    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let (ports, fields) = (Arc::clone(&call.ports), call.body.0.clone());
        call.after_the_answer(async move {
            if let Err(error) = accounts::request_password_reset(&ports, fields).await {
                log::error!("a password reset could not be prepared: {error}");
            }
        });
        Ok(reply::accepted(&Done { done: true }))
    }
}
