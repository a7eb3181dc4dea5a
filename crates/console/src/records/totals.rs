//! The totals of a list, loaded separately so that the list does not wait for them.

use domain::kernel::totals::{CurrencyTotals, ListTotals};

use super::{Kind, Totals, money};
use crate::prelude::*;

#[derive(Template)]
#[template(path = "records/totals.html")]
struct TotalsPage {
    shell: Shell,
    list: String,
    list_path: &'static str,
    /// The number of records, and a sum per currency.
    lines: Vec<String>,
}

pub(super) async fn totals<K: Kind>(request: PageRequest<Totals<K>>) -> PageResult {
    let PageRequest { ports, permit, query, browser, .. } = request;
    let totals = K::totals(&ports, &permit, query.filter).await?;
    let page = TotalsPage {
        shell: browser.shell(text(K::ROUTES.title)).part("totals"),
        list: text(K::ROUTES.title),
        list_path: K::ROUTES.path,
        lines: lines_of(totals, K::KIND.plural()),
    };
    responses::page(&browser, page)
}

fn lines_of(ListTotals { count, sums }: ListTotals, texts: &str) -> Vec<String> {
    let count_text = match count {
        Some(count) => text_with(&format!("{texts}-count"), [("count", count.into())]),
        None => text("totals-many"),
    };
    let sum = |CurrencyTotals { currency, value, weighted }: CurrencyTotals| {
        let [sum, weighted] = [value, weighted].map(|amount| money(&amount.round_dp(2).to_string(), &currency));
        text_with("totals-sum", [("sum", sum.into()), ("weighted", weighted.into())])
    };
    std::iter::once(count_text).chain(sums.into_iter().map(sum)).collect()
}
