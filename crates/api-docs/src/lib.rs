//! What the service says about itself: the OpenAPI document, made from the declarations that the operations run by, and the
//! documentation as pages.

pub mod openapi;
pub mod reference;
