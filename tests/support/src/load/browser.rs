//! A browser without scripts that is signed in to the console.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, ensure};

use super::http::{Client, Connection, Message, in_workspace};
use super::tenant::Tenant;
use crate::program::PASSWORD;

const TIMEOUT: Duration = Duration::from_secs(30);

impl Tenant {
    /// A connection with the cookies of a new session of the owner.
    pub async fn browser(&self, service: SocketAddr) -> anyhow::Result<Client> {
        Ok(Client::new(service).as_browser(&self.cookies_of(service, &self.email()).await?))
    }

    /// The `Cookie` header of a new session of a member.
    pub async fn cookies_of(&self, service: SocketAddr, email: &str) -> anyhow::Result<String> {
        Ok(cookie_header(&FormSession::open(service, email, &self.slug).await?.cookies))
    }
}

/// The form token of a session.
pub async fn form_token(service: SocketAddr, cookies: &str) -> anyhow::Result<String> {
    let page = Client::new(service).with_header("Cookie", cookies).text("/account").await?;
    token_of(&page)
}

/// A console session that sends forms.
#[derive(Debug)]
pub struct FormSession {
    connection: Connection,
    cookies: BTreeMap<String, String>,
    token: String,
}

impl FormSession {
    pub async fn open(service: SocketAddr, email: &str, workspace: &str) -> anyhow::Result<Self> {
        let mut connection = Client::new(service).open().await?;
        let session = sign_in(&mut connection, email, workspace);
        let cookies = tokio::time::timeout(TIMEOUT, session).await.context("signing in timed out")??;
        let line = cookie_header(&cookies);
        let account = format!(
            "GET {} HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nCookie: {line}\r\n\r\n",
            in_workspace(&line, "/account")
        );
        let token = token_in(&connection.exchange(&account).await?)?;
        Ok(Self { connection, cookies, token })
    }

    /// Sends a form with encoded fields. Returns the status.
    pub async fn post(&mut self, path: &str, fields: &str) -> anyhow::Result<u16> {
        let body = format!("_token={}&{fields}", self.token);
        let response = self.connection.exchange(&form(path, &self.cookies, &body)).await?;
        store_cookies(&response, &mut self.cookies);
        response.head.split(' ').nth(1).and_then(|status| status.parse().ok()).context("an answer without a status")
    }
}

fn form(path: &str, cookies: &BTreeMap<String, String>, body: &str) -> String {
    let line = cookie_header(cookies);
    format!(
        "POST {} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nCookie: {line}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n{body}",
        in_workspace(&line, path),
        body.len()
    )
}

/// The token of the first form of a page.
fn token_in(page: &Message) -> anyhow::Result<String> {
    token_of(&String::from_utf8_lossy(&page.body))
}

fn token_of(html: &str) -> anyhow::Result<String> {
    let token = html.split("name=\"_token\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
    Ok(token.context("the page has no form")?.to_owned())
}

/// Signs in with the page's form. Returns the cookies.
async fn sign_in(
    connection: &mut Connection,
    email: &str,
    workspace: &str,
) -> anyhow::Result<BTreeMap<String, String>> {
    let page = connection.exchange("GET /sign-in HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\n\r\n").await?;
    let mut cookies = BTreeMap::new();
    store_cookies(&page, &mut cookies);
    let token = token_in(&page)?;
    let password = PASSWORD.replace(' ', "+");
    let body = format!("_token={token}&email={email}&password={password}&workspace={workspace}");
    let response = connection.exchange(&form("/sign-in", &cookies, &body)).await?;
    let status = response.head.split(' ').nth(1).unwrap_or_default();
    ensure!(status == "303", "signing in to the console was answered with {status}");
    store_cookies(&response, &mut cookies);
    Ok(cookies)
}

fn store_cookies(message: &Message, cookies: &mut BTreeMap<String, String>) {
    let headers = message.head.lines().filter_map(|line| line.split_once(':'));
    let set = headers.filter(|(name, _)| name.eq_ignore_ascii_case("set-cookie"));
    for (name, value) in set.filter_map(|(_, cookie)| cookie.trim().split(';').next()?.split_once('=')) {
        cookies.insert(name.to_owned(), value.to_owned());
    }
}

fn cookie_header(cookies: &BTreeMap<String, String>) -> String {
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
        store_cookies(&Message { head: head.to_owned(), body: Vec::new() }, &mut cookies);
        assert_eq!(cookie_header(&cookies), "a=3; b=2");
    }
}
