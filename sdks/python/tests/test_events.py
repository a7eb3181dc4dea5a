from unittest import TestCase

import httpx

import workspace_service as sdk
from workspace_service._sse import SseParser

from .support import BothTest, answered, testdata


def stream(*ids):
    events = "".join(f'id: {id}\nevent: deal.won\ndata: {{"id":"{id}"}}\n\n' for id in ids)
    headers = {"Content-Type": "text/event-stream"}
    return lambda: httpx.Response(200, headers=headers, content=f"retry: 2000\n\n{events}".encode())


def page(ids, cursor):
    pagination = {"page": None, "limit": 100, "hasMore": False, "nextCursor": cursor}
    return answered(200, {"data": [{"id": id} for id in ids], "pagination": pagination})


def first(count, *arguments, **options):
    """The first events with their cursors."""

    def follow(client):
        events = client.events.follow(*arguments, **options)
        if hasattr(events, "__anext__"):

            async def taken():
                return [await anext(events) for _ in range(count)]

            return taken()
        return iter([next(events) for _ in range(count)])

    return follow


class Streams(TestCase):
    def test_streams_are_parsed_from_chunks(self):
        for case in testdata("streams.json")["cases"]:
            with self.subTest(case["name"]):
                parser = SseParser()
                found = [vars(message) for piece in case["pieces"] for message in parser.push(piece)]
                self.assertEqual(found, case["messages"])
                self.assertEqual((parser.last_id, parser.retry), (case["last_id"], case["retry"]))


class Following(BothTest):
    def pairs(self, result):
        self.assertNotIsInstance(result, Exception)
        return [(followed.event["id"], followed.cursor) for followed in result]

    def test_a_stream_that_ends_is_resumed_after_the_last_event(self):
        def check(played, result):
            self.assertEqual(self.pairs(result), [("a", "a"), ("b", "b"), ("c", "c")])
            self.assertEqual(played.headers("last-event-id"), [None, "b", "b", "b"])
            self.assertEqual(played.queries(), ["module=crm"] * 4)
            self.assertEqual(played.slept, [2.0, 0.5, 1.0])

        replies = [stream("a", "b"), httpx.ConnectError("refused"), answered(503), stream("c")]
        self.both(replies, first(3, {"module": ["crm"]}), check)

    def test_following_resumes_after_a_stored_cursor(self):
        def check(played, _):
            self.assertEqual(played.headers("last-event-id"), ["b"])
            self.assertEqual(played.headers("accept"), ["text/event-stream"])

        self.both([stream("c")], first(1, cursor="b"), check)

    def test_without_streams_it_polls_pages_and_never_skips_unseen_events(self):
        def check(played, result):
            self.assertEqual(self.pairs(result), [("a", None), ("b", "p1"), ("c", "p3")])
            wait = "limit=100&wait=30"
            self.assertEqual(played.queries(), ["", wait, f"{wait}&cursor=p1", f"{wait}&cursor=p2"])

        self.both([page([], "p0"), page(["a", "b"], "p1"), page([], "p2"), page(["c"], "p3")], first(3), check)

    def test_after_two_silent_streams_in_a_row_it_polls_pages(self):
        def check(played, result):
            self.assertEqual(self.pairs(result), [("a", "p")])
            self.assertEqual(played.queries(), ["", "", "limit=100&wait=30"])

        self.both([httpx.ReadTimeout("quiet"), httpx.ReadTimeout("quiet"), page(["a"], "p")], first(1), check)

    def test_permanent_errors_end_following(self):
        refusal = answered(401, {"error": {"code": "unauthorized", "message": "m", "request_id": "r"}})

        def check(_, result):
            self.assertIsInstance(result, sdk.AuthenticationError)

        self.both([refusal], first(1), check)
