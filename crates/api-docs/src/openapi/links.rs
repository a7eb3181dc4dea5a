//! Links from the operation that creates a record to all operations on it, for test tools that follow links.

use serde_json::{Map, Value as Json, json};

use crate::openapi::operation::names_in;

/// Where the id of a record comes from.
struct Source {
    /// The path prefix before the id.
    collection: &'static str,
    method: &'static str,
    path: &'static str,
    /// The JSON pointer to the id in the response.
    id: &'static str,
}

/// Exceptions: for all other records, a POST to the collection returns the id in `data`.
const SOURCES: &[Source] = &[
    Source { collection: "/api/account/sessions", method: "get", path: "/api/account/sessions", id: "/data/0/id" },
    Source { collection: "/api/public/tickets", method: "post", path: "/api/public/tickets", id: "/data/reference" },
    Source {
        collection: "/api/settings/webhooks/deliveries",
        method: "post",
        path: "/api/settings/webhooks/{webhook_id}/test",
        id: "/data/id",
    },
    Source {
        collection: "/api/settings/webhooks/{webhook_id}/replays",
        method: "post",
        path: "/api/settings/webhooks/{webhook_id}/replay",
        id: "/data/id",
    },
    Source { collection: "/api/widget", method: "post", path: "/api/operator/workspaces", id: "/data/id" },
];

struct Link {
    method: &'static str,
    path: String,
    /// The target operation.
    operation_id: Json,
    parameters: Map<String, Json>,
}

/// Adds the links to the responses of the operations that create records.
pub(crate) fn add(paths: &mut Map<String, Json>) {
    for Link { method, path, operation_id, parameters } in all(paths) {
        let operation = paths.get_mut(&path).and_then(|operations| operations.get_mut(method));
        let responses = operation.and_then(|operation| operation.get_mut("responses")).and_then(Json::as_object_mut);
        // The last success has the id: where a dry run is possible, that is 202 instead of 200.
        let success = responses.and_then(|all| all.iter_mut().rfind(|(status, _)| status.starts_with('2')));
        if let (Some((_, success)), Some(name)) = (success, operation_id.as_str()) {
            success["links"][name] = json!({ "operationId": name, "parameters": parameters });
        }
    }
}

fn all(paths: &Map<String, Json>) -> Vec<Link> {
    let mut links = Vec::new();
    for (path, operations) in paths {
        let Some((collection, id_name)) = collection_and_id(path) else { continue };
        let source = SOURCES.iter().find(|source| source.collection == collection);
        let (method, from, id) =
            source.map_or(("post", collection, "/data/id"), |source| (source.method, source.path, source.id));
        let outer = names_in(collection).map(|name| (name.to_owned(), Json::from(format!("$request.path.{name}"))));
        let inner = (id_name.to_owned(), Json::from(format!("$response.body#{id}")));
        let parameters: Map<String, Json> = outer.chain([inner]).collect();
        for operation in operations.as_object().into_iter().flat_map(Map::values) {
            links.push(Link {
                method,
                path: from.to_owned(),
                operation_id: operation["operationId"].clone(),
                parameters: parameters.clone(),
            });
        }
    }
    links
}

/// `/issues/{issue_id}/comments/{comment_id}` as `/issues/{issue_id}/comments` and `comment_id`.
fn collection_and_id(path: &str) -> Option<(&str, &str)> {
    let (collection, rest) = path.rsplit_once("/{")?;
    Some((collection, rest.split_once('}')?.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn creates_link_to_the_operations_on_the_record() {
        let mut paths = json!({
            "/issues/{issue_id}/comments": { "post": { "operationId": "add", "responses": { "201": {}, "400": {} } } },
            "/issues/{issue_id}/comments/{comment_id}": { "delete": { "operationId": "remove", "responses": {} } },
            "/api/account/sessions": { "get": { "operationId": "sessions", "responses": { "200": {} } } },
            "/api/account/sessions/{session_id}": { "delete": { "operationId": "end", "responses": {} } },
        });
        add(paths.as_object_mut().unwrap());
        let links = &paths["/issues/{issue_id}/comments"]["post"]["responses"]["201"]["links"];
        let parameters = json!({ "issue_id": "$request.path.issue_id", "comment_id": "$response.body#/data/id" });
        assert_eq!(*links, json!({ "remove": { "operationId": "remove", "parameters": parameters } }));
        let links = &paths["/api/account/sessions"]["get"]["responses"]["200"]["links"];
        assert_eq!(links["end"]["parameters"], json!({ "session_id": "$response.body#/data/0/id" }));
    }
}
