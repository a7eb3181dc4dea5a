//! Which caller gets which permit.

use super::*;
use crate::identity::access::{
    CreateArticles, CreateDeals, ManageKeys, ManageOwnAccount, ReadArticles, ReadProjectIssues, TransferRecords,
};
use crate::testing;

#[test]
fn a_permit_needs_every_scope_and_the_error_names_all_missing_ones() {
    assert!(testing::caller(&["projects.read", "issues.write"]).permit::<ReadProjectIssues>().is_ok());
    let refused = testing::caller(&["deals.write"]).permit::<ReadProjectIssues>().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "this requires the scope projects.read and issues.read, which the credential does not have"
    );
    assert_eq!(refused.details().len(), 2);
    assert!(testing::caller(&["deals.read"]).permit::<CreateDeals>().is_err());
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

#[test]
fn articles_and_imports_need_a_session_whose_role_may_read_or_write_records() {
    let key = testing::caller(&["tickets.write", "issues.write", "contacts.write"]);
    assert!(matches!(key.permit::<ReadArticles>(), Err(Error::SessionNeeded)));
    assert!(matches!(key.permit::<TransferRecords>(), Err(Error::SessionNeeded)));
    for role in Role::ALL.iter().copied() {
        let user = testing::user_with(role, role.scopes());
        assert!(user.permit::<ReadArticles>().is_ok(), "{role}");
        let writes = role != Role::Viewer;
        assert_eq!(user.permit::<CreateArticles>().is_ok(), writes, "{role}");
        assert_eq!(user.permit::<TransferRecords>().is_ok(), writes, "{role}");
    }
}
