/** Segment of a source map: generated column, then source index, line, column and name index if present. */
type MappingSegment = number[]

/**
 * Text to remove from a chunk: its position (line and column from 0) and length, and the text that replaces it. Neither
 * text spans lines.
 */
export interface TextCut {
  readonly line: number
  readonly column: number
  readonly length: number
  readonly replacement?: string
}

const BASE64_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/**
 * Adjusts source map mappings to cuts in the chunk, which move the text after a cut to the left. `removedLines`: lines
 * that are removed together with their line break.
 */
export function cutMappings(mappings: string, cuts: readonly TextCut[], removedLines: readonly number[] = []): string {
  const lines = decodeMappings(mappings).map((segments, line) => {
    const here = cuts.filter((cut) => cut.line === line)
    return segments.map(([column = 0, ...rest]) => [shiftColumn(here, column), ...rest])
  })
  return encodeMappings(lines.filter((_, line) => !removedLines.includes(line)))
}

function shiftColumn(cuts: readonly TextCut[], column: number): number {
  const removedLength = ({ column: start, length, replacement = '' }: TextCut) =>
    column < start + length ? Math.max(0, column - start) : length - replacement.length
  return column - cuts.reduce((sum, cut) => sum + removedLength(cut), 0)
}

/** Returns `code` with all cuts made. */
export function cutText(code: string, cuts: readonly TextCut[]): string {
  const lines = code.split('\n')
  for (const { line, column, length, replacement = '' } of cuts.toSorted((a, b) => b.column - a.column)) {
    const text = lines[line] ?? ''
    lines[line] = text.slice(0, column) + replacement + text.slice(column + length)
  }
  return lines.join('\n')
}

/**
 * Decodes mappings to absolute numbers. Each encoded number is relative to the previous segment, but the generated
 * column restarts at 0 on each line.
 */
function decodeMappings(mappings: string): MappingSegment[][] {
  const last = [0, 0, 0, 0, 0]
  return mappings.split(';').map((line) => {
    last[0] = 0
    return line === ''
      ? []
      : line.split(',').map((text) => decodeNumbers(text).map((n, i) => (last[i] = (last[i] ?? 0) + n)))
  })
}

function encodeMappings(lines: readonly (readonly MappingSegment[])[]): string {
  const last = [0, 0, 0, 0, 0]
  const differences = (segment: MappingSegment) =>
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
    const digit = BASE64_DIGITS.indexOf(letter)
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
    text += BASE64_DIGITS[rest > 0 ? digit | 32 : digit]
  } while (rest > 0)
  return text
}
