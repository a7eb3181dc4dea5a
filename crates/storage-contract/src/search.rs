//! Search: every store finds the domain's search words.

use std::collections::BTreeSet;

use super::{StoreUnderTest, TestWorkspace};
use domain::crm::companies::{self, Company, CompanyFilter};
use domain::crm::contacts::{self, Contact, ContactFilter};
use domain::identity::access::{ReadCompanies, ReadContacts, ReadIssues};
use domain::kernel::IssueKind;
use domain::kernel::paging::PageRequest;
use domain::kernel::search::{SearchQuery, SearchWords};
use domain::work::issues::{self, Issue, IssueFilter};

/// Texts with a meaning in SQL, `LIKE`, arrays, text search or regular expressions.
const HOSTILE: &[&str] = &[
    "'",
    "''",
    "o'b",
    "\"",
    "\\",
    "back\\",
    "\\'",
    ":*",
    "ann:*",
    "&",
    "ann & lee",
    "ann&lee",
    "|",
    "!",
    "!ann",
    "(ann)",
    "<->",
    "%",
    "ann%",
    "a%",
    "_",
    "ann_",
    "a_n",
    "{ann}",
    "{",
    "ann,lee",
    "[ann]",
    ".*",
    "a.*",
    "^ann",
    "$1",
    "--",
    "ann;drop",
    "null",
    "NULL",
    "😀",
    "ann😀",
    "ß",
    "ﬁ",
    "İ",
    "\u{202e}ann",
    "*",
    "?",
    "ann*",
    "0x00",
    "1e5",
    "+1(555",
];

fn matches(words: Vec<String>, text: &str) -> bool {
    SearchQuery::parse(text).unwrap().is_none_or(|query| SearchWords::of(words).matches(&query))
}

async fn people(world: &TestWorkspace) -> Vec<Contact> {
    let text = |text: &str| Some(text.to_owned());
    let blank = || world.bare_contact();
    let mut all = Vec::new();
    for contact in [
        Contact { first_name: text("Anne-Marie"), last_name: text("O'Brien"), ..blank() },
        Contact { email: "ann.lee+x@mail.example".to_owned(), job_title: text("Head of R&D"), ..blank() },
        Contact {
            first_name: text("Łukasz"), last_name: text("Größe"), company_name: text("Müller & Co."), ..blank()
        },
        Contact { phone: text("+1 (555) 123-4567"), company_name: text("back\\slash 100%_sure {a,b}"), ..blank() },
        Contact {
            first_name: text("张伟"), last_name: text("Иванов"), job_title: text("😀 null --x"), ..blank()
        },
        blank(),
    ] {
        all.push(world.add(contact).await);
    }
    all
}

async fn found_contacts(world: &TestWorkspace, text: &str) -> BTreeSet<domain::ContactId> {
    let filter = ContactFilter { search: SearchQuery::parse(text).unwrap(), ..ContactFilter::default() };
    let permit = world.permit::<ReadContacts>();
    let page = contacts::list(&world.ports, &permit, filter, PageRequest::first(100)).await.unwrap();
    page.items.iter().map(|contact| contact.id).collect()
}

async fn firms(world: &TestWorkspace) -> Vec<Company> {
    let mut all = Vec::new();
    for (name, domain) in [
        ("Acme, Inc.", Some("shop.acme-tools.example")),
        ("Müller & Söhne GmbH", Some("xn--mller-kva.example")),
        ("Łódź o'Works 100%_sure {a,b}", None),
        ("张伟 😀 back\\slash", Some("acme.test")),
        ("null; DROP TABLE companies; --", None),
    ] {
        let domain = domain.map(ToOwned::to_owned);
        all.push(world.add(Company { name: name.to_owned(), domain, ..world.bare_company() }).await);
    }
    all
}

async fn found_companies(world: &TestWorkspace, text: &str) -> BTreeSet<domain::CompanyId> {
    let filter = CompanyFilter { search: SearchQuery::parse(text).unwrap() };
    let permit = world.permit::<ReadCompanies>();
    let page = companies::list(&world.ports, &permit, filter, PageRequest::first(100)).await.unwrap();
    page.items.iter().map(|company| company.id).collect()
}

async fn found_issues(world: &TestWorkspace, kind: IssueKind, text: &str) -> BTreeSet<domain::IssueId> {
    let filter = IssueFilter { search: SearchQuery::parse(text).unwrap(), ..IssueFilter::all(kind) };
    let permit = world.permit::<ReadIssues>();
    let page = issues::list(&world.ports, &permit, filter, PageRequest::first(100)).await.unwrap();
    page.items.iter().map(|issue| issue.id).collect()
}

async fn reports(world: &TestWorkspace) -> Vec<Issue> {
    let mut all = Vec::new();
    for (title, description) in [
        ("Login fails", Some("Since the update, O'Brien can't log in: error 500 at /auth/login?x=1&y=2")),
        ("Drucker geht nicht", Some("Über Nacht kaputt.\nSeite 3%, \\\\server\\share")),
        ("печать", None),
        ("null", Some("annex; DROP TABLE issues; --")),
    ] {
        for kind in [IssueKind::Task, IssueKind::Ticket] {
            let description = description.map(ToOwned::to_owned);
            let issue = Issue { title: title.to_owned(), description, ..world.bare_issue(kind).await };
            all.push(world.add(issue).await);
        }
    }
    all
}

