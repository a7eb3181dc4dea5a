//! Articles as event sources.

use super::Article;
use crate::events::{Module, event_source};

event_source!(Article, Module::Support, "article");
