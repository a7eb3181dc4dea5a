"""Gives each request the credentials that its operation requires, and keeps them valid.

The run creates, changes and deletes whatever it finds. Requests that would end the run itself (by its workspace, members, key or
settings) are redirected or undone, so that later requests still reach the service instead of a 401.
"""

import os
import uuid
from datetime import date, datetime, timedelta, timezone

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.engine.run.stateful import _executor as stateful
from schemathesis.generation.meta import StatefulPhaseData
from schemathesis.specs.openapi import checks

ADDRESS = os.environ["CONTRACT_URL"]
# `None` if the run has no credentials.
KEY = os.environ.get("CONTRACT_KEY")
ANONYMOUS = not KEY
ORIGIN = "https://shop.example"
# The member with full access, and the one whose sessions may end.
OWNER = "owner@contract.example"
GUEST = "guest@contract.example"
PASSWORD = os.environ.get("CONTRACT_PASSWORD", "")

# These end sessions, or change how their member signs in.
ENDS_SESSIONS = ("auth_", "account_end_session", "second_factor_")
# Settings that later requests need.
SETTINGS = {
    "allowed_networks": None,
    "require_second_factor": False,
    "help_centre_enabled": True,
    "widget_enabled": True,
    "widget_origins": [ORIGIN],
}

# Fewer than a portal session may send per minute.
PORTAL_USES = 20
# Expected number of scenarios with several steps.
SCENARIOS = int(os.environ.get("CONTRACT_SCENARIOS", "0"))

end_suite = stateful._classify_flaky


def begin_another(*, ctx, engine, state):
    """The same request may get 201 and later 409: such a replay is not a failure, and must not end the phase."""
    found, again, events = end_suite(ctx=ctx, engine=engine, state=state)
    is_over = engine.has_reached_the_failure_limit or state.unrecoverable_network_error is not None
    return found, not is_over and (again or ctx.completed_scenarios < SCENARIOS), events


stateful._classify_flaky = begin_another

was_recreated = checks._resource_recreated_after_delete
is_below = checks._is_prefix_operation


def was_restored(ctx, *, delete_case_id, current_case_id, delete_path):
    """A restored record exists again, so it need not be gone."""
    found = {"delete_case_id": delete_case_id, "current_case_id": current_case_id, "delete_path": delete_path}
    if was_recreated(ctx, **found):
        return True
    restored = checks.ResourcePath(delete_path.value + "/restore", delete_path.variables)
    after = False
    for case in ctx.internals.find_all_cases():
        after = after or case.id == delete_case_id
        answer = ctx.internals.find_response(case_id=case.id)
        path = checks.ResourcePath(case.path, case.path_parameters or {})
        if after and path == restored and answer is not None and answer.status_code == 200:
            return True
    return False


def can_be_gone(deleted, used):
    """The history of a record outlives it."""
    return is_below(deleted, used) and not used.value.endswith("/history")


checks._resource_recreated_after_delete = was_restored
checks._is_prefix_operation = can_be_gone


def send(method, path, **options):
    answer = requests.request(method, ADDRESS + path, timeout=60, **options)
    answer.raise_for_status()
    return answer.json()


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


# How to create a record for a path parameter.
BODIES = {
    "deal_id": {"title": "Pilot"},
    "company_id": {"name": "Northwind"},
    "project_id": {"name": "Launch"},
    "issue_id": {"kind": "task", "title": "Write"},
    "comment_id": {"body": "Done."},
    "article_id": {"title": "Returns"},
    "key_id": {"name": "Another", "preset": "read_only"},
    "erasure_id": {"email": "nobody@contract.example"},
}


