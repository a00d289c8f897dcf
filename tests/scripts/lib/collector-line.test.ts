import { expect, test } from 'vitest'
import type { CollectorSession } from '../../../contract/telemetry/device-collector.ts'
import { formatSessions } from '../../../scripts/lib/collector-line.ts'

const begun_at = Date.UTC(2026, 10, 2, 3, 4, 5)
const startedSession: CollectorSession = {
  session: 'a1',
  previous: '',
  begun_at,
  seen_at: begun_at,
  left_at: null,
  facts: null,
}

test('a session is one line with start, id, previous session, page leave time and facts', () => {
  const formatLine = (session: CollectorSession) => formatSessions({ sessions: [session], total: 1 }).join()
  expect(formatLine(startedSession)).toBe(
    '2026-11-02 03:04:05  a1  first session in this browser  no page exit  no data sent',
  )
  const left_at = startedSession.begun_at + 61_000
  expect(formatLine({ ...startedSession, previous: 'a0', left_at, facts: { language: 'en', touch: false } })).toBe(
    '2026-11-02 03:04:05  a1  follows a0  last page exit 2026-11-02 03:05:06  language en, touch false',
  )
})

test('the list says if sessions are omitted, if none exist, or if the id is unknown', () => {
  expect(formatSessions({ sessions: [startedSession], total: 1 })).toHaveLength(1)
  expect(formatSessions({ sessions: [startedSession], total: 1200 })).toEqual([
    expect.any(String),
    'Showing the newest 1 of 1200 sessions.',
  ])
  expect(formatSessions({ sessions: [], total: 0 })).toEqual(['There were no browser sessions in the last 24 hours.'])
  expect(formatSessions({ sessions: [], total: 0 }, 'a2')).toEqual(['No session a2 in the last 24 hours.'])
})
