import { join } from "node:path";

/** Settings from the environment, apart from those that the service's client reads. */
export interface Config {
  chatUrl: string;
  /** The URL at which the service reaches this program. */
  receiver: string;
  host: string;
  port: number;
  journal: string;
  secrets: string;
  state: string;
  interval: number;
}

export function configOf(environment: NodeJS.ProcessEnv): Config {
  const state = environment.STATE_DIR ?? "state";
  return {
    chatUrl: url("CHAT_WEBHOOK_URL", environment.CHAT_WEBHOOK_URL),
    receiver: url("RECEIVER_URL", environment.RECEIVER_URL).replace(/\/+$/, ""),
    host: environment.HOST ?? "127.0.0.1",
    port: whole("PORT", environment.PORT ?? "9010"),
    interval: whole("CHAT_INTERVAL_MS", environment.CHAT_INTERVAL_MS ?? "1000"),
    state,
    journal: join(state, "journal.jsonl"),
    secrets: join(state, "secrets.json"),
  };
}

function url(name: string, value: string | undefined): string {
  if (value === undefined || !/^https?:\/\//.test(value) || !URL.canParse(value)) {
    throw new Error(`${name} must be a URL such as https://example.com/path`);
  }
  return value;
}

function whole(name: string, value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new Error(`${name} must be a whole number`);
  return Number(value);
}
