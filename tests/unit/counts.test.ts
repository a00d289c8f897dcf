import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../contract/activity.ts'
import { activityWords } from '../../src/domain/activity-words.ts'
import { countLabel } from '../../src/domain/event-labels.ts'
import { moreLikeThis } from '../../src/domain/fold-words.ts'
import { foundLabel } from '../../src/domain/search-labels.ts'
import { foundWords } from '../../src/domain/truth-words.ts'
import { inClips } from '../../src/domain/counts.ts'

test('numbers of four figures and more are written in one way everywhere', () => {
  expect([inClips(1), inClips(2161), countLabel(2161)]).toEqual(['1 clip', '2,161 clips', '2,161 events'])
  expect(moreLikeThis(1200)).toBe('1,200 more like this')
  expect(foundLabel(50, 50, 312)).toBe('Best 50 of 312 clips')
  expect(foundWords({ found: 1009 }, 2161)).toBe('1,009 of 2,161')
  const deleted: Partial<ActivityEntry> = { kind: 'events-deleted', own: true, count: 1000 }
  expect(activityWords(deleted as ActivityEntry).title).toBe('You deleted 1,000 or more events')
})
