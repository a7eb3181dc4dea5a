import { apiError, failureOfTool } from "./errors.js";
import { TOOLS, type OperationId, type Operations, type ToolName, type ToolTypes } from "./generated/operations.js";
import type { Pagination } from "./generated/types.js";
import type { AnyOptions, RequestOptions } from "./options.js";
import { Page } from "./page.js";
import type { Sent, Transport } from "./transport.js";

type DataOf<Id extends OperationId> = Operations[Id]["response"] extends { data: infer Data } ? Data : never;
type ItemOf<Id extends OperationId> = Operations[Id]["response"] extends { data: (infer Item)[] } ? Item : never;

/** A group of operations. */
export abstract class Resource {
  protected readonly transport: Transport;

  /** @internal */
  constructor(transport: Transport) {
    this.transport = transport;
  }

  protected async body<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: AnyOptions,
  ): Promise<Operations[Id]["response"]> {
    return (await this.transport.call(id, sent, options)).body;
  }

  protected async data<Id extends OperationId>(id: Id, sent: Sent<Id>, options: AnyOptions): Promise<DataOf<Id>> {
    return ((await this.body(id, sent, options)) as { data: DataOf<Id> }).data;
  }

  protected async page<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: RequestOptions,
  ): Promise<Page<ItemOf<Id>>> {
    const found = (await this.body(id, sent, options)) as { data: ItemOf<Id>[]; pagination: Pagination };
    const { page: _, ...query } = (sent.query ?? {}) as Record<string, unknown>;
    return new Page(found.data, found.pagination, (cursor) =>
      this.page(id, { ...sent, query: { ...query, cursor } } as unknown as Sent<Id>, options),
    );
  }

  protected async *pages<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: RequestOptions,
  ): AsyncGenerator<Page<ItemOf<Id>>, void, undefined> {
    let page: Page<ItemOf<Id>> | null = await this.page(id, sent, options);
    while (page !== null) {
      yield page;
      page = await page.nextPage();
    }
  }

  protected async *items<Id extends OperationId>(
    id: Id,
    sent: Sent<Id>,
    options: RequestOptions,
  ): AsyncGenerator<ItemOf<Id>, void, undefined> {
    for await (const page of this.pages(id, sent, options)) {
      yield* page.items;
    }
  }

  protected tool<Name extends ToolName>(
    name: Name,
    args: object,
    options: AnyOptions & { dryRun?: boolean },
  ): Promise<ToolTypes[Name]["result"]> {
    const { ifVersion, dryRun, ...rest } = options;
    const sent = {
      ...args,
      ...(ifVersion === undefined ? {} : { expected_version: ifVersion }),
      ...(dryRun === undefined ? {} : { dry_run: dryRun }),
    };
    return callTool(this.transport, name, sent as ToolTypes[Name]["arguments"], rest);
  }
}

/** The tools that AI clients call, some of which have no REST route. */
export abstract class ToolCaller extends Resource {
  /** Calls a tool by its name. */
  call<Name extends ToolName>(
    name: Name,
    args: ToolTypes[Name]["arguments"],
    options: AnyOptions = {},
  ): Promise<ToolTypes[Name]["result"]> {
    return callTool(this.transport, name, args, options);
  }

  /** The tools that the key may call, with their schemas if `includeSchemas` is set. */
  list(
    query: NonNullable<Operations["tools_list"]["query"]> = {},
    options: RequestOptions = {},
  ): Promise<Operations["tools_list"]["response"]> {
    return this.body("tools_list", { query }, options);
  }

  /** The permissions and limits of the key. */
  session(options: RequestOptions = {}): Promise<Operations["tools_session"]["response"]> {
    return this.body("tools_session", {}, options);
  }
}

async function callTool<Name extends ToolName>(
  transport: Transport,
  name: Name,
  args: ToolTypes[Name]["arguments"],
  options: AnyOptions,
): Promise<ToolTypes[Name]["result"]> {
  // A tool that this release does not know is called without retries.
  const { reads, isRepeatable } = TOOLS[name] ?? { reads: false, isRepeatable: false };
  const repeat = reads ? "reads" : isRepeatable ? "writes" : "once";
  const sent = { body: { name, arguments: args as Record<string, unknown> } };
  const { body, requestId } = await transport.call("tools_call", sent, options, repeat);
  if (body.isError) {
    throw apiError(failureOfTool(name, body.content[0]?.text ?? "", requestId));
  }
  return body.structuredContent as ToolTypes[Name]["result"];
}
