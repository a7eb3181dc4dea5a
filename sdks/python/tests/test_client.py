import json
import os
import subprocess
import sys
from unittest import mock

import workspace_service as sdk

from .support import BothTest, answered, testdata


def page(ids, cursor, has_more):
    pagination = {"page": None, "limit": 2, "hasMore": has_more, "nextCursor": cursor}
    return answered(200, {"data": [{"id": id} for id in ids], "pagination": pagination})


class Settings(BothTest):
    def test_key_and_address_come_from_the_environment_and_errors_never_show_the_key(self):
        for kind in (sdk.Client, sdk.AsyncClient):
            with mock.patch.dict(os.environ, clear=True):
                self.assertRaisesRegex(sdk.ConfigurationError, "SERVICE_API_KEY", kind)
                os.environ["SERVICE_API_KEY"] = "svc_marker"
                self.assertRaisesRegex(sdk.ConfigurationError, "SERVICE_API_URL", kind)
                os.environ["SERVICE_API_URL"] = "https://service.example.com/base/"
                client = kind()
                self.assertEqual(client.base_url, "https://service.example.com/base")
                self.assertNotIn("marker", f"{client!r} {client._transport.settings!r}")
                for url in ("nonsense", "ftp://a", "https://user:svc_marker@a", "https://a?b", "https://a#b", "https://["):
                    with self.assertRaises(sdk.ConfigurationError) as raised:
                        kind(base_url=url)
                    self.assertNotIn("marker", str(raised.exception))
                with self.assertRaises(sdk.ConfigurationError) as raised:
                    kind("svc_marker\n")
                self.assertNotIn("marker", str(raised.exception))


    def test_types_are_loaded_on_first_use(self):
        code = "import sys, workspace_service as ws; assert 'workspace_service.types' not in sys.modules; ws.types.Deal"
        subprocess.run([sys.executable, "-c", code], check=True)


class Requests(BothTest):
    def test_a_request_has_the_key_path_query_body_and_version(self):
        def updated(played, _):
            request = played.seen[0]
            self.assertEqual((request.method, request.url.raw_path), ("PATCH", b"/api/v1/crm/deals/a%2Fb"))
            self.assertEqual(request.headers["authorization"], "Bearer svc_secret")
            self.assertEqual(request.headers["if-match"], '"3"')
            self.assertNotIn("idempotency-key", request.headers)
            self.assertEqual(played.body(), {"title": "New", "description": None})

        deal = answered(200, {"data": {"id": "d"}})
        changes = {"title": "New", "description": None}
        self.both([deal], lambda client: client.deals.update("a/b", changes, if_version=3), updated)

        def listed(played, _):
            self.assertEqual(played.queries(), ["status=open&status=on_hold&search=a%26b&value_min=0&deleted=true"])

        query = {"status": ["open", "on_hold"], "search": "a&b", "value_min": 0, "deleted": True, "stage": None}
        self.both([page([], None, False)], lambda client: client.deals.list(query), listed)

    def test_options_that_an_operation_does_not_have_are_refused_before_sending(self):
        def refused(played, result):
            self.assertIsInstance(result, sdk.ConfigurationError)
            self.assertEqual(played.seen, [])

        for call in (
            lambda client: client.request("deals_read", path={"deal_id": "d"}, idempotency_key="k"),
            lambda client: client.request("deals_create", body={"title": "a"}, if_version=1),
            lambda client: client.request("nonsense"),
            lambda client: client.deals.get(""),
            lambda client: client.deals.get(".."),
        ):
            self.both([answered(200, {})], call, refused)

    def test_created_contacts_come_without_data_and_other_records_inside_it(self):
        def check(_, result):
            self.assertEqual(result["id"], "c")

        self.both([answered(201, {"id": "c"})], lambda client: client.contacts.create({"email": "a@example.com"}), check)
        self.both([answered(201, {"data": {"id": "c"}})], lambda client: client.deals.create({"title": "a"}), check)

    def test_lists_follow_the_cursor_to_the_end_even_if_the_last_page_has_one(self):
        def check(played, result):
            self.assertEqual([item["id"] for item in result], ["a", "b", "c"])
            first = "order=updated&page=1&limit=2"
            self.assertEqual(
                played.queries(), [first, "order=updated&limit=2&cursor=c1", "order=updated&limit=2&cursor=c2"]
            )

        replies = [page(["a", "b"], "c1", True), page([], "c2", True), page(["c"], "c3", False)]
        query = {"order": "updated", "page": 1, "limit": 2}
        self.both(replies, lambda client: client.contacts.iterate(query), check)

        def kept(_, result):
            self.assertEqual((result[-1].next_cursor, result[-1].has_more), ("c3", False))

        self.both(replies, lambda client: client.contacts.iterate_pages(query), kept)


