//! A browser without scripts: keeps cookies, follows redirects and fills in forms.
//!
//! Tests write addresses without the workspace, as handlers do. The browser opens them in the last entered workspace, and
//! shows addresses of that workspace without it.

use std::collections::BTreeMap;
use std::sync::Mutex;

use reqwest::header::HeaderValue;
use reqwest::redirect::Policy;
use reqwest::{Method, RequestBuilder};

use super::ApiResponse;

/// More redirects in a row count as a loop.
const MAX_REDIRECTS: usize = 5;

/// One browser, with its own cookies.
#[derive(Debug)]
pub struct Browser {
    http: reqwest::Client,
    base_url: String,
    cookies: Mutex<BTreeMap<String, String>>,
    /// The slug of the last entered workspace; empty without a session.
    workspace: Mutex<String>,
    /// Whether addresses are used and shown unchanged.
    is_literal: bool,
}

/// Prefix of the session cookie's name, before the slug. The public URL of the tests is https.
const SESSION: &str = "__Host-session";

/// A page shown by the browser.
#[derive(Debug, Clone)]
pub struct Screen {
    /// Path and query, after redirects.
    pub address: String,
    pub response: ApiResponse,
}

impl Browser {
    /// A new browser that opens pages of the service at `base_url`.
    ///
    /// # Panics
    /// If the client cannot be built.
    pub fn new(base_url: &str) -> Self {
        let http = reqwest::Client::builder().redirect(Policy::none()).build();
        let http = http.unwrap_or_else(|error| panic!("no client: {error}"));
        Self {
            http,
            base_url: base_url.to_owned(),
            cookies: Mutex::default(),
            workspace: Mutex::default(),
            is_literal: false,
        }
    }

    /// Makes the browser use and show addresses unchanged.
    #[must_use]
    pub fn literally(self) -> Self {
        Self { is_literal: true, ..self }
    }

    /// The access token of the session in the last entered workspace.
    pub fn session(&self) -> Option<String> {
        self.cookie(&self.session_name())
    }

    /// Sets the access token of that session. Without a session, uses the cookie from before addresses contained the workspace.
    pub fn set_session(&self, token: &str) {
        self.set_cookie(&self.session_name(), token);
    }

    fn session_name(&self) -> String {
        let slug = self.workspace().clone();
        if slug.is_empty() { SESSION.to_owned() } else { format!("{SESSION}-{slug}") }
    }

    /// The requested address.
    fn whole(&self, path: &str) -> String {
        let slug = self.workspace().clone();
        if self.is_literal || slug.is_empty() || !console::is_of_workspace(path) {
            return path.to_owned();
        }
        format!("/w/{slug}{path}")
    }

    /// The response with addresses in the form that tests use.
    fn shown(&self, mut response: ApiResponse) -> ApiResponse {
        let slug = self.workspace().clone();
        if self.is_literal || slug.is_empty() {
            return response;
        }
        let base = format!("/w/{slug}");
        for name in ["location", "hx-redirect"] {
            let page = response.header(name).strip_prefix(&base).map(|page| if page.is_empty() { "/" } else { page });
            if let Some(page) =
                page.filter(|page| page.starts_with('/')).and_then(|page| HeaderValue::from_str(page).ok())
            {
                response.headers.insert(name, page);
            }
        }
        response.text =
            response.text.replace(&format!("=\"{base}/"), "=\"/").replace(&format!("=\"{base}\""), "=\"/\"");
        response
    }

    /// The value of a cookie, by its full name.
    pub fn cookie(&self, name: &str) -> Option<String> {
        self.cookies().get(name).cloned()
    }

    pub fn set_cookie(&self, name: &str, value: &str) {
        self.cookies().insert(name.to_owned(), value.to_owned());
    }

    /// A request with the cookies, for a test to extend. [`Browser::send`] does not follow its redirects.
    ///
    /// # Panics
    /// If the method is not a token.
    pub fn request(&self, method: &str, path: &str) -> RequestBuilder {
        let method = Method::from_bytes(method.as_bytes()).unwrap_or_else(|_| panic!("{method} is not a method"));
        let cookies: Vec<_> = self.cookies().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request =
            self.http.request(method, format!("{}{}", self.base_url, self.whole(path))).header("Accept", "text/html");
        if cookies.is_empty() { request } else { request.header("Cookie", cookies.join("; ")) }
    }

