//! Admission of customers, who have no account: by portal token, or from a page that embeds a workspace's widget.

use std::sync::Arc;

use actix_web::HttpRequest;
use domain::Error;
use domain::identity::access::AccessRequirement;
use domain::limits::{self, Bucket, Class, RateLimitSubject};
use domain::support::help_centre::{self, Reader};
use domain::support::{self, PortalVisitor, WidgetVisitor};

use crate::admission::{Admission, AuthScheme, address_of, count_address, count_in_workspace, hold_for_address};
use crate::errors::HttpError;
use crate::limit_policy::LimitPolicy;
use crate::request_context::{Origin, RequestContext};
use crate::state::AppState;
use crate::{credential, cross_origin};

/// A customer's token for one ticket.
#[derive(Debug)]
pub enum PortalToken {}

impl Admission for PortalToken {
    type Granted = PortalVisitor;
    const NEEDS: Option<AccessRequirement> = None;
    const AUTH_SCHEME: AuthScheme = AuthScheme::PortalToken;

    async fn admit(request: &HttpRequest, state: &AppState, policy: LimitPolicy) -> Result<PortalVisitor, HttpError> {
        let bearer = credential::bearer(request.headers()).map_err(|_| Error::PortalTokenNeeded);
        let visit = match bearer {
            Ok(bearer) => support::enter(&state.ports, bearer, address_of(request, state)).await,
            Err(error) => Err(error),
        };
        match visit {
            Ok(visitor) => {
                let visitor = visitor.in_request(Arc::clone(&RequestContext::of(request).request_id));
                let subject = RateLimitSubject::Credential(visitor.session_id().0);
                let limit = limits::portal_limit_of(policy.class, &state.ports.settings.limits);
                let rate_limit = limits::count(&state.ports, Bucket { class: policy.class, subject }, limit).await;
                RequestContext::of(request).set_rate_limit(rate_limit);
                rate_limit.check()?;
                hold_for_address(request, state)?;
                Ok(visitor)
            }
            Err(Error::PortalTokenNeeded) => {
                count_address(request, state, Class::Anonymous).await?;
                Err(Error::PortalTokenNeeded.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// A page whose origin is in the workspace's `widget_origins`. Denied requests count by address, like bad credentials.
#[derive(Debug)]
pub enum WidgetPage {}

impl Admission for WidgetPage {
    type Granted = WidgetVisitor;
    const NEEDS: Option<AccessRequirement> = None;
    const AUTH_SCHEME: AuthScheme = AuthScheme::WidgetPage;

    async fn admit(request: &HttpRequest, state: &AppState, policy: LimitPolicy) -> Result<WidgetVisitor, HttpError> {
        let exchange = RequestContext::of(request);
        exchange.origin.replace(Origin::Refused);
        let workspace = request.match_info().get("workspace_id").unwrap_or_default();
        let origin = cross_origin::origin_of(request);
        match support::admit(&state.ports, workspace, origin, address_of(request, state)).await {
            Ok(visitor) => {
                exchange.origin.replace(Origin::Allowed(origin.unwrap_or_default().to_owned()));
                // Preflights count separately: they create nothing, and browsers send them unasked.
                let class = policy.public_class.unwrap_or(Class::Read);
                count_in_workspace(request, state, visitor.workspace(), class).await?;
                hold_for_address(request, state)?;
                Ok(visitor.in_request(Arc::clone(&exchange.request_id)))
            }
            Err(error @ Error::Forbidden(_)) => {
                count_address(request, state, Class::Anonymous).await?;
                Err(error.into())
            }
            Err(error) => Err(error.into()),
        }
    }
}

/// Admits a reader of a workspace's help centre, by the workspace's slug. Page reads count by address; searches and other
/// classes with a limit per workspace count by workspace and address. Errors: 404 without such a help centre, 429
/// above the limit, 503 if the address's memory or connection budget is used up.
pub async fn admit_reader(
    request: &HttpRequest,
    state: &AppState,
    slug: &str,
    class: Class,
) -> Result<Reader, HttpError> {
    let is_per_workspace = matches!(class, Class::PublicTickets | Class::PublicKbSearches);
    if !is_per_workspace {
        count_address(request, state, class).await?;
    }
    hold_for_address(request, state)?;
    match help_centre::enter(&state.ports, slug, address_of(request, state)).await {
        Ok(reader) => {
            if is_per_workspace {
                count_in_workspace(request, state, reader.workspace(), class).await?;
            }
            Ok(reader.in_request(Arc::clone(&RequestContext::of(request).request_id)))
        }
        Err(error) => {
            if is_per_workspace {
                count_address(request, state, Class::Console).await?;
            }
            Err(error.into())
        }
    }
}
