import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../../../contract/account/activity.ts'
import { describeActivity } from '../../../../src/domain/copy/activity-entries.ts'
import { eventCountLabel } from '../../../../src/domain/copy/event-labels.ts'
import { formatMoreLikeThis } from '../../../../src/domain/copy/event-groups.ts'
import { searchResultLabel } from '../../../../src/domain/copy/plan-simulation.ts'
import { formatClipCount } from '../../../../src/domain/copy/counts.ts'
import { extractFacts } from '../../../support/facts.ts'

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
