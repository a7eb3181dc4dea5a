//! Contacts and deals of `HubSpot` and Pipedrive.

use serde_json::{Value as Json, json};

use super::{HUBSPOT_CONTACTS, import, import_with, members, members_of, owned_by_a_member, records};
use crate::start;
use domain::records::OnMatch;
use domain::transfer::{Mapping, PresetName, TransferKind};

const HUBSPOT_DEALS: (PresetName, TransferKind) = (PresetName::Hubspot, TransferKind::Deals);
const PIPEDRIVE_DEALS: (PresetName, TransferKind) = (PresetName::Pipedrive, TransferKind::Deals);

#[test]
fn hubspot_contacts_get_companies_and_keep_all_addresses_and_phone_numbers() {
    let env = &start();
    let (sample, member) = owned_by_a_member(env, include_str!("../samples/hubspot-contacts.csv"));
    let report = import(env, HUBSPOT_CONTACTS, &sample);
    assert_eq!(report.outcomes(), ["Created"; 3]);
    assert_eq!(report.columns.ignored(), ["Last Activity Date"]);
    assert_eq!(report.result.companies, 2);
    let companies = records(env, TransferKind::Companies, "name");
    let expected = json!([["Berg & Sons", null], ["Lantern Coffee", "5001"]]);
    assert_eq!(members_of(&companies, &["name", "external_id"]), expected);
    let contacts = records(env, TransferKind::Contacts, "external_id");
    let (berg, lantern) = (&companies[0]["id"], &companies[1]["id"]);
    let linked: Vec<_> = contacts.iter().map(|contact| &contact["company_id"]).collect();
    assert_eq!(linked, [lantern, berg, lantern]);
    let expected = ["mia@lantern.example", "+49 30 1234", "qualified", "Lantern Coffee"].map(Json::from);
    assert_eq!(members(&contacts[0], ["email", "phone", "contact_type", "company_name"]), expected);
    assert_eq!(
        contacts[0]["custom_fields"],
        json!({
            "additional_emails": "mia.l@lantern.example;mia@home.example", "mobile_phone_number": "+49 170 5678",
            "owner": "Noah Fields", "lead_status": "Open", "created_in_hubspot": "2026-05-01 10:00",
        })
    );
    let owners: Vec<_> = contacts.iter().map(|contact| &contact["assigned_to"]).collect();
    assert_eq!(owners, [&json!(null), &json!(member), &json!(null)]);
    // The first number counts, and a number in two notations is kept once.
    assert_eq!(contacts[1]["phone"], "+47 2345 6789");
    assert_eq!(contacts[2]["custom_fields"], json!({ "created_in_hubspot": "2026-05-03 10:00" }));
    assert_eq!(contacts[2]["contact_type"], "qualified");
}

#[test]
fn companies_get_their_owner_by_address_and_keep_other_values() {
    let env = &start();
    for (preset, header) in [
        (PresetName::Hubspot, "Record ID,Company name,Company owner"),
        (PresetName::Pipedrive, "Organization - ID,Organization - Name,Organization - Owner"),
    ] {
        let sample = format!("{header}\n1,Lantern,noah@own.example\n2,Berg,Noah Fields\n3,Kern,");
        let (sample, member) = owned_by_a_member(env, &sample);
        let report = import_with(env, (preset, TransferKind::Companies), &sample, Mapping::default(), OnMatch::Update);
        let has_reason = report.outcomes().iter().any(|text| text.contains(':'));
        assert!(report.columns.ignored().is_empty() && !has_reason, "{header}");
        let companies = records(env, TransferKind::Companies, "external_id");
        let owners = json!([[member, null], [null, null], [null, null]]);
        assert_eq!(members_of(&companies, &["assigned_to", "notes"]), owners);
        let note = "\"Noah Fields\" is not the e-mail address of a member: assigned_to stays empty, and the text is left out \
                    (1 row)";
        assert_eq!(report.result.notes.texts(), [note]);
    }
}

