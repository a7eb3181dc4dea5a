use serde_json::json;

use super::support::{Reply, answered, headers, scripted, shared};
use crate::{ApiError, Client};

async fn error_of(reply: Reply) -> ApiError {
    let (client, _) = scripted([reply]);
    let call = client.request("deals_read").path("deal_id", "d").max_retries(0);
    call.await.unwrap_err().api().unwrap().clone()
}

#[tokio::test]
async fn errors_have_a_kind_by_status_and_code_in_both_forms() {
    for case in shared("testdata/errors.json")["cases"].as_array().unwrap() {
        let status = case["status"].as_u64().unwrap().try_into().unwrap();
        let error = error_of(answered(status, &case["body"])).await;
        assert_eq!(format!("{:?}", error.kind), case["kind"].as_str().unwrap(), "{case}");
        let details = error.details.iter();
        let details = details.map(|it| json!({ "field": it.field, "code": it.code, "message": it.message }));
        let body_json = json!({
            "status": error.status, "code": error.code, "details": details.collect::<Vec<_>>(), "request_id": error.request_id,
            "retry_after": error.retry_after.map(|after| after.as_secs()), "existing_id": error.existing_id,
        });
        for (name, value) in case["members"].as_object().unwrap() {
            assert_eq!(body_json[name], *value, "{case}");
        }
    }
}

#[tokio::test]
async fn the_text_of_an_error_describes_the_problem() {
    let detail = |index: usize| json!({ "field": format!("tags[{index}]"), "code": "too_long", "message": "at most 100" });
    let ten: Vec<_> = (0..10).map(|n| format!("tags[{n}]: at most 100")).collect();
    for (count, expected) in [
        (0, "422 validation_failed: m".to_owned()),
        (1, "422 validation_failed: m (tags[0]: at most 100)".to_owned()),
        (12, format!("422 validation_failed: m ({}; and 2 more)", ten.join("; "))),
    ] {
        let details: Vec<_> = (0..count).map(detail).collect();
        let error = json!({ "code": "validation_failed", "message": "m", "details": details });
        let error = error_of(answered(422, &json!({ "error": error }))).await;
        assert_eq!((error.to_string(), error.details.len()), (expected, count));
    }
}

#[tokio::test]
async fn every_tool_takes_arguments() {
    let body = json!({ "isError": false, "content": [], "structuredContent": { "now": "n" } });
    let (client, exchange) = scripted([answered(200, &body)]);
    // The response may be incomplete here.
    let _ = client.tools().whoami(&crate::types::WhoamiArguments::default()).await;
    assert_eq!(exchange.body(0), json!({ "name": "whoami", "arguments": {} }));
}

#[tokio::test]
async fn a_failed_tool_has_the_same_error_as_rest() {
    for case in shared("testdata/errors.json")["tools"].as_array().unwrap() {
        let text = json!({ "error": case["code"], "message": "m" }).to_string();
        let body = json!({ "isError": true, "content": [{ "type": "text", "text": text }] });
        let (client, _) =
            scripted([Reply::Answer(200, headers(&[("x-request-id", "r")]), body.to_string().into_bytes())]);
        let error = client.contacts().delete("c").await.unwrap_err().api().unwrap().clone();
        assert_eq!(
            (json!(format!("{:?}", error.kind)), json!(error.status)),
            (case["kind"].clone(), case["status"].clone())
        );
        assert_eq!(error.tool.as_deref(), Some("delete_contact"));
        assert_eq!(error.request_id.as_deref(), Some("r"));
    }
}

/// The redirected request would contain the key.
#[tokio::test]
async fn redirects_are_not_followed() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let server = std::thread::spawn(move || {
        use std::io::{Read as _, Write as _};
        let (mut connection, _) = listener.accept().unwrap();
        let mut read = [0; 4096];
        let _ = connection.read(&mut read).unwrap();
        write!(connection, "HTTP/1.1 302 Found\r\nlocation: http://{address}/stolen\r\ncontent-length: 0\r\n\r\n")
            .unwrap();
        listener.set_nonblocking(true).unwrap();
        listener
    });
    let client = Client::builder().api_key("svc_secret").base_url(format!("http://{address}")).build().unwrap();
    let error = client.request("me_read").max_retries(0).await.unwrap_err();
    assert_eq!(error.api().unwrap().status, 302);
    assert!(server.join().unwrap().accept().is_err(), "no second connection");
}
