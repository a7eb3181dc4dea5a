import { ApiError, ConnectionError, type Client } from "workspace-service-sdk";

const FRESH = 10 * 60_000;

/** Names of members, requested at most every ten minutes. A message is not delayed by a name that cannot be loaded. */
export class Members {
  #names = new Map<string, string>();
  #asked = Number.NEGATIVE_INFINITY;

  constructor(private readonly client: Client) {}

  async nameOf(id: string): Promise<string> {
    if (Date.now() - this.#asked > FRESH || !this.#names.has(id)) {
      await this.#ask();
    }
    return this.#names.get(id) ?? "somebody";
  }

  async #ask(): Promise<void> {
    try {
      const names = new Map<string, string>();
      for await (const member of this.client.members.iterate({}, { maxRetries: 0, timeout: 5_000 })) {
        names.set(member.id, member.name);
      }
      this.#names = names;
      this.#asked = Date.now();
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof ConnectionError)) throw error;
      console.error(`names of members cannot be read: ${error.message}`);
    }
  }
}