/// Names, addresses and numbers match by word prefixes; every token must match.
pub async fn contacts_are_found_by_the_starts_of_words(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = people(&world).await;
    let (anne, lee, lukasz, phone, zhang) = (all[0].id, all[1].id, all[2].id, all[3].id, all[4].id);
    for (text, expected) in [
        ("ann", &[anne, lee][..]),
        ("ANNE-M", &[anne]),
        ("marie brien", &[anne]),
        ("marie lee", &[]),
        ("arie", &[]),
        ("ann.lee+x@mail.example", &[lee]),
        ("mail.ex", &[lee]),
        ("r&d", &[lee]),
        ("lukasz GROSSE", &[lukasz]),
        ("größe", &[lukasz]),
        ("muller co", &[lukasz]),
        ("1555", &[phone]),
        ("+1 (555) 123", &[phone]),
        ("5551234567", &[phone]),
        ("张", &[zhang]),
        ("иван", &[zhang]),
        ("null", &[zhang]),
        ("slash 100", &[phone]),
        ("nobody", &[]),
    ] {
        assert_eq!(found_contacts(&world, text).await, expected.iter().copied().collect(), "{text}");
    }
    assert_eq!(found_contacts(&world, "").await.len(), all.len());
    let changed = Contact { first_name: Some("Quartz".to_owned()), last_name: None, ..all[0].clone() };
    world.done(move |tx| tx.contacts().save(&changed)).await;
    assert!(found_contacts(&world, "marie").await.is_empty());
    assert_eq!(found_contacts(&world, "quar").await, [anne].into());
}

/// Names and domains, whole or from any label on; a change takes effect.
pub async fn companies_are_found_by_the_starts_of_words(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = firms(&world).await;
    let (tools, muller, works, zhang) = (all[0].id, all[1].id, all[2].id, all[3].id);
    for (text, expected) in [
        ("acme", &[tools, zhang][..]),
        ("ACME inc", &[tools]),
        ("shop.acme-tools.example", &[tools]),
        ("acme-tools.ex", &[tools]),
        ("tools", &[tools]),
        ("example", &[tools, muller]),
        ("exam inc", &[tools]),
        ("muller sohne", &[muller]),
        ("MÜLLER", &[muller]),
        ("łódź", &[works]),
        ("100", &[works]),
        ("张", &[zhang]),
        ("acme.test", &[zhang]),
        ("cme", &[]),
        ("acme &", &[]),
    ] {
        assert_eq!(found_companies(&world, text).await, expected.iter().copied().collect(), "{text}");
    }
    assert_eq!(found_companies(&world, "").await.len(), all.len());
    let changed = Company { name: "Quartz".to_owned(), domain: None, ..all[0].clone() };
    world.done(move |tx| tx.companies().save(&changed)).await;
    assert_eq!(found_companies(&world, "acme").await, [zhang].into());
    assert_eq!(found_companies(&world, "quar").await, [tools].into());
}

/// Titles and descriptions match by word prefixes, within the kind's list; a change takes effect.
pub async fn issues_are_found_by_the_starts_of_words(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = reports(&world).await;
    for text in
        ["log", "LOGIN fail", "o'brien 500", "auth", "uber nacht", "share", "печ", "drop table", "nothing", "ogin"]
    {
        for kind in [IssueKind::Task, IssueKind::Ticket] {
            let chosen = all.iter().filter(|issue| issue.kind == kind && matches(issue.search_words(), text));
            assert_eq!(found_issues(&world, kind, text).await, chosen.map(|issue| issue.id).collect(), "{text}");
        }
    }
    let changed = Issue { title: "Quartz".to_owned(), description: None, ..all[0].clone() };
    world.done(move |tx| tx.issues().save_many(std::slice::from_ref(&changed))).await;
    assert!(found_issues(&world, IssueKind::Task, "login").await.is_empty());
    assert_eq!(found_issues(&world, IssueKind::Task, "quar").await, [all[0].id].into());
}

/// Any text is only text: it matches its words and is never interpreted.
pub async fn hostile_texts_do_no_harm(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let (people, reports) = (people(&world).await, reports(&world).await);
    let firms = firms(&world).await;
    for text in HOSTILE {
        let chosen = firms.iter().filter(|company| matches(company.search_words(), text));
        assert_eq!(found_companies(&world, text).await, chosen.map(|company| company.id).collect(), "{text}");
        let chosen = people.iter().filter(|contact| matches(contact.search_words(), text));
        assert_eq!(found_contacts(&world, text).await, chosen.map(|contact| contact.id).collect(), "{text}");
        for kind in [IssueKind::Task, IssueKind::Ticket] {
            let chosen = reports.iter().filter(|issue| issue.kind == kind && matches(issue.search_words(), text));
            assert_eq!(found_issues(&world, kind, text).await, chosen.map(|issue| issue.id).collect(), "{text}");
        }
    }
    let name = Some("quirk'; \"\\ :* & | ! ( ) <-> % _ {a,\"b\"} 😀".to_owned());
    let strange = world.add(Contact { first_name: name, ..world.bare_contact() }).await;
    assert_eq!(found_contacts(&world, "quirk'").await, [strange.id].into());
}
