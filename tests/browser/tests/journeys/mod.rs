//! Walks through one feature after another like a user, and through every page and guide.

mod documentation;
mod every_page;
mod first_steps;
mod keys;
mod knowledge_base;
mod pages_today;
mod pictures;
mod settings;
mod webhooks;
mod widget;
mod work;
