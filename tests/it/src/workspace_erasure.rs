//! Nothing of a deleted workspace remains in any table after 30 days.

use diesel::{Connection, PgConnection, RunQueryDsl};
use domain::identity::workspaces::{self, Role};
use domain::testing;
use serde_json::json;
use test_support::waiting::poll;
use test_support::{ApiResponse, App, Client, Tenant, eventually};

use crate::database::{count, texts};

/// All tables in the schema with rows of a workspace.
fn tables_of(app: &App, tenant: &Tenant) -> Vec<String> {
    let mut tables = texts(
        app,
        "SELECT relname::text FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
         WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
             AND attname = 'workspace_id' AND NOT attisdropped ORDER BY relname",
    );
    let id = tenant.workspace.id;
    tables.retain(|table| count(app, &format!("{table} WHERE workspace_id = '{id}'")) > 0);
    tables
}

/// Creates records of every kind that refer to each other.
async fn fill(tenant: &Tenant, owner: &Client) {
    let key = tenant.full_access().await;
    let post = async |path: &str, body| owner.create(path, body).await;
    let _ =
        post("/api/settings/webhooks", json!({"module": "projects", "url": "https://127.0.0.1:9/", "events": ["*"]}))
            .await;
    let contact = key.create("/api/v1/crm/contacts", json!({"email": "a@example.com"})).await;
    let deal = post("/api/v1/crm/deals", json!({"title": "d", "contact_id": contact})).await;
    let _ = post(&format!("/api/v1/crm/deals/{deal}/comments"), json!({"body": "b"})).await;
    let project = post("/api/v1/projects", json!({"name": "p", "deal_id": deal})).await;
    let days = json!({"name": "c", "start_date": "2030-01-01", "end_date": "2030-01-14"});
    let cycle = post(&format!("/api/v1/projects/{project}/cycles"), days).await;
    let task = json!({"kind": "task", "title": "t", "project_id": project, "cycle_id": cycle});
    let first = post("/api/v1/issues", task.clone()).await;
    let mut child = task;
    child["parent_id"] = json!(first);
    let second = post("/api/v1/issues", child).await;
    // An epic that is newer than its issue, which is the epic's parent: no order of deletion fits both references.
    let epic = json!({"issueIds": [first], "patch": {"epic_id": second}});
    let linked = owner.post("/api/v1/issues/bulk-update", epic).await.expect(200);
    assert_eq!(linked.data()["updatedCount"], 1, "{}", linked.text);
    let _ = post(&format!("/api/v1/issues/{second}/comments"), json!({"body": "b"})).await;
    let _ = post("/api/settings/kb/articles", json!({"title": "a", "status": "published"})).await;
    let request = key.request("POST", "/api/v1/projects").header("Idempotency-Key", "k").json(&json!({"name": "q"}));
    let _ = ApiResponse::of(request).await.expect(201);
    let _ = post("/api/settings/members", json!({"email": "invited@example.com", "role": "viewer"})).await;
}

