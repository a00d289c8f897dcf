import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Event } from '../../contract/events.ts'
import { toCsv } from '../../contract/csv.ts'
import { eventsCsv } from '../../src/domain/event-csv.ts'

/** A reader of RFC 4180 of its own: rows of cells. */
function parse(csv: string): string[][] {
  const rows: string[][] = [[]]
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy
  for (let match = cells.exec(csv); match; match = cells.exec(csv)) {
    rows.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n') rows.push([])
    if (cells.lastIndex === csv.length) break
  }
  return rows.slice(0, -1)
}

describe('a table as CSV', () => {
  test('is read back cell by cell, whatever stands in it', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('a,b', '"', 'a\r\nb', '', '1\n2'))
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), (rows) => {
        const plain = rows.map((row) => row.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)))
        expect(parse(toCsv(rows))).toEqual(plain)
      }),
    )
  })

  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://evil.example","x")'])(
    'does not run %j as a formula',
    (text) => {
      const [[cell = ''] = []] = parse(toCsv([[text]]))
      expect(cell).toBe(`'${text}`)
    },
  )

  test('keeps numbers as numbers', () => {
    expect(toCsv([[-1, 2.5]])).toBe('-1,2.5\r\n')
  })
})

test('events come as a table with the names that people know', () => {
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
  expect(parse(eventsCsv([event], (id) => (id === 'door' ? '=Front door' : '')))).toEqual([
    ['Date', 'Time', 'Camera', 'Title', 'Tags', 'Clip seconds', 'Seen', 'Event id'],
    ['2026-11-20', '09:41:07', "'=Front door", 'Person, with "box"', 'Person', '18', 'no', 'e1'],
  ])
  const later = { ...event, event_ts: new Date(2026, 10, 20, 21, 5, 0).getTime(), reviewed: true }
  const [, row = []] = parse(eventsCsv([later], () => 'Door'))
  expect([row[1], row[6]]).toEqual(['21:05:00', 'yes'])
})
