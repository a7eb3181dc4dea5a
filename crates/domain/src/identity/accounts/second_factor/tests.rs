use super::*;
use crate::kernel::sealing::SealedSecret;
use crate::testing::SequenceRandom;
use proptest::prelude::*;
use uuid::Uuid;

const NOW: OffsetDateTime = time::macros::datetime!(2030-01-31 09:00 UTC);

fn factor(codes: &[RecoveryCode]) -> SecondFactor {
    SecondFactor {
        user_id: UserId(Uuid::nil()),
        secret: SealedSecret { key_id: "k".to_owned(), sealed: Vec::new() },
        created_at: NOW,
        confirmed_at: Some(NOW),
        last_step: 0,
        recovery_codes: codes.iter().map(RecoveryCode::hashed).collect(),
        failures: 0,
        paused_until: None,
        version: 1,
    }
}

fn secret() -> TotpSecret {
    TotpSecret::generate(&SequenceRandom::default())
}

#[test]
fn a_code_is_accepted_once_even_within_its_window() {
    let (secret, mut factor) = (secret(), factor(&[]));
    let earlier = secret.code_at(NOW - Duration::seconds(30));
    let code = secret.code_at(NOW);
    assert_eq!(factor.check(&secret, &format!(" {} {} ", &code[..3], &code[3..]), NOW), Ok(AcceptedCode::App));
    let wrong = Err(RefusedCode::Wrong { pauses: false });
    assert_eq!(factor.check(&secret, &code, NOW), wrong, "used");
    assert_eq!(factor.check(&secret, &code, NOW + Duration::seconds(30)), wrong, "used");
    assert_eq!(factor.check(&secret, &earlier, NOW), wrong, "older than the last one");
    let next = NOW + Duration::seconds(30);
    assert_eq!(factor.check(&secret, &secret.code_at(next), next), Ok(AcceptedCode::App));
    assert_eq!((factor.failures, factor.version), (0, 6));
}

#[test]
fn a_recovery_code_is_accepted_once_in_any_spelling_even_in_a_pause() {
    let random = SequenceRandom::default();
    let codes = [(); RECOVERY_CODES].map(|()| RecoveryCode::generate(&random));
    let (secret, mut factor) = (secret(), factor(&codes));
    let text = codes[3].reveal();
    assert_eq!((text.len(), text.matches('-').count()), (19, 3));
    for _ in 0..FAILURES_PER_PAUSE {
        factor.check(&secret, "000000", NOW).unwrap_err();
    }
    assert!(matches!(factor.check(&secret, &secret.code_at(NOW), NOW), Err(RefusedCode::Paused { .. })));
    assert_eq!(factor.check(&secret, &text.to_uppercase().replace('-', " "), NOW), Ok(AcceptedCode::Recovery));
    assert_eq!((factor.recovery_codes.len(), factor.paused_until), (RECOVERY_CODES - 1, None));
    assert_eq!(factor.check(&secret, &text, NOW), Err(RefusedCode::Wrong { pauses: false }));
    assert_eq!(factor.check(&secret, &codes[4].reveal(), NOW), Ok(AcceptedCode::Recovery));
    assert_eq!(format!("{:?}", codes[0]), "RecoveryCode(…)");
}

#[test]
fn pauses_after_wrong_codes_double_up_to_a_day() {
    let (secret, mut factor) = (secret(), factor(&[]));
    let mut now = NOW;
    for hours in [1, 2, 4, 8, 16, 24, 24] {
        for number in 1..=FAILURES_PER_PAUSE {
            let pauses = number == FAILURES_PER_PAUSE;
            assert_eq!(factor.check(&secret, "nonsense", now), Err(RefusedCode::Wrong { pauses }));
        }
        let until = now + Duration::hours(hours);
        let last = until - Duration::SECOND;
        assert_eq!(factor.check(&secret, &secret.code_at(last), last), Err(RefusedCode::Paused { until }));
        now = until;
    }
    // The first right code ends it.
    assert_eq!(factor.check(&secret, &secret.code_at(now), now), Ok(AcceptedCode::App));
    assert_eq!((factor.failures, factor.paused_until), (0, None));
}

proptest! {
    #[test]
    fn no_text_is_accepted_by_chance_or_makes_the_check_panic(text in ".{0,70}") {
        let (secret, mut factor) = (secret(), factor(&[]));
        prop_assume!(secret.step_of(&normalize(&text), NOW).is_none());
        prop_assert!(factor.check(&secret, &text, NOW).is_err());
    }
}
