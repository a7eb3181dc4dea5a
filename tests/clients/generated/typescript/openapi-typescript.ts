// A client of openapi-typescript's types, with openapi-fetch.
import createClient from "openapi-fetch";
import { check, KEY, TITLE, URL } from "./check.js";
import type { components, paths } from "./openapi-typescript/schema.js";

const client = createClient<paths>({ baseUrl: URL, headers: { Authorization: `Bearer ${KEY}` } });

const input: components["schemas"]["DealInput"] = { title: TITLE, value: 1500.5, custom_fields: { source_row: 7 } };
const created = await client.POST("/api/v1/crm/deals", { body: input });
check(created.response.status === 201, "created");
const deal = created.data?.data;
check(deal?.value === 1500.5 && deal.custom_fields["source_row"] === 7, "as sent");

const path = { deal_id: deal.id };
const changed = await client.PATCH("/api/v1/crm/deals/{deal_id}", {
  params: { path, header: { "If-Match": `"${deal.version}"` } },
  body: { stage: "proposal", contact_id: null },
});
check(changed.data?.data.stage === "proposal", "changed");
const stale = await client.PATCH("/api/v1/crm/deals/{deal_id}", {
  params: { path, header: { "If-Match": `"${deal.version}"` } },
  body: { stage: "qualified" },
});
check(stale.error !== undefined && typeof stale.error.error === "object", "another version");

const listed = await client.GET("/api/v1/crm/deals", { params: { query: { stage: ["proposal"], search: TITLE } } });
check(listed.data?.data.some((one) => one.id === deal.id) === true, "listed");
const contact: components["schemas"]["ContactInput"] = { email: "a@example.com", company_id: "", social_linkedin: null };
// @ts-expect-error: a number is not an id.
contact.company_id = 5;