class Tester:
    """State of the run."""

    def __init__(self):
        self.tokens = {}
        # A record below each path, and the number of created ones.
        self.records = {}
        self.made = 0
        self.turn = 0
        # The `nextCursor` of lists.
        self.cursors = {}
        self.protected = set()
        if ANONYMOUS:
            return
        me = send("GET", "/api/v1/me", headers=bearer(KEY))["data"]
        self.workspace = me["workspace"]["id"]
        self.protected.add(self.workspace)
        self.protected.update(key["id"] for key in self.read("/api/settings/api-keys"))
        self.protected.update(member["id"] for member in self.read("/api/v1/members"))
        self.restore_settings()
        self.portal_token = None
        self.portal_uses = 0

    def read(self, path):
        return send("GET", path, headers=bearer(self.token(OWNER)))["data"]

    def write(self, path, body, member=None):
        options = {} if body is None else {"json": body}
        answer = send("POST", path, headers=bearer(KEY if member is None else self.token(member)), **options)
        return answer.get("data", answer)

    def token(self, member):
        if member not in self.tokens:
            account = {"email": member, "password": PASSWORD}
            self.tokens[member] = send("POST", "/api/auth/login", json=account)["data"]["access_token"]
        return self.tokens[member]

    def portal(self):
        """A customer's session. Its limits are fixed, so another ticket replaces it in time."""
        if self.portal_token is None or self.portal_uses == PORTAL_USES:
            ticket = self.write("/api/public/tickets", {"name": "Ada", "email": "ada@contract.example", "subject": "Help"})
            link = self.write(f"/api/public/tickets/{ticket['reference']}/tracking-links", None)
            session = send("POST", "/api/portal/sessions", json={"token": link["token"]})
            self.portal_token = session["data"]["token"]
            self.portal_uses = 0
        self.portal_uses += 1
        return self.portal_token

    def record(self, case, name):
        """The id of a record for a path parameter: an existing or a new one."""
        path = case.path[: case.path.index("{" + name + "}")].rstrip("/")
        path = path.format(**case.path_parameters)
        if path not in self.records:
            self.records[path] = self.create(path, name)
        return self.records[path]

    def create(self, path, name):
        self.made += 1
        if name == "workspace_id":
            slug = f"contract-{self.made}"
            return self.write(path, {"name": "Another", "slug": slug}, OWNER)["id"]
        if name == "delivery_id":
            return self.write(f"/api/settings/webhooks/{self.a_webhook()}/test", {}, OWNER)["id"]
        if name == "replay_id":
            webhook = path.removesuffix("/replays")
            since = (datetime.now(timezone.utc) - timedelta(hours=1)).isoformat()
            return self.write(f"{webhook}/replay", {"since": since}, OWNER)["id"]
        if name == "session_id":
            send("POST", "/api/auth/login", json={"email": GUEST, "password": PASSWORD})
            return send("GET", path, headers=bearer(self.token(GUEST)))["data"][0]["id"]
        if name == "ticket_ref":
            return self.write(path, {"name": "Ada", "email": "ada@contract.example", "subject": "Help"})["reference"]
        if name == "cycle_id":
            day = (date(2000, 1, 1) + timedelta(days=self.made)).isoformat()
            return self.write(path, {"name": "Cycle", "start_date": day, "end_date": day})["id"]
        if name == "webhook_id":
            # Nothing is sent to this URL: the service delivers no webhooks.
            body = {"module": "crm", "url": "https://receiver.example/", "events": ["*"]}
            return self.write(path, body, OWNER)["id"]
        if name == "member_id":
            email = f"member-{self.made}@contract.example"
            return self.write(path, {"email": email, "role": "member"}, OWNER)["id"]
        body = BODIES.get(name)
        return self.write(path, body, OWNER if path.startswith("/api/settings/") else None)["id"] if body else None

    def is_ticket(self, issue):
        answer = requests.get(f"{ADDRESS}/api/v1/issues/{issue}", headers=bearer(KEY), timeout=60)
        return answer.ok and answer.json()["data"]["kind"] == "ticket"

    def a_webhook(self):
        path = "/api/settings/webhooks"
        if path not in self.records:
            self.records[path] = self.create(path, "webhook_id")
        return self.records[path]

    def forget(self, case):
        """Forgets a record after a deletion or a 404, so that another one is created."""
        path = case.path.format(**case.path_parameters)
        self.records = {place: made for place, made in self.records.items() if not (made and f"/{made}" in path)}

    def restore_settings(self):
        send("PATCH", "/api/settings/workspace", headers=bearer(self.token(OWNER)), json=SETTINGS)


TESTER = Tester()


@schemathesis.auth(refresh_interval=None)
class Credentials:
    def get(self, case, context):
        if ANONYMOUS:
            return None
        schemes = [name for needed in case.operation.definition.raw.get("security", []) for name in needed]
        # API keys for this need a permission that no preset contains.
        webhooks = case.path.startswith("/api/settings/webhooks")
        if "widgetOrigin" in schemes:
            return {"Origin": ORIGIN}
        if "portalToken" in schemes:
            return bearer(TESTER.portal())
        if "apiKey" in schemes and not webhooks:
            return bearer(KEY)
        if "accessToken" in schemes:
            ends = (case.operation.definition.raw["operationId"]).startswith(ENDS_SESSIONS)
            return bearer(TESTER.token(GUEST if ends else OWNER))
        return None

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), **data}


OF_TICKETS = {"open", "pending", "on_hold", "resolved", "closed"}