#[tokio::test]
async fn everything_of_a_deleted_workspace_is_erased_after_30_days() {
    let app = App::start().await;
    let (home, tenant) = (app.workspace().await, app.workspace().await);
    let operator = home.operator(Role::Owner).await;
    let (only_there, owner) =
        (tenant.join("only.there@example.com", Role::Member).await, tenant.user(Role::Owner).await);
    // Users who are also in another workspace, and operators, stay. Invited people without an account are erased.
    let both = tenant.join(&operator.email, Role::Owner).await;
    let lone_operator = tenant.operator(Role::Viewer).await;
    let neighbour = home.user(Role::Member).await;
    let _ = tenant.join(&neighbour.email, Role::Member).await;
    fill(&tenant, &owner.client).await;
    fill(&home, &operator.client).await;
    let (filled, others) = (tables_of(&app, &tenant), tables_of(&app, &home));
    for table in ["events", "webhook_deliveries", "audit_log", "mails", "idempotency_keys", "issues", "comments"] {
        assert!(filled.iter().any(|filled| filled == table), "{table} is empty: {filled:?}");
    }
    let path = format!("/api/operator/workspaces/{}", tenant.workspace.id);
    let body = json!({"slug": tenant.workspace.slug});
    let deleted = ApiResponse::of(operator.client.request("DELETE", &path).json(&body)).await.expect(200);
    assert_eq!(deleted.data()["deleted"], true);
    app.advance(time::Duration::days(30) - time::Duration::minutes(1)).await;
    assert_eq!(app.ports.directory.erase_workspaces(app.ports.clock.now(), 100).await.unwrap().rows, 0, "not yet due");
    assert!(tables_of(&app, &tenant).contains(&"issues".to_owned()));
    app.advance(time::Duration::minutes(2)).await;
    // The service polls every 5 seconds.
    eventually("the workspace is erased", async || {
        count(&app, &format!("workspaces WHERE id = '{}'", tenant.workspace.id)) == 0
    })
    .await;
    assert_eq!(tables_of(&app, &tenant), Vec::<String>::new());
    let is_there = |id: domain::UserId| count(&app, &format!("users WHERE id = '{id}'")) == 1;
    let users = [only_there, owner.id, both, lone_operator.id, neighbour.id].map(is_there);
    assert_eq!(users, [false, false, true, true, true]);
    assert_eq!(count(&app, "users WHERE email = 'invited@example.com'"), 1, "invited to the other workspace, too");
    // Stored responses and sessions of other workspaces are also 30 days old and may be pruned.
    let pruned = [
        "sessions",
        "idempotency_keys",
        "idempotency_bytes",
        "mails",
        "mail_hours",
        "mail_parts",
        // Emptied within a second.
        "events_unnumbered",
        "deal_total_changes",
    ];
    let stays = |table: &&String| !pruned.contains(&table.as_str());
    let after = tables_of(&app, &home);
    let missing: Vec<_> = others.iter().filter(stays).filter(|table| !after.contains(table)).collect();
    assert!(missing.is_empty(), "neighbours lost {missing:?}");
    let operator = home.operator(Role::Owner).await.client;
    assert_eq!(operator.get(&path).await.status, 404);
    let successor = json!({"name": "Again", "slug": tenant.workspace.slug});
    let _ = operator.post("/api/operator/workspaces", successor).await.expect(201);
}

/// Each step is a transaction of a few rows. If a process is killed between two steps, the next process continues.
#[tokio::test]
async fn an_erasure_is_done_in_small_steps_and_cannot_be_stopped_halfway() {
    let (app, tenant, owner) = App::with_user(Role::Owner).await;
    fill(&tenant, &owner.client).await;
    let permit = || testing::operator().permit(tenant.workspace.clone());
    let slug = tenant.workspace.slug.clone();
    // The erasure does not touch workspaces that are not deleted.
    let mut connection = PgConnection::establish(&app.database_url()).unwrap();
    let refused = diesel::sql_query("DELETE FROM audit_log").execute(&mut connection).unwrap_err();
    assert!(refused.to_string().contains("only added to"), "{refused}");
    let _ = workspaces::delete(&app.ports, &permit(), &slug, false).await.unwrap();
    let refused = diesel::sql_query("DELETE FROM audit_log").execute(&mut connection).unwrap_err();
    assert!(refused.to_string().contains("only added to"), "{refused}");

    // Uses a time in the future of the service's clock, so that the service itself does not start the erasure.
    let due = app.ports.clock.now() + time::Duration::days(31);
    let (mut rows, mut steps) = (0, 0);
    loop {
        // A step does nothing while another transaction locks the workspace's row.
        let step = poll(async || {
            let step = app.ports.directory.erase_workspaces(due, 3).await.unwrap();
            let is_idle = step.rows == 0 && step.erased.is_none();
            if is_idle {
                Err(format!("nothing is left after {rows} rows, but the workspace is there"))
            } else {
                Ok(step)
            }
        });
        let step = step.await.unwrap();
        assert!(step.rows <= 6, "a step of 3 rows, and as many of events, took {}", step.rows);
        rows += step.rows;
        steps += 1;
        if step.erased.is_some() {
            assert_eq!(step.erased, Some(tenant.workspace.id));
            break;
        }
        if steps == 2 {
            let status = workspaces::SettableStatus::Active;
            let refusal = workspaces::set_status(&app.ports, &permit(), status).await.unwrap_err();
            assert_eq!(refusal.code().as_str(), "invalid_state_change");
        }
    }
    assert!(steps > 5, "{rows} rows in {steps} steps");
    assert_eq!(tables_of(&app, &tenant), Vec::<String>::new());
    assert_eq!(app.ports.directory.erase_workspaces(due, 3).await.unwrap().rows, 0);
}
