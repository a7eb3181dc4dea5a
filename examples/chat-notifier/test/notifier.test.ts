import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";

import { Client } from "workspace-service-sdk";

import { FakeChat, Notifier, notifierKey, until } from "./support.js";

const skip = process.env.SERVICE_ACCESS_TOKEN === undefined && "no SERVICE_API_URL, SERVICE_API_KEY and SERVICE_ACCESS_TOKEN";

/** Against a real service, which delivers with its own dispatcher. */
describe("the notifier", { skip, timeout: 300_000 }, () => {
  const run = Date.now().toString(36);
  const colleague = skip === false ? new Client() : (undefined as never);
  let chat: FakeChat;
  let notifier: Notifier;
  let webhooks: Client;

  before(async () => {
    chat = await FakeChat.start();
    const key = await notifierKey();
    webhooks = new Client({ apiKey: key });
    notifier = await Notifier.prepare(key, chat);
    await notifier.start();
  });

  after(async () => {
    await notifier.kill();
    for (const { id } of await ours()) {
      await new Client({ apiKey: process.env.SERVICE_ACCESS_TOKEN ?? "" }).webhooks.delete(id);
    }
    await notifier.forget();
    chat.stop();
  });

  async function ours() {
    const all = (await webhooks.webhooks.list()).items;
    return all.filter(({ url }) => url.startsWith(`http://127.0.0.1:${notifier.port}/`));
  }

  /** The newest delivery of a module. */
  async function latest(module: string) {
    const webhook = (await ours()).find((one) => one.module === module);
    const delivery = (await webhooks.webhooks.deliveries.list(webhook?.id ?? "", { limit: 1 })).items[0];
    assert.ok(delivery);
    return delivery;
  }

  async function win(title: string): Promise<void> {
    const deal = await colleague.deals.create({ title: `${title} ${run}`, value: 4999.95 });
    await colleague.deals.update(deal.id, { stage: "closed_won" });
  }

  async function isPosted(text: string, times = 1): Promise<void> {
    await until(`the chat has "${text}"`, () => chat.about(text).length >= times);
    assert.equal(chat.about(text).length, times, chat.texts.join("\n"));
  }

  test("posts what happens, with the names of members", async () => {
    await win("Northwind");
    const member = (await colleague.members.list()).items[0];
    assert.ok(member);
    const later = await colleague.issues.create({ kind: "task", title: `Ship ${run}` });
    await colleague.issues.update(later.id, { assignee_id: member.id });
    await colleague.tools.createTask({ title: `Print ${run}`, assignee_id: member.id });
    await colleague.tools.createTicket({ title: `Broken <!channel> ${run}`, requester_email: "bob@example.com" });
    await isPosted(`Northwind ${run}`);
    await isPosted(`Broken &lt;!channel&gt; ${run}`);
    await isPosted(`Ship ${run}`);
    await isPosted(`Print ${run}`);
    for (const title of ["Ship", "Print"]) {
      assert.ok(chat.about(`${title} ${run}`)[0]?.endsWith(` to ${member.name}`), chat.texts.join("\n"));
    }
  });

  test("creates its webhooks once", async () => {
    const made = (await ours()).map(({ id, version }) => [id, version]);
    assert.equal(made.length, 3);
    assert.equal(await notifier.stop(), 0, notifier.output);
    await notifier.start();
    assert.deepEqual((await ours()).map(({ id, version }) => [id, version]), made);
  });

  test("refuses requests that the service has not signed", async () => {
    const body = JSON.stringify({ id: "1", event: "deal.won", created_at: "2030-01-31T00:00:00Z", payload: { data: { id: "1", title: `Forged ${run}`, version: 1 } } });
    const timestamp = String(Math.floor(Date.now() / 1000));
    const signature = createHmac("sha256", "whsec_guessed").update(`${timestamp}.${body}`).digest("hex");
    const headers = { "X-Service-Timestamp": timestamp, "X-Service-Signature": `sha256=${signature}` };
    const statuses = [];
    for (const [path, sent] of [["crm", headers], ["crm", {}], ["support", headers], ["none", headers]] as const) {
      const response = await fetch(`http://127.0.0.1:${notifier.port}/hooks/${path}`, { method: "POST", body, headers: sent });
      statuses.push(response.status);
    }
    assert.deepEqual(statuses, [400, 400, 400, 404]);
    const large = await fetch(`http://127.0.0.1:${notifier.port}/hooks/crm`, { method: "POST", body: "x".repeat(5_000_000), headers });
    assert.equal(large.status, 413);
    await win("Genuine");
    await isPosted(`Genuine ${run}`);
    assert.equal(chat.about("Forged").length, 0);
  });

  test("posts an event once if it is delivered twice or replayed", async () => {
    await win("Twice");
    await isPosted(`Twice ${run}`);
    const { id, webhook_id } = await latest("crm");
    // The chat has the message a moment before the service has recorded the response.
    await until("its delivery ended", async () => (await webhooks.webhooks.deliveries.get(id)).state === "succeeded");
    await webhooks.webhooks.deliveries.redeliver(id);
    await until("it was delivered again", async () => {
      const { state, attempts } = await webhooks.webhooks.deliveries.get(id);
      return state === "succeeded" && attempts?.length === 2;
    });
    // The replay that the notifier requested when it started.
    await until("no replay runs", async () => {
      const { items } = await webhooks.webhooks.replays.list(webhook_id);
      return items.every(({ state }) => state !== "running");
    });
    const replay = await webhooks.webhooks.replays.start(webhook_id, { since: new Date(Date.now() - 60_000).toISOString() });
    assert.ok(replay.matched > 0);
    await until("the replay was delivered", async () => {
      const { state, queued } = await webhooks.webhooks.replays.get(webhook_id, replay.id ?? "");
      const all = (await webhooks.webhooks.deliveries.list(webhook_id, { limit: 100 })).items;
      return state === "completed" && all.filter((one) => one.replay_id === replay.id && one.state === "succeeded").length === queued;
    });
    await win("After");
    await isPosted(`After ${run}`);
    await isPosted(`Twice ${run}`);
  });

  test("retries when the chat fails, and waits as long as the chat requests", async () => {
    const begun = chat.attempts;
    chat.replies = [{ status: 500 }, { status: 429, headers: { "Retry-After": "1" } }, { status: 503 }];
    const refused = Date.now();
    await win("Patience");
    await isPosted(`Patience ${run}`);
    assert.equal(chat.attempts - begun, 4);
    assert.ok(Date.now() - refused >= 1_000, "it waited for what the chat asked for");
  });

  test("gives up only the message that the chat refuses", async () => {
    chat.replies = [{ status: 400 }];
    await win("Refused");
    await until("it was refused", () => chat.replies.length === 0);
    await win("Next");
    await isPosted(`Next ${run}`);
    assert.equal(chat.about(`Refused ${run}`).length, 0);
  });

  test("loses and repeats nothing when it is killed while messages are pending", async () => {
    chat.always = { status: 503 };
    const begun = chat.attempts;
    for (const title of ["First", "Second", "Third"]) await win(title);
    await until("all were accepted", async () => {
      const webhook = (await ours()).find((one) => one.module === "crm");
      const open = (await webhooks.webhooks.deliveries.list(webhook?.id ?? "", { limit: 3 })).items;
      return open.every(({ state }) => state === "succeeded") && chat.attempts > begun;
    });
    await notifier.kill();
    await win("Meanwhile"); // Nobody receives it: the service retries, and the notifier requests a replay too.
    chat.always = undefined;
    await notifier.start();
    for (const title of ["First", "Second", "Third", "Meanwhile"]) await isPosted(`${title} ${run}`);
    await until("the delivery of the time in between has ended", async () => (await latest("crm")).state === "succeeded");
    assert.equal(chat.about(`Meanwhile ${run}`).length, 1);
  });

  test("repeats at most the message that was being sent when it was killed", async () => {
    chat.replies = [{ status: 200, holds: true }];
    await win("Under way");
    await until("the chat has it", () => chat.about(`Under way ${run}`).length === 1);
    await notifier.kill();
    const before = [...chat.texts];
    await notifier.start();
    await isPosted(`Under way ${run}`, 2);
    await win("After the kill");
    await isPosted(`After the kill ${run}`);
    assert.equal(chat.texts.length, before.length + 2, chat.texts.join("\n"));
  });

  test("catches up on events that were not sent while its webhook was disabled", async () => {
    const webhook = (await ours()).find((one) => one.module === "crm");
    assert.ok(webhook);
    await notifier.stop();
    await webhooks.webhooks.update(webhook.id, { enabled: false });
    await win("Missed");
    await webhooks.webhooks.update(webhook.id, { enabled: true });
    await notifier.start();
    await isPosted(`Missed ${run}`);
    assert.equal(chat.about(`Northwind ${run}`).length, 1);
  });

  test("continues with new secrets when its state is lost", async () => {
    await notifier.stop();
    await notifier.forget();
    await notifier.start();
    assert.match(notifier.output, /rotated the secret/);
    assert.equal((await ours()).length, 3);
    await win("Fresh");
    await isPosted(`Fresh ${run}`);
  });
});
