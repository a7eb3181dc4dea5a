use serde_json::json;

use crate::Patch;
use crate::types::{DealInput, DealStage, DealUpdate};

#[test]
fn values_of_a_newer_service_are_kept() {
    let stage: DealStage = serde_json::from_value(json!("haggling")).unwrap();
    assert_eq!(stage, DealStage::Other("haggling".to_owned()));
    assert_eq!(serde_json::to_value(&stage).unwrap(), json!("haggling"));
    assert_eq!(DealStage::from("proposal"), DealStage::Proposal);
    assert_eq!(DealStage::Proposal, "proposal");
}

#[test]
fn an_update_distinguishes_absent_members_from_null() {
    let update = DealUpdate { description: Patch::Clear, stage: DealStage::Proposal.into(), ..DealUpdate::default() };
    let json = json!({ "description": null, "stage": "proposal" });
    assert_eq!(serde_json::to_value(&update).unwrap(), json);
    assert_eq!(serde_json::from_value::<DealUpdate>(json).unwrap(), update);
}

#[test]
fn an_empty_list_is_sent() {
    let deal = DealInput { tags: Some(Vec::new()), ..DealInput::new("40 seats") };
    assert_eq!(serde_json::to_value(&deal).unwrap(), json!({ "title": "40 seats", "tags": [] }));
}
