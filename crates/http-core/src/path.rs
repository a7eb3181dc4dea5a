//! The ids in a path.

use actix_web::HttpRequest;
use domain::kernel::input::{Problems, parse_uuid};
use domain::records::RecordKind;
use domain::work::cycles::CyclePlace;
use domain::{
    ApiKeyId, CommentId, CompanyId, ContactId, CycleId, DealId, DeliveryId, ErasureId, IssueId, ProjectId, ReplayId,
    SavedViewId, SessionId, SubscriptionId, TimeEntryId, UndoId, UserId, WorkspaceId, simple_kinds,
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

/// A path that names a record by its last id.
pub trait RecordPath: PathIds {
    type Id;

    fn record(&self) -> Self::Id;
}

/// A record, and a record within it.
impl<A: PathIds, B: PathIds> PathIds for (A, B) {
    fn read(request: &HttpRequest, problems: &mut Problems) -> Self {
        (A::read(request, problems), B::read(request, problems))
    }
}

impl<A: PathIds, B: RecordPath> RecordPath for (A, B) {
    type Id = B::Id;

    fn record(&self) -> B::Id {
        self.1.record()
    }
}

impl PathIds for CyclePlace {
    fn read(request: &HttpRequest, problems: &mut Problems) -> Self {
        let (project, id) = <(ProjectId, CycleId)>::read(request, problems);
        Self { project_id: Some(project), id }
    }
}

impl RecordPath for CyclePlace {
    type Id = CycleId;

    fn record(&self) -> CycleId {
        self.id
    }
}

/// The id with this name; an invalid one is added to `problems` and replaced by the nil id.
fn read_id(request: &HttpRequest, name: &str, problems: &mut Problems) -> Uuid {
    request.match_info().get(name).and_then(parse_uuid).unwrap_or_else(|| {
        problems.shape(name, "invalid_uuid", "must be a UUID");
        Uuid::nil()
    })
}

macro_rules! path_ids {
    ($($id:ty = $name:expr),*) => { $(
        impl PathIds for $id {
            fn read(request: &HttpRequest, problems: &mut Problems) -> Self {
                Self::from(read_id(request, $name, problems))
            }
        }

        impl RecordPath for $id {
            type Id = Self;

            fn record(&self) -> Self {
                *self
            }
        }
    )* };
}

/// Paths name the id of a record by its kind.
macro_rules! ids_of_kinds {
    ([$($(#[$doc:meta])* $kinds:ident = $name:literal: $one:ident, $type:ty, $id:ty;)+]) => {
        path_ids!($($id = &format!("{}_id", RecordKind::$one)),+);
    };
}

simple_kinds!(ids_of_kinds!());

path_ids!(
    ContactId = "contact_id",
    CompanyId = "company_id",
    DealId = "deal_id",
    ProjectId = "project_id",
    CycleId = "cycle_id",
    IssueId = "issue_id",
    CommentId = "comment_id",
    ApiKeyId = "key_id",
    UserId = "member_id",
    SubscriptionId = "webhook_id",
    DeliveryId = "delivery_id",
    ReplayId = "replay_id",
    TimeEntryId = "entry_id",
    SessionId = "session_id",
    ErasureId = "erasure_id",
    SavedViewId = "view_id",
    UndoId = "undo_id",
    WorkspaceId = "workspace_id"
);
