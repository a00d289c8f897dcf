import type { OutgoingHttpHeaders } from 'node:http'
import { constants, createBrotliCompress, createGzip, type BrotliCompress, type Gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip'

/**
 * Compression level of bodies that are compressed once (`file`), and of bodies that a client waits for (`answer`).
 * Brotli's level 9 saves 0.3 % more of the scripts than level 7, but takes 15 times as long.
 */
const LEVELS = { br: { file: 7, answer: 4 }, gzip: { file: 9, answer: 5 } } as const
/** Binary logarithm of brotli's window in bytes. Most files are smaller, and a larger window takes longer to set up. */
const BROTLI_WINDOW = 18
/** Media types that become smaller. Event streams are missing, because compression would delay their events. */
const TEXT_TYPE =
  /^(?:text\/(?:html|css|plain|javascript|csv|xml)|application\/(?:json|javascript|xml|(?:ld|manifest)\+json)|image\/svg\+xml)\s*(?:;|$)/i
/** Minimum size of a body, bytes. Smaller bodies fit into one packet with their headers. */
const SIZE_MIN = 1024

/**
 * Returns the encoding that an `Accept-Encoding` header prefers; null for no compression. Brotli wins between equal
 * weights.
 */
export function chooseEncoding(header: string | undefined): Encoding | null {
  if (!header) return null
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0)
  }
  const weigh = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  const best = weigh('br') >= weigh('gzip') ? 'br' : 'gzip'
  const identity = weights.get('identity') ?? 0
  return weigh(best) > 0 && weigh(best) >= identity ? best : null
}

/** Returns true if the body is text that clients may receive compressed, and therefore depends on `Accept-Encoding`. */
export function isCompressible(status: number, headers: OutgoingHttpHeaders): boolean {
  if (status === 204 || status === 206 || status === 304) return false
  if (headers['content-encoding'] !== undefined || headers['content-range'] !== undefined) return false
  if (/no-transform/i.test(String(headers['cache-control'] ?? ''))) return false
  // A response that sets a cookie may contain secrets of a sign-in (docs/decisions/0096).
  if (headers['set-cookie'] !== undefined) return false
  const length = headers['content-length']
  if (length !== undefined && Number(length) < SIZE_MIN) return false
  return TEXT_TYPE.test(String(headers['content-type'] ?? ''))
}

/** Adds `Accept-Encoding` to `Vary`. */
export function varyByEncoding(headers: OutgoingHttpHeaders): void {
  const vary = headers['vary']
  headers['vary'] = vary === undefined || vary === '' ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`
}

/** Changes the headers to those of the compressed body. Its entity tag is weak, because its bytes differ. */
export function markEncoded(headers: OutgoingHttpHeaders, encoding: Encoding): void {
  headers['content-encoding'] = encoding
  delete headers['content-length']
  delete headers['accept-ranges']
  const etag = headers['etag']
  if (typeof etag === 'string' && !etag.startsWith('W/')) headers['etag'] = `W/${etag}`
}

/** Returns a stream that compresses in the thread pool of Node. */
export function createEncoder(encoding: Encoding, use: 'file' | 'answer', size?: number): BrotliCompress | Gzip {
  const level = LEVELS[encoding][use]
  if (encoding === 'gzip') return createGzip({ level })
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW,
      ...(size === undefined ? {} : { [constants.BROTLI_PARAM_SIZE_HINT]: size }),
    },
  })
}
