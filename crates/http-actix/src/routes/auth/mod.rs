//! `/api/auth`: people sign in and out, and look after their passwords.

mod accept_invitation;
mod change_password;
mod log_in;
mod log_out;
mod request_password_reset;
mod reset_password;

pub(crate) use accept_invitation::AcceptInvitation;
pub(crate) use change_password::ChangePassword;
pub(crate) use log_in::LogIn;
pub(crate) use log_out::LogOut;
pub(crate) use request_password_reset::RequestPasswordReset;
pub(crate) use reset_password::ResetPassword;

use domain::identity::accounts::{Login, SignedIn};
use serde::Serialize;

/// What somebody who just signed in gets to see, this once.
#[derive(Serialize)]
struct LoginResponse<'a> {
    access_token: &'a str,
    #[serde(flatten)]
    signed_in: &'a SignedIn,
}

impl<'a> From<&'a Login> for LoginResponse<'a> {
    fn from(login: &'a Login) -> Self {
        Self { access_token: login.token.reveal(), signed_in: &login.signed_in }
    }
}

/// The word that something was done which leaves nothing to show.
#[derive(Serialize)]
struct DoneResponse {
    done: bool,
}
