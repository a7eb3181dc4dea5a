import { createServer, type IncomingMessage, type Server } from "node:http";

import { verifyWebhook, WebhookVerificationError, type WebhookDelivery } from "workspace-service-sdk";

import type { Entry } from "./journal.js";
import { messageAbout, MODULES, type Module } from "./templates.js";

const MAX_BYTES = 4 << 20;

export interface Intake {
  secretOf(module: Module): string | undefined;
  /** Stores an event. Once the promise resolves, the service need not send it again. */
  take(entry: Entry): Promise<unknown>;
  /** The address of the service, for links. */
  url: string;
}

/** Receives deliveries at `/hooks/{module}`. Until `open` is called, it asks the service to retry later. */
export function receiver(): { server: Server; open(intake: Intake): void } {
  let intake: Intake | undefined;
  const server = createServer((request, response) => {
    answer(request, intake)
      .catch((error: unknown) => {
        if (error instanceof WebhookVerificationError) {
          console.error(`refused a request: ${error.message}`);
          return 400;
        }
        console.error("a delivery could not be taken:", error);
        return 503;
      })
      .then((status) => response.writeHead(status, status === 503 ? { "Retry-After": intake === undefined ? "5" : "60" } : {}).end())
      .catch(() => response.destroy());
  });
  server.requestTimeout = 10_000;
  return { server, open: (opened) => (intake = opened) };
}

async function answer(request: IncomingMessage, intake: Intake | undefined): Promise<number> {
  const module = MODULES.find((one) => request.url === `/hooks/${one}`);
  if (module === undefined) return request.url === "/healthz" ? 204 : 404;
  if (request.method !== "POST") return 405;
  const secret = intake?.secretOf(module);
  if (intake === undefined || secret === undefined) return 503;
  const body = await bodyOf(request);
  if (body === undefined) return 413;
  const delivery = verifyWebhook(body, request.headers, secret);
  const message = messageAbout(module, delivery, intake.url);
  if (message !== undefined) {
    await intake.take({ key: keyOf(delivery), at: delivery.created_at, message });
  }
  return 204;
}

/**
 * A redelivery has the id of the first delivery, a replay has a new one. Each version of a record has an event at most once, so
 * this key is the same in both.
 */
function keyOf({ id, event, payload }: WebhookDelivery): string {
  return "data" in payload && "version" in payload.data ? `${event} ${payload.data.id} ${payload.data.version}` : id;
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BYTES ? Buffer.concat(chunks) : undefined;
}