    /// Sends a request and keeps the cookies of its response.
    pub async fn send(&self, request: RequestBuilder) -> ApiResponse {
        let response = ApiResponse::of(request).await;
        for header in response.headers.get_all("set-cookie").iter().filter_map(|value| value.to_str().ok()) {
            let Some((name, value)) = header.split(';').next().and_then(|pair| pair.split_once('=')) else { continue };
            let slug = name.strip_prefix(SESSION).and_then(|rest| rest.strip_prefix('-'));
            if header.contains("Max-Age=0") {
                self.cookies().remove(name);
                let was_entered = slug == Some(self.workspace().as_str());
                if was_entered {
                    self.workspace().clear();
                }
            } else {
                self.cookies().insert(name.to_owned(), value.to_owned());
                if let Some(slug) = slug {
                    slug.clone_into(&mut self.workspace());
                }
            }
        }
        self.shown(response)
    }

    /// Opens a page, and follows redirects.
    pub async fn open(&self, path: &str) -> Screen {
        let response = self.send(self.request("GET", path)).await;
        self.follow(path, response).await
    }

    /// Fills in and sends the form of a page that is sent to `action`. Other fields keep their values;
    /// a field can be named several times.
    ///
    /// # Panics
    /// If the page has no such form.
    pub async fn submit(&self, screen: &Screen, action: &str, values: &[(&str, &str)]) -> Screen {
        let response = self.send(self.post(action, &screen.fields_with(action, values))).await;
        self.follow(action, response).await
    }

    /// Like [`Browser::submit`], by a button of the form that has its own address.
    ///
    /// # Panics
    /// If the page has no such form or button.
    pub async fn press(&self, screen: &Screen, form: &str, button: &str, values: &[(&str, &str)]) -> Screen {
        assert!(screen.actions().iter().any(|action| action == button), "{} has no button to {button}", screen.address);
        let response = self.send(self.post(button, &screen.fields_with(form, values))).await;
        self.follow(button, response).await
    }

    /// The request with which a browser sends a form from a page of the service.
    pub fn post(&self, action: &str, fields: &[(String, String)]) -> RequestBuilder {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        self.request("POST", action)
            .header("Origin", &self.base_url)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .body(body)
    }

    /// Signs in.
    ///
    /// # Panics
    /// If it is refused.
    pub async fn sign_in(&self, email: &str, password: &str, workspace: &str) -> Screen {
        let page = self.open("/sign-in").await;
        let values = [("email", email), ("password", password), ("workspace", workspace)];
        let screen = self.submit(&page, "/sign-in", &values).await;
        assert_eq!(screen.response.status, 200, "{}", screen.response.text);
        assert!(!screen.address.starts_with("/sign-in"), "{}", screen.response.text);
        screen
    }

    async fn follow(&self, path: &str, mut response: ApiResponse) -> Screen {
        let mut address = path.to_owned();
        for _ in 0..MAX_REDIRECTS {
            if response.status != 303 {
                break;
            }
            response.header("location").clone_into(&mut address);
            response = self.send(self.request("GET", &address)).await;
        }
        Screen { address, response }
    }

