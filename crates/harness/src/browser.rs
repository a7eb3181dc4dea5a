//! A browser without scripts that is signed in to the console.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};

use crate::http::{Client, Message};
use crate::tenant::{PASSWORD, Tenant};

const TIMEOUT: Duration = Duration::from_secs(30);

impl Tenant {
    /// A connection with the cookies of a new session of the owner.
    pub async fn browser(&self, service: SocketAddr) -> anyhow::Result<Client> {
        Ok(Client::new(service).as_browser(&self.cookies_of(service, &self.email()).await?))
    }

    /// The line of the cookies of a new session of a member.
    pub async fn cookies_of(&self, service: SocketAddr, email: &str) -> anyhow::Result<String> {
        let signing_in = sign_in(service, email, &self.slug);
        tokio::time::timeout(TIMEOUT, signing_in).await.context("signing in timed out")?
    }
}

/// The token of the forms of a session, from one of its pages.
pub async fn form_token(service: SocketAddr, cookies: &str) -> anyhow::Result<String> {
    let page = Client::new(service).with_header("Cookie", cookies).text("/account").await?;
    Ok(token_in(&page).context("the page of the account has no form")?.to_owned())
}

fn token_in(html: &str) -> Option<&str> {
    html.split("name=\"_token\" value=\"").nth(1)?.split('"').next()
}

/// Signs in with the form of the page. Returns the line of the cookies.
async fn sign_in(service: SocketAddr, email: &str, workspace: &str) -> anyhow::Result<String> {
    let mut connection = Client::new(service).open().await?;
    let page = connection.exchange("GET /sign-in HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n").await?;
    let mut cookies = BTreeMap::new();
    keep(&page, &mut cookies);
    let html = String::from_utf8_lossy(&page.body);
    let token = token_in(&html).context("the page to sign in has no form")?;
    let password = PASSWORD.replace(' ', "+");
    let body = format!("_token={token}&email={email}&password={password}&workspace={workspace}");
    let sent = connection
        .exchange(&format!(
            "POST /sign-in HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nCookie: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
            line_of(&cookies),
            body.len()
        ))
        .await?;
    let status = sent.head.split(' ').nth(1).unwrap_or_default();
    ensure!(status == "303", "signing in to the console was answered with {status}");
    keep(&sent, &mut cookies);
    Ok(line_of(&cookies))
}

/// Keeps the cookies that a response sets.
fn keep(message: &Message, cookies: &mut BTreeMap<String, String>) {
    let headers = message.head.lines().filter_map(|line| line.split_once(':'));
    let set = headers.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    for (name, value) in set.filter_map(|(_, cookie)| cookie.trim().split(';').next()?.split_once('=')) {
        cookies.insert(name.to_owned(), value.to_owned());
    }
}

fn line_of(cookies: &BTreeMap<String, String>) -> String {
    cookies.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_value_of_a_cookie_is_kept() {
        let head =
            "HTTP/1.1 303 See Other\r\nSet-Cookie: a=1; Path=/\r\nset-cookie: b=2\r\nSet-Cookie: a=3; HttpOnly\r\n";
        let mut cookies = BTreeMap::new();
        keep(&Message { head: head.to_owned(), body: Vec::new() }, &mut cookies);
        assert_eq!(line_of(&cookies), "a=3; b=2");
    }
}
