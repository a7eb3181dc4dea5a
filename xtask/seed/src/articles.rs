//! Knowledge base articles with a realistic word distribution.

use domain::KbArticleId;
use domain::identity::access::Actor;
use domain::support::kb::{Article, ArticleStatus};

use crate::generate::Generator;
use crate::words::{FUNCTION, THING, VERB};

/// The ranks of words double this often: there are 32,767 distinct words, in addition to the stop words.
const RANK_DOUBLINGS: usize = 15;
const CONSONANTS: &[u8; 15] = b"bdfgklmnprstvwz";
const VOWELS: &[u8; 5] = b"aeiou";

impl Generator {
    pub(crate) fn articles(&mut self, count: u64) -> Vec<Article> {
        (0..count).map(|_| self.article()).collect()
    }

    fn article(&mut self) -> Article {
        let (id, now) = self.id_and_time();
        let is_published = !self.one_in(20);
        let verb = self.pick(VERB);
        Article {
            title: format!("{verb} the {} {} {}", self.pick(THING), self.word(), self.word()),
            slug: format!("article-{}", id.simple()),
            body: Some(self.body()),
            status: if is_published { ArticleStatus::Published } else { ArticleStatus::Draft },
            tags: vec![self.pick(THING).to_owned()],
            published_at: is_published.then_some(now),
            ..Article::blank(KbArticleId(id), Actor::SYSTEM, now)
        }
    }

    /// 150 to 400 words in a few paragraphs of Markdown.
    fn body(&mut self) -> String {
        let mut body = String::from("# Steps\n\n");
        for index in 1..=150 + self.below(250) {
            let word = if self.below(100) < 35 { self.pick(FUNCTION).to_owned() } else { self.word() };
            body.push_str(&word);
            body.push_str(if index % 60 == 0 { ".\n\n" } else { " " });
        }
        body
    }

    /// Zipf's law: the frequency of the word of rank r is proportional to 1/r.
    fn word(&mut self) -> String {
        let first: usize = 1 << self.below(RANK_DOUBLINGS);
        let mut rank = first + self.below(first);
        let mut word = String::with_capacity(6);
        for _ in 0..3 {
            word.push(char::from(CONSONANTS[rank % CONSONANTS.len()]));
            rank /= CONSONANTS.len();
            word.push(char::from(VOWELS[rank % VOWELS.len()]));
            rank /= VOWELS.len();
        }
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn articles_are_the_same_each_time_and_some_words_are_common() {
        let workspace = domain::testing::workspace_value(1);
        let make = || Generator::new(&workspace, Vec::new(), [0, 0]).articles(200);
        let articles = make();
        assert_eq!(articles, make());
        let mut uses: HashMap<&str, usize> = HashMap::new();
        for word in articles.iter().flat_map(|article| article.body.as_deref().unwrap().split_whitespace()) {
            *uses.entry(word).or_default() += 1;
        }
        let once = uses.values().filter(|count| **count == 1).count();
        assert!(once > 2_000 && uses.values().max().unwrap() > &1_000, "{once}");
        assert!(articles.iter().any(|article| article.status == ArticleStatus::Draft));
    }
}
