import { describe, expect, test } from 'vitest'
import type { MotionTrial } from '../../contract/bridge.ts'
import { trialCoverage, trialList, trialSummary } from '../../src/domain/trial-words.ts'

type Tried = MotionTrial['events'][number]
const events = (kept: number, lost: number, added: number): Tried[] =>
  (['kept', 'lost', 'new'] as const).flatMap((outcome, i) =>
    Array.from({ length: [kept, lost, added][i] ?? 0 }, (_, n) => ({ begin: n, end: n + 1, outcome, event_id: null })),
  )

describe('settings that were tried are summed up', () => {
  test.each([
    [3, 1, 2, '3 events would be kept, 1 would not and 2 more would be recorded.'],
    [1, 0, 0, '1 event would be kept.'],
    [0, 2, 0, '0 events would be kept and 2 would not.'],
    [0, 0, 1, '1 event would be recorded.'],
    [4, 0, 1, '4 events would be kept and 1 more would be recorded.'],
    [0, 0, 0, 'There was no event, and these settings would have recorded none.'],
  ])('%i kept, %i lost, %i new', (kept, lost, added, sentence) => {
    expect(trialSummary(events(kept, lost, added))).toBe(sentence)
  })
})

describe('how much of the last hour was tried is said', () => {
  const now = 100 * 60_000
  const minute = 60_000
  test.each([
    [{ since: null, watched_ms: 0 }, /has not watched this camera for motion in the last hour/],
    [{ since: now - 60 * minute, watched_ms: 60 * minute }, /^Tried on the whole last hour\.$/],
    [
      { since: now - 12 * minute, watched_ms: 12 * minute },
      /^The box at home has watched for 12 minutes\. What came before/,
    ],
    [{ since: now - 20_000, watched_ms: 20_000 }, /^The box at home has watched for less than a minute\./],
    [{ since: now - 50 * minute, watched_ms: 40 * minute }, /for 40 minutes of the last hour\. The rest was live only/],
  ])('%o', (watched, sentence) => {
    expect(trialCoverage(watched, now)).toMatch(sentence)
  })
})

test('of a trial the changes are shown first, and what is left out is counted', () => {
  const { shown, more } = trialList(events(5, 1, 2), 4)
  expect(shown.map(({ outcome }) => outcome)).toEqual(['lost', 'new', 'new', 'kept'])
  expect(more).toBe(4)
})
