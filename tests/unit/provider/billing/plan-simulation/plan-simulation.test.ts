import { describe, expect, test } from 'vitest'
import type { Sku } from '../../../../../contract/billing/skus.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { tombstoneEvents } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { countClips, CLIP_COUNT_ROWS_MAX } from '../../../../../provider/billing/plan-simulation/clip-count-rows.ts'
import {
  type ClipCount,
  countMatchedSearches,
  listReaches,
  listTiers,
  buildSimulation,
} from '../../../../../provider/billing/plan-simulation/simulation-rules.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const NOW = 1_790_000_000_000
const createCoverage = (covered: Record<string, Sku | null>) => new Map(Object.entries(covered))
const HALF_COVERED = createCoverage({ door: 'cam-ai', yard: null })
const buildTiers = (covered: ReadonlyMap<string, Sku | null>, ...running: Sku[]) => listTiers(covered, running)
const toSimulationInput = (covered: ReadonlyMap<string, Sku | null>) => ({
  tiers: buildTiers(covered),
  cameraIds: [...covered.keys()],
})

describe('compared plans', () => {
  const listTierLabels = (covered: Record<string, Sku | null>, ...running: Sku[]) =>
    buildTiers(createCoverage(covered), ...running).map(
      ({ sku, covered: { size }, isOwn }) => `${sku} ${size}${isOwn ? ' own' : ''}`,
    )

  test.each([
    [{ door: null, yard: null }, ['free 0 own', 'cam-ai 2', 'unlimited 2', 'pro 2']],
    [{ door: 'cam-ai', yard: null }, ['free 0', 'cam-ai 1 own', 'cam-ai 2', 'unlimited 2', 'pro 2']],
    [{ door: 'cam-ai', yard: 'cam-ai' }, ['free 0', 'cam-ai 2 own', 'unlimited 2', 'pro 2']],
    [{ door: 'unlimited', yard: 'unlimited' }, ['free 0', 'cam-ai 2', 'unlimited 2 own', 'pro 2']],
    [{ door: 'pro', yard: 'cam-ai' }, ['free 0', 'cam-ai 2', 'unlimited 2', 'pro 2 own']],
    [{}, ['free 0 own', 'cam-ai 0', 'unlimited 0', 'pro 0']],
  ] as [Record<string, Sku | null>, string[]][])('are listed for coverage %j', (covered, expected) => {
    expect(listTierLabels(covered)).toEqual(expected)
  })

  test('mark the plan of the account, even if it covers no camera', () => {
    const none = { door: null, yard: null }
    expect(listTierLabels(none, 'cam-ai')).toEqual(['free 0', 'cam-ai 0 own', 'cam-ai 2', 'unlimited 2', 'pro 2'])
    expect(listTierLabels(none, 'hms')).toEqual(['free 0 own', 'cam-ai 2', 'unlimited 2', 'pro 2'])
    expect(listTierLabels({}, 'unlimited')).toEqual(['free 0', 'cam-ai 0', 'unlimited 0 own', 'pro 0'])
    expect(listTierLabels({}, 'cam-ai')).toEqual(['free 0', 'cam-ai 0 own', 'unlimited 0', 'pro 0'])
  })

  test('are each searched once, the widest first', () => {
    expect(listReaches(buildTiers(HALF_COVERED))).toEqual([
      { cameras: ['door', 'yard'], days: 30 },
      { cameras: ['door', 'yard'], days: 14 },
      { cameras: ['door'], days: 14 },
    ])
    expect(listReaches(buildTiers(createCoverage({ door: 'pro' })))).toHaveLength(2)
  })
})

