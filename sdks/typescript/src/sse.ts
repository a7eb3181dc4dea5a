/** A server-sent event. */
export interface Message {
  event: string;
  data: string;
  /** The last id up to this message. */
  id: string | null;
}

/** Parses a stream of server-sent events from chunks of any size. */
export class SseParser {
  /** The last id, which may also arrive without an event. */
  lastId: string | undefined;
  /** Milliseconds before reconnecting, as requested by the server. */
  retry: number | undefined;
  #rest = "";
  #begun = false;
  #event = "";
  #data: string[] = [];
  #id: string | undefined;

  push(text: string): Message[] {
    this.#rest += text;
    if (!this.#begun && this.#rest !== "") {
      this.#begun = true;
      this.#rest = this.#rest.replace(/^\uFEFF/, "");
    }
    const messages: Message[] = [];
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(this.#rest);
      if (end === null) {
        return messages;
      }
      const line = this.#rest.slice(0, end.index);
      this.#rest = this.#rest.slice(end.index + end[0].length);
      const message = this.#line(line);
      if (message !== undefined) {
        messages.push(message);
      }
    }
  }

  #line(line: string): Message | undefined {
    if (line === "") {
      return this.#end();
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") {
      this.#data.push(value);
    } else if (field === "event") {
      this.#event = value;
    } else if (field === "id" && !value.includes("\0")) {
      this.#id = value;
    } else if (field === "retry" && /^\d+$/.test(value)) {
      this.retry = Number(value);
    }
    return undefined;
  }

  #end(): Message | undefined {
    if (this.#id !== undefined) {
      this.lastId = this.#id;
    }
    const [event, data, id] = [this.#event || "message", this.#data, this.lastId ?? null];
    const message = data.length > 0 ? { event, data: data.join("\n"), id } : undefined;
    this.#event = "";
    this.#data = [];
    return message;
  }
}
