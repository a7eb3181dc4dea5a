import assert from "node:assert/strict";
import { test } from "node:test";

import type { WebhookDelivery } from "workspace-service-sdk";

import { told } from "../src/chat.js";
import { messageAbout, said } from "../src/templates.js";

const URL = "https://service.example.com";
const delivery = (event: string, data: object, actor: object = { name: "Ada" }) => ({ event, payload: { actor, changes: {}, data } }) as unknown as WebhookDelivery;

test("each event has its message", () => {
  const deal = { id: "d1", title: "40 seats", value: 4999.95, currency: "EUR", lost_reason: "Price" };
  const issue = { id: "i1", title: "It does not start", priority: "high", requester: { name: "Bob" }, assignee_id: "m1" };
  const cases: [Parameters<typeof messageAbout>[0], WebhookDelivery, unknown][] = [
    ["crm", delivery("deal.won", deal), { text: ":tada: Ada won <https://service.example.com/deals/d1|40 seats>, 4,999.95 EUR" }],
    ["crm", delivery("deal.lost", deal), { text: "Ada lost <https://service.example.com/deals/d1|40 seats>: Price" }],
    ["support", delivery("ticket.created", issue), { text: "New high ticket <https://service.example.com/tickets/i1|It does not start> from Bob" }],
    ["projects", delivery("task.assigned", issue), { text: "Ada assigned <https://service.example.com/tasks/i1|It does not start> to ", member: "m1" }],
    ["projects", delivery("task.created", { ...issue, assignee_id: null }), undefined],
    ["projects", delivery("task.assigned", { ...issue, assignee_id: null }), { text: "Ada unassigned <https://service.example.com/tasks/i1|It does not start>" }],
    ["support", delivery("ticket.comment_added", { issue_id: "i1", body: "Hi" }), undefined],
    ["support", delivery("ticket.comment_added", { issue_id: "i1", body: "Hi" }, { type: "customer", name: "Bob" }), { text: "Bob replied to <https://service.example.com/tickets/i1|a ticket>: Hi" }],
    ["crm", delivery("deal.created", deal), undefined],
    ["crm", delivery("constructor", deal), undefined],
  ];
  for (const [module, one, expected] of cases) {
    assert.deepEqual(messageAbout(module, one, URL), expected, one.event);
  }
});

test("untrusted text cannot mention everybody, add lines or links, or fill the screen", () => {
  assert.equal(said("<!channel> & <https://evil.example|here>\n\nnow"), "&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt; now");
  assert.equal([...said("🦊".repeat(300))].length, 200);
  const won = messageAbout("crm", delivery("deal.won", { id: "d1", title: "a|b>c", value: null, currency: "EUR" }), URL);
  assert.equal(won?.text, ":tada: Ada won <https://service.example.com/deals/d1|a/b&gt;c>");
});

test("the chat's Retry-After is respected, up to a limit", () => {
  const now = Date.parse("2030-01-31T00:00:00Z");
  for (const [header, wait] of [[null, 0], ["3", 3_000], ["Thu, 31 Jan 2030 00:00:05 GMT", 5_000], ["soon", 0], ["999999", 900_000], ["Thu, 31 Jan 2029 00:00:00 GMT", 0]] as const) {
    assert.equal(told(header, now), wait, String(header));
  }
});
