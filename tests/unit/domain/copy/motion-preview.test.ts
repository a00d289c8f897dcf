import { describe, expect, test } from 'vitest'
import type { MotionPreview } from '../../../../contract/cameras/camera-settings.ts'
import {
  motionPreviewCoverage,
  listPreviewEvents,
  motionPreviewSummary,
} from '../../../../src/domain/copy/motion-preview.ts'
import { areDistinct, extractFacts } from '../../../support/facts.ts'

type MotionPreviewEvent = MotionPreview['events'][number]
const createPreviewEvents = (unchanged: number, lost: number, added: number): MotionPreviewEvent[] =>
  (['kept', 'lost', 'new'] as const).flatMap((outcome, i) =>
    Array.from({ length: [unchanged, lost, added][i] ?? 0 }, (_, n) => ({
      begin: n,
      end: n + 1,
      outcome,
      event_id: null,
    })),
  )

describe('motion preview summary', () => {
  test.each([
    [3, 1, 2, ['3', '1', '2']],
    [1, 0, 0, ['1']],
    [0, 2, 0, ['2']],
    [0, 0, 1, ['1']],
    [4, 0, 1, ['4', '1']],
    [0, 0, 0, []],
  ])('%i kept, %i lost, %i new', (unchanged, lost, added, facts) => {
    expect(extractFacts(motionPreviewSummary(createPreviewEvents(unchanged, lost, added)))).toEqual(facts)
  })

  test('has its own wording for each outcome', () => {
    const trials = [
      createPreviewEvents(1, 0, 0),
      createPreviewEvents(0, 1, 0),
      createPreviewEvents(0, 0, 1),
      createPreviewEvents(2, 1, 0),
      createPreviewEvents(2, 0, 1),
      createPreviewEvents(0, 0, 0),
    ]
    expect(areDistinct(trials.map(motionPreviewSummary))).toBe(true)
  })
})

describe('tested part of the last hour', () => {
  const now = 100 * 60_000
  const minute = 60_000
  const texts = [
    { since: null, watched_ms: 0 },
    { since: now - 60 * minute, watched_ms: 60 * minute },
    { since: now - 12 * minute, watched_ms: 12 * minute },
    { since: now - 20_000, watched_ms: 20_000 },
    { since: now - 50 * minute, watched_ms: 40 * minute },
  ].map((watched) => motionPreviewCoverage(watched, now))

  test('is given in minutes', () => {
    expect(texts.map((text) => extractFacts(text))).toEqual([[], [], ['12 minutes'], [], ['40 minutes']])
  })

  test('has its own wording for none, all, a little and a part', () => {
    expect(areDistinct(texts)).toBe(true)
    expect(texts.map((text) => /\bearlier\b/.test(text))).toEqual([false, false, true, true, false])
  })
})

test('a motion preview lists changes first and counts the omitted events', () => {
  const { shown: visible, more } = listPreviewEvents(createPreviewEvents(5, 1, 2), 4)
  expect(visible.map(({ outcome }) => outcome)).toEqual(['lost', 'new', 'new', 'kept'])
  expect(more).toBe(4)
})
