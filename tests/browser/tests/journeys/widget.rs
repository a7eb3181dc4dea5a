//! The widget, embedded in pages of other sites.

use browser::{AriaRole, Page, walk};
use domain::identity::workspaces::Role;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::people::at_work;

const GUIDE: &str = include_str!("../../../../docs/support.md");

/// A site with one page, at its own origin.
struct Site {
    origin: String,
    listener: TcpListener,
}

impl Site {
    async fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        Self { origin: format!("http://{}", listener.local_addr().unwrap()), listener }
    }

    /// Shows a page with this in its body.
    fn show(self, body: &str) -> JoinHandle<()> {
        let page = format!("<!doctype html><html lang=en><title>Shop</title><link rel=icon href=data:,><body>{body}");
        let length = page.len();
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close";
        let response = format!("{head}\r\nContent-Length: {length}\r\n\r\n{page}");
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = self.listener.accept().await {
                let response = response.clone();
                tokio::spawn(async move {
                    // Reads only the start of a request, since there is one page. Some connections are opened and never used.
                    if stream.read(&mut [0; 4096]).await.is_ok_and(|read| read > 0) {
                        let _ = stream.write_all(response.as_bytes()).await;
                    }
                });
            }
        })
    }
}

async fn fill_in(page: &Page, subject: &str) {
    page.field("Name").fill("Ada").await;
    page.field("E-mail").fill("ada@example.org").await;
    page.field("Subject").fill(subject).await;
    page.field("Message").fill("It blinks.").await;
    page.button("Send").click().await;
}

#[tokio::test]
async fn the_embedded_widget_opens_tickets_only_from_listed_pages() {
    walk(async |test| {
        let (shop, other) = (Site::new().await, Site::new().await);
        let tenant = test.app.workspace().await;
        let owner = at_work(test, &tenant, Role::Owner, "Olga").await;
        owner.open("/settings/support").await;
        let customers = owner.role(AriaRole::Form, "For customers");
        owner.field("Widget").within(&customers).click().await;
        owner.field("Pages with the widget").within(&customers).fill(&shop.origin).await;
        owner.button("Save").within(&customers).click().await;
        owner.shows("The settings are saved.").await;
        let copied = owner.script("return document.getElementById('snippet').textContent", vec![]).await;
        let copied = copied.as_str().unwrap().trim().to_owned();

        // The guide shows the same, for another service and workspace.
        let snippet = GUIDE.split("```html\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
        let snippet = snippet.replace("https://service.example.com", &test.app.base_url);
        assert_eq!(snippet.replace("WORKSPACE_ID", &tenant.workspace.id.to_string()), copied);

        let origins = [shop.origin.clone(), other.origin.clone()];
        let _serving = [shop.show(&copied), other.show(&copied)];
        let visitor = test.visitor().await;
        visitor.go(&origins[0]).await;
        fill_in(&visitor, "It does not print").await;
        visitor.shows("Thank you, we will answer by e-mail.").await;
        assert_eq!(visitor.field("Subject").value().await, "");
        owner.open("/tickets").await;
        owner.shows("It does not print").await;

        let unlisted = test.visitor().await;
        unlisted.expect_message("403 (Forbidden)");
        unlisted.expect_message("blocked by CORS policy");
        unlisted.expect_message("ERR_FAILED");
        unlisted.go(&origins[1]).await;
        fill_in(&unlisted, "From elsewhere").await;
        unlisted.shows("That did not work. Please try again.").await;
        assert_eq!(unlisted.field("Subject").value().await, "From elsewhere");
        owner.open("/tickets").await;
        owner.shows_no("From elsewhere").await;
    })
    .await;
}
