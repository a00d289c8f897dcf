/** RTSP request or response (RFC 2326 §4). Text is decoded as Latin-1, which preserves the bytes. */
export interface RtspMessage {
  readonly start: string
  /** Header lines with their line endings. */
  readonly headers: string
  readonly body: string
}

/** RTSP message, or bytes to pass through: interleaved frames (RFC 2326 §10.12) and unrecognized data. */
export type RtspPart = RtspMessage | Buffer

const MAX_HEADER_CHARS = 16_384
const MAX_BODY_CHARS = 65_536
const FRAME_MARKER = 0x24
const FRAME_HEADER_BYTES = 4
/** Patterns for the complete or partial start of a response and of a request. */
const START_PATTERNS = { answer: /^R(T(S(P(\/(\d(\.(\d( [^]{0,12})?)?)?)?)?)?)?)?$/, request: /^[A-Z_]+( [^]{0,12})?$/ }
const START_BYTES = 12

/**
 * Splits one direction of an RTSP connection into messages (only requests or only responses) and bytes to pass through.
 */
export class RtspReader {
  readonly #startPattern: RegExp
  #pending: Buffer = Buffer.alloc(0)
  /** Bytes of the current interleaved frame that have not arrived yet. */
  #frameBytesLeft = 0

  constructor(kind: keyof typeof START_PATTERNS) {
    this.#startPattern = START_PATTERNS[kind]
  }

  /**
   * Adds a chunk. Returns the messages that the chunk completes and the bytes to pass through. Throws RangeError if a
   * message is too long.
   */
  push(chunk: Buffer): RtspPart[] {
    const data = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    const parts: RtspPart[] = []
    let passedEnd = 0
    let at = 0
    const pass = () => {
      if (at > passedEnd) parts.push(data.subarray(passedEnd, at))
      passedEnd = at
    }
    while (at < data.length) {
      const result = this.#findFrameLength(data, at) ?? this.#parseMessage(data, at)
      if (result === 'wait') break
      if (typeof result !== 'number') {
        pass()
        parts.push(result.message)
        passedEnd = at + result.length
      }
      at += typeof result === 'number' ? result : result.length
    }
    pass()
    this.#pending = data.subarray(at)
    return parts
  }

  /**
   * Returns the number of available bytes of the interleaved frame at this position. Returns `wait` if the frame's
   * header is incomplete, and undefined if there is no frame.
   */
  #findFrameLength(data: Buffer, at: number): number | 'wait' | undefined {
    if (this.#frameBytesLeft === 0) {
      if (data[at] !== FRAME_MARKER) return undefined
      if (data.length - at < FRAME_HEADER_BYTES) return 'wait'
      this.#frameBytesLeft = FRAME_HEADER_BYTES + data.readUInt16BE(at + 2)
    }
    const length = Math.min(this.#frameBytesLeft, data.length - at)
    this.#frameBytesLeft -= length
    return length
  }

  #parseMessage(data: Buffer, at: number): number | 'wait' | { message: RtspMessage; length: number } {
    if (!this.#startPattern.test(data.toString('latin1', at, at + START_BYTES))) return 1
    const text = data.toString('latin1', at, at + MAX_HEADER_CHARS)
    const [end] = /\r?\n\r?\n/.exec(text) ?? []
    if (end === undefined) {
      if (text.length >= MAX_HEADER_CHARS) throw new RangeError('the headers of a message are too long')
      return 'wait'
    }
    const head = text.slice(0, text.indexOf(end))
    const startLineEnd = head.indexOf('\n')
    const headers = startLineEnd === -1 ? '' : `${head.slice(startLineEnd + 1)}\r\n`
    const bodyBytes = Number(getHeader({ headers }, 'Content-Length') ?? 0)
    if (!(bodyBytes >= 0 && bodyBytes <= MAX_BODY_CHARS)) throw new RangeError('the body of a message is too long')
    const from = at + head.length + end.length
    if (data.length < from + bodyBytes) return 'wait'
    const start = (startLineEnd === -1 ? head : head.slice(0, startLineEnd)).trimEnd()
    return {
      message: { start, headers, body: data.toString('latin1', from, from + bodyBytes) },
      length: from + bodyBytes - at,
    }
  }
}

export function getHeaderValues({ headers }: Pick<RtspMessage, 'headers'>, name: string): string[] {
  const prefix = `${name.toLowerCase()}:`
  return headers
    .split('\n')
    .flatMap((line) => (line.toLowerCase().startsWith(prefix) ? [line.slice(prefix.length).trim()] : []))
}

export const getHeader = (message: Pick<RtspMessage, 'headers'>, name: string): string | undefined =>
  getHeaderValues(message, name)[0]

/**
 * Returns a copy of the message with this header, and without other headers of this name. If `value` is undefined, only
 * removes the headers.
 */
export function withHeader(message: RtspMessage, name: string, value: string | undefined): RtspMessage {
  const prefix = `${name.toLowerCase()}:`
  const lines = message.headers.split('\n').flatMap((line) => line.trimEnd() || [])
  const others = lines.filter((line) => !line.toLowerCase().startsWith(prefix))
  const all = value === undefined ? others : [...others, `${name}: ${value}`]
  return { ...message, headers: all.map((line) => `${line}\r\n`).join('') }
}

export const encodeMessage = ({ start, headers, body }: RtspMessage): Buffer =>
  Buffer.from(`${start}\r\n${headers}\r\n${body}`, 'latin1')

/** Returns the status code of a response; 0 if the message is not a response. */
export const parseStatus = ({ start }: RtspMessage): number => Number(/^RTSP\/\d\.\d (\d{3})/.exec(start)?.[1] ?? 0)
