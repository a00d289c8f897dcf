import type { R2Range } from '@cloudflare/workers-types'
import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'

/** Byte range of a response. Includes both ends. */
export interface ByteRange {
  from: number
  to: number
}

const RANGE_HEADER = /^bytes=(\d*)-(\d*)$/

/**
 * Parses a Range header (RFC 9110 §14). Returns null if the header is absent, malformed, not in bytes or has several
 * ranges; the response is then the whole object. `unsatisfiable`: the object has none of the bytes.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = RANGE_HEADER.exec(header?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { from: size - length, to: size - 1 }
  }
  const from = Number(first)
  const to = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < from) return null
  return from >= size ? 'unsatisfiable' : { from, to }
}

/**
 * Returns the range to read from storage before the object's size is known. Returns null without a range.
 */
export function toStorageRange(header: string | undefined): R2Range | null {
  const range = parseRange(header, Number.MAX_SAFE_INTEGER)
  if (range === null || range === 'unsatisfiable') return null
  const [, first = '', last = ''] = RANGE_HEADER.exec(header?.trim() ?? '') ?? []
  if (first === '') return { suffix: Number(last) }
  return last === '' ? { offset: range.from } : { offset: range.from, length: range.to - range.from + 1 }
}

/**
 * Returns the bytes of the object to send, and sets the range headers. Returns the range of the whole object if the
 * request has no valid range, or if If-Range differs from `etag`. Returns null if the response must have status 416.
 */
export function negotiateRange(
  c: Context<AppEnv>,
  size: number,
  etag: string,
): (ByteRange & { status: 200 | 206 }) | null {
  const ifRange = c.req.header('if-range')
  const range = ifRange === undefined || ifRange === etag ? parseRange(c.req.header('range'), size) : null
  if (range === 'unsatisfiable') {
    c.header('content-range', `bytes */${size}`)
    return null
  }
  const { from, to } = range ?? { from: 0, to: size - 1 }
  c.header('content-length', String(to - from + 1))
  if (range) c.header('content-range', `bytes ${from}-${to}/${size}`)
  return { from, to, status: range ? 206 : 200 }
}
