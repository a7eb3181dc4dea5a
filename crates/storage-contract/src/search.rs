//! Search: every store finds the domain's search words.

use std::collections::BTreeSet;

use uuid::Uuid;

use super::{StoreUnderTest, TestWorkspace};
use domain::crm::companies::{Company, CompanyFilter};
use domain::crm::contacts::{Contact, ContactFilter};
use domain::kernel::IssueKind;
use domain::kernel::search::{SearchQuery, SearchWords};
use domain::work::issues::{Issue, IssueFilter};

/// Typical queries, separated by two spaces or a newline.
const TYPED: &str = "ann  ANNE-M  marie brien  marie lee  arie  ann.lee+x@mail.example  mail.ex  r&d  lukasz GROSSE  größe
    muller co  1555  +1 (555) 123  5551234567  张  иван  null  slash 100  nobody  acme  ACME inc  shop.acme-tools.example
    acme-tools.ex  tools  example  exam inc  muller sohne  MÜLLER  łódź  100  acme.test  cme  acme &  log  LOGIN fail
    o'brien 500  auth  uber nacht  share  печ  drop table  nothing  ogin  o’brien  O‘Br  anne–marie  anne\u{2011}marie
    r & d  müller & co.  – acme  acme, & inc.  &  大学  北京大学  招生  学  大招  东京  タワー  ター  สินค้า  민국  한국  iphone
    手机  iphone手机";
/// Texts with a special meaning in SQL, `LIKE`, arrays, text search or regular expressions.
const HOSTILE: &str = r#"'  ''  o'b  "  \  back\  \'  :*  ann:*  &  ann & lee  ann&lee  |  !  !ann  (ann)  <->  %  ann%  a%  _  ann_
    a_n  {ann}  {  ann,lee  [ann]  .*  a.*  ^ann  $1  --  ann;drop  null  NULL  😀  ann😀  ß  ﬁ  İ  *  ?  ann*  0x00  1e5  +1(555"#;

fn texts(sample: &str) -> impl Iterator<Item = &str> {
    sample.lines().flat_map(|line| line.split("  ")).map(str::trim).filter(|text| !text.is_empty())
}

#[expect(clippy::unnecessary_wraps, reason = "members of records are optional")]
fn text(text: &str) -> Option<String> {
    Some(text.to_owned())
}

struct Found {
    contacts: Vec<Contact>,
    companies: Vec<Company>,
    issues: Vec<Issue>,
}

async fn fill(world: &TestWorkspace) -> Found {
    let mut all = Found { contacts: Vec::new(), companies: Vec::new(), issues: Vec::new() };
    let blank = || world.bare_contact();
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
        Contact { first_name: text("北京大学招生"), last_name: text("東京タワー"), ..blank() },
        Contact {
            first_name: text("ราคาสินค้า"), job_title: text("대한민국 新款iphone手机壳"), ..blank()
        },
        Contact { first_name: text("quirk'; \"\\ :* & | ! ( ) <-> % _ {a,\"b\"} 😀"), ..blank() },
        blank(),
    ] {
        all.contacts.push(world.add(contact).await);
    }
    for (name, domain) in [
        ("Acme, Inc.", text("shop.acme-tools.example")),
        ("Müller & Söhne GmbH", text("xn--mller-kva.example")),
        ("Łódź o'Works 100%_sure {a,b}", None),
        ("张伟 😀 back\\slash", text("acme.test")),
        ("null; DROP TABLE companies; --", None),
    ] {
        all.companies.push(world.add(Company { name: name.to_owned(), domain, ..world.bare_company() }).await);
    }
    for (title, description) in [
        ("Login fails", text("Since the update, O'Brien can't log in: error 500 at /auth/login?x=1&y=2")),
        ("Drucker geht nicht", text("Über Nacht kaputt.\nSeite 3%, \\\\server\\share")),
        ("печать", None),
        ("null", text("annex; DROP TABLE issues; --")),
    ] {
        for kind in [IssueKind::Task, IssueKind::Ticket] {
            let (title, description) = (title.to_owned(), description.clone());
            all.issues.push(world.add(Issue { title, description, ..world.bare_issue(kind).await }).await);
        }
    }
    all
}

/// The ids of the contacts, companies, tasks and tickets that a text finds.
async fn found(world: &TestWorkspace, typed: &str) -> BTreeSet<Uuid> {
    let search = || SearchQuery::parse(typed).unwrap();
    let mut ids = world.ids::<Contact>(ContactFilter { search: search(), ..ContactFilter::default() }).await;
    ids.extend(world.ids::<Company>(CompanyFilter { search: search(), ..CompanyFilter::default() }).await);
    for kind in [IssueKind::Task, IssueKind::Ticket] {
        let issues = world.list::<Issue>(IssueFilter { search: search(), ..IssueFilter::all(kind) }).await;
        assert!(issues.iter().all(|issue| issue.kind == kind));
        ids.extend(issues.iter().map(|issue| issue.id.0));
    }
    ids.into_iter().collect()
}

fn expected(all: &Found, typed: &str) -> BTreeSet<Uuid> {
    let matches = |words: Vec<String>| {
        SearchQuery::parse(typed).unwrap().is_none_or(|query| SearchWords::of(words).matches(&query))
    };
    let contacts = all.contacts.iter().filter(|it| matches(it.search_words())).map(|it| it.id.0);
    let companies = all.companies.iter().filter(|it| matches(it.search_words())).map(|it| it.id.0);
    let issues = all.issues.iter().filter(|it| matches(it.search_words())).map(|it| it.id.0);
    contacts.chain(companies).chain(issues).collect()
}

/// Every word of a query must begin a word of the record, and no text is ever interpreted.
pub async fn records_are_found_by_the_starts_of_words(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let all = fill(&world).await;
    for typed in texts(TYPED).chain(texts(HOSTILE)).chain(["\u{202e}ann", "quirk'", ""]) {
        assert_eq!(found(&world, typed).await, expected(&all, typed), "{typed}");
    }
    // The rule finds something, but not everything.
    let (anne, lee, muller) = (all.contacts[0].id.0, all.contacts[1].id.0, all.companies[1].id.0);
    assert!(found(&world, "ann").await.is_superset(&[anne, lee].into()));
    assert_eq!(found(&world, "marie brien").await, [anne].into());
    assert_eq!(found(&world, "muller sohne").await, [muller].into());
    assert!(found(&world, "arie").await.is_empty());
    assert_eq!(found(&world, "大学 タワー").await, [all.contacts[5].id.0].into());
}

/// A search finds the new words of a record, and no longer its former ones.
pub async fn changed_words_are_found(subject: &StoreUnderTest) {
    let world = subject.world().await;
    let Found { contacts, companies, issues } = fill(&world).await;
    let contact = Contact { first_name: text("Quartz"), last_name: None, ..contacts[0].clone() };
    let company = Company { name: "Quartz".to_owned(), domain: None, ..companies[0].clone() };
    let issue = Issue { title: "Quartz".to_owned(), description: None, ..issues[0].clone() };
    let ids = [contact.id.0, company.id.0, issue.id.0];
    world.save(&contact).await;
    world.save(&company).await;
    world.save_issues(&[issue]).await;
    assert_eq!(found(&world, "quar").await, ids.into());
    for former in ["marie", "inc", "login fails"] {
        assert!(found(&world, former).await.is_disjoint(&ids.into()), "{former}");
    }
}
