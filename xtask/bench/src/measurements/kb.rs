//! Searches of a large knowledge base, compared with the REST read of a record.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use serde_json::Value;

use super::{in_turns, new_report, progress, seed};
use crate::Kb;
use crate::report::Report;
use test_support::load::http::Client;
use test_support::load::tenant::{Tenant, make_deal};
use test_support::program::Program;

const ARTICLES: &str = "/api/settings/kb/articles";
const IN_A_ROW: usize = 20;
/// Page size when reading titles, and the number of pages read to collect words.
const PAGE: usize = 100;
const PAGES: usize = 20;
/// Number of items reachable by page number.
const MAX_BY_NUMBER: usize = 100_000;

/// The queries of one kind of search, all different.
#[derive(Debug)]
struct Kind {
    what: &'static str,
    queries: Vec<String>,
    limit: u32,
}

/// The knowledge base benchmark.
pub(crate) async fn kb(program: &Path, data: &Path, options: &Kb) -> anyhow::Result<Report> {
    let binary = program;
    let program = Program::for_measuring(program, data);
    let mut report = new_report()?;
    report.how(format!("{} articles of 150 to 400 words; each search for other words.", options.articles));
    let service = program.start_dispatching("off")?;
    let tenant = Tenant::make(&program, "kb")?;
    progress("writing articles");
    seed(binary, data, "kb", &[("articles", options.articles as usize)]).await?;
    let kinds = kinds(&mut tenant.owner(service.address).await?, options.articles as usize).await?;
    let mut client = tenant.client(service.address).await?;
    let deal = make_deal(&mut client).await?;
    let read = format!("/api/v1/crm/deals/{}", deal.id()?);
    progress("searching");
    let times = in_turns(options.rounds, 1 + kinds.len(), IN_A_ROW, async |index: usize, number: usize| {
        match index.checked_sub(1) {
            None => Ok(client.send("GET", &read, &Value::Null, 200).await?.took),
            Some(kind) => kinds[kind].search(&mut client, number).await,
        }
    })
    .await?;
    let reads = &times[0];
    report.times("GET /crm/deals/{id}", reads, "");
    for (kind, times) in kinds.iter().zip(&times[1..]) {
        report.times(kind.what, times, "");
        let ratio = times.at(990) / reads.at(990);
        report.figure(&format!("{}, p99 over the read's", kind.what), format!("{ratio:.1}"), "≤ 5");
    }
    service.stop()?;
    Ok(report)
}

/// Queries of typical forms, built from titles across the knowledge base.
async fn kinds(owner: &mut Client, articles: usize) -> anyhow::Result<Vec<Kind>> {
    let mut titles = Vec::new();
    for page in 0..PAGES {
        // Evenly from the newest article to the oldest that a page number reaches; one article in twenty is a draft.
        let page = 1 + page * (articles.min(MAX_BY_NUMBER) * 9 / 10 / PAGE) / PAGES;
        let response = owner
            .send("GET", &format!("{ARTICLES}?status=published&limit={PAGE}&page={page}"), &Value::Null, 200)
            .await?;
        let list = response.body["data"].as_array().context("no list of articles")?;
        titles.extend(list.iter().filter_map(|article| article["title"].as_str().map(str::to_owned)));
    }
    let words: Vec<Vec<&str>> = titles.iter().map(|title| title.split(' ').collect()).collect();
    let each = |query: fn(&[&str]) -> String| words.iter().map(|words| query(words)).collect::<Vec<_>>();
    let last = |words: &[&str]| words.last().map_or_else(String::new, |word| (*word).to_owned());
    let last_two = |words: &[&str]| words.iter().rev().take(2).copied().collect::<Vec<_>>().join("+");
    let prefix = |words: &[&str]| words.last().map_or_else(String::new, |word| word.chars().take(4).collect());
    let title = |words: &[&str]| words.join("+");
    let common = |words: &[&str]| words[0].to_owned();
    Ok(vec![
        Kind { what: "a word of a title", queries: each(last), limit: 10 },
        Kind { what: "two words of a title", queries: each(last_two), limit: 10 },
        Kind { what: "a whole title", queries: each(title), limit: 10 },
        Kind { what: "the beginning of a word", queries: each(prefix), limit: 10 },
        Kind { what: "a word of every tenth title", queries: each(common), limit: 10 },
        Kind { what: "a word of a title, 50 hits", queries: each(last), limit: 50 },
    ])
}

impl Kind {
    async fn search(&self, client: &mut Client, number: usize) -> anyhow::Result<Duration> {
        // A step coprime to their number visits all of them.
        let query = &self.queries[number * 7 % self.queries.len()];
        let path = format!("/api/public/kb/search?q={query}&limit={}", self.limit);
        let response = client.send("GET", &path, &Value::Null, 200).await?;
        let hits = response.body["data"].as_array().map_or(0, Vec::len);
        ensure!(hits > 0, "{}: nothing found for {query}", self.what);
        Ok(response.took)
    }
}
