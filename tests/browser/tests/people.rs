//! Actions that several walks share.

use browser::{AriaRole, Page, Walk};
use domain::identity::workspaces::Role;
use serde_json::json;
use test_support::{Tenant, TestUser};
use time::Date;

pub(crate) const COMPANIES: &str = "/api/v1/crm/companies";

/// A member of a workspace with this name.
pub(crate) async fn member(tenant: &Tenant, role: Role, name: &str) -> TestUser {
    let user = tenant.user(role).await;
    let _ = user.client.patch("/api/account", json!({ "name": name })).await.expect(200);
    user
}

/// A browser in which the user is signed in.
pub(crate) async fn browser_of(test: &Walk, user: &TestUser) -> Page {
    // The cookie's name if the public URL is not https.
    let name = format!("session-{}", user.workspace);
    test.visitor_with_cookie(&name, user.client.key().unwrap()).await
}

/// The browser of a new member with this name, who is signed in.
pub(crate) async fn at_work(test: &Walk, tenant: &Tenant, role: Role, name: &str) -> Page {
    browser_of(test, &member(tenant, role, name).await).await
}

/// Fills in the sign-in form.
pub(crate) async fn sign_in(page: &Page, email: &str, password: &str) {
    page.field("Email").fill(email).await;
    page.field("Password").fill(password).await;
    page.button("Sign in").click().await;
}

/// Opens the link of the newest e-mail to this address, which is its `count`th, in a new browser.
pub(crate) async fn follow_link(test: &Walk, address: &str, count: usize) -> Page {
    let _ = test.app.inbox.token(address, count).await;
    let email = test.app.inbox.to(address).swap_remove(count - 1);
    let mut links = email.text().split_whitespace().filter(|word| word.contains("#token="));
    let link = links
        .find(|link| link.starts_with(&test.app.base_url))
        .unwrap_or_else(|| panic!("no link in {}", email.text()));
    let page = test.visitor().await;
    page.go(link).await;
    page
}

/// Presses Tab until an element with this name has the focus. The focus must be visible on the way.
pub(crate) async fn tab_to(page: &Page, name: &str) {
    let mut passed = Vec::new();
    while passed.len() < 120 {
        page.press(browser::Key::Tab).await;
        let focus = page.focused().await;
        assert!(focus.is_visible, "the focus cannot be seen on {focus:?}");
        if focus.name == name {
            return;
        }
        passed.push(focus.name);
    }
    panic!("Tab does not reach {name:?}, only {passed:?}");
}

/// Follows an entry of the navigation.
pub(crate) async fn go_to(page: &Page, entry: &str) {
    page.link(entry).within(&page.role(AriaRole::Navigation, "Main")).click().await;
}

/// A date as typed into a field of a browser with US settings.
pub(crate) fn as_typed(day: Date) -> String {
    format!("{:02}{:02}{}", u8::from(day.month()), day.day(), day.year())
}
