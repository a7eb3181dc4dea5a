//! The ids in a path.

use actix_web::HttpRequest;
use domain::kernel::input::{Problems, parse_uuid};
use domain::{
    ApiKeyId, DealId, DeliveryId, IssueId, KbArticleId, ProjectId, SessionId, SubscriptionId, UserId, WorkspaceId,
};
use uuid::Uuid;

/// What an operation reads from its path.
pub trait PathIds {
    /// Parses the ids. An invalid one is added to `problems` and replaced by the nil id.
    fn read(request: &HttpRequest, problems: &mut Problems) -> Self;
}

impl PathIds for () {
    fn read(_: &HttpRequest, _: &mut Problems) -> Self {}
}

macro_rules! path_ids {
    ($($id:ident = $name:literal),*) => { $(
        impl PathIds for $id {
            fn read(request: &HttpRequest, problems: &mut Problems) -> Self {
                let id = request.match_info().get($name).and_then(parse_uuid).unwrap_or_else(|| {
                    problems.shape($name, "invalid_uuid", "must be a UUID");
                    Uuid::nil()
                });
                Self(id)
            }
        }
    )* };
}

path_ids!(
    DealId = "deal_id",
    ProjectId = "project_id",
    IssueId = "issue_id",
    ApiKeyId = "key_id",
    UserId = "member_id",
    SubscriptionId = "webhook_id",
    DeliveryId = "delivery_id",
    KbArticleId = "article_id",
    SessionId = "session_id",
    WorkspaceId = "workspace_id"
);
