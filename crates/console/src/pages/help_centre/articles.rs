//! The pages for reading articles: home, search and article.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::kernel::input::Problems;
use domain::support::help_centre;
use domain::support::kb::{KbHit, KbQuery, PublishedArticle};
use time::Date;

use super::rendered::{RenderedArticle, rendered};
use super::{ArticleSlug, Frame, Public};
use crate::lists::{SearchText, with};
use crate::prelude::*;

pages! {
    Home = "GET /kb/{workspace}", access: Public, query: TagQuery => home;
    Search = "GET /kb/{workspace}/-/search", class: Class::PublicKbSearches, access: Public, query: SearchText => search;
    Article = "GET /kb/{workspace}/{slug}", access: Public, path: ArticleSlug => article;
}

/// How many articles per tag the home page shows.
const ARTICLES_PER_TAG: usize = 5;
/// How many tags the home page shows.
const MAX_TAGS: usize = 24;
/// How many related articles an article links to.
const MAX_RELATED: usize = 5;

/// The tag whose articles are shown; `None` for all.
pub(crate) struct TagQuery(Option<String>);

impl Query for TagQuery {
    fn read(query: &mut QueryReader<'_>) -> Self {
        Self(Parameters::single(query, "tag"))
    }
}

/// The articles of a tag.
pub(crate) struct Group {
    /// `None` for articles without a tag.
    pub(crate) tag: Option<String>,
    /// The URL of all its articles; `None` if all are shown.
    pub(crate) more: Option<String>,
    pub(crate) articles: Vec<PublishedArticle>,
}

#[derive(Template)]
#[template(path = "help_centre/home.html")]
struct HomePage {
    frame: Frame,
    groups: Vec<Group>,
    /// The tag whose articles are shown.
    tag: Option<String>,
}

async fn home(request: PageRequest<Home>) -> PageResult {
    let PageRequest { ports, permit: reader, query, browser, .. } = request;
    let articles = help_centre::articles(&ports, &reader).await?;
    let title = text_named("help-centre-title", &reader.workspace().name);
    let frame = Frame::of_home(&ports, &reader, title.clone(), title);
    let page = match query.0 {
        Some(tag) => {
            let articles = articles.into_iter().filter(|article| article.tags.contains(&tag)).collect();
            // The home page lists the same articles, so only that one is for search engines.
            let frame = Frame { title: tag.clone(), canonical: None, ..frame };
            HomePage { frame, groups: vec![Group { tag: None, more: None, articles }], tag: Some(tag) }
        }
        None => HomePage { groups: grouped(articles, &frame.home), frame, tag: None },
    };
    responses::cached_page(&browser, page)
}

/// Groups articles by one tag each: the largest groups first, and articles without a tag last.
fn grouped(articles: Vec<PublishedArticle>, home: &str) -> Vec<Group> {
    let mut counts = BTreeMap::<_, usize>::new();
    for tag in articles.iter().flat_map(|article| &article.tags) {
        *counts.entry(tag.clone()).or_default() += 1;
    }
    let mut tags: Vec<_> = counts.into_iter().collect();
    tags.sort_by(|(tag, count), (other, others)| others.cmp(count).then_with(|| tag.cmp(other)));
    tags.truncate(MAX_TAGS);
    let mut groups: Vec<_> = tags.iter().map(|(tag, _)| group(Some(tag.clone()))).collect();
    let mut rest = group(None);
    for article in articles {
        let index = tags.iter().position(|(tag, _)| article.tags.contains(tag));
        index.map_or(&mut rest, |index| &mut groups[index]).articles.push(article);
    }
    groups.retain(|group| !group.articles.is_empty());
    for group in &mut groups {
        if let Some(tag) = &group.tag {
            group.more = (group.articles.len() > ARTICLES_PER_TAG).then(|| with(home, "", "tag", tag));
            group.articles.truncate(ARTICLES_PER_TAG);
        }
    }
    if !rest.articles.is_empty() {
        groups.push(rest);
    }
    groups
}

const fn group(tag: Option<String>) -> Group {
    Group { tag, more: None, articles: Vec::new() }
}

/// A part of an excerpt, and whether it matches.
pub(crate) struct Part {
    pub(crate) text: String,
    pub(crate) is_match: bool,
}

/// A search result as it is shown.
pub(crate) struct SearchHit {
    pub(crate) title: String,
    pub(crate) slug: String,
    pub(crate) parts: Vec<Part>,
}

#[derive(Template)]
#[template(path = "help_centre/search.html")]
struct SearchPage {
    frame: Frame,
    found: Vec<SearchHit>,
    /// An error in the query.
    error: Option<String>,
}

async fn search(request: PageRequest<Search>) -> PageResult {
    let PageRequest { ports, permit: reader, query: SearchText(typed), browser, .. } = request;
    let mut problems = Problems::default();
    let query = KbQuery::parse("q", Some(&typed), &mut problems);
    let error = problems.into_result().err().and_then(|error| error.details().into_iter().next());
    let found = match query {
        Some(query) => help_centre::search(&ports, &reader, query).await?,
        None => Vec::new(),
    };
    let page = SearchPage {
        frame: Frame { query: typed, ..Frame::new(&reader, text("help-centre-results")) },
        found: found.into_iter().map(shown).collect(),
        error: error.map(|problem| problem.message),
    };
    responses::cached_page(&browser, page)
}

