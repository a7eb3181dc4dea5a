//! The pages, one file per area; [`OPERATIONS`] is their only table.

mod companies;
mod home;
mod sign_in;

use http_core::Operation;

use crate::page::operation;
use crate::{assets, live};

/// All pages, in order of registration: if two patterns match a path, the earlier one wins.
pub(crate) const OPERATIONS: &[Operation] = &[
    assets::OPERATION,
    live::OPERATION,
    operation::<sign_in::Show>(),
    operation::<sign_in::SignIn>(),
    operation::<sign_in::SignOut>(),
    operation::<home::Show>(),
    operation::<companies::List>(),
    operation::<companies::New>(),
    operation::<companies::Create>(),
    operation::<companies::Show>(),
    operation::<companies::Update>(),
];
