//! `HubSpot`: exports with labels, or with internal names and values. Sources: docs/import-export.md.

use super::{CellValues, ColumnNames};

pub(super) const CONTACTS: ColumnNames = &[
    ("Record ID", "external_id"),
    ("Contact ID", "external_id"),
    ("hs_object_id", "external_id"),
    ("Email", "email"),
    ("Email address", "email"),
    ("Work email", "email"),
    ("work_email", "email"),
    ("Additional email addresses", "custom_fields.additional_emails"),
    ("hs_additional_emails", "custom_fields.additional_emails"),
    ("First Name", "first_name"),
    ("firstname", "first_name"),
    ("Last Name", "last_name"),
    ("lastname", "last_name"),
    ("Phone Number", "phone"),
    ("Phone", "phone"),
    ("Mobile Phone Number", "phone"),
    ("mobilephone", "phone"),
    ("WhatsApp Phone Number", "phone"),
    ("hs_whatsapp_phone_number", "phone"),
    ("Fax Number", "custom_fields.fax"),
    ("fax", "custom_fields.fax"),
    ("Job Title", "job_title"),
    ("jobtitle", "job_title"),
    ("Company Name", "company_name"),
    ("company", "company_name"),
    ("Lifecycle Stage", "contact_type"),
    ("lifecyclestage", "contact_type"),
    ("Lead Status", "custom_fields.lead_status"),
    ("hs_lead_status", "custom_fields.lead_status"),
    ("Contact owner", "owner_by_email"),
    ("hubspot_owner_id", "owner_by_email"),
    ("Original Source", "lead_source"),
    ("hs_analytics_source", "lead_source"),
    ("Industry", "industry"),
    ("City", "city"),
    ("State/Region", "state"),
    ("Country/Region", "country"),
    ("LinkedIn URL", "social_linkedin"),
    ("hs_linkedin_url", "social_linkedin"),
    ("Website URL", "custom_fields.website"),
    ("Street Address", "custom_fields.street"),
    ("Postal Code", "custom_fields.postal_code"),
    ("Create Date", "custom_fields.created_in_hubspot"),
    ("createdate", "custom_fields.created_in_hubspot"),
    ("Associated Company IDs (Primary)", "company_external_id"),
    ("Primary Associated Company ID", "company_external_id"),
    ("Associated Company ID", "company_external_id"),
    ("associatedcompanyid", "company_external_id"),
    ("Associated Company IDs", "company_external_id"),
    ("Associated Company (Primary)", "company_by_name"),
    ("Associated Company Names (Primary)", "company_by_name"),
    ("Associated Company", "company_by_name"),
    ("Associated Company Names", "company_by_name"),
];

/// The labels and internal values of the default lifecycle stages.
pub(super) const LIFECYCLE: CellValues = &[
    ("contact_type", "Subscriber", "new"),
    ("contact_type", "Lead", "lead"),
    ("contact_type", "Marketing Qualified Lead", "qualified"),
    ("contact_type", "marketingqualifiedlead", "qualified"),
    ("contact_type", "Sales Qualified Lead", "qualified"),
    ("contact_type", "salesqualifiedlead", "qualified"),
    ("contact_type", "Opportunity", "prospect"),
    ("contact_type", "Customer", "customer"),
    ("contact_type", "Evangelist", "customer"),
    ("contact_type", "Other", "new"),
];

/// The number of an owner is ignored, because companies have no custom fields in which to keep it.
pub(super) const COMPANIES: ColumnNames = &[
    ("Record ID", "external_id"),
    ("Company ID", "external_id"),
    ("hs_object_id", "external_id"),
    ("Company name", "name"),
    ("Name", "name"),
    ("Company Domain Name", "domain"),
    ("Industry", "industry"),
    ("Phone Number", "phone"),
    ("Website URL", "website"),
    ("Description", "notes"),
    ("Company owner", "owner_by_email"),
    ("hubspot_owner_id", ""),
];

