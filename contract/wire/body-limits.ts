/** Request body limits in bytes; a longer body gets 413 (docs/decisions/0035). */
export const BODY_BYTES_MAX = {
  /**
   * Call of a page to the edge's own routes, such as sign-in, token refresh, ending sessions, or opening the card page.
   */
  session: 16 * 1024,
  /** Contract call, operator call, enrollment or Stripe webhook. */
  call: 256 * 1024,
  /**
   * Batch of past events of a bridge. The provider verifies the signature before it reads a body of this size. Other
   * calls of a bridge use `call`. Uploads use upload URLs with their own limits.
   */
  bridge: 4 * 1024 * 1024,
  /** Form or JSON from the provider's own pages or the device collector. */
  form: 8 * 1024,
  oauth: 56 * 1024,
  /** Error report. The limit is the maximum size of a beacon. */
  report: 64 * 1024,
  /** Batch of the analytics library, which splits a batch in halves after a 413. */
  events: 512 * 1024,
  /**
   * Analytics batch from the edge to the provider. It is larger than `events`, because the edge turns a Web Vitals
   * event into one event per metric.
   */
  measured: 1024 * 1024,
  /** Visit of a signed-in person: revenue token and hash of the email. */
  revenue: 256,
} as const

/** Response limits in bytes at the edge. The edge treats a longer response as a failed call. */
export const RESPONSE_BODY_BYTES_MAX = {
  /** Discovery, keys, tokens and user info of an issuer, and responses of the experiment service. */
  oauth: 1024 * 1024,
  /** Contract call; the longest response is a list of 10,000 events. */
  call: 32 * 1024 * 1024,
} as const

/** Error for a body of more than `maxBytes` bytes. The sender sees the message. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLarge'
  readonly maxBytes: number

  constructor(maxBytes: number) {
    super(`This request is too large. The limit is ${maxBytes / 1024} KB.`)
    this.maxBytes = maxBytes
  }
}

type BodySource = Pick<Request, 'headers' | 'body'>

/**
 * Reads the whole body; returns an empty array if there is no body. If `content-length` or the received bytes exceed
 * `maxBytes`, cancels the body and throws `BodyTooLargeError`. Rethrows stream errors.
 */
export async function readBytes({ headers, body }: BodySource, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array(0)
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const cancelBody = () => {
    // Do not wait for the cancellation. A broken stream has nothing to cancel, so ignore that error.
    reader.cancel().catch(() => undefined)
    return new BodyTooLargeError(maxBytes)
  }
  if (Number(headers.get('content-length') ?? 0) > maxBytes) throw cancelBody()
  const parts: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength
    if (length > maxBytes) throw cancelBody()
    parts.push(next.value)
  }
  return concatBytes(parts, length)
}

/** Reads the whole body as text, with the same limit and errors as `readBytes`. */
export async function readText(source: BodySource, maxBytes: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(source, maxBytes))
}

function concatBytes(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
