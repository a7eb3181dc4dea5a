//! The pages, one file per area; [`OPERATIONS`] is their only table.

mod companies;
mod home;
mod sign_in;

use http_core::Operation;

use crate::assets;
use crate::page::operation;

/// All pages, in order of registration: if two patterns match a path, the earlier one wins.
pub(crate) const OPERATIONS: &[Operation] = &[
    assets::OPERATION,
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
