//! Which caller gets which permit.

use super::*;
use crate::identity::access::{CreateDeals, ManageKeys, ManageOwnAccount, ReadProjectIssues};
use crate::testing;

#[test]
fn a_permit_needs_every_scope_and_the_error_names_all_missing_ones() {
    let caller = |scopes: &[&str]| testing::caller(scopes);
    assert!(caller(&["projects.read", "issues.write"]).permit::<ReadProjectIssues>().is_ok());
    let refused = caller(&["deals.write"]).permit::<ReadProjectIssues>().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "this requires the scope projects.read and issues.read, which the credential does not have"
    );
    assert_eq!(refused.details().len(), 2);
    assert!(caller(&["deals.read"]).permit::<CreateDeals>().is_err());
}

#[test]
fn settings_need_a_session_of_the_right_role_whatever_the_scopes() {
    let key = testing::caller(&["crm.write"]);
    assert!(matches!(key.permit::<ManageKeys>(), Err(Error::SessionNeeded)));
    assert!(matches!(key.permit::<ManageOwnAccount>(), Err(Error::SessionNeeded)));
    for role in Role::ALL.iter().copied() {
        let user = testing::user(role, &["crm.write"]);
        assert!(user.permit::<ManageOwnAccount>().is_ok());
        let managed = user.permit::<ManageKeys>();
        assert_eq!(managed.is_ok(), matches!(role, Role::Owner | Role::Admin), "{role}");
        assert!(managed.is_ok() || matches!(managed, Err(Error::RoleNeeded)));
    }
}
