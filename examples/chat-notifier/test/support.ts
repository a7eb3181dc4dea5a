import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { Client } from "workspace-service-sdk";

const WAIT = 60_000;

/** Waits until a condition holds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const begun = Date.now();
  while (!(await isSo())) {
    assert.ok(Date.now() - begun < WAIT, `not within ${WAIT / 1000} s: ${what}`);
    await pause(50);
  }
}

/** The chat's response to a message: 200 by default. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** Whether the chat accepts the message, but never responds. */
  holds?: boolean;
}

/** A chat on this machine with scripted responses. */
export class FakeChat {
  /** The accepted messages. */
  readonly texts: string[] = [];
  /** The next responses, before it works normally again. */
  replies: Reply[] = [];
  /** The response to every message, while set. */
  always: Reply | undefined;
  attempts = 0;
  #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<FakeChat> {
    const server = createServer();
    const chat = new FakeChat(server);
    server.on("request", async (request, response) => {
      const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { text: string };
      chat.attempts += 1;
      const { status, headers, holds } = chat.always ?? chat.replies.shift() ?? { status: 200 };
      if (status === 200) chat.texts.push(body.text);
      if (holds === true) return;
      response.writeHead(status, headers).end();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return chat;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/services/T0/B0/secret`;
  }

  /** The messages that contain this text. */
  about(text: string): string[] {
    return this.texts.filter((one) => one.includes(text));
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** A notifier in its own process, with a port and a state folder. */
export class Notifier {
  output = "";
  #child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly state: string,
    private readonly environment: Record<string, string>,
  ) {}

  static async prepare(key: string, chat: FakeChat): Promise<Notifier> {
    const state = await mkdtemp(join(tmpdir(), "chat-notifier-"));
    const port = await freePort();
    return new Notifier(port, state, {
      SERVICE_API_KEY: key,
      CHAT_WEBHOOK_URL: chat.url,
      CHAT_INTERVAL_MS: "20",
      RECEIVER_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
      STATE_DIR: state,
    });
  }

  async start(): Promise<void> {
    this.output = "";
    const child = spawn(process.execPath, ["build/src/main.js"], { env: { ...process.env, ...this.environment } });
    child.stdout.on("data", (data: Buffer) => (this.output += data.toString()));
    child.stderr.on("data", (data: Buffer) => (this.output += data.toString()));
    this.#child = child;
    await until("the notifier listens", () => {
      assert.equal(child.exitCode, null, this.output);
      return this.output.includes("listening on");
    });
  }

  /** Kills it as the system does when memory is short, without a chance to clean up. */
  async kill(): Promise<void> {
    this.#child?.kill("SIGKILL");
    await this.#ended();
  }

  /** Stops it as a supervisor does, and returns its exit code. */
  async stop(): Promise<number | null> {
    this.#child?.kill("SIGTERM");
    return this.#ended();
  }

  async #ended(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    return child.exitCode;
  }

  async forget(): Promise<void> {
    await rm(this.state, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

const PERMISSIONS = ["read_deals", "read_tasks", "read_tickets", "read_comments", "read_webhooks", "create_webhooks", "update_webhooks"];

/** Creates a key, as an owner, with the permissions that the README lists. */
export async function notifierKey(): Promise<string> {
  const owner = new Client({ apiKey: process.env.SERVICE_ACCESS_TOKEN ?? "" });
  const { data } = await owner.request("settings_keys_create", {
    body: {
      name: "chat-notifier",
      scopes: ["deals.read", "issues.read", "tickets.read"],
      permissions: Object.fromEntries(PERMISSIONS.map((name) => [name, true])),
    },
  });
  return data.key;
}
