import assert from "node:assert/strict";
import { test } from "node:test";

import type {
  CompanyInput,
  ContactInput,
  DealInput,
  DealsListQuery,
  IssuesListQuery,
  UpsertCompaniesItem,
  UpsertContactsItem,
  UpsertDealsItem,
} from "../src/index.js";

test("the input of a create can be upserted, and no member accepts a value of another type", () => {
  const contact: ContactInput = { email: "a@example.com", company_id: "", social_linkedin: null };
  const company: CompanyInput = { name: "Acme", website: "https://acme.example" };
  const deal: DealInput = { title: "Seats", assigned_to: null, custom_fields: { source_row: 7 } };
  const items: [UpsertContactsItem, UpsertCompaniesItem, UpsertDealsItem] = [contact, company, deal];
  assert.equal(items.length, 3);

  // The compiler rejects each; nothing checks them at run time.
  // @ts-expect-error: a number is not an id.
  contact.company_id = 5;
  // @ts-expect-error: an object is not a URL.
  company.website = {};
  // @ts-expect-error: an object is not an id.
  deal.assigned_to = {};
  // @ts-expect-error: a number is not an id.
  const deals: DealsListQuery = { assignee: [5] };
  // @ts-expect-error: a number is not an id.
  const issues: IssuesListQuery = { assignee: [5] };
  assert.ok(deals && issues);
});
