import json
from unittest import TestCase

import workspace_service as sdk

from .support import testdata


class Verification(TestCase):
    def test_genuine_requests_verify_and_others_are_refused(self):
        for case in testdata("signatures.json")["cases"]:
            for body in (case["body"], case["body"].encode()):
                with self.subTest(case["name"]):
                    verify = lambda: sdk.verify_webhook(body, case["headers"], case["secrets"], now=case["now"])  # noqa: E731, B023
                    if case["valid"]:
                        self.assertEqual(verify(), json.loads(body))
                    else:
                        self.assertRaises(sdk.WebhookVerificationError, verify)