pub(super) const DEALS: ColumnNames = &[
    ("Record ID", "external_id"),
    ("Deal ID", "external_id"),
    ("hs_object_id", "external_id"),
    ("Deal Name", "title"),
    ("dealname", "title"),
    ("Deal Description", "description"),
    ("Deal Stage", "stage"),
    ("dealstage", "stage"),
    ("Pipeline", "custom_fields.pipeline"),
    ("Deal Type", "custom_fields.deal_type"),
    ("dealtype", "custom_fields.deal_type"),
    ("Amount", "value"),
    ("Amount in company currency", "custom_fields.amount_in_company_currency"),
    ("Currency", "currency"),
    ("deal_currency_code", "currency"),
    ("Close Date", "~close_date"),
    ("closedate", "~close_date"),
    ("Closed Date", "~closed"),
    ("Closed Won Date", "~won"),
    ("Date entered \"Closed Won (Sales Pipeline)\"", "~won"),
    ("Date entered 'Closed Won (Sales Pipeline)'", "~won"),
    ("hs_v2_date_entered_closedwon", "~won"),
    ("hs_date_entered_closedwon", "~won"),
    ("Date entered \"Closed Lost (Sales Pipeline)\"", "~lost"),
    ("Date entered 'Closed Lost (Sales Pipeline)'", "~lost"),
    ("hs_v2_date_entered_closedlost", "~lost"),
    ("hs_date_entered_closedlost", "~lost"),
    ("Last Modified Date", "~modified"),
    ("hs_lastmodifieddate", "~modified"),
    ("Create Date", "custom_fields.created_in_hubspot"),
    ("createdate", "custom_fields.created_in_hubspot"),
    ("Closed Lost Reason", "lost_reason"),
    ("closed_lost_reason", "lost_reason"),
    ("Closed Won Reason", "custom_fields.won_reason"),
    ("closed_won_reason", "custom_fields.won_reason"),
    ("Original Source Type", "source"),
    ("hs_analytics_source", "source"),
    ("Deal owner", "owner_by_email"),
    ("hubspot_owner_id", "owner_by_email"),
    ("Associated Contact IDs (Primary)", "contact_external_id"),
    ("Associated Contact IDs", "contact_external_id"),
    ("Associated Contact (Primary)", "contact_by_name"),
    ("Associated Contact", "contact_by_name"),
    ("Associated Company IDs (Primary)", "company_external_id"),
    ("Associated Company IDs", "company_external_id"),
    ("Associated Company (Primary)", "company_by_name"),
    ("Associated Company Names (Primary)", "company_by_name"),
    ("Associated Company", "company_by_name"),
    ("Associated Company Names", "company_by_name"),
    ("Company name", "company_by_name"),
];

/// The labels and internal values of the default pipeline.
pub(super) const STAGES: CellValues = &[
    ("stage", "Appointment Scheduled", "discovery"),
    ("stage", "appointmentscheduled", "discovery"),
    ("stage", "Qualified To Buy", "qualified"),
    ("stage", "qualifiedtobuy", "qualified"),
    ("stage", "Presentation Scheduled", "proposal"),
    ("stage", "presentationscheduled", "proposal"),
    ("stage", "Decision Maker Bought-In", "negotiation"),
    ("stage", "decisionmakerboughtin", "negotiation"),
    ("stage", "Contract Sent", "negotiation"),
    ("stage", "contractsent", "negotiation"),
    ("stage", "Closed Won", "closed_won"),
    ("stage", "closedwon", "closed_won"),
    ("stage", "Closed Lost", "closed_lost"),
    ("stage", "closedlost", "closed_lost"),
];

/// The pipeline that every account has.
const DEFAULT_PIPELINE: &str = "sales pipeline";

/// The variants of a stage without its pipeline and its number, each with the pipeline that it leaves out, unless that is the
/// default one: `5. Closed Won (Sales Pipeline)` is also looked up as `5. Closed Won`, `Closed Won (Sales Pipeline)` and `Closed
/// Won`.
pub(super) fn stage_forms(cell: &str) -> Vec<(&str, Option<&str>)> {
    let cell = cell.trim();
    let mut forms = vec![(cell, None)];
    forms.extend(without_pipeline(cell));
    if let Some(text) = without_number(cell) {
        forms.push((text, None));
        forms.extend(without_pipeline(text));
    }
    forms
}

fn without_pipeline(stage: &str) -> Option<(&str, Option<&str>)> {
    let (name, pipeline) = stage.strip_suffix(')')?.rsplit_once(" (")?;
    let pipeline = pipeline.trim();
    let is_other_pipeline = !pipeline.is_empty() && pipeline.to_lowercase() != DEFAULT_PIPELINE;
    Some((name.trim(), is_other_pipeline.then_some(pipeline)))
}

fn without_number(stage: &str) -> Option<&str> {
    let rest = stage.trim_start_matches(|character: char| character.is_ascii_digit());
    let is_numbered = rest.len() < stage.len();
    rest.strip_prefix(['.', ')']).filter(|_| is_numbered).map(str::trim)
}
