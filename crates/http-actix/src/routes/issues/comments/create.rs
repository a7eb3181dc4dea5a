//! `POST /issues/{issue_id}/comments`.

use actix_web::HttpResponse;
use domain::IssueId;
use domain::access::CreateComments;
use domain::idempotency::Answer;
use domain::issues::comments::{self, Comment, CommentFields};
use http_frame::body;
use http_frame::call::Call;
use http_frame::endpoint::{Action, Endpoint};
use http_frame::errors::Failure;
use http_frame::idempotency::IdempotencyKey;
use http_frame::reply;

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
