import type { Pagination } from "./generated/types.js";

/** A page of a list. */
export class Page<Item> {
  readonly items: Item[];
  readonly pagination: Pagination;
  readonly #next: (cursor: string) => Promise<Page<Item>>;

  /** @internal */
  constructor(items: Item[], pagination: Pagination, next: (cursor: string) => Promise<Page<Item>>) {
    this.items = items;
    this.pagination = pagination;
    this.#next = next;
  }

  get hasMore(): boolean {
    return this.pagination.hasMore;
  }

  /** The cursor of the next page; lists that can be followed have one even at the end. */
  get nextCursor(): string | null {
    return this.pagination.nextCursor;
  }

  /** The next page; `null` at the end. */
  async nextPage(): Promise<Page<Item> | null> {
    const { hasMore, nextCursor } = this.pagination;
    return hasMore && nextCursor !== null ? this.#next(nextCursor) : null;
  }
}
