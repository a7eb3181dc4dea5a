"""Deliveries signed by the service that the environment names."""

from __future__ import annotations

import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import TestCase, skipUnless

import workspace_service as sdk

Received = tuple[bytes, dict[str, str]]


@skipUnless("SERVICE_WEBHOOK_KEY" in os.environ, "no SERVICE_WEBHOOK_KEY")
class Deliveries(TestCase):
    def setUp(self):
        self.received: queue.Queue[Received] = queue.Queue()
        received = self.received

        class Receiver(BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers["Content-Length"])
                received.put((self.rfile.read(length), dict(self.headers.items())))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format, *args):
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Receiver)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def test_deliveries_verify_by_either_signature_and_during_secret_rotation(self):
        url = f"http://127.0.0.1:{self.server.server_port}/hook"
        with sdk.Client(os.environ["SERVICE_WEBHOOK_KEY"]) as client, sdk.Client() as other:
            webhook = client.webhooks.create({"module": "crm", "url": url, "events": ["deal.created"]})
            try:
                first = webhook["secret"]
                self.assert_genuine(self.delivered(other, "Northwind"), [first], "Northwind")
                second = client.webhooks.rotate_secret(webhook["id"], {"overlap_seconds": 3600})["secret"]
                during = self.delivered(other, "Southwind")
                self.assertIn("x-service-signature-next", {name.lower() for name in during[1]})
                self.assert_genuine(during, [first, second], "Southwind")
                last = client.webhooks.rotate_secret(webhook["id"], {"overlap_seconds": 0})["secret"]
                after = self.delivered(other, "Eastwind")
                self.assert_genuine(after, [last, [second, last]], "Eastwind")
                self.assert_refused(after, [first, second])
            finally:
                client.webhooks.delete(webhook["id"])

    def delivered(self, client: sdk.Client, title: str) -> Received:
        client.deals.create({"title": title})
        return self.received.get(timeout=30)

    def assert_genuine(self, received: Received, secrets: list[str | list[str]], title: str) -> None:
        """Each secret verifies with all headers, with the service's own and with those of Standard Webhooks."""
        body, headers = received
        names = {name.lower(): value for name, value in headers.items()}
        for prefix in ("", "x-service-", "webhook-"):
            some = {name: value for name, value in headers.items() if name.lower().startswith(prefix)}
            for secret in secrets:
                with self.subTest(title=title, prefix=prefix):
                    delivery = sdk.verify_webhook(body, some, secret)
                    self.assertEqual(delivery["id"], names["x-service-delivery-id"])
                    self.assertEqual(delivery["payload"]["data"]["title"], title)
                    self.assert_refused((body + b" ", some), [secret])
                    with self.assertRaises(sdk.WebhookVerificationError):
                        sdk.verify_webhook(body, some, secret, now=time.time() + 400)

    def assert_refused(self, received: Received, secrets: list[str | list[str]]) -> None:
        for secret in secrets:
            with self.assertRaises(sdk.WebhookVerificationError):
                sdk.verify_webhook(*received, secret)