#[test]
fn hubspot_deals_keep_stage_dates_owner_and_company() {
    let env = &start();
    import(env, HUBSPOT_CONTACTS, include_str!("../samples/hubspot-contacts.csv"));
    let (sample, member) = owned_by_a_member(env, include_str!("../samples/hubspot-deals.csv"));
    let report = import(env, HUBSPOT_DEALS, &sample);
    let refused = "stage: \"3. RFP (Partners)\" must be one of discovery, qualified, proposal, negotiation, closed_won, \
                   closed_lost: correct the cell, or say what it means with --value \"stage:3. RFP (Partners)=discovery\"";
    assert_eq!(report.outcomes(), ["Created", "Created", "Created", "Created", refused]);
    assert_eq!(report.result.companies, 0, "all exist already");
    let deals = records(env, TransferKind::Deals, "external_id");
    let dates = json!([
        ["negotiation", "2026-12-01", null],
        ["closed_won", null, "2026-07-01"],
        // Without a close date, the deal was closed no later than its last change.
        ["closed_lost", null, "2026-06-17"],
        ["negotiation", null, null]
    ]);
    assert_eq!(members_of(&deals, &["stage", "expected_close_date", "actual_close_date"]), dates);
    assert_eq!(deals[0]["assigned_to"], member);
    assert_eq!((&deals[1]["assigned_to"], &deals[1]["custom_fields"]["owner"]), (&json!(null), &json!("Noah Fields")));
    let note = "\"Noah Fields\" is not the e-mail address of a member: assigned_to stays empty, and the text is kept in \
                custom_fields.owner (1 row)";
    assert_eq!(report.result.notes.texts(), [note]);
    let companies = records(env, TransferKind::Companies, "name");
    assert_eq!((&deals[0]["company_id"], &deals[1]["company_id"]), (&companies[1]["id"], &companies[0]["id"]));
    // A deal has one contact, the first; all of them are kept as text.
    let contacts = records(env, TransferKind::Contacts, "external_id");
    assert_eq!(deals[0]["contact_id"], contacts[0]["id"]);
    assert_eq!(deals[0]["custom_fields"]["associated_contact_ids"], "101;102");
    assert_eq!(deals[2]["lost_reason"], "Too expensive");
    assert_eq!(deals[3]["custom_fields"]["lost_reason"], "Too expensive");
}

#[test]
fn hubspot_deals_find_their_contact_by_an_address_after_the_name() {
    let env = &start();
    import(env, HUBSPOT_CONTACTS, "Record ID,Email,First Name,Last Name\n1,mia@hs.example,Mia,Ott");
    let sample = "Record ID,Deal Name,Associated Contact\n1,A,Mia Ott (mia@hs.example)\n2,B,MIA@hs.example\n\
                  3,C,M. Ott <mia@hs.example>;Bo (bo@hs.example)\n4,D,Mia Ott (other@hs.example)";
    let report = import(env, HUBSPOT_DEALS, sample);
    assert_eq!(report.outcomes(), ["Created"; 4]);
    let contact = &records(env, TransferKind::Contacts, "external_id")[0]["id"];
    let deals = records(env, TransferKind::Deals, "external_id");
    let linked: Vec<_> = deals.iter().map(|deal| &deal["contact_id"]).collect();
    // A namesake with a different address is a different person.
    assert_eq!(linked, [contact, contact, contact, &json!(null)]);
    assert_eq!(deals[3]["custom_fields"]["contact"], "Mia Ott (other@hs.example)");
}

#[test]
fn hubspot_internal_names_and_values_are_recognized() {
    let env = &start();
    let report = import(env, HUBSPOT_DEALS, include_str!("../samples/hubspot-deals-internal.csv"));
    assert_eq!((report.outcomes(), report.columns.ignored()), (vec!["Created"; 2], &[] as &[String]));
    let deals = records(env, TransferKind::Deals, "external_id");
    let expected = json!([["Espresso machines", "discovery", null], ["Grinders", "closed_won", "2026-07-01"]]);
    assert_eq!(members_of(&deals, &["title", "stage", "actual_close_date"]), expected);
}

#[test]
fn hubspot_deals_keep_second_dates_and_pipelines() {
    let env = &start();
    let sample = "Deal Name,Deal Stage,Pipeline,Close Date,closedate,Expected close date\n\
                H1,Appointment Scheduled (Partner Pipeline),,2020-01-01,2021-02-02,\n\
                H2,Contract Sent,,2020-01-01,,2022-02-02\n\
                H3,Closed Won (Sales Pipeline),Partners,2020-01-01,2020-01-01,2022-02-02\n\
                H4,2. Contract Sent (Partners),Partners,2020-01-01,2020-01-01 10:00,2020-01-01";
    assert_eq!(import(env, HUBSPOT_DEALS, sample).outcomes(), ["Created"; 4]);
    let deals = records(env, TransferKind::Deals, "title");
    let expected = json!([
        ["discovery", "2020-01-01", null, { "closedate": "2021-02-02", "pipeline": "Partner Pipeline" }],
        ["negotiation", "2022-02-02", null, { "close_date": "2020-01-01" }],
        ["closed_won", "2022-02-02", "2020-01-01", { "pipeline": "Partners" }],
        ["negotiation", "2020-01-01", null, { "pipeline": "Partners" }]
    ]);
    assert_eq!(members_of(&deals, &["stage", "expected_close_date", "actual_close_date", "custom_fields"]), expected);
}

#[test]
fn an_unknown_owner_of_a_deal_does_not_overwrite_other_columns() {
    let env = &start();
    let sample = "Deal Name,Deal owner,custom_fields.owner,Associated Contact,custom_fields.contact\n\
                O1,Somebody,Alice,Nobody Known,Ola Berg";
    assert_eq!(import(env, HUBSPOT_DEALS, sample).outcomes(), ["Created"]);
    let deal = &records(env, TransferKind::Deals, "title")[0];
    assert_eq!(deal["custom_fields"], json!({ "owner": "Alice; Somebody", "contact": "Ola Berg; Nobody Known" }));
}

