import assert from "node:assert/strict";
import { test } from "node:test";

import { verifyWebhook, WebhookVerificationError } from "../src/index.js";
import { testdata } from "./helpers.js";

interface Case {
  name: string;
  valid: boolean;
  secrets: string[];
  now: number;
  headers: Record<string, string>;
  body: string;
}

for (const { name, valid, secrets, now, headers, body } of testdata<{ cases: Case[] }>("signatures.json").cases) {
  test(`a request with ${name} is ${valid ? "genuine" : "refused"}`, () => {
    for (const form of [headers, new Headers(headers)]) {
      for (const raw of [body, Buffer.from(body)]) {
        if (valid) {
          assert.deepEqual(verifyWebhook(raw, form, secrets, { now }), JSON.parse(body));
        } else {
          assert.throws(() => verifyWebhook(raw, form, secrets, { now }), WebhookVerificationError);
        }
      }
    }
  });
}

test("the event determines the type of the payload", () => {
  const [genuine] = testdata<{ cases: Case[] }>("signatures.json").cases;
  assert.ok(genuine);
  const delivery = verifyWebhook(genuine.body, genuine.headers, genuine.secrets, { now: genuine.now });
  assert.equal(delivery.event === "deal.won" ? delivery.payload.data.title : "", "Northwind: 40 seats");
});
