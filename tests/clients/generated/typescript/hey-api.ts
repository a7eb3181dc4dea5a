// A client of @hey-api/openapi-ts.
import { check, KEY, TITLE, URL } from "./check.js";
import { client } from "./hey-api/client.gen.js";
import { dealsCreate, dealsList, dealsUpdate } from "./hey-api/sdk.gen.js";
import type { ContactInput, DealInput } from "./hey-api/types.gen.js";

client.setConfig({ baseUrl: URL, auth: KEY });

const input: DealInput = { title: TITLE, value: 1500.5, custom_fields: { source_row: 7 } };
const created = await dealsCreate({ body: input });
check(created.response?.status === 201, "created");
const deal = created.data?.data;
check(deal?.value === 1500.5 && deal.custom_fields["source_row"] === 7, "as sent");

const change = { path: { deal_id: deal.id }, headers: { "If-Match": `"${deal.version}"` } };
const changed = await dealsUpdate({ ...change, body: { stage: "proposal", contact_id: null } });
check(changed.data?.data.stage === "proposal", "changed");
const stale = await dealsUpdate({ ...change, body: { stage: "qualified" } });
check(stale.response?.status === 409, "another version");

const listed = await dealsList({ query: { stage: ["proposal"], search: TITLE } });
check(listed.data?.data.some((one) => one.id === deal.id) === true, "listed");
const contact: ContactInput = { email: "a@example.com", company_id: "", social_linkedin: null };
// @ts-expect-error: a number is not an id.
contact.company_id = 5;
