//! Somebody who has the password guesses the second factor.

use harness::http::{Client, text};
use harness::tenant::PASSWORD;
use serde_json::{Value, json};

use crate::lab::Lab;
use crate::network::anywhere;
use crate::table::Findings;
use crate::target::Target;
use crate::totp;

const FACTOR: &str = "/api/account/second-factor";
const GUESS: &str = "/api/auth/second-factor";
/// Of a million codes, three are right at any time: 30 guesses a minute would find one in a week.
const MOST_GUESSES: u64 = 20;

pub(super) async fn run(lab: &Lab) -> anyhow::Result<Findings> {
    let target = Target::start(lab)?;
    let tenant = target.tenant("safe", "enterprise")?;
    let session = tenant.log_in(&mut target.client("198.51.100.7")).await?;
    let mut owner = Client::new(target.address).patient().with_key(&session);
    let begun = owner.request("POST", FACTOR, &json!({})).await?;
    anyhow::ensure!(begun.status < 300, "{FACTOR}: {} {}", begun.status, begun.body);
    let secret = text(&begun.body, "/data/secret")?;
    let code = totp::code_of(secret)?;
    let confirmed = owner.request("POST", &format!("{FACTOR}/confirm"), &json!({ "code": code })).await?;
    anyhow::ensure!(confirmed.status < 300, "confirm: {} {}", confirmed.status, confirmed.body);
    let mut findings = Findings::default();
    let token = first_step(&target, &tenant.email(), 0, &mut findings).await?;
    let mut guesser = target.client(&anywhere(1));
    let replayed = guesser.post(GUESS, &json!({"token": token, "code": code})).await?.status;
    findings.expect("the code that switched it on, once more", "refused", &replayed.to_string(), replayed >= 400);
    let mut checked = 0;
    for number in 0..lab.pick(60, 200) {
        guesser.caller(Some(&anywhere(number)), None, None);
        let Some(token) = step(&mut guesser, &tenant.email()).await? else { continue };
        for guess in 0..8 {
            guesser.caller(Some(&anywhere(1_000 + number * 8 + guess)), None, None);
            let answer =
                guesser.post(GUESS, &json!({"token": token, "code": format!("{:06}", number * 8 + guess)})).await?;
            // 409 and 429 say that the code was not looked at.
            checked += u64::from(matches!(answer.status, 200 | 401 | 422));
            if answer.status != 401 && answer.status != 422 {
                break;
            }
        }
    }
    findings.at_most("guesses that were checked in the time", MOST_GUESSES, checked, "");
    Ok(findings)
}

async fn first_step(target: &Target, email: &str, number: usize, findings: &mut Findings) -> anyhow::Result<String> {
    let token = step(&mut target.client(&anywhere(number)), email).await?;
    let measured = if token.is_some() { "a second step" } else { "a session" };
    findings.expect("the password alone gives", "a second step", measured, token.is_some());
    Ok(token.unwrap_or_default())
}

/// The token of the second step; `None` if there is none.
async fn step(client: &mut Client, email: &str) -> anyhow::Result<Option<String>> {
    let login = json!({"email": email, "password": PASSWORD});
    let answer = client.post("/api/auth/login", &login).await?;
    let token = answer.body.pointer("/data/second_factor/token").and_then(Value::as_str);
    Ok(token.map(ToOwned::to_owned))
}
