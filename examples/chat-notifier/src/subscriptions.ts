import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";

import { ConflictError, ValidationError, type Client, type Webhook } from "workspace-service-sdk";

import { eventsOf, MODULES, type Module } from "./templates.js";

const DESCRIPTION = "Posts to the chat (chat-notifier)";
/** Events can come in another order than they happened in, so what came shortly before the newest is asked for too. */
const OVERLAP = 15 * 60_000;
const BETWEEN_REPLAYS = 2_000;

/** What is kept of a webhook. */
interface Kept {
  id: string;
  secret: string;
}

type Secrets = Partial<Record<Module, Kept>>;

/** The webhooks of this program: one for each module, made when they are missing. */
export class Subscriptions {
  #kept: Secrets = {};

  /** `receiver` is where the service reaches this program, `file` where secrets are kept. */
  constructor(
    private readonly client: Client,
    private readonly receiver: string,
    private readonly file: string,
  ) {}

  secretOf(module: Module): string | undefined {
    return this.#kept[module]?.secret;
  }

  /** Makes what is missing, and adapts what is there. Running it again changes nothing. */
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

  /** Asks for the events since `newest`, in case the service gave some of them up or a webhook was disabled meanwhile. */
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
      // An earlier replay runs, which does not have the newest events.
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
    // Somebody who disabled it wanted that. The service disables what failed for days.
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
