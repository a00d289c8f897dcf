/** Bytes of a request's body, by what it is; a longer one is refused with 413 (docs/decisions/0035). */
export const BODY_MAX = {
  /** What a page sends to begin or renew a sign-in. */
  session: 16 * 1024,
  /** A call of the contract, a call of the operator, an enrolment. */
  call: 256 * 1024,
  /**
   * A batch of past events of a bridge, once its signature is known to be right; its other calls are calls, and objects go to
   * their granted addresses, each for its own length.
   */
  bridge: 4 * 1024 * 1024,
  /** A form of the provider's own pages, or the JSON of its sign-in call. */
  form: 8 * 1024,
  /** What a client sends to an endpoint of OAuth. */
  oauth: 56 * 1024,
  /** An error report; what a beacon may hold. */
  report: 64 * 1024,
  /** A batch of the analytics library, which sends a batch that is refused as too large in halves. */
  events: 512 * 1024,
  /** The same as the edge hands it on: what it leaves out is more than what it writes in other words. */
  measured: 1024 * 1024,
  /** Token and hash of a signed-in person. */
  revenue: 256,
} as const

/** Bytes of an answer that the edge reads; a longer one is as good as a broken one. */
export const ANSWER_MAX = {
  /** Discovery, keys, tokens and user info of an issuer. */
  oauth: 1024 * 1024,
  /** A call of the contract: the longest is a list of 10,000 events. */
  call: 32 * 1024 * 1024,
} as const

/** A body that is longer than its limit of `max` bytes. Its message is for whoever sent it. */
export class BodyTooLarge extends Error {
  override readonly name = 'BodyTooLarge'
  readonly max: number

  constructor(max: number) {
    super(`This is too large: this address takes at most ${max / 1024} KB.`)
    this.max = max
  }
}

/** A request or an answer, as far as its body goes. */
type Sent = Pick<Request, 'headers' | 'body'>

/**
 * The whole body, empty where there is none. Throws a `BodyTooLarge` as soon as more than `max` bytes are announced or have come,
 * and cancels the rest. Throws what the stream throws when it breaks off.
 */
export async function readBytes({ headers, body }: Sent, max: number): Promise<Uint8Array<ArrayBuffer>> {
  if (body === null) return new Uint8Array(0)
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  const refuse = () => {
    // Nobody waits for the rest to be gone, and a stream that is broken already has none.
    reader.cancel().catch(() => undefined)
    return new BodyTooLarge(max)
  }
  if (Number(headers.get('content-length') ?? 0) > max) throw refuse()
  const parts: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.byteLength
    if (length > max) throw refuse()
    parts.push(next.value)
  }
  return joined(parts, length)
}

/** The whole body as text, under the rules of `readBytes`. */
export async function readText(sent: Sent, max: number): Promise<string> {
  return new TextDecoder().decode(await readBytes(sent, max))
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.byteLength
  }
  return whole
}
