//! Switching the second factor on and off.

use domain::identity::access::ManageOwnAccount;
use domain::identity::accounts::{self, ConfirmationFields, NewSecondFactor, RemovalFields};

use super::qr_code::{QrPath, qr_code};
use super::security::{Forms, security_page};
use crate::prelude::*;

pages! {
    Begin = "POST /account/second-factor", class: Class::Critical, access: ManageOwnAccount => begin;
    Confirm = "POST /account/second-factor/confirm", class: Class::Critical, access: ManageOwnAccount => confirm;
    Remove = "POST /account/second-factor/remove", class: Class::Critical, access: ManageOwnAccount => remove;
}

#[derive(Template)]
#[template(path = "account/second_factor.html")]
struct SetUpPage {
    shell: Shell,
    form: FormView,
    new: NewSecondFactor,
    qr: Option<QrPath>,
}

#[derive(Template)]
#[template(path = "account/recovery_codes.html")]
struct RecoveryPage {
    shell: Shell,
    codes: Vec<String>,
}

fn set_up_page(browser: &Browser, new: NewSecondFactor, form: FormView) -> SetUpPage {
    let shell = browser.shell(text("second-factor-title"));
    SetUpPage { shell, form, qr: qr_code(&new.otpauth_url), new }
}

async fn begin(request: PageRequest<Begin>) -> PageResult {
    let PageRequest { ports, permit, browser, .. } = request;
    let new = accounts::begin_second_factor(&ports, &permit).await?;
    responses::page(&browser, set_up_page(&browser, new, FormView::new::<ConfirmationFields>()))
}

async fn confirm(request: PageRequest<Confirm>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async { accounts::confirm_second_factor(&ports, &permit, form.read_new(&browser)?).await };
    let error = match result.await {
        Ok(codes) => {
            let shell = browser.shell(text("recovery-title"));
            return responses::page(&browser, RecoveryPage { shell, codes: codes.recovery_codes });
        }
        Err(error) => error,
    };
    // The form sends the secret back, so that a wrong code does not start the setup over. No other page shows a secret
    // again.
    let secret = form.value("_secret").unwrap_or_default();
    let Some(new) = accounts::new_second_factor(&ports, &permit, secret).await? else { return Err(error.into()) };
    let view = FormView::new::<ConfirmationFields>().with_input(&form).with_error(error)?;
    responses::unprocessable(&browser, set_up_page(&browser, new, view))
}

async fn remove(request: PageRequest<Remove>) -> PageResult {
    let PageRequest { ports, permit, form, browser, .. } = request;
    let result = async { accounts::remove_second_factor(&ports, &permit, form.read_new(&browser)?).await };
    match result.await {
        Ok(()) => responses::success(&browser, "/account/security", text("second-factor-removed")),
        Err(error) => {
            let removal = FormView::new::<RemovalFields>().with_error(error)?;
            let forms = Forms { removal, is_removing: true, ..Forms::default() };
            responses::unprocessable(&browser, security_page(&ports, &permit, &browser, forms).await?)
        }
    }
}