#[test]
fn names_in_several_columns_are_kept_completely() {
    let env = &start();
    import(env, HUBSPOT_CONTACTS, "Email,Full Name,First Name\na@x.example,Mia Maria Ott,Mia");
    let sample = "Person - Email,Person - Name,Person - First name,Person - Last name,Full name\n\
                b@x.example,Mia Maria Ott,,Ott,Mia Maria Ott\nc@x.example,Mia Maria Ott,Mia,Ott,Mimi Ott";
    assert_eq!(import(env, (PresetName::Pipedrive, TransferKind::Contacts), sample).outcomes(), ["Created"; 2]);
    let contacts = records(env, TransferKind::Contacts, "email");
    let names: Vec<_> = contacts.iter().map(|contact| members(contact, ["first_name", "last_name"])).collect();
    assert_eq!(names, [["Mia", "Maria Ott"], ["Mia Maria", "Ott"], ["Mia", "Ott"]].map(|one| one.map(Json::from)));
    assert_eq!(contacts[1]["custom_fields"], json!({}));
    assert_eq!(contacts[2]["custom_fields"], json!({ "name": "Mia Maria Ott", "full_name": "Mimi Ott" }));
}

#[test]
fn pipedrive_deals_keep_their_closing_dates() {
    let env = &start();
    let people =
        import(env, (PresetName::Pipedrive, TransferKind::Contacts), include_str!("../samples/pipedrive-people.csv"));
    assert_eq!((people.outcomes(), people.result.companies), (vec!["Created"; 2], 1));
    assert_eq!(people.columns.ignored(), ["Person - Marketing status"]);
    let contacts = records(env, TransferKind::Contacts, "external_id");
    assert_eq!(members(&contacts[0], ["first_name", "last_name"]), ["Mia", "Lantern"].map(Json::from));
    assert_eq!(contacts[0]["custom_fields"]["email_home"], "mia@home.example");
    assert_eq!(members(&contacts[1], ["email", "first_name"]), ["ola@home.example", "Ola"].map(Json::from));
    let others = json!({ "email_other": "ola@old.example", "additional_emails": "ola@older.example" });
    assert_eq!(contacts[1]["custom_fields"], others);
    let (sample, member) = owned_by_a_member(env, include_str!("../samples/pipedrive-deals.csv"));
    let report = import(env, PIPEDRIVE_DEALS, &sample);
    assert_eq!((report.outcomes(), report.result.companies), (vec!["Created"; 4], 1));
    assert_eq!(report.columns.ignored(), ["Deal - Last stage change"]);
    let deals = records(env, TransferKind::Deals, "external_id");
    let dates = json!([
        ["closed_won", "2026-07-01", "2026-08-01"],
        ["closed_lost", "2026-07-02", null],
        ["open", null, "2026-12-24"],
        // Without a date, the closing date is unknown, and not today.
        ["closed_won", null, null]
    ]);
    assert_eq!(members_of(&deals, &["status", "actual_close_date", "expected_close_date"]), dates);
    assert_eq!(deals[0]["contact_id"], contacts[0]["id"]);
    assert_eq!(deals[1]["assigned_to"], json!(member));
    assert_eq!(deals[1]["custom_fields"]["contact"], "Nobody Known");
    assert_eq!(deals[0]["custom_fields"]["stage"], "Negotiations Started");
    let notes = report.result.notes.texts();
    assert!(
        notes.iter().any(|note| note == "closed without a date: actual_close_date stays empty (1 row)"),
        "{notes:?}"
    );
    let mapping = Mapping { columns: vec![("Deal - Stage".to_owned(), "stage".to_owned())], ..Mapping::default() };
    let values = [("Negotiations Started", "negotiation"), ("Proposal Made", "proposal")];
    let values = values.map(|(cell, value)| ("stage".to_owned(), cell.to_owned(), value.to_owned())).to_vec();
    let again =
        import_with(env, PIPEDRIVE_DEALS, &sample.replace("D1", "E1"), Mapping { values, ..mapping }, OnMatch::Update);
    assert_eq!(again.outcomes(), ["Updated"; 4]);
    let deals = records(env, TransferKind::Deals, "external_id");
    let stages: Vec<_> = deals.iter().map(|deal| members(deal, ["stage"])).collect();
    // A closed deal cannot have another stage, so the stage before closing is kept as text.
    assert_eq!(stages, [["closed_won"], ["closed_lost"], ["qualified"], ["closed_won"]].map(|one| one.map(Json::from)));
    assert_eq!(deals[0]["custom_fields"]["stage"], "negotiation");
}
