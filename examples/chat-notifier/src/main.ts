import { once } from "node:events";
import { mkdir } from "node:fs/promises";

import { Client } from "workspace-service-sdk";

import { Chat } from "./chat.js";
import { configOf } from "./config.js";
import { Journal, JournalFull, type Entry } from "./journal.js";
import { Members } from "./members.js";
import { receiver } from "./receiver.js";
import { Subscriptions } from "./subscriptions.js";

const config = configOf(process.env);
const client = new Client();
const ending = new AbortController();

// The port is opened first, so that a second process with the same port exits before it touches the journal of the first.
const { server, open } = receiver();
server.listen(config.port, config.host);
await once(server, "listening");

await mkdir(config.state, { recursive: true, mode: 0o700 });
const journal = await Journal.open(config.journal);
const subscriptions = new Subscriptions(client, config.receiver, config.secrets);
const members = new Members(client);
const chat = new Chat(journal, { url: config.chatUrl, interval: config.interval, nameOf: (id) => members.nameOf(id) });

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => void stop());
}

await subscriptions.ensure();
open({
  url: client.baseUrl,
  secretOf: (module) => subscriptions.secretOf(module),
  take,
});
if (journal.newest !== undefined) {
  subscriptions.catchUp(journal.newest, ending.signal).catch(end);
}
chat.run().catch(end);
console.log(`listening on ${config.host}:${config.port}; ${journal.waiting.size} messages wait`);

async function take(entry: Entry): Promise<void> {
  try {
    if (await journal.take(entry)) chat.wake();
  } catch (error) {
    if (error instanceof JournalFull) throw error;
    end(error);
  }
}

/** Stops after the requests and the message in flight. Pending messages are sent after the next start. */
async function stop(): Promise<void> {
  ending.abort();
  server.close();
  server.closeIdleConnections();
  await Promise.all([once(server, "close"), chat.stop()]);
  await journal.close();
  console.log(`stopped; ${journal.waiting.size} messages wait`);
}

/** Exits on an error that cannot be handled here. The next start continues from what is on disk. */
function end(error: unknown): never {
  console.error(error);
  process.exit(1);
}
