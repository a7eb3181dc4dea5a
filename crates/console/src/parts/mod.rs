//! What pages of several areas have in common.

pub(crate) mod form_page;
pub(crate) mod history;
pub(crate) mod move_notice;
pub(crate) mod people;
pub(crate) mod pick;
pub(crate) mod views;