    fn workspace(&self) -> std::sync::MutexGuard<'_, String> {
        self.workspace.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn cookies(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, String>> {
        self.cookies.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Screen {
    /// Checks the status, and returns the page.
    ///
    /// # Panics
    /// If it has another status.
    #[must_use = "look at the page, or drop it with let _ if only the status matters"]
    #[track_caller]
    pub fn expect(self, status: u16) -> Self {
        assert_eq!(self.response.status, status, "{}: {}", self.address, self.response.text);
        self
    }

    pub fn html(&self) -> &str {
        &self.response.text
    }

    /// Checks that the HTML contains these texts.
    ///
    /// # Panics
    /// If one is missing.
    #[track_caller]
    pub fn assert_contains(&self, texts: &[&str]) {
        for text in texts {
            assert!(self.html().contains(text), "{text} is not on {}: {}", self.address, self.html());
        }
    }

    /// Whether the page has a form that is sent to this path.
    pub fn has_form(&self, action: &str) -> bool {
        self.form(action).is_some()
    }

    /// The fields of the form that is sent to this path, with their values.
    ///
    /// # Panics
    /// If the page has no such form.
    #[track_caller]
    pub fn fields_of(&self, action: &str) -> Vec<(String, String)> {
        let form =
            self.form(action).unwrap_or_else(|| panic!("{} has no form to {action}: {}", self.address, self.html()));
        let mut fields = Vec::new();
        for (tag, _) in tags(form, "input") {
            let is_off =
                matches!(attribute(tag, "type").as_deref(), Some("checkbox" | "radio")) && !has(tag, "checked");
            if let (Some(name), false) = (attribute(tag, "name"), is_off) {
                fields.push((name, attribute(tag, "value").unwrap_or_default()));
            }
        }
        for (tag, rest) in tags(form, "textarea") {
            let text = rest.split("</textarea>").next().unwrap_or_default();
            let text = text.strip_prefix('\n').unwrap_or(text);
            fields.extend(attribute(tag, "name").map(|name| (name, decoded(text))));
        }
        for (tag, rest) in tags(form, "select") {
            let options: Vec<_> = tags(rest.split("</select>").next().unwrap_or_default(), "option");
            let chosen = options.iter().find(|(option, _)| has(option, "selected")).or(options.first());
            let value = chosen.and_then(|(option, _)| attribute(option, "value")).unwrap_or_default();
            fields.extend(attribute(tag, "name").map(|name| (name, value)));
        }
        fields
    }

    /// The fields of that form with other values; a field can be named several times.
    ///
    /// # Panics
    /// If the page has no such form.
    #[track_caller]
    pub fn fields_with(&self, action: &str, values: &[(&str, &str)]) -> Vec<(String, String)> {
        let mut fields = self.fields_of(action);
        fields.retain(|(name, _)| !values.iter().any(|(other, _)| other == name));
        fields.extend(values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        fields
    }

    /// The value of a field of that form; the last one if several have this name.
    #[track_caller]
    pub fn value_of(&self, action: &str, name: &str) -> Option<String> {
        self.fields_of(action).into_iter().rev().find(|(key, _)| key == name).map(|(_, value)| value)
    }

    /// The addresses of all forms of the page that change something, including those of buttons with their own address.
    pub fn actions(&self) -> Vec<String> {
        let forms = tags(self.html(), "form").into_iter().map(|(tag, _)| tag);
        let forms = forms.filter(|tag| attribute(tag, "method").as_deref() == Some("post") && !has(tag, "hidden"));
        let buttons = tags(self.html(), "button").into_iter().filter_map(|(tag, _)| attribute(tag, "formaction"));
        forms.filter_map(|tag| attribute(tag, "action")).chain(buttons).collect()
    }

    /// The targets of its links within the service.
    pub fn links(&self) -> Vec<String> {
        let links = tags(self.html(), "a").into_iter().filter_map(|(tag, _)| attribute(tag, "href"));
        links.filter(|link| link.starts_with('/')).collect()
    }

    /// Whether an element has this id.
    pub fn has_id(&self, id: &str) -> bool {
        self.html().contains(&format!(" id=\"{id}\""))
    }

    /// The values of these attributes, for each element that has the first one.
    pub fn attributes<const N: usize>(&self, names: [&str; N]) -> Vec<[Option<String>; N]> {
        let elements = self.html().split('<').filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
        let values = elements.map(|tag| names.map(|name| attribute(tag, name)));
        values.filter(|values| values.first().is_some_and(Option::is_some)).collect()
    }

    fn form(&self, action: &str) -> Option<&str> {
        let forms = tags(self.html(), "form").into_iter();
        let mut matches = forms.filter(|(tag, _)| attribute(tag, "action").as_deref() == Some(action));
        matches.next().map(|(_, rest)| rest.split("</form>").next().unwrap_or_default())
    }
}

/// The opening tags with this name, each with the text after it.
fn tags<'a>(html: &'a str, name: &str) -> Vec<(&'a str, &'a str)> {
    let open = format!("<{name}");
    let rests = html.match_indices(&open).map(|(start, _)| &html[start + open.len()..]);
    rests.filter(|rest| rest.starts_with([' ', '\n', '>'])).filter_map(|rest| rest.split_once('>')).collect()
}

/// An attribute's value. Templates escape `>` in values.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).or_else(|| tag.split_once(&format!("\n{name}=\"")))?;
    rest.split_once('"').map(|(value, _)| decoded(value))
}

fn has(tag: &str, name: &str) -> bool {
    tag.split([' ', '\n']).any(|part| part == name)
}

fn decoded(text: &str) -> String {
    html_escape::decode_html_entities(text).into_owned()
}
