//! Companies.

use askama::Template;
use domain::CompanyId;
use domain::crm::companies::{self, Company, CompanyFields, CompanyFilter};
use domain::identity::access::{CreateCompanies, ReadCompanies, UpdateCompanies};
use domain::kernel::input::InputMode;
use domain::records::Listed;
use serde_json::json;

use crate::answers::{self, Notice};
use crate::filters;
use crate::form::FormView;
use crate::layout::{Browser, Shell};
use crate::lists::{ListQuery, ListView};
use crate::page::{PageRequest, PageResult, page};
use crate::texts::{text, text_with};

page! {
    List = "GET /companies", access: ReadCompanies, query: ListQuery<CompanyFilter, Company> => list
}

page! {
    New = "GET /companies/new", access: CreateCompanies => new
}

page! {
    Create = "POST /companies", access: CreateCompanies => create
}

page! {
    Show = "GET /companies/{company_id}", access: ReadCompanies, path: CompanyId => show
}

page! {
    Update = "POST /companies/{company_id}", access: UpdateCompanies, path: CompanyId => update
}

#[derive(Template)]
#[template(path = "companies.html")]
struct ListPage {
    shell: Shell,
    list: ListView,
    companies: Vec<Listed<Company>>,
    may_create: bool,
}

#[derive(Template)]
#[template(path = "company.html")]
struct CompanyPage {
    shell: Shell,
    form: FormView,
    action: String,
    may_change: bool,
}

async fn list(request: PageRequest<List>) -> PageResult {
    let browser = request.browser;
    let page =
        companies::list_or_deleted(&request.ports, &request.permit, request.query.filter, request.query.page).await?;
    let list = ListView::new::<CompanyFilter, _>(&browser.address, &page);
    let shell = browser.shell(text("companies-title"));
    let may_create = browser.may::<CreateCompanies>();
    answers::page(&browser, &ListPage { shell, list, companies: page.items, may_create })
}

fn new_page(browser: &Browser, form: FormView) -> CompanyPage {
    let shell = browser.shell(text("companies-new"));
    CompanyPage { shell, form, action: "/companies".to_owned(), may_change: true }
}

async fn new(request: PageRequest<New>) -> PageResult {
    answers::page(&request.browser, &new_page(&request.browser, FormView::new::<CompanyFields>()))
}

async fn create(request: PageRequest<Create>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = match form.read(InputMode::Create, &ports, &browser.preferences.zone) {
        Ok(fields) => companies::create(&ports, &permit, None, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(made) => {
            let company = answers::made(made)?;
            let notice = Notice::new(text_with("companies-created", [("name", company.name.as_str().into())]));
            Ok(answers::redirect(&browser, &format!("/companies/{}", company.id), Some(notice)))
        }
        Err(error) => {
            let view = FormView::new::<CompanyFields>().typed(&form).with_error(error)?;
            answers::refused(&browser, &new_page(&browser, view))
        }
    }
}

fn company_page(browser: &Browser, company: &Company, form: FormView) -> CompanyPage {
    let shell = browser.shell(company.name.clone());
    let action = format!("/companies/{}", company.id);
    CompanyPage { shell, form, action, may_change: browser.may::<UpdateCompanies>() }
}

async fn show(request: PageRequest<Show>) -> PageResult {
    let browser = request.browser;
    let company = companies::read(&request.ports, &request.permit, request.path).await?;
    let form = FormView::new::<CompanyFields>().filled(&json!(company), &browser.preferences.zone);
    answers::page(&browser, &company_page(&browser, &company, form))
}

async fn update(request: PageRequest<Update>) -> PageResult {
    let PageRequest { ports, permit, path, form, browser, .. } = request;
    let result = match form.read(InputMode::Patch, &ports, &browser.preferences.zone) {
        Ok(fields) => companies::update(&ports, &permit, path, form.version()?, fields).await,
        Err(error) => Err(error),
    };
    match result {
        Ok(company) => {
            let notice = Notice::new(text_with("companies-saved", [("name", company.name.as_str().into())]));
            Ok(answers::redirect(&browser, &format!("/companies/{path}"), Some(notice)))
        }
        Err(error) => {
            let view = FormView::new::<CompanyFields>().typed(&form).with_error(error)?;
            let read = browser.caller.as_ref().map(|caller| caller.permit::<ReadCompanies>());
            let company = match read {
                Some(permit) => companies::read(&ports, &permit?, path).await?,
                None => return Ok(answers::redirect(&browser, "/companies", None)),
            };
            answers::refused(&browser, &company_page(&browser, &company, view))
        }
    }
}
