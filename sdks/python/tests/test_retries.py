import httpx

import workspace_service as sdk
from workspace_service._retry import backoff

from .support import BothTest, answered

DEAL = answered(200, {"data": {"id": "d", "version": 1}})
MADE = answered(201, {"data": {"id": "d"}})
UNAVAILABLE = answered(503, {"error": {"code": "unavailable", "message": "later", "request_id": "r"}})
REFUSED = httpx.ConnectError("refused")
LOST = httpx.ReadError("reset")


def limited(seconds):
    body = {"error": "rate_limit_exceeded", "message": "slow down", "retry_after": seconds, "request_id": "r"}
    return answered(429, body, {"Retry-After": str(seconds)})


class Retries(BothTest):
    def test_a_read_is_retried_with_growing_pauses_until_it_fails(self):
        for reply, kind in [
            (UNAVAILABLE, sdk.ServerError),
            (answered(502), sdk.ServerError),
            (answered(500), sdk.ServerError),
            (REFUSED, sdk.ConnectionError),
            (LOST, sdk.ConnectionError),
            (httpx.ReadTimeout("late"), sdk.TimeoutError),
        ]:

            def check(played, result, kind=kind):
                self.assertIsInstance(result, kind)
                self.assertEqual((len(played.seen), played.slept), (4, [0.5, 1.0, 2.0]))

            self.both([reply], lambda client: client.deals.get("d"), check)

    def test_pauses_are_half_random_and_at_most_eight_seconds(self):
        self.assertEqual([backoff(attempt, 1.0) for attempt in range(1, 7)], [0.5, 1, 2, 4, 8, 8])
        self.assertEqual([backoff(attempt, 0.0) for attempt in range(1, 7)], [0.25, 0.5, 1, 2, 4, 4])

    def test_retry_after_is_respected_unless_it_is_too_long(self):
        def waited(played, result):
            self.assertEqual((result["id"], played.slept), ("d", [7.5]))

        def refused(played, result):
            self.assertIsInstance(result, sdk.RateLimitError)
            self.assertEqual((result.retry_after, len(played.seen)), (3600, 1))

        self.both([limited(7), DEAL], lambda client: client.deals.get("d"), waited)
        self.both([limited(3600)], lambda client: client.deals.get("d"), refused)

    def test_a_short_retry_after_does_not_shorten_the_pause(self):
        for seconds, slept in [(0, [0.5, 1.0, 2.0]), (1, [1.5, 1.5, 2.0]), (-5, [0.5, 1.0, 2.0])]:

            def check(played, result, slept=slept):
                self.assertIsInstance(result, sdk.RateLimitError)
                self.assertEqual(played.slept, slept)

            self.both([limited(seconds)], lambda client: client.deals.get("d"), check)

    def test_a_create_keeps_its_idempotency_key_and_the_next_one_gets_a_new_key(self):
        def check(played, result):
            self.assertEqual(result["id"], "d")
            self.assertEqual(played.headers("idempotency-key"), ["key-1"] * 3)

        self.both([LOST, UNAVAILABLE, MADE], lambda client: client.deals.create({"title": "40 seats"}), check)

        def own(played, _):
            self.assertEqual(played.headers("idempotency-key"), ["mine"])

        self.both([MADE], lambda client: client.deals.create({"title": "a"}, idempotency_key="mine"), own)

    def test_it_waits_for_an_attempt_that_is_still_running(self):
        running = answered(409, {"error": {"code": "idempotency_conflict", "message": "", "request_id": "r"}})

        def done(_, result):
            self.assertEqual(result["id"], "d")

        def another(played, result):
            # Without a lost attempt, the key belongs to another request.
            self.assertIsInstance(result, sdk.ConflictError)
            self.assertEqual(len(played.seen), 1)

        self.both([LOST, running, MADE], lambda client: client.deals.create({"title": "a"}), done)
        self.both([running], lambda client: client.deals.create({"title": "a"}), another)

    def test_a_post_without_a_key_is_retried_only_if_it_certainly_did_not_start(self):
        for reply, attempts in [(REFUSED, 4), (limited(1), 4), (LOST, 1), (UNAVAILABLE, 1)]:

            def check(played, _, attempts=attempts):
                self.assertEqual(len(played.seen), attempts)

            self.both([reply], lambda client: client.webhooks.rotate_secret("w"), check)

    def test_writes_are_not_retried_after_internal_errors_and_nothing_after_refusals(self):
        def once(played, result):
            self.assertIsInstance(result, sdk.ApiError)
            self.assertEqual(len(played.seen), 1)

        self.both([answered(500)], lambda client: client.deals.update("d", {"title": "a"}), once)
        for status in (400, 401, 403, 404, 409, 413, 422):
            self.both([answered(status)], lambda client: client.deals.get("d"), once)

    def test_retries_of_a_tool_depend_on_its_effects(self):
        for name, attempts, key in [
            ("get_contact", 4, None),
            ("update_contact", 4, "key-1"),
            ("rotate_webhook_secret", 1, "key-1"),
        ]:

            def check(played, result, attempts=attempts, key=key):
                self.assertIsInstance(result, sdk.ConnectionError)
                self.assertEqual(played.headers("idempotency-key"), [key] * attempts)

            self.both([LOST], lambda client, name=name: getattr(client.tools, name)({"id": "c"}), check)

    def test_a_lost_write_may_have_acted(self):
        for reply, may_have_acted in [(LOST, True), (REFUSED, False)]:

            def check(_, result, may_have_acted=may_have_acted):
                self.assertEqual(result.may_have_acted, may_have_acted)

            self.both([reply], lambda client: client.deals.create({"title": "a"}), check, max_retries=0)

    def test_the_callback_is_called_before_each_wait(self):
        told = []
        expected = [
            sdk.Retry("deals_read", 2, 7.5, "429 rate_limit_exceeded"),
            sdk.Retry("deals_read", 3, 1.0, "no answer"),
            sdk.Retry("deals_read", 4, 2.0, "503 unavailable"),
        ]

        def check(played, result):
            self.assertEqual((result["id"], told), ("d", expected))
            self.assertEqual(played.slept, [retry.pause for retry in told])
            told.clear()

        self.both([limited(7), LOST, UNAVAILABLE, DEAL], lambda client: client.deals.get("d"), check, on_retry=told.append)

    def test_without_a_callback_waits_are_logged(self):
        with self.assertLogs("workspace_service", "WARNING") as logs:
            self.both([REFUSED, DEAL], lambda client: client.deals.get("d"), lambda played, result: None)
            tool = answered(200, {"isError": False, "content": [], "structuredContent": {}})
            self.both([LOST, tool], lambda client: client.tools.get_contact({"id": "c"}), lambda played, result: None)
        said = [record.getMessage() for record in logs.records]
        self.assertEqual(
            said,
            ["deals_read: no connection; waiting 0.5 s before attempt 2"] * 2
            + ["get_contact: no answer; waiting 0.5 s before attempt 2"] * 2,
        )