fn shown(hit: KbHit) -> SearchHit {
    SearchHit { parts: parts_of(&hit.excerpt), title: hit.title, slug: hit.slug }
}

/// The parts of an excerpt, whose only tag is `<mark>`.
fn parts_of(excerpt: &str) -> Vec<Part> {
    let part = |html: &str, is_match| Part { text: html_escape::decode_html_entities(html).into_owned(), is_match };
    let mut parts = Vec::new();
    for (index, piece) in excerpt.split("<mark>").enumerate() {
        match piece.split_once("</mark>") {
            Some((marked, rest)) if index > 0 => parts.extend([part(marked, true), part(rest, false)]),
            _ => parts.push(part(piece, false)),
        }
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

#[derive(Template)]
#[template(path = "help_centre/article.html")]
struct ArticlePage {
    frame: Frame,
    body: Arc<RenderedArticle>,
    tags: Vec<(String, String)>,
    updated_on: Date,
    related: Vec<PublishedArticle>,
}

async fn article(request: PageRequest<Article>) -> PageResult {
    let PageRequest { ports, permit: reader, path: ArticleSlug(slug), browser, renderer, .. } = request;
    let mut article = help_centre::article(&ports, &reader, &slug).await?;
    let related = if article.tags.is_empty() {
        Vec::new()
    } else {
        related(help_centre::articles(&ports, &reader).await?, &slug, &article.tags)
    };
    let body = rendered(reader.workspace(), &mut article, &renderer).await?;
    let home = Frame::new(&reader, article.title.clone());
    let frame = Frame {
        description: body.description.clone(),
        canonical: Some(help_centre::address_of_article(&ports.settings, reader.workspace(), &slug)),
        ..home
    };
    let tags = article.tags.into_iter().map(|tag| (with(&frame.home, "", "tag", &tag), tag)).collect();
    let has_pictures = body.has_pictures;
    let updated_on = article.updated_at.date();
    let page = responses::cached_page(&browser, ArticlePage { frame, body, tags, updated_on, related });
    if has_pictures { responses::with_pictures(page) } else { page }
}

/// The articles that share the most tags with this one, the newest first.
fn related(articles: Vec<PublishedArticle>, slug: &str, tags: &[String]) -> Vec<PublishedArticle> {
    let shared = |article: &PublishedArticle| article.tags.iter().filter(|tag| tags.contains(tag)).count();
    let mut others: Vec<_> = articles.into_iter().filter(|other| other.slug != slug && shared(other) > 0).collect();
    others.sort_by_key(|other| std::cmp::Reverse(shared(other)));
    others.truncate(MAX_RELATED);
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    fn article(slug: &str, tags: &[&str]) -> PublishedArticle {
        let tags = tags.iter().map(ToString::to_string).collect();
        PublishedArticle { title: slug.to_owned(), slug: slug.to_owned(), tags }
    }

    fn slugs(articles: &[PublishedArticle]) -> Vec<&str> {
        articles.iter().map(|article| article.slug.as_str()).collect()
    }

    #[test]
    fn each_article_is_listed_once_under_its_most_common_tag() {
        let many = (0..7).map(|number| article(&format!("b{number}"), &["billing & co"]));
        let articles =
            many.chain([article("a", &["access"]), article("both", &["access", "billing & co"]), article("none", &[])]);
        let groups = grouped(articles.collect(), "/kb/acme");
        let shown: Vec<_> = groups.iter().map(|group| (group.tag.as_deref(), group.more.as_deref())).collect();
        let more = Some("/kb/acme?tag=billing+%26+co");
        assert_eq!(shown, [(Some("billing & co"), more), (Some("access"), None), (None, None)]);
        assert_eq!(slugs(&groups[0].articles), ["b0", "b1", "b2", "b3", "b4"]);
        assert_eq!(slugs(&groups[1].articles), ["a"]);
        assert_eq!(slugs(&groups[2].articles), ["none"]);
    }

    #[test]
    fn related_articles_share_tags() {
        let articles = vec![article("self", &["x", "y"]), article("one", &["x"]), article("two", &["y", "x"])];
        let found = related([articles, vec![article("other", &["z"])]].concat(), "self", &["x".into(), "y".into()]);
        assert_eq!(slugs(&found), ["two", "one"]);
    }

    #[test]
    fn excerpts_are_text_with_marks() {
        let parts = parts_of("a &lt;b&gt; <mark>c</mark> d <mark>e</mark>");
        let parts: Vec<_> = parts.iter().map(|part| (part.text.as_str(), part.is_match)).collect();
        assert_eq!(parts, [("a <b> ", false), ("c", true), (" d ", false), ("e", true)]);
    }
}
