import { expect, test } from 'vitest'
import { findOfflineSpans } from '../../../../src/domain/live/offline-spans.ts'

const MINUTE_MS = 60_000

test('spans of several cameras are joined, and spans under a minute are left out', () => {
  const spans = findOfflineSpans([
    [10 * MINUTE_MS, 20 * MINUTE_MS, 'offline', 'x'],
    [20 * MINUTE_MS, 30 * MINUTE_MS, 'live_only', 'x'],
    [40 * MINUTE_MS, 40 * MINUTE_MS + 59_999, 'offline', 'x'],
    [5 * MINUTE_MS, 12 * MINUTE_MS, 'bridge_off', 'x'],
    [50 * MINUTE_MS, 60 * MINUTE_MS, 'switched_off', 'x'],
  ])
  expect(spans).toEqual([{ begin: 5 * MINUTE_MS, end: 20 * MINUTE_MS }])
})
