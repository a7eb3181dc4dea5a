//! Requests of forms at the same time as automatic updates.

use browser::walk;
use domain::identity::workspaces::Role;
use serde_json::json;

use crate::people::{COMPANIES, at_work};

/// A click just before the page shows changes by others.
#[tokio::test]
async fn automatic_updates_do_not_drop_the_response_to_a_click() {
    walk(async |test| {
        let tenant = test.app.workspace().await;
        let client = tenant.full_access().await;
        let id = client.post(COMPANIES, json!({"name": "Acme", "industry": "Steel"})).await.expect(201).id();
        let ann = at_work(test, &tenant, Role::Member, "Ann").await;
        ann.open(&format!("/companies/{id}")).await;
        // Other parts of the page are loading meanwhile.
        let edit = "const edit = ({ target }) => {
                if (target.id !== 'record') return;
                document.removeEventListener('htmx:beforeSwap', edit, true);
                document.getElementById('edit-phone').click();
            };
            document.addEventListener('htmx:beforeSwap', edit, true)";
        ann.script(edit, vec![]).await;
        let change = json!({"industry": "Iron"});
        let _ = client.patch(&format!("{COMPANIES}/{id}"), change).await.expect(200);
        ann.field("Phone").fill("2").await;
        ann.button("Save").click().await;
        ann.shows("Iron").await;
        assert_eq!(client.get(&format!("{COMPANIES}/{id}")).await.expect(200).data()["phone"], "2");
    })
    .await;
}
