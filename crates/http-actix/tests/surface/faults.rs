//! A store that fails, does not respond or panics.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_trait::async_trait;
use domain::WorkspaceId;
use domain::ports::{Job, Store, StoreError};

use http_core::testing::{TestApp, anonymous};

use super::SURFACES;

#[derive(Clone, Copy)]
enum Fault {
    Hangs,
    Panics,
    Internal,
    Busy,
}

struct Faulty(Fault);

impl Faulty {
    async fn fail(&self) -> Result<(), StoreError> {
        match self.0 {
            Fault::Hangs => std::future::pending().await,
            Fault::Panics => panic!("secret text"),
            Fault::Internal => Err(StoreError::Internal("secret text".to_owned())),
            Fault::Busy => Err(StoreError::Busy),
        }
    }
}

#[async_trait]
impl Store for Faulty {
    async fn run(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        self.fail().await
    }

    async fn statement(&self, _: WorkspaceId, _: Job) -> Result<(), StoreError> {
        self.fail().await
    }
}

#[actix_web::test]
async fn every_fault_gets_the_error_envelope() {
    for (fault, status, code) in [
        (Fault::Hangs, 503, "unavailable"),
        (Fault::Busy, 503, "unavailable"),
        (Fault::Panics, 500, "internal"),
        (Fault::Internal, 500, "internal"),
    ] {
        let mut app = TestApp::new(SURFACES);
        app.ports().store = Arc::new(Faulty(fault));
        // The other faults fail immediately, and must not hit the deadline on a busy machine.
        if matches!(fault, Fault::Hangs) {
            app.state.settings.deadline = Duration::from_millis(50);
            app.state.settings.bulk_deadline = Duration::from_millis(50);
        }
        for request in [
            app.request("GET", "/api/v1/projects"),
            app.json("POST", "/api/v1/projects", "{\"name\":\"P\"}"),
            app.json(
                "POST",
                "/api/v1/issues/bulk-update",
                "{\"issueIds\":[\"01890a5d-ac96-774b-bcce-b302099a8057\"],\"patch\":{\"priority\":\"low\"}}",
            ),
        ] {
            let reply = app.answer(request).await;
            assert_eq!((reply.status, &*reply.code()), (status, code));
            assert_eq!(reply.header("retry-after"), if status == 503 { "1" } else { "" });
            assert_eq!(reply.json()["error"]["request_id"], reply.header("x-request-id"));
            assert_eq!(reply.header("x-api-version"), "v1");
            assert!(!reply.text.contains("secret"));
        }
        assert_eq!(app.answer(anonymous("GET", "/healthz")).await.status, 200);
    }
}

#[actix_web::test]
async fn bulk_operations_have_their_own_deadline() {
    let mut app = TestApp::new(SURFACES);
    app.ports().store = Arc::new(Faulty(Fault::Hangs));
    app.state.settings.bulk_deadline = Duration::from_millis(50);
    let body = "{\"issueIds\":[\"01890a5d-ac96-774b-bcce-b302099a8057\"],\"patch\":{\"priority\":\"low\"}}";
    assert_eq!(app.answer(app.json("POST", "/api/v1/issues/bulk-update", body)).await.status, 503);
}

#[actix_web::test]
async fn readiness_ends_with_draining() {
    let app = TestApp::new(SURFACES);
    assert_eq!(app.answer(anonymous("GET", "/readyz")).await.json()["status"], "ready");
    app.state.settings.draining.store(true, Ordering::Relaxed);
    let reply = app.answer(anonymous("GET", "/readyz")).await;
    assert_eq!((reply.status, reply.json()["status"].as_str()), (503, Some("draining")));
    assert_eq!(app.answer(anonymous("GET", "/healthz")).await.status, 200);
    assert_eq!(app.answer(app.request("GET", "/api/v1/projects")).await.status, 200);
}
