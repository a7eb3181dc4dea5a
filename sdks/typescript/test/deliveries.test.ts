import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";

import { Client, verifyWebhook, WebhookVerificationError } from "../src/index.js";

interface Received {
  body: Buffer;
  headers: IncomingHttpHeaders;
}

const apiKey = process.env.SERVICE_WEBHOOK_KEY;

/** Deliveries signed by the service that the environment names. */
test("deliveries verify by either signature and during secret rotation", { skip: apiKey === undefined && "no SERVICE_WEBHOOK_KEY" }, async () => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    received.push({ body: Buffer.concat(await request.toArray()), headers: request.headers });
    response.writeHead(204).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { webhooks } = new Client({ apiKey: apiKey ?? "" });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  const webhook = await webhooks.create({ module: "crm", url, events: ["deal.created"] });
  try {
    const before = await delivered("Northwind");
    assertGenuine(before, [webhook.secret], "Northwind");
    const { secret } = await webhooks.rotateSecret(webhook.id, { overlap_seconds: 3600 });
    const during = await delivered("Southwind");
    assert.ok(during.headers["x-service-signature-next"]);
    assertGenuine(during, [webhook.secret, secret], "Southwind");
    const last = await webhooks.rotateSecret(webhook.id, { overlap_seconds: 0 });
    const after = await delivered("Eastwind");
    assertGenuine(after, [last.secret, [secret, last.secret]], "Eastwind");
    assertRefused(after, [webhook.secret, secret]);
  } finally {
    await webhooks.delete(webhook.id);
    server.close();
    server.closeAllConnections();
  }

  async function delivered(title: string): Promise<Received> {
    const { length } = received;
    await new Client().deals.create({ title });
    for (let tries = 0; received.length === length; tries += 1) {
      assert.ok(tries < 600, "no delivery within 30 s");
      await pause(50);
    }
    return received[length] as Received;
  }
});

/** Each secret alone verifies with all headers, with the service's own and with those of Standard Webhooks. */
function assertGenuine({ body, headers }: Received, secrets: (string | string[])[], title: string): void {
  for (const prefix of ["", "x-service-", "webhook-"]) {
    const some = Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
    for (const secret of secrets) {
      const delivery = verifyWebhook(body, some, secret);
      assert.equal(delivery.id, headers["x-service-delivery-id"]);
      assert.equal(delivery.event === "deal.created" && delivery.payload.data.title, title);
      assertRefused({ body: Buffer.concat([body, Buffer.from(" ")]), headers: some }, [secret]);
      const later = Math.floor(Date.now() / 1000) + 400;
      assert.throws(() => verifyWebhook(body, some, secret, { now: later }), WebhookVerificationError);
    }
  }
}

function assertRefused({ body, headers }: Received, secrets: (string | string[])[]): void {
  for (const secret of secrets) {
    assert.throws(() => verifyWebhook(body, headers, secret), WebhookVerificationError);
  }
}
