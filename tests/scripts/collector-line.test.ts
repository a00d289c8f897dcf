import { expect, test } from 'vitest'
import { lineOf } from '../../scripts/lib/collector-line.ts'

const begun = { session: 'a1', previous: '', begun_at: Date.UTC(2026, 10, 2, 3, 4, 5), ended_at: null, facts: null }

test('a session is a line: when, which, after which, until when, and what was told', () => {
  expect(lineOf(begun)).toBe('2026-11-02 03:04:05  a1  first of its browser  not left  nothing told')
  const ended_at = begun.begun_at + 61_000
  expect(lineOf({ ...begun, previous: 'a0', ended_at, facts: { language: 'en', touch: false } })).toBe(
    '2026-11-02 03:04:05  a1  follows a0  left 2026-11-02 03:05:06  language en, touch false',
  )
})
