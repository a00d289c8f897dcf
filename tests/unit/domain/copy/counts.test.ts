import { afterEach, expect, test, vi } from 'vitest'
import type { ActivityEntry } from '../../../../contract/account/activity.ts'
import { describeActivity } from '../../../../src/domain/copy/activity-entries.ts'
import { eventCountLabel } from '../../../../src/domain/copy/event-labels.ts'
import { formatMoreLikeThis } from '../../../../src/domain/copy/event-groups.ts'
import { searchResultLabel } from '../../../../src/domain/copy/plan-simulation.ts'
import { formatBytes, formatClipCount, formatPercent } from '../../../../src/domain/copy/counts.ts'
import { extractFacts } from '../../../support/facts.ts'

afterEach(() => vi.unstubAllGlobals())

test('numbers of four or more digits are formatted the same way everywhere', () => {
  expect([formatClipCount(1), formatClipCount(2161), eventCountLabel(2161)]).toEqual([
    '1 clip',
    '2,161 clips',
    '2,161 events',
  ])
  expect(formatMoreLikeThis(1200)).toMatch(/^1,200 /)
  expect(searchResultLabel({ found: 1009 }, 2161)).toBe('1,009 of 2,161')
  const deleted: Partial<ActivityEntry> = { kind: 'events-deleted', own: true, count: 1000 }
  expect(extractFacts(describeActivity(deleted as ActivityEntry).title)).toEqual(['1,000'])
})

test('a size has the unit that fits, wherever it is shown', () => {
  expect([900, 38_200, 999_000].map(formatBytes)).toEqual(['1 kB', '39 kB', '999 kB'])
  expect([999_001, 96e6, 900e6, 999.4e6].map(formatBytes)).toEqual(['1 MB', '96 MB', '900 MB', '999 MB'])
  expect([999.5e6, 3.4e9, 12.06e9].map(formatBytes)).toEqual(['1.0 GB', '3.4 GB', '12.1 GB'])
  const download: Partial<ActivityEntry> = { kind: 'export', own: true, count: 1, bytes: 3.4e9, value: '' }
  expect(extractFacts(describeActivity(download as ActivityEntry).line)).toEqual(['3.4 GB'])
})

test.each([
  ['en-US', '16%'],
  ['de-DE', '16\u00a0%'],
  ['tr-TR', '%16'],
])('OPEN-168 percentages follow the region %s', (language, text) => {
  vi.stubGlobal('navigator', { language })
  expect(formatPercent(16)).toBe(text)
})
