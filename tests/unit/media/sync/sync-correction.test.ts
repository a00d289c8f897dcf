import { describe, expect, test } from 'vitest'
import { computeSyncCorrection, computeSpread, findClipAt } from '../../../../src/media/sync/sync-correction.ts'

const BEGIN_MS = Date.UTC(2026, 10, 22, 9, 41)
const createClip = (id: string, from: number, to: number) => ({
  id,
  begin: BEGIN_MS + from * 1000,
  end: BEGIN_MS + to * 1000,
})

describe('correction rule', () => {
  test('ignores small offsets, changes the speed for larger ones, and jumps for very large ones', () => {
    expect(computeSyncCorrection(20, 1)).toEqual({ kind: 'rate', rate: 1 })
    expect(computeSyncCorrection(35, 1)).toEqual({ kind: 'rate', rate: 0.965 })
    expect(computeSyncCorrection(-99, 1)).toEqual({ kind: 'rate', rate: 1.04 })
    expect(computeSyncCorrection(-400, 1)).toEqual({ kind: 'rate', rate: 1.2 })
    expect(computeSyncCorrection(501, 1)).toEqual({ kind: 'jump' })
    expect(computeSyncCorrection(501, 2).kind).toBe('rate')
  })

  test('computes how far apart frames are and which recording belongs to a moment', () => {
    expect(computeSpread([5])).toBeNull()
    expect(computeSpread([-20, 10, 20])).toBe(40)
    const two = [createClip('a', 0, 10), createClip('b', 20, 30)]
    expect([-1, 5, 15, 25, 40].map((at) => findClipAt(two, BEGIN_MS + at * 1000))).toMatchObject([
      { clip: { id: 'a' }, place: 'before' },
      { clip: { id: 'a' }, place: 'during' },
      { clip: { id: 'a' }, place: 'after' },
      { clip: { id: 'b' }, place: 'during' },
      { clip: { id: 'b' }, place: 'after' },
    ])
  })
})