class Errors(BothTest):
    def test_errors_have_a_class_by_status_and_code_in_both_forms(self):
        for case in testdata("errors.json")["cases"]:

            def check(_, result, case=case):
                self.assertIs(type(result), getattr(sdk, f"{case['kind']}Error", sdk.ApiError))
                shown = {**vars(result), "details": [vars(detail) for detail in result.details]}
                self.assertEqual({**shown, **case["members"]}, shown)

            reply = answered(case["status"], case["body"], case.get("headers"))
            self.both([reply], lambda client: client.deals.get("d"), check)

    def test_the_text_of_an_error_describes_the_problem(self):
        def details(count):
            return [{"field": f"tags[{at}]", "code": "too_long", "message": "at most 100 characters"} for at in range(count)]

        def reply(count):
            error = {"code": "validation_failed", "message": "some values are not valid; see details", "details": details(count)}
            return answered(422, {"error": error})

        head = "422 validation_failed: some values are not valid; see details"
        for count, expected in [
            (0, head),
            (1, f"{head} (tags[0]: at most 100 characters)"),
            (12, f"{head} ({'; '.join(f'tags[{at}]: at most 100 characters' for at in range(10))}; and 2 more)"),
        ]:

            def check(_, result, count=count, expected=expected):
                self.assertEqual((str(result), len(result.details)), (expected, count))

            self.both([reply(count)], lambda client: client.deals.get("d"), check)

    def test_every_tool_takes_an_object_of_arguments(self):
        reply = answered(200, {"isError": False, "content": [], "structuredContent": {"now": "n"}})

        def check(played, result):
            self.assertEqual((result, played.body()), ({"now": "n"}, {"name": "whoami", "arguments": {}}))

        self.both([reply], lambda client: client.tools.whoami({}), check)
        self.both([reply], lambda client: client.tools.whoami(), check)

    def test_a_failed_tool_raises_the_same_error_as_rest(self):
        for case in testdata("errors.json")["tools"]:
            text = json.dumps({"error": case["code"], "message": "m"})
            reply = answered(200, {"isError": True, "content": [{"type": "text", "text": text}]}, {"X-Request-Id": "r"})

            def check(played, result, case=case):
                self.assertIs(type(result), getattr(sdk, f"{case['kind']}Error"))
                self.assertEqual((result.status, result.tool, result.request_id), (case["status"], "update_contact", "r"))
                arguments = {"notes": "n", "id": "c", "expected_version": 2}
                self.assertEqual(played.body(), {"name": "update_contact", "arguments": arguments})

            self.both([reply], lambda client: client.contacts.update("c", {"notes": "n"}, if_version=2), check)

    def test_an_unknown_tool_is_called_once_without_retries(self):
        def check(played, result):
            self.assertIsInstance(result, sdk.ServerError)
            self.assertEqual(len(played.seen), 1)

        self.both([answered(503)], lambda client: client.tools.call("paint", {}), check)

    def test_an_upsert_is_one_call_of_its_tool(self):
        reply = answered(200, {"isError": False, "content": [], "structuredContent": {"outcomes": ["created"]}})

        def check(played, result):
            self.assertEqual(result["outcomes"], ["created"])
            arguments = {"items": [{"email": "a@example.com"}], "dry_run": True}
            self.assertEqual(played.body(), {"name": "upsert_contacts", "arguments": arguments})

        self.both([reply], lambda client: client.contacts.upsert([{"email": "a@example.com"}], dry_run=True), check)
