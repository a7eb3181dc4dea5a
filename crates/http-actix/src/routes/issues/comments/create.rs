//! `POST /issues/{issue_id}/comments`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::CreateComments;
use domain::kernel::idempotency::StoredResponse;
use domain::work::comments::{self, Comment, CommentFields};
use http_core::endpoint::{Action, Endpoint};
use http_core::endpoint_request::EndpointRequest;
use http_core::errors::HttpError;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, responses};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/issues/{issue_id}/comments";
    type Access = CreateComments;
    type Path = IssueId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<CommentFields>;

    async fn handle(call: EndpointRequest<Self>) -> Result<HttpResponse, HttpError> {
        let once = call.once();
        let outcome = comments::create(&call.ports, &call.permit, once, call.path, call.body.0).await?;
        Ok(responses::idempotent::<Self>(outcome))
    }
}

impl Action for Create {
    type Output = Comment;

    fn response(comment: &Comment) -> StoredResponse {
        responses::created(comment, format!("/api/v1/issues/{}/comments/{}", comment.issue_id, comment.id))
    }
}
