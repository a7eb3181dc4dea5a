import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

import { ConflictError, ValidationError, type Client, type Webhook } from "workspace-service-sdk";

import { eventsOf, MODULES, type Module } from "./templates.js";

const DESCRIPTION = "Posts to the chat (chat-notifier)";
/** Events can arrive out of order, so events shortly before the newest are requested too. */
const OVERLAP = 15 * 60_000;
const BETWEEN_REPLAYS = 2_000;

/** The stored data of a webhook. */
interface Kept {
  id: string;
  secret: string;
}

type Secrets = Partial<Record<Module, Kept>>;

/** The webhooks of this program: one for each module, created if missing. */
export class Subscriptions {
  #kept: Secrets = {};

  /** `receiver` is the URL at which the service reaches this program, `file` the file of the secrets. */
  constructor(
    private readonly client: Client,
    private readonly receiver: string,
    private readonly file: string,
  ) {}

  secretOf(module: Module): string | undefined {
    return this.#kept[module]?.secret;
  }

  /** Creates missing webhooks, and updates existing ones. Idempotent. */
  async ensure(): Promise<void> {
    this.#kept = JSON.parse(await readFile(this.file, "utf8").catch(() => "{}")) as Secrets;
    const existing: Webhook[] = [];
    for await (const webhook of this.client.webhooks.iterate()) {
      existing.push(webhook);
    }
    for (const module of MODULES) {
      const url = `${this.receiver}/hooks/${module}`;
      const found = existing.find((webhook) => webhook.module === module && webhook.url === url);
      await (found === undefined ? this.#create(module, url) : this.#adapt(module, found));
    }
  }

  /** Requests a replay of events since `newest`, in case the service gave up some or a webhook was disabled meanwhile. */
  async catchUp(newest: string, end: AbortSignal): Promise<void> {
    const since = new Date(Date.parse(newest) - OVERLAP).toISOString();
    await Promise.all(MODULES.map((module) => this.#replay(module, since, end)));
  }

  async #replay(module: Module, since: string, end: AbortSignal): Promise<void> {
    const id = this.#kept[module]?.id;
    while (id !== undefined && !end.aborted) {
      try {
        const { matched } = await this.client.webhooks.replays.start(id, { since });
        return console.log(`${module}: ${matched} events since ${since} are sent again`);
      } catch (error) {
        if (!(error instanceof ConflictError || error instanceof ValidationError)) throw error;
        if (error.code !== "conflict") {
          // The webhook is disabled, or there are too many events.
          return console.error(`${module}: events since ${since} are not sent again: ${error.message}`);
        }
      }
      // An earlier replay, which does not include the newest events, is still running.
      await pause(BETWEEN_REPLAYS, undefined, { signal: end }).catch(() => undefined);
    }
  }

  async #create(module: Module, url: string): Promise<void> {
    const made = await this.client.webhooks.create({ module, url, events: eventsOf(module), description: DESCRIPTION });
    console.log(`${module}: made the webhook ${made.id}`);
    await this.#keep(module, { id: made.id, secret: made.secret });
  }

  async #adapt(module: Module, webhook: Webhook): Promise<void> {
    const events = eventsOf(module);
    const differs = [...events].sort().join() !== [...webhook.events].sort().join();
    // A user who disabled it did so on purpose. The service disables webhooks that failed for days.
    const wasGivenUp = !webhook.enabled && webhook.disabled_reason !== null;
    if (differs || wasGivenUp || webhook.creator_gone) {
      await this.client.webhooks.update(webhook.id, { events, ...(wasGivenUp ? { enabled: true } : {}) });
      console.log(`${module}: adapted the webhook ${webhook.id}`);
    } else if (!webhook.enabled) {
      console.error(`${module}: the webhook ${webhook.id} is disabled`);
    }
    if (this.#kept[module]?.id !== webhook.id) {
      const { secret } = await this.client.webhooks.rotateSecret(webhook.id, { overlap_seconds: 0 });
      console.log(`${module}: rotated the secret of ${webhook.id}, because it is not known here`);
      await this.#keep(module, { id: webhook.id, secret });
    }
  }

  async #keep(module: Module, kept: Kept): Promise<void> {
    this.#kept[module] = kept;
    await writeFile(`${this.file}.next`, JSON.stringify(this.#kept), { mode: 0o600, flush: true });
    await rename(`${this.file}.next`, this.file);
  }
}
