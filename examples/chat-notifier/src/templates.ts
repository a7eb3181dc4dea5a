import type { WebhookDelivery } from "workspace-service-sdk";

/** A message to post. It contains a member's id, which is replaced by the name when it is sent. */
export interface Message {
  text: string;
  /** The member whose name is put after the text. */
  member?: string | undefined;
}

type Payload<Name> = Extract<WebhookDelivery, { event: Name }>["payload"];
type Templates<Name extends WebhookDelivery["event"]> = {
  [Event in Name]: (payload: Payload<Event>, url: string) => Message | undefined;
};

/** One template for each event. After changes here, the webhooks are updated at the next start. */
const TEMPLATES = {
  crm: templates({
    "deal.won": ({ actor, data }, url) => ({
      text: `:tada: ${said(actor.name)} won ${link(`${url}/deals/${data.id}`, data.title)}${worth(data.value, data.currency)}`,
    }),
    "deal.lost": ({ actor, data }, url) => ({
      text: `${said(actor.name)} lost ${link(`${url}/deals/${data.id}`, data.title)}${because(data.lost_reason)}`,
    }),
  }),
  support: templates({
    "ticket.created": ({ data }, url) => ({
      text: `New ${data.priority} ticket ${link(`${url}/tickets/${data.id}`, data.title)}${by(data.requester?.name)}`,
    }),
    "ticket.assigned": ({ actor, data }, url) => assigned(actor.name, data.assignee_id, link(`${url}/tickets/${data.id}`, data.title)),
    // Only comments by customers; colleagues know what they wrote.
    "ticket.comment_added": ({ actor, data }, url) =>
      actor.type === "customer"
        ? { text: `${said(actor.name)} replied to ${link(`${url}/tickets/${data.issue_id}`, "a ticket")}: ${said(data.body)}` }
        : undefined,
  }),
  projects: templates({
    // A new task may already have an assignee.
    "task.created": ({ actor, data }, url) =>
      data.assignee_id === null ? undefined : assigned(actor.name, data.assignee_id, link(`${url}/tasks/${data.id}`, data.title)),
    "task.assigned": ({ actor, data }, url) => assigned(actor.name, data.assignee_id, link(`${url}/tasks/${data.id}`, data.title)),
  }),
};

export type Module = keyof typeof TEMPLATES;
export const MODULES = Object.keys(TEMPLATES) as Module[];

/** The events that the webhook of a module subscribes to. */
export function eventsOf(module: Module): string[] {
  return Object.keys(TEMPLATES[module]);
}

/** The message about a delivery; `undefined` if there is nothing to say. */
export function messageAbout(module: Module, delivery: WebhookDelivery, url: string): Message | undefined {
  if (delivery.event === "webhook.test") {
    return { text: `A test of the webhook for ${said(delivery.payload.module)}` };
  }
  const known = TEMPLATES[module] as Record<string, ((payload: never, url: string) => Message | undefined) | undefined>;
  return Object.hasOwn(known, delivery.event) ? known[delivery.event]?.(delivery.payload as never, url) : undefined;
}

function templates<Name extends WebhookDelivery["event"]>(all: Templates<Name>): Templates<Name> {
  return all;
}

function assigned(actor: string, member: string | null, what: string): Message {
  return member === null ? { text: `${said(actor)} unassigned ${what}` } : { text: `${said(actor)} assigned ${what} to `, member };
}

function worth(value: number | null, currency: string): string {
  return value === null ? "" : `, ${value.toLocaleString("en", { maximumFractionDigits: 2 })} ${said(currency)}`;
}

function because(reason: string | null): string {
  return reason === null ? "" : `: ${said(reason)}`;
}

function by(name: string | null | undefined): string {
  return name == null ? "" : ` from ${said(name)}`;
}

function link(url: string, title: string): string {
  return `<${url}|${said(title).replaceAll("|", "/")}>`;
}

/** Makes untrusted text safe: short, on one line, and without characters that have a meaning in a chat. */
export function said(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const short = [...line].length > 200 ? `${[...line].slice(0, 199).join("")}…` : line;
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
