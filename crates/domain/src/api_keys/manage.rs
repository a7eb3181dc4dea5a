//! Making and revoking keys.

use time::{Duration, OffsetDateTime};

use super::{ApiKey, PlainKey};
use crate::access::{Preset, Scope, ScopeSet};
use crate::input::{Line, Problems};
use crate::ports::{Operator, Ports, transact_as_operator};
use crate::{ApiKeyId, Error, WorkspaceId};

/// What a new key is made from.
#[derive(Debug, Clone, Default)]
pub struct NewKey {
    /// What people call it, at most 120 characters.
    pub name: String,
    /// A named set of scopes; excludes `scopes`.
    pub preset: Option<String>,
    /// The scopes, such as `deals.write`; excludes `preset`.
    pub scopes: Vec<String>,
    /// How long it lives; none means until it is revoked.
    pub expires_in: Option<Duration>,
}

/// A key just made, with the text that is shown this once.
#[derive(Debug)]
pub struct CreatedKey {
    /// The stored part.
    pub key: ApiKey,
    /// The text.
    pub plain: PlainKey,
}

impl NewKey {
    /// Parses what the operator gave.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every broken rule: an unknown preset or scope, both or neither given, a bad name.
    fn parse(&self) -> Result<(String, Option<Preset>, ScopeSet), Error> {
        let mut problems = Problems::default();
        let name = match Line::<120>::parse(&self.name, "name") {
            Ok(name) => name.into(),
            Err(error) => {
                error
                    .details()
                    .into_iter()
                    .for_each(|problem| problems.rule(problem.field, problem.code, problem.message));
                String::new()
            }
        };
        let preset = self.preset.as_deref().and_then(Preset::from_word);
        if self.preset.is_some() && preset.is_none() {
            problems.rule("preset", "unknown_preset", format!("must be one of {}", Preset::words()));
        }
        let mut scopes = Vec::new();
        for (index, text) in self.scopes.iter().enumerate() {
            match Scope::parse(text) {
                Some(scope) => scopes.push(scope),
                None => problems.rule(
                    format!("scopes[{index}]"),
                    "unknown_scope",
                    "must be an area and a level, such as deals.write",
                ),
            }
        }
        if self.preset.is_some() != self.scopes.is_empty() {
            problems.rule("scopes", "required", "either a preset or at least one scope must be given, not both");
        }
        problems.into_result()?;
        Ok((name, preset, preset.map_or_else(|| scopes.into_iter().collect(), Preset::scopes)))
    }

    fn expiry(&self, now: OffsetDateTime) -> Result<Option<OffsetDateTime>, Error> {
        self.expires_in
            .map(|life| {
                now.checked_add(life).filter(|expiry| life.is_positive() && expiry.year() <= 9999).ok_or_else(|| {
                    Error::invalid(
                        "expires_in",
                        "out_of_range",
                        "must be a positive time that ends before the year 10000",
                    )
                })
            })
            .transpose()
    }
}

/// Makes a key. Its text is in the answer and nowhere else.
///
/// # Errors
/// [`Error::Invalid`] for a bad name, preset, scope or expiry.
pub async fn create(
    ports: &Ports,
    operator: &Operator,
    workspace: WorkspaceId,
    new: &NewKey,
) -> Result<CreatedKey, Error> {
    let now = ports.clock.now();
    let (name, preset, scopes) = new.parse()?;
    let plain = PlainKey::generate(&*ports.random);
    let key = ApiKey {
        id: ApiKeyId(ports.ids.new_id()),
        name,
        lookup_id: plain.lookup_id().to_owned(),
        secret: plain.hashed(),
        scopes,
        preset,
        expires_at: new.expiry(now)?,
        revoked_at: None,
        created_at: now,
    };
    let stored = key.clone();
    transact_as_operator(ports, operator, workspace, move |tx| Ok(tx.api_keys().insert(&stored)?)).await?;
    Ok(CreatedKey { key, plain })
}

/// Revokes a key for good.
///
/// # Errors
/// [`Error::NotFound`] when the workspace has no such key, [`Error::Conflict`] when it is revoked already.
pub async fn revoke(ports: &Ports, operator: &Operator, workspace: WorkspaceId, id: ApiKeyId) -> Result<(), Error> {
    let now = ports.clock.now();
    transact_as_operator(ports, operator, workspace, move |tx| {
        let key = tx.api_keys().get_for_update(id)?.ok_or(Error::NotFound("API key"))?;
        if key.revoked_at.is_some() {
            return Err(Error::Conflict("the API key is revoked already".to_owned()));
        }
        Ok(tx.api_keys().revoke(id, now)?)
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api_keys::authenticate;
    use crate::testing::TestPorts;

    fn codes(new: &NewKey) -> Vec<&'static str> {
        new.parse().err().map(|error| error.details().iter().map(|problem| problem.code).collect()).unwrap_or_default()
    }

    #[test]
    fn a_key_needs_a_name_and_either_a_preset_or_scopes() {
        let new = |preset: Option<&str>, scopes: &[&str]| NewKey {
            name: "n".into(),
            preset: preset.map(Into::into),
            scopes: scopes.iter().map(ToString::to_string).collect(),
            expires_in: None,
        };
        assert!(codes(&new(Some("crm"), &[])).is_empty());
        assert!(codes(&new(None, &["deals.write"])).is_empty());
        assert_eq!(codes(&new(None, &[])), ["required"]);
        assert_eq!(codes(&new(Some("crm"), &["deals.write"])), ["required"]);
        assert_eq!(codes(&new(Some("nope"), &[])), ["unknown_preset"]);
        assert_eq!(codes(&new(None, &["stock.products.read", "x"])), ["unknown_scope", "unknown_scope"]);
        assert_eq!(codes(&NewKey { name: " ".into(), ..new(Some("crm"), &[]) }), ["required"]);
    }

    #[test]
    fn a_key_works_until_it_expires_or_is_revoked() {
        let test = TestPorts::new();
        let operator = Operator::of_this_process();
        let workspace = test.workspace();
        let new = NewKey {
            name: "k".into(),
            preset: Some("crm".into()),
            expires_in: Some(Duration::hours(1)),
            ..NewKey::default()
        };
        let made = test.block_on(create(&test.ports, &operator, workspace, &new)).unwrap();
        let caller = test.block_on(authenticate(&test.ports, made.plain.reveal())).unwrap();
        assert_eq!(caller.scopes, Preset::Crm.scopes());
        test.clock.advance(Duration::hours(1));
        assert!(matches!(test.block_on(authenticate(&test.ports, made.plain.reveal())), Err(Error::Unauthorized)));

        let new = NewKey { expires_in: None, ..new };
        let made = test.block_on(create(&test.ports, &operator, workspace, &new)).unwrap();
        test.block_on(revoke(&test.ports, &operator, workspace, made.key.id)).unwrap();
        assert!(matches!(test.block_on(authenticate(&test.ports, made.plain.reveal())), Err(Error::Unauthorized)));
        assert!(matches!(
            test.block_on(revoke(&test.ports, &operator, workspace, made.key.id)),
            Err(Error::Conflict(_))
        ));
    }
}
