import { apiKeyOf, settingsOf } from "./config.js";
import { EventLog } from "./events.js";
import { Resources } from "./generated/resources.js";
import { Tools } from "./generated/tools.js";
import type { OperationId, Operations } from "./generated/operations.js";
import type { AnyOptions, ClientOptions } from "./options.js";
import { Transport, type Answer, type Sent } from "./transport.js";

/**
 * A client of the service, for servers: API keys do not belong in browsers. All parts of a program can share
 * one client.
 */
export class Client extends Resources {
  /** The event log. */
  readonly events: EventLog;
  /** Every tool as a method. */
  readonly tools: Tools;

  constructor(options: ClientOptions = {}) {
    super(new Transport(apiKeyOf(options), settingsOf(options)));
    this.events = new EventLog(this.transport);
    this.tools = new Tools(this.transport);
  }

  /** The address of the service. */
  get baseUrl(): string {
    return this.transport.settings.baseUrl;
  }

  /** Calls any operation by its `operationId` in the OpenAPI document, and returns the body of the response. */
  async request<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: AnyOptions = {},
  ): Promise<Operations[Id]["response"]> {
    return (await this.send(id, sent, options)).body;
  }

  /** Like `request`, but also returns status and headers. */
  send<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: AnyOptions = {},
  ): Promise<Answer<Operations[Id]["response"]>> {
    return this.transport.call(id, sent, options);
  }

  /** Output of `console.log`, without the key. */
  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Client(${this.baseUrl})`;
  }

  toJSON(): object {
    return { baseUrl: this.baseUrl };
  }
}
