use std::collections::BTreeMap;
use std::time::Duration;

use super::support::shared;
use crate::{Verifier, WebhookDelivery};

#[test]
fn genuine_requests_verify_and_others_are_refused() {
    for case in shared("testdata/signatures.json")["cases"].as_array().unwrap() {
        let secrets: Vec<_> =
            case["secrets"].as_array().unwrap().iter().map(|secret| secret.as_str().unwrap()).collect();
        let headers: BTreeMap<String, String> = serde_json::from_value(case["headers"].clone()).unwrap();
        let body = case["body"].as_str().unwrap();
        let verifier = Verifier { tolerance: Duration::from_mins(5), now: case["now"].as_u64().unwrap() };
        let outcome = verifier.verify(body.as_bytes(), &headers, &secrets);
        assert_eq!(outcome.is_ok(), case["valid"] == true, "{}: {outcome:?}", case["name"]);
        if let Ok(delivery) = outcome {
            let content: serde_json::Value = serde_json::from_str(body).unwrap();
            assert_eq!(
                (delivery.id(), delivery.event()),
                (content["id"].as_str().unwrap(), content["event"].as_str().unwrap())
            );
            // Its data is not a complete deal.
            assert!(matches!(delivery, WebhookDelivery::Other(_)));
        }
    }
}
