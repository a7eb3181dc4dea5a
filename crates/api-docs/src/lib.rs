//! The service's documentation: the OpenAPI document, generated from the declarations that the operations run by, and the
//! guides as pages.

pub mod openapi;
pub mod reference;