describe('simulated result per plan', () => {
  /**
   * Clip counts of two cameras over 30 days, with two clips per camera and day. Clips whose age in days is even have an
   * event kind of the free plan.
   */
  const counts: ClipCount[] = ['door', 'yard'].flatMap((device_id) =>
    Array.from({ length: 30 }, (_, age) => ({ device_id, age, free: age % 2 === 0 ? 1 : 0, clips: 2 })),
  )

  test('is counted by days, cameras and event kinds', () => {
    const { plans, camera_clips, ...summary } = buildSimulation(
      toSimulationInput(HALF_COVERED),
      counts,
      [[3, 2, 1, 0, null]],
      NOW,
    )
    expect(summary).toEqual({ days: 30, from: NOW - 30 * DAY_MS, to: NOW, cameras: 2, clips: 120, searches: 4 })
    expect(camera_clips).toEqual(['door', 'yard'].map((device_id) => ({ device_id, with_plan: 28, without_plan: 2 })))
    expect(plans).toEqual([
      { sku: 'free', cameras: 2, is_own: false, kept: 4, lost: 116, found: null },
      { sku: 'cam-ai', cameras: 1, is_own: true, kept: 30, lost: 90, found: 1 },
      { sku: 'cam-ai', cameras: 2, is_own: false, kept: 56, lost: 64, found: 2 },
      { sku: 'unlimited', cameras: 2, is_own: false, kept: 120, lost: 0, found: 3 },
      { sku: 'pro', cameras: 2, is_own: false, kept: 120, lost: 0, found: 3 },
    ])
  })

  test('is zero without any data', () => {
    const { days, clips, searches, plans } = buildSimulation(toSimulationInput(createCoverage({})), [], [], NOW)
    expect([days, clips, searches]).toEqual([0, 0, 0])
    expect(plans.every(({ kept: clipCount, lost, found }) => clipCount === 0 && lost === 0 && (found ?? 0) === 0)).toBe(
      true,
    )
  })

  test('states how many days of history exist', () => {
    const young = counts.filter(({ age }) => age < 5)
    expect(buildSimulation(toSimulationInput(HALF_COVERED), young, [], NOW)).toMatchObject({
      days: 5,
      from: NOW - 5 * DAY_MS,
      clips: 20,
    })
  })

  test('adds up matches of all homes, and omits searches that one of them has not run', () => {
    const reaches = listReaches(buildTiers(HALF_COVERED))
    const homes = [
      [0, 3, 1, null],
      [2, 0, 0, 3],
    ]
    expect(countMatchedSearches(homes, reaches)).toEqual({ searches: 3, by: [3, 2, 1] })
    expect(countMatchedSearches([], reaches)).toEqual({ searches: 0, by: [0, 0, 0] })
  })
})

describe('clip count', () => {
  const range = { from: NOW - 30 * DAY_MS, to: NOW }
  const addEvent = (sql: ReturnType<typeof openHomeSql>['sql'], id: string, event_ts: number, change = {}) =>
    insertEvent(sql, createBridgeEvent('door', id, { event_ts, clip_object: `h/home/clip/${id}.mp4`, ...change }))

  test('includes listed clips by day, but no deleted ones, events without clips or other cameras', async () => {
    const { sql } = openHomeSql()
    addEvent(sql, 'now', NOW)
    addEvent(sql, 'edge', NOW - DAY_MS)
    addEvent(sql, 'next', NOW - DAY_MS - 1)
    addEvent(sql, 'paid', NOW - 3 * DAY_MS - 5, { tags: ['900'] })
    addEvent(sql, 'first', NOW - 30 * DAY_MS)
    addEvent(sql, 'before', NOW - 30 * DAY_MS - 1)
    addEvent(sql, 'later', NOW + 1)
    addEvent(sql, 'bare', NOW - 5, { clip_object: null })
    addEvent(sql, 'gone', NOW - 5)
    insertEvent(sql, createBridgeEvent('yard', 'other', { event_ts: NOW - 5, clip_object: 'x' }))
    tombstoneEvents(sql, [{ devices: ['door'], since: 0, free: false }], ['gone'], NOW)
    const found = await countClips(sql, ['door'], range)
    expect(found.toSorted((a, b) => a.age - b.age)).toEqual([
      { device_id: 'door', age: 0, free: 1, clips: 2 },
      { device_id: 'door', age: 1, free: 1, clips: 1 },
      { device_id: 'door', age: 3, free: 0, clips: 1 },
      { device_id: 'door', age: 29, free: 1, clips: 1 },
    ])
  })

  test('runs in steps, and covers the newest of very many', async () => {
    const { sql, transaction } = openHomeSql()
    transaction(() => {
      for (let n = 0; n < CLIP_COUNT_ROWS_MAX + 1000; n++) addEvent(sql, `e${n}`, NOW - n * 40_000)
    })
    const found = await countClips(sql, ['door'], range)
    expect(found.reduce((sum, { clips }) => sum + clips, 0)).toBe(CLIP_COUNT_ROWS_MAX)
    expect(new Set(found.map(({ age }) => age)).size).toBe(found.length)
    expect(Math.max(...found.map(({ age }) => age))).toBe(Math.floor((CLIP_COUNT_ROWS_MAX * 40_000) / DAY_MS))
  })
})