def reach(case):
    """Uses existing records in every second valid request: made-up ids only lead to 404."""
    TESTER.turn += 1
    names = [part[1:-1] for part in case.path.split("/") if part.startswith("{")]
    if ANONYMOUS or TESTER.turn % 2 or case.path.startswith("/api/widget/") or case.meta is None or isinstance(case.meta.phase.data, StatefulPhaseData):
        return
    try:
        for name in names:
            case.path_parameters[name] = TESTER.record(case, name) or case.path_parameters[name]
    except requests.HTTPError:
        # The remembered record is gone: the next request creates another.
        TESTER.records = {}


def complete(case):
    """Fixes a valid request if a rule relates parameters, or a value cannot be generated, which schemas cannot express."""
    query = case.query or {}
    operation = case.operation.definition.raw["operationId"]
    # A record may have no company: a null in a response is passed to the next request as its parameter.
    nothing = (None, "", "null", "None")
    for name in [name for name, value in query.items() if name.endswith("_id") and value in nothing]:
        query.pop(name)
    for name in [name for name, value in (case.path_parameters or {}).items() if value in nothing]:
        case.path_parameters[name] = str(uuid.uuid4())
    if "cursor" in query:
        known = TESTER.cursors.get((case.path, str(case.path_parameters)))
        if known is None:
            query.pop("cursor")
        else:
            query["cursor"] = known
            query.pop("page", None)
            query.pop("order", None)
    # Searches have at most 8 words. Schemas cannot express what counts as a word or as visible.
    if "search" in query:
        query["search"] = query["search"][:15]
    for name in ("tag", "label"):
        if name in query:
            query[name] = [one for one in query[name] if any(letter.isalnum() for letter in one)]
    # Page numbers end at item 100,000.
    if "page" in query:
        query["page"] = min(int(query["page"]), 1000)
    earlier = [name for name in query if name.endswith("_since")]
    ranges = [(name, name.removesuffix("_since") + "_before") for name in earlier]
    for earlier, later in [*ranges, ("due_after", "due_before"), ("since", "until")]:
        if earlier in query:
            query.pop(later, None)
    # Records with a selection of members do not match the schema of complete ones.
    query.pop("fields", None)
    for name in ("If-Match", "If-None-Match"):
        if case.headers and case.headers.get(name) == "":
            case.headers.pop(name)
    if query.get("deleted") in (True, "true"):
        query.pop("order", None)
    if "event" in query:
        query.pop("module", None)
    # Waiting for events would only take time.
    if "wait" in query:
        query["wait"] = 0
    if operation == "issues_list":
        is_ticket = query.get("kind") == "ticket"
        if "status" in query and (query["status"] in OF_TICKETS) != is_ticket:
            query.pop("status")
        for foreign in ("deal_id", "contact_id", "company_id", "deleted") if is_ticket else ("reference", "requester", "waiting"):
            query.pop(foreign, None)
        if not is_ticket and query.get("order") == "waiting":
            query.pop("order")
    body = case.body if isinstance(case.body, dict) else {}
    if operation == "issues_create" and (body.get("status") in OF_TICKETS) != (body.get("kind") == "ticket"):
        body.pop("status", None)
    if operation == "issues_update" and "status" in body:
        if (body["status"] in OF_TICKETS) != TESTER.is_ticket(case.path_parameters["issue_id"]):
            body.pop("status")
    if operation == "settings_webhooks_create" and not body.keys() & {"module", "modules"}:
        body["module"] = "crm"
    # A flag is either in the query or in the body.
    if operation == "tools_list_by_body" and case.body:
        case.query = {}


@schemathesis.hook
def before_call(context, case, kwargs):
    is_widget = case.path.startswith("/api/widget/") and not ANONYMOUS
    # Another workspace would refuse all requests of the page.
    if is_widget and not (case.meta and case.meta.is_negative_at(ParameterLocation.PATH)):
        case.path_parameters["workspace_id"] = TESTER.workspace
    if case.meta is None or case.meta.generation.mode.is_positive:
        reach(case)
        complete(case)
    if is_widget or case.method.upper() == "GET":
        return
    for name, value in (case.path_parameters or {}).items():
        if value in TESTER.protected:
            case.path_parameters[name] = str(uuid.uuid4())


@schemathesis.hook
def after_call(context, case, response):
    if ANONYMOUS:
        return
    if response.status_code == 404 or case.method.upper() == "DELETE":
        TESTER.forget(case)
    if not 200 <= response.status_code < 300:
        return
    operation = case.operation.definition.raw["operationId"]
    if "json" in response.headers.get("content-type", [""])[0] and not case.query:
        body = response.json()
        cursor = body.get("pagination", {}).get("nextCursor") if isinstance(body, dict) else None
        if cursor is not None:
            TESTER.cursors[(case.path, str(case.path_parameters))] = cursor
    if operation.startswith(ENDS_SESSIONS):
        TESTER.tokens.pop(GUEST, None)
    elif operation == "settings_workspace_update":
        TESTER.restore_settings()
