//! Companies, contacts and deals with all fields set, and with as few as possible.

use rust_decimal::Decimal;
use serde_json::{Map, Value, json};
use time::macros::{date, datetime};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::TestWorkspace;
use domain::crm::companies::Company;
use domain::crm::contacts::{Contact, ContactStatus, ContactType};
use domain::crm::deals::{Deal, DealStage, DealStatus};
use domain::identity::access::{Actor, ActorKind};
use domain::kernel::input::{Input, InputMode};
use domain::{CompanyId, ContactId, DealId};

/// Text that breaks naive implementations.
pub(super) const LINE: &str = r#"Ünï 'single' "double" \back {a,b} %_ $1 😀 NULL"#;
pub(super) const LINES: &str = "first 'line'\n\tsecond \\n line\n\n😀";
/// A time with microseconds, independent of every clock.
pub(super) const MADE: OffsetDateTime = datetime!(2024-02-29 23:59:59.123456 UTC);

pub(super) fn custom_fields() -> Map<String, Value> {
    let fields = json!({
        "text": LINE,
        "lines": LINES,
        "empty": "",
        "null": null,
        "flag": true,
        "number": 12345.678,
        "tenth": 0.1,
        "large": u64::MAX,
        "small": i64::MIN,
        // Postgres writes these with all their digits.
        "largest": f64::MAX,
        "lowest": f64::MIN,
        "near_largest": 1.797_693_134_862_315e308,
        "nearest_zero": 5e-324,
        "list": [1, "two", [3.5, []], {}],
        "nested": {"b": {"c": {"d": {"e": ["f", {"g": null}]}}}},
        "Ключ \"x\"": 1,
    });
    let Value::Object(fields) = fields else { return Map::new() };
    fields
}

/// The body of a create.
pub(super) fn fields<F: Input>(body: Value) -> F {
    let Value::Object(object) = body else { panic!("{body} is not an object") };
    F::from_object(object, InputMode::Create).unwrap()
}

#[expect(clippy::unnecessary_wraps, reason = "used where fields are optional")]
pub(super) fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

pub(super) fn list(texts: &[&str]) -> Vec<String> {
    texts.iter().map(ToString::to_string).collect()
}

impl TestWorkspace {
    pub fn key_actor(&self) -> Actor {
        Actor { kind: ActorKind::ApiKey, id: Some(self.key_id().0) }
    }

    pub fn member_actor(&self) -> Actor {
        Actor { kind: ActorKind::User, id: Some(self.member.0) }
    }

    pub fn bare_company(&self) -> Company {
        let blank = Company::blank(CompanyId(self.id()), Actor::SYSTEM, self.now());
        Company { name: "Company".to_owned(), ..blank }
    }

    pub fn full_company(&self) -> Company {
        Company {
            name: LINE.to_owned(),
            domain: some("full.example"),
            assigned_to: Some(self.member),
            industry: some("Industry"),
            phone: some("+1 555"),
            website: some("https://full.example/a?b=c"),
            notes: some(LINES),
            external_id: some("company ' 1"),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.member_actor(),
            ..self.bare_company()
        }
    }

    pub fn bare_contact(&self) -> Contact {
        let blank = Contact::blank(ContactId(self.id()), Actor::SYSTEM, self.now());
        Contact { email: self.new_email(), ..blank }
    }

    pub fn full_contact(&self, company: CompanyId) -> Contact {
        Contact {
            first_name: some(LINE),
            last_name: some("Last"),
            phone: some("+1 (555) 123-4567"),
            job_title: some("Job"),
            company_id: Some(company),
            company_name: some("Company name"),
            assigned_to: Some(self.member),
            contact_type: ContactType::Vendor,
            status: ContactStatus::Pending,
            lead_source: some("Source"),
            industry: some("Industry"),
            notes: some(LINES),
            tags: list(&["b", "a", LINE, "a"]),
            custom_fields: custom_fields(),
            external_id: some("contact ' 1"),
            country: some("Country"),
            state: some("State"),
            city: some("City"),
            social_linkedin: some("https://www.linkedin.com/in/x"),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.key_actor(),
            ..self.bare_contact()
        }
    }

    pub fn bare_deal(&self) -> Deal {
        let blank = Deal::blank(DealId(self.id()), "USD", Actor::SYSTEM, self.now());
        Deal { title: "Deal".to_owned(), ..blank }
    }

    /// A deal with all fields set, and its referenced records created.
    pub async fn full_deal(&self) -> Deal {
        Deal {
            title: LINE.to_owned(),
            description: some(LINES),
            contact_id: Some(self.add(self.bare_contact()).await.id),
            company_id: Some(self.add(self.bare_company()).await.id),
            assigned_to: Some(self.member),
            status: DealStatus::ClosedLost,
            stage: DealStage::ClosedLost,
            value: Some(Decimal::new(12_345_678, 2)),
            currency: "CHF".to_owned(),
            probability: Some(35),
            expected_close_date: Some(date!(2030 - 02 - 28)),
            actual_close_date: Some(date!(0001 - 01 - 01)),
            lost_reason: some(LINES),
            source: some("Source"),
            tags: list(&["b", "a", LINE, "a"]),
            custom_fields: custom_fields(),
            external_id: some("deal ' 1"),
            price_book_id: Some(Uuid::from_u128(1)),
            package_id: Some(Uuid::from_u128(2)),
            rep_id: Some(self.new_member().await),
            developer_id: Some(Uuid::from_u128(u128::MAX)),
            commission_pct: Some(Decimal::new(1_225, 2)),
            territory: some("Territory"),
            version: 7,
            created_at: MADE,
            updated_at: MADE + Duration::MICROSECOND,
            created_by: self.key_actor(),
            ..self.bare_deal()
        }
    }
}
