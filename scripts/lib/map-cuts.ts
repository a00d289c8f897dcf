/** One segment of a source map: generated column, then source, line, column and name if present. */
type Segment = number[]

/** Text to remove from a chunk: its position (line and column from 0) and length. It never spans lines. */
export interface Cut {
  readonly line: number
  readonly column: number
  readonly length: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Returns the source map mappings after the cuts: text behind a cut moves to the left. Lines in `emptied` disappear
 * with their line break.
 */
export function cutMappings(mappings: string, cuts: readonly Cut[], emptied: readonly number[] = []): string {
  const lines = decode(mappings).map((segments, line) => {
    const here = cuts.filter((cut) => cut.line === line)
    return segments.map(([column = 0, ...rest]) => [columnAfter(here, column), ...rest])
  })
  return encode(lines.filter((_, line) => !emptied.includes(line)))
}

function columnAfter(cuts: readonly Cut[], column: number): number {
  const removedLength = (cut: Cut) => Math.max(0, Math.min(cut.length, column - cut.column))
  return column - cuts.reduce((sum, cut) => sum + removedLength(cut), 0)
}

/**
 * Decodes mappings. Only the generated column restarts on each line; all other numbers are relative to the previous
 * segment.
 */
function decode(mappings: string): Segment[][] {
  const last = [0, 0, 0, 0, 0]
  return mappings.split(';').map((line) => {
    last[0] = 0
    return line === ''
      ? []
      : line.split(',').map((text) => decodeNumbers(text).map((n, i) => (last[i] = (last[i] ?? 0) + n)))
  })
}

function encode(lines: readonly (readonly Segment[])[]): string {
  const last = [0, 0, 0, 0, 0]
  const differences = (segment: Segment) =>
    segment.map((n, i) => {
      const difference = n - (last[i] ?? 0)
      last[i] = n
      return encodeNumber(difference)
    })
  return lines
    .map((segments) => {
      last[0] = 0
      return segments.map((segment) => differences(segment).join('')).join(',')
    })
    .join(';')
}

function decodeNumbers(text: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter)
    value |= (digit & 31) << shift
    shift += 5
    if (digit & 32) continue
    numbers.push(value & 1 ? -(value >>> 1) : value >>> 1)
    ;[value, shift] = [0, 0]
  }
  return numbers
}

function encodeNumber(number: number): string {
  let [rest, text] = [number < 0 ? (-number << 1) | 1 : number << 1, '']
  do {
    const digit = rest & 31
    rest >>>= 5
    text += DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}
