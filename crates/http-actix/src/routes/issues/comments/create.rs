//! `POST /issues/{issue_id}/comments`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::identity::access::CreateComments;
use domain::kernel::idempotency::Answer;
use domain::work::comments::{self, Comment, CommentFields};
use http_core::endpoint::{Action, Call, Endpoint};
use http_core::errors::Failure;
use http_core::idempotency::IdempotencyKey;
use http_core::{body, reply};

pub(crate) struct Create;

impl Endpoint for Create {
    const ROUTE: &'static str = "POST /api/v1/issues/{issue_id}/comments";
    type Access = CreateComments;
    type Path = IssueId;
    type Query = ();
    type Headers = IdempotencyKey;
    type Body = body::Create<CommentFields>;

    async fn handle(call: Call<Self>) -> Result<HttpResponse, Failure> {
        let once = call.once();
        let outcome = comments::create(&call.ports, &call.permit, once, call.path, call.body.0).await?;
        Ok(reply::outcome::<Self>(outcome))
    }
}

impl Action for Create {
    type Made = Comment;

    fn answer(comment: &Comment) -> Answer {
        reply::created(comment, format!("/api/v1/issues/{}/comments/{}", comment.issue_id, comment.id))
    }
}
