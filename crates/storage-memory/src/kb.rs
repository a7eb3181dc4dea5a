//! The knowledge base. Words are compared folded, without stemming.

use std::collections::BTreeSet;

use time::OffsetDateTime;

use super::crm::has_any_tag;
use super::not_in_memory::not_in_memory;
use super::records::{Found, StoredKind};
use super::state::MemoryTx;
use super::table::page_sorted_by;
use domain::KbArticleId;
use domain::kernel::paging::{PageRequest, Paginated};
use domain::kernel::search::{SearchWords, is_lone_character};
use domain::kernel::totals::CountedPart;
use domain::ports::{KbArticleRepo, RecordList, StoreError};
use domain::support::kb::{
    Article, ArticleFilter, ArticleStatus, KbMatch, KbQuery, MAX_VAIN_TERMS, PublishedArticle, VainSearch, VainTerm,
    form, indexable, is_of_word, plain_text, query_words,
};

impl StoredKind for Article {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn found(&self, drafts: bool) -> Option<Found> {
        if !drafts && self.status == ArticleStatus::Draft {
            return None;
        }
        let mut words = SearchWords::default();
        words.text(Some(&self.title)).text(Some(&self.tags.join(" ")));
        words.text(Some(&plain_text(self.body.as_deref().unwrap_or_default())));
        let detail = Some(self.status.as_str().to_owned());
        Some(Found { words: words.into_vec(), detail, created_at: self.created_at })
    }
}

impl RecordList<Article> for MemoryTx<'_> {
    fn list(&mut self, filter: &ArticleFilter, request: &PageRequest) -> Result<Vec<Article>, StoreError> {
        let chosen = self.records.of::<Article>().live().filter(|article| matches_article(filter, article));
        Ok(page_sorted_by(filter.sorted_by(), chosen, |article| article.updated_at, request))
    }

    fn totals(&mut self, filter: &ArticleFilter) -> Result<Vec<CountedPart>, StoreError> {
        let chosen = self.records.of::<Article>().live().filter(|article| matches_article(filter, article));
        Ok(CountedPart::count(chosen.map(|_| (None, None, None))))
    }
}

impl KbArticleRepo for MemoryTx<'_> {
    fn lock(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn list_published(&mut self, _: u32) -> Result<Vec<PublishedArticle>, StoreError> {
        not_in_memory("KbArticleRepo::list_published")
    }

    fn get_published(&mut self, _: &str) -> Result<Option<Article>, StoreError> {
        not_in_memory("KbArticleRepo::get_published")
    }

    fn taken_slugs(&mut self, slugs: &[String], except: KbArticleId) -> Result<Vec<String>, StoreError> {
        let others = self.records.of::<Article>().live().filter(|article| article.id != except);
        Ok(others.filter(|article| slugs.contains(&article.slug)).map(|article| article.slug.clone()).collect())
    }

    fn search(&mut self, query: &KbQuery, limit: u32) -> Result<Vec<KbMatch>, StoreError> {
        let public = self.records.of::<Article>().live().filter(|article| article.status == ArticleStatus::Published);
        let mut found: Vec<_> =
            public.filter_map(|article| Some((found(article, query)?, article.cursor_key()))).collect();
        found.sort_by(|(one, place), (other, other_place)| {
            other.score.total_cmp(&one.score).then_with(|| other_place.cmp(place))
        });
        Ok(found.into_iter().map(|(found, _)| found).take(limit as usize).collect())
    }

    fn note_vain_search(&mut self, term: &VainTerm, now: OffsetDateTime) -> Result<(), StoreError> {
        let terms = &mut self.records.vain_searches;
        let (searches, last_at) = terms.entry(term.clone()).or_insert((0, now));
        (*searches, *last_at) = (*searches + 1, now.max(*last_at));
        if terms.len() > MAX_VAIN_TERMS as usize {
            not_in_memory("more terms than are kept");
        }
        Ok(())
    }

    fn vain_searches(&mut self, since: OffsetDateTime, limit: u32) -> Result<Vec<VainSearch>, StoreError> {
        let recent = self.records.vain_searches.iter().filter(|(_, (_, last_at))| *last_at >= since);
        let mut shown: Vec<_> = recent
            .map(|(term, (searches, last_at))| VainSearch {
                term: term.as_str().to_owned(),
                searches: *searches,
                last_at: *last_at,
            })
            .collect();
        shown.sort_by_key(|it| std::cmp::Reverse((it.searches, it.last_at)));
        shown.truncate(limit as usize);
        Ok(shown)
    }
}

fn matches_article(filter: &ArticleFilter, article: &Article) -> bool {
    filter.search.as_ref().is_none_or(|query| SearchWords::of(article.search_words()).matches(query))
        && filter.status.is_none_or(|status| article.status == status)
        && has_any_tag(&filter.tag.0, &article.tags)
        && filter.ids.accepts(&article.id)
        && filter.created().accepts(article.created_at)
}

/// The folded words of a text that was split for the index or for a query.
fn words(text: &str) -> Vec<String> {
    let forms = form(text);
    forms.split(|character: char| !is_of_word(character)).map(ToOwned::to_owned).collect()
}

/// The match, if the article contains all the words.
fn found(article: &Article, query: &KbQuery) -> Option<KbMatch> {
    let text = plain_text(article.body.as_deref().unwrap_or_default());
    let cut = |text: &str| words(&indexable(text));
    let parts = [(1.0, cut(&article.title)), (0.3, cut(&article.tags.join(" "))), (0.05, cut(&text))];
    let mut forms = BTreeSet::new();
    let mut score = 0.0;
    let asked = query.words().iter().flat_map(|word| words(&query_words(word)));
    let asked: Vec<_> = asked.filter(|word| !word.is_empty()).collect();
    let (last, whole) = asked.split_last()?;
    for (wanted, is_last) in whole.iter().map(|word| (word, false)).chain([(last, true)]) {
        let starts = is_last || is_lone_character(wanted);
        let fits = |word: &&String| *word == wanted || (starts && word.starts_with(wanted));
        let before = score;
        for (weight, words) in &parts {
            for word in words.iter().filter(fits) {
                forms.insert(word.clone());
                score += weight;
            }
        }
        if score <= before {
            return None;
        }
    }
    let (id, title, slug) = (article.id, article.title.clone(), article.slug.clone());
    Some(KbMatch { id, title, slug, text, score: score / (score + 1.0), forms: forms.into_iter().collect() })
}
