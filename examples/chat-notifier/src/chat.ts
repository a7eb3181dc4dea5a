import { setTimeout as pause } from "node:timers/promises";

import type { Entry, Journal } from "./journal.js";
import { said, type Message } from "./templates.js";

export interface ChatOptions {
  /** The chat's address for incoming messages. It is a secret: anyone who has it can post. */
  url: string;
  /** Milliseconds between two messages, and the first pause after an error. */
  interval: number;
  /** Looks up the name of a member. */
  nameOf(id: string): Promise<string>;
}

const TIMEOUT = 10_000;
const MAX_PAUSE = 60_000;
/** The longest `Retry-After` that is respected. */
const MAX_RETRY_AFTER = 15 * 60_000;
/** Statuses caused by the address, the network or the chat, not by the message. Other 4xx are about the message. */
const RETRYABLE = new Set([401, 403, 404, 408, 410, 425, 429]);

/** Sends the pending messages of the journal one by one, in order. */
export class Chat {
  #end = new AbortController();
  #wake: () => void = () => undefined;
  #done: Promise<void> | undefined;

  constructor(
    private readonly journal: Journal,
    private readonly options: ChatOptions,
  ) {}

  /** Starts sending. The promise resolves after `stop`, or rejects with an error of the journal. */
  run(): Promise<void> {
    return (this.#done ??= this.#send());
  }

  /** Wakes the sender: there is a new message. */
  wake(): void {
    this.#wake();
  }

  /** Stops after the message that is being sent. */
  async stop(): Promise<void> {
    this.#end.abort();
    this.#wake();
    await this.#done;
  }

  async #send(): Promise<void> {
    let failures = 0;
    while (!this.#end.signal.aborted) {
      const [entry] = this.journal.waiting.values();
      if (entry === undefined) {
        await new Promise<void>((wake) => (this.#wake = wake));
        continue;
      }
      await this.journal.kept(entry);
      const outcome = await this.#post(entry);
      if (outcome === "done") {
        failures = 0;
        await this.journal.settle(entry);
        await this.#rest(this.options.interval);
      } else {
        failures += 1;
        const grown = Math.min(this.options.interval * 2 ** Math.min(failures, 20), MAX_PAUSE) * (0.5 + Math.random() / 2);
        await this.#rest(Math.max(grown, outcome.told));
      }
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    await pause(milliseconds, undefined, { signal: this.#end.signal }).catch(() => undefined);
  }

  /** `done`, or the pause that the chat requested. */
  async #post({ key, message }: Entry): Promise<"done" | { told: number }> {
    let response: Response;
    try {
      response = await fetch(this.options.url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text: await this.#textOf(message) }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT),
      });
      await response.body?.cancel();
    } catch (error) {
      console.error(`the chat cannot be reached: ${error instanceof Error ? error.message : String(error)}`);
      return { told: 0 };
    }
    if (response.ok) {
      return "done";
    }
    if (response.status >= 500 || RETRYABLE.has(response.status)) {
      console.error(`the chat answered ${response.status}; the message waits`);
      return { told: told(response.headers.get("retry-after")) };
    }
    console.error(`the chat refused a message with ${response.status}, and it is given up: ${key}`);
    return "done";
  }

  async #textOf({ text, member }: Message): Promise<string> {
    return member === undefined ? text : text + said(await this.options.nameOf(member));
  }
}

/** The milliseconds of a `Retry-After`, which contains seconds or a date. */
export function told(header: string | null, now = Date.now()): number {
  if (header === null) return 0;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(wait) ? 0 : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER);
}
