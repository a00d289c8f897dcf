import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Event } from '../../../../contract/events/events.ts'
import { toCsv } from '../../../../contract/wire/csv.ts'
import { eventsCsv } from '../../../../src/domain/events/event-csv.ts'

/**
 * Parses CSV (RFC 4180) into rows of cells, independently of the code under test. Requires a byte order mark, because
 * Excel decodes a file without one as ANSI.
 */
function parseCsv(table: string): string[][] {
  expect(table.slice(0, 1)).toBe('\uFEFF')
  const csv = table.slice(1)
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let match = cells.exec(csv); match; match = cells.exec(csv)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n') rows.push([])
    if (cells.lastIndex === csv.length) break
  }
  return rows.slice(0, -1)
}

/**
 * Returns true if a spreadsheet may run the cell as a formula: the cell starts with a tab or a CR, or its first visible
 * character is a formula sign. Returns false for negative numbers.
 */
function startsFormula(cell: string): boolean {
  const first = /[^\s\p{Cc}\p{Cf}]/u.exec(cell)?.[0]
  const isSigned = first !== undefined && '=+-@'.includes(first)
  return (isSigned || /^[\t\r]/.test(cell)) && !/^-\d[\d.,]*$/.test(cell.trim())
}

describe('a CSV table', () => {
  test('is parsed back cell by cell, whatever the cells contain', () => {
    const signed = fc
      .tuple(fc.constantFrom('', ' ', '\t', '\r', '\n', '\u00A0', '\u200B'), fc.constantFrom(...'=+-@'), fc.string())
      .map((parts) => parts.join(''))
    const text = fc.oneof(fc.string(), signed, fc.constantFrom('a,b', '"', 'a\r\nb', '', '1\n2'))
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
        const plain = rows.map((row) => row.map((cell) => (startsFormula(cell) ? `'${cell}` : cell)))
        expect(parseCsv(toCsv(rows))).toEqual(plain)
      }),
    )
  })

  test.each([
    '=1+1',
    '+1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '=HYPERLINK("https://evil.example","x")',
    ' =1+1',
    '\n=1+1',
    '\u00A0=1+1',
    ' \t @SUM(A1)',
    '\u200B=1+1',
    '\u0000=1+1',
    '\uFEFF=1+1',
    '\u3000-A1',
    '\uFF1D1+1',
    '\uFF0B1',
    '\uFF0D1',
    '\uFF20SUM(A1)',
    '-1-2',
    '-1+A1',
    "-2+3+cmd|' /C calc'!A0",
    '-12.5=1',
    '-',
    '+49 221 A1',
    '+1 555-0100',
  ])('does not run %j as a formula', (text) => {
    const [[cell = ''] = []] = parseCsv(toCsv([[text]]))
    expect(cell).toBe(`'${text}`)
  })

  test('keeps numbers as numbers', () => {
    expect(parseCsv(toCsv([[-1, 2.5]]))).toEqual([['-1', '2.5']])
  })

  test.each(['-1', '-12.5', '-0.5', ' -12.50', '-1,108.24', '-1.108,24', '+49 221 123'])(
    'keeps %j unchanged',
    (text) => {
      expect(parseCsv(toCsv([[text]]))).toEqual([[text]])
    },
  )
})

test('the event CSV uses user-facing names', () => {
  const event: Event = {
    event_id: 'e1',
    device_id: 'door',
    event_ts: new Date(2026, 10, 20, 9, 41, 7).getTime(),
    tags: ['4', '101'],
    event_values: [],
    title: 'Person, with "box"',
    event_resources: [{ begin_time: 0, end_time: 18_000, resource_version: 1, resource_type: 's3' }],
    reviewed: false,
  }
  expect(parseCsv(eventsCsv([event], (id) => (id === 'door' ? '=Front door' : '')))).toEqual([
    ['Date', 'Time', 'Camera', 'Title', 'Tags', 'Clip length (s)', 'Seen', 'Event ID'],
    ['2026-11-20', '09:41:07', "'=Front door", 'Person, with "box"', 'Person', '18', 'no', 'e1'],
  ])
  const later = { ...event, event_ts: new Date(2026, 10, 20, 21, 5, 0).getTime(), reviewed: true }
  const [, row = []] = parseCsv(eventsCsv([later], () => 'Door'))
  expect([row[1], row[6]]).toEqual(['21:05:00', 'yes'])
})
