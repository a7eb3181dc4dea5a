//! Which scopes grant the permissions of tools (interface 15.3).

use super::Area;
use crate::tools::ToolPermission;

/// The areas whose scopes grant the permission; any one suffices.
pub(super) const fn areas_of(permission: ToolPermission) -> &'static [Area] {
    match permission {
        ToolPermission::ReadContacts
        | ToolPermission::CreateContacts
        | ToolPermission::UpdateContacts
        | ToolPermission::DeleteContacts => &[Area::Contacts],
        ToolPermission::ReadCompanies
        | ToolPermission::CreateCompanies
        | ToolPermission::UpdateCompanies
        | ToolPermission::DeleteCompanies => &[Area::Crm],
        ToolPermission::ReadDeals
        | ToolPermission::CreateDeals
        | ToolPermission::UpdateDeals
        | ToolPermission::DeleteDeals => &[Area::Deals],
        ToolPermission::ReadProjects
        | ToolPermission::CreateProjects
        | ToolPermission::UpdateProjects
        | ToolPermission::DeleteProjects
        | ToolPermission::ReadCycles
        | ToolPermission::CreateCycles
        | ToolPermission::UpdateCycles
        | ToolPermission::DeleteCycles => &[Area::Projects],
        ToolPermission::ReadTasks
        | ToolPermission::CreateTasks
        | ToolPermission::UpdateTasks
        | ToolPermission::DeleteTasks => &[Area::Issues],
        ToolPermission::ReadComments
        | ToolPermission::CreateComments
        | ToolPermission::UpdateComments
        | ToolPermission::DeleteComments => &[Area::Issues, Area::Tickets],
        ToolPermission::ReadTickets
        | ToolPermission::CreateTickets
        | ToolPermission::UpdateTickets
        | ToolPermission::ReadKbArticles
        | ToolPermission::CreateKbArticles
        | ToolPermission::UpdateKbArticles
        | ToolPermission::DeleteKbArticles => &[Area::Tickets],
        ToolPermission::ReadWebhooks
        | ToolPermission::CreateWebhooks
        | ToolPermission::UpdateWebhooks
        | ToolPermission::DeleteWebhooks => &[],
    }
}
