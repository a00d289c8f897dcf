/** The bytes of an object that an answer holds: both ends included. */
export interface ByteRange {
  from: number
  to: number
}

/**
 * Reads a Range header of one range (RFC 9110 §14). Null: serve the whole, as the header is absent, not in bytes, malformed
 * or of several ranges. 'unsatisfiable': nothing of it lies in the object.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '') ?? []
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
