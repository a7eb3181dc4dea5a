// A client of OpenAPI Generator's typescript-fetch.
import { check, KEY, TITLE, URL } from "./check.js";
import { Configuration, type ContactInput, type DealInput, DealsApi, ResponseError } from "./typescript-fetch/index.js";

const deals = new DealsApi(new Configuration({ basePath: URL, accessToken: KEY }));

const dealInput: DealInput = { title: TITLE, value: 1500.5, customFields: { source_row: 7 } };
const { data: deal } = await deals.dealsCreate({ dealInput });
check(deal.value === 1500.5 && deal.customFields["source_row"] === 7, "as sent");

const change = { dealId: deal.id, ifMatch: `"${deal.version}"` };
const changed = await deals.dealsUpdate({ ...change, dealUpdate: { stage: "proposal", contactId: null } });
check(changed.data.stage === "proposal", "changed");
try {
  await deals.dealsUpdate({ ...change, dealUpdate: { stage: "qualified" } });
  check(false, "another version");
} catch (error) {
  check(error instanceof ResponseError && error.response.status === 409, "another version");
}

const listed = await deals.dealsList({ stage: ["proposal"], search: TITLE });
check(listed.data.some((one) => one.id === deal.id), "listed");
const contact: ContactInput = { email: "a@example.com", companyId: "", socialLinkedin: null };
// @ts-expect-error: a number is not an id.
contact.companyId = 5;
