import { createHmac, timingSafeEqual } from "node:crypto";

import { WebhookVerificationError } from "./errors.js";
import type { WebhookDelivery } from "./generated/types.js";

/** Headers as `Headers`, or as Node's `request.headers`. */
export type HeadersLike = Headers | Record<string, string | string[] | undefined>;

export interface VerifyOptions {
  /** Seconds by which the timestamp may differ from this machine's clock. Default: 300. */
  tolerance?: number;
  /** Seconds since 1970, for tests. */
  now?: number;
}

const TOLERANCE = 300;

/**
 * Verifies a webhook request, and returns its body. Pass the raw body, before parsing, and the secret as the
 * service showed it. If there are several secrets, any may have signed. Either the service's own signature or the
 * Standard Webhooks signature must match.
 *
 * Deliveries can arrive more than once: deduplicate by `id`, or by `event_id` if several webhooks, replays or the event log can
 * deliver the same event. Events that other systems report have their own names, and test deliveries are `webhook.test`.
 *
 * @throws {WebhookVerificationError} Respond with 400.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): WebhookDelivery {
  const secrets = (typeof secret === "string" ? [secret] : secret).filter((one) => one !== "");
  if (secrets.length === 0) {
    throw new WebhookVerificationError("no secret to verify with");
  }
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : Buffer.from(body);
  const found = signaturesIn(headers);
  const timestamp = /^\d{1,12}$/.test(found.timestamp) ? Number(found.timestamp) : Number.NaN;
  const now = options.now ?? Math.floor(Date.now() / 1000);
  const fits = secrets.some((one) => {
    const expected = Buffer.from(found.sign(one, bytes));
    return found.signatures.filter((sent) => isEqual(expected, Buffer.from(sent))).length > 0;
  });
  if (!fits) {
    throw new WebhookVerificationError("no signature fits: it is another secret, or the body was changed on the way");
  }
  if (!(Math.abs(now - timestamp) <= (options.tolerance ?? TOLERANCE))) {
    throw new WebhookVerificationError("the timestamp is too far from now: an old request, or a wrong clock");
  }
  return bodyOf(bytes);
}

interface Signatures {
  timestamp: string;
  signatures: string[];
  sign(secret: string, body: Buffer): string;
}

function signaturesIn(headers: HeadersLike): Signatures {
  const own = headerOf(headers, "x-service-signature");
  if (own !== undefined) {
    const timestamp = headerOf(headers, "x-service-timestamp") ?? "";
    const next = headerOf(headers, "x-service-signature-next") ?? "";
    return {
      timestamp,
      signatures: [own, ...next.split(",")].map((one) => one.trim()),
      sign: (secret, body) => `sha256=${createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest("hex")}`,
    };
  }
  const standard = headerOf(headers, "webhook-signature");
  if (standard === undefined) {
    throw new WebhookVerificationError("no signature: the headers X-Service-Signature and webhook-signature are missing");
  }
  const [id, timestamp] = [headerOf(headers, "webhook-id") ?? "", headerOf(headers, "webhook-timestamp") ?? ""];
  return {
    timestamp,
    signatures: standard.split(" "),
    sign: (secret, body) => {
      const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
    },
  };
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) {
    return headers.get(name) ?? undefined;
  }
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return typeof value === "string" ? value : value?.[0];
}

function isEqual(expected: Buffer, sent: Buffer): boolean {
  return expected.length === sent.length && timingSafeEqual(expected, sent);
}

function bodyOf(bytes: Buffer): WebhookDelivery {
  try {
    return JSON.parse(bytes.toString("utf8")) as WebhookDelivery;
  } catch (cause) {
    throw new WebhookVerificationError("the body is not JSON", { cause });
  }
}
