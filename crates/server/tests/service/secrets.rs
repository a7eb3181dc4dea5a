//! Keys, tokens and passwords appear only in responses and e-mails to their owners.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{
    MASTER_KEY, Service, body_of, create_user, data_dir, eventually, files, log_of, postmaster, text,
};

const PASSWORD: &str = "correct horse battery";
const WRONG: &str = "incorrect horse battery";
const NEW: &str = "another horse battery";

/// Waits for the e-mail to an address; returns its token.
fn mailed_token(data_dir: &Path, to: &str, prefix: &str) -> String {
    let find = || {
        let messages = std::fs::read_dir(data_dir.join("mails")).ok()?.filter_map(|entry| {
            let path = entry.ok()?.path();
            // Names of drafts begin with a dot.
            (!path.file_name()?.to_str()?.starts_with('.')).then(|| std::fs::read_to_string(path).ok())?
        });
        let mut messages = messages.filter(|message| message.starts_with(&format!("To: {to}\n")));
        let message = messages.find(|message| message.contains(prefix))?;
        Some(message[message.find(prefix)?..].chars().take(54).collect::<String>())
    };
    eventually("the e-mail has arrived", || find().is_some());
    find().unwrap()
}

/// Uses every kind of secret, correctly and incorrectly; returns the secrets and all other response text.
fn use_all_secrets(service: &Service, folder: &Path) -> (Vec<String>, Vec<String>) {
    let key = service.key.clone().unwrap();
    let mut responses = Vec::new();
    let log_in = |email: &str, password: &str| {
        service.post("/api/auth/login", "none", &json!({"email": email, "password": password}).to_string())
    };
    responses
        .push(String::from_utf8(create_user(folder, "demo", "ann@example.com", "owner", PASSWORD).stdout).unwrap());
    let session = text(&body_of(&log_in("ann@example.com", PASSWORD), 200)["data"]["access_token"]);
    responses.push(log_in("ann@example.com", WRONG));
    let new_key = r#"{"name": "second", "preset": "full_access"}"#;
    let second = text(&body_of(&service.post("/api/settings/api-keys", &session, new_key), 201)["data"]["key"]);
    let webhook = r#"{"module": "crm", "url": "https://hooks.invalid/", "events": ["*"]}"#;
    let created = body_of(&service.post("/api/settings/webhooks", &session, webhook), 201);
    let (webhook_id, signing_secret) = (text(&created["data"]["id"]), text(&created["data"]["secret"]));
    let rotate_path = format!("/api/settings/webhooks/{webhook_id}/rotate-secret");
    let rotated_secret = text(&body_of(&service.post(&rotate_path, &session, "{}"), 200)["data"]["secret"]);
    // The delivery fails, because the name does not resolve.
    responses.push(service.post("/api/v1/crm/deals", &key, r#"{"title": "told"}"#));
    responses.push(service.post(&format!("/api/settings/webhooks/{webhook_id}/test"), &session, "{}"));
    let invitation = r#"{"email": "bob@example.com", "role": "member"}"#;
    responses.push(service.post("/api/settings/members", &session, invitation));
    let invitation_token = mailed_token(folder, "bob@example.com", "svi_");
    let accept = |password: &str| {
        let body = json!({"token": invitation_token, "name": "Bob", "password": password}).to_string();
        service.post("/api/auth/accept-invitation", "none", &body)
    };
    let session_of_bob = text(&body_of(&accept(PASSWORD), 200)["data"]["access_token"]);
    responses.push(accept(PASSWORD));
    responses.push(service.post("/api/auth/password-resets", "none", r#"{"email": "ann@example.com"}"#));
    let reset_token = mailed_token(folder, "ann@example.com", "svp_");
    let change = json!({"current_password": WRONG, "new_password": NEW}).to_string();
    responses.push(service.post("/api/auth/password", &session, &change));
    for path in [
        "/api/settings/audit-log",
        "/api/settings/api-keys",
        "/api/settings/members",
        "/api/settings/usage",
        "/api/settings/webhooks",
    ] {
        responses.push(service.get(path, &session));
    }
    for secret in [&key, &second, &session, &session_of_bob, &invitation_token, &reset_token] {
        // Places where secrets end up by mistake.
        responses.push(service.get("/api/v1/projects", &format!("{secret}x")));
        responses.push(service.get(&format!("/api/v1/projects?cursor={secret}&limit={secret}"), &key));
        responses.push(service.get(&format!("/api/v1/projects/{secret}"), &key));
        responses.push(service.post("/api/v1/projects", &key, &format!("{{\"name\": [\"{secret}\"]}}")));
        responses.push(service.post(
            "/api/auth/login",
            secret,
            &format!("{{\"email\": \"{secret}\", \"password\": 1}}"),
        ));
        responses.push(service.post("/api/auth/reset-password", "none", &json!({"token": secret}).to_string()));
    }
    let new_password = json!({"token": reset_token, "new_password": NEW}).to_string();
    for _ in 0..2 {
        responses.push(service.post("/api/auth/reset-password", "none", &new_password));
    }
    responses.push(service.metrics());
    let master_key = std::fs::read_to_string(folder.join("master-key")).unwrap();
    let secrets = [
        key,
        second,
        session,
        session_of_bob,
        invitation_token,
        reset_token,
        signing_secret,
        rotated_secret,
        master_key,
    ];
    (secrets.into_iter().chain([PASSWORD, WRONG, NEW].map(ToOwned::to_owned)).collect(), responses)
}

fn contains_secret(bytes: &[u8], secret: &str) -> bool {
    let secret = secret.as_bytes();
    bytes.windows(secret.len()).any(|window| window == secret)
}

/// Uses all secrets with full logging, and checks that neither logs nor responses contain one. Returns each with its secret part.
fn check_secrets_are_not_logged(folder: &Path, format: &str, login: &str) -> Vec<(String, String)> {
    let settings = [
        ("SERVICE_LIMIT_ANONYMOUS", "100000"),
        ("SERVICE_LIMIT_CRITICAL", "100000"),
        ("SERVICE_LOG", "trace"),
        ("SERVICE_LOG_FORMAT", format),
    ];
    let mut service = Service::start_with(folder, &settings);
    let (secrets, responses) = use_all_secrets(&service, folder);
    assert_eq!(service.signal("TERM"), Some(0), "{}", log_of(folder));
    // Search for the secret part, without its prefix or lookup id.
    let part = |secret: &str| if secret.len() == 54 { secret[16..48].to_owned() } else { secret.to_owned() };
    let secrets: Vec<_> = secrets.into_iter().map(|secret| (part(&secret), secret)).collect();
    let log = log_of(folder);
    assert!(log.contains("TRACE") && log.contains(login), "the log is complete");
    for (part, secret) in &secrets {
        assert!(!log.contains(part.as_str()), "in the log: {secret}");
        let response = responses.iter().find(|response| response.contains(part.as_str()));
        assert_eq!(response, None, "in an answer: {secret}");
    }
    secrets
}

#[test]
fn no_secret_is_in_a_log_in_json() {
    let folder = data_dir();
    check_secrets_are_not_logged(folder.path(), "json", r#""route":"/api/auth/login","status":401"#);
    for line in log_of(folder.path()).lines() {
        assert!(serde_json::from_str::<Value>(line).is_ok_and(|json| json.is_object()), "{line}");
    }
}

#[test]
fn no_secret_is_in_a_log_an_error_the_audit_log_or_the_database() {
    let folder = data_dir();
    let secrets = check_secrets_are_not_logged(folder.path(), "text", "route=/api/auth/login status=401");
    // Neither the database's files and log nor its write-ahead log contain a secret in plaintext.
    let paths = files(&folder.path().join("postgres"));
    assert!(paths.iter().any(|path| path.to_string_lossy().contains("pg_wal")), "{paths:?}");
    let mut found_plaintext = false;
    for path in paths {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        if !bytes.iter().any(|byte| *byte != 0) {
            continue;
        }
        found_plaintext |= contains_secret(&bytes, "ann@example.com");
        for (part, secret) in &secrets {
            assert!(!contains_secret(&bytes, part), "in {}: {secret}", path.display());
        }
    }
    assert!(found_plaintext, "other content of the database can be found in its files");
}

#[test]
fn no_secret_is_in_the_environment_of_the_embedded_database() {
    let folder = data_dir();
    let settings = [("SERVICE_MASTER_KEY", MASTER_KEY), ("SERVICE_SMTP_URL", "smtp://u:hunter2@127.0.0.1:1")];
    let _service = Service::start_with(folder.path(), &settings);
    let pid = postmaster(folder.path());
    assert!(!pid.is_empty(), "it runs");
    let Ok(environment) = std::fs::read(format!("/proc/{pid}/environ")) else {
        return not_run::report("/proc, with the environment of processes");
    };
    assert!(contains_secret(&environment, "PATH="), "it can be read");
    let environment_text = String::from_utf8_lossy(&environment);
    assert!(
        !environment_text.contains("SERVICE_")
            && !environment_text.contains("hunter2")
            && !environment_text.contains(MASTER_KEY),
        "{environment_text}"
    );
}
