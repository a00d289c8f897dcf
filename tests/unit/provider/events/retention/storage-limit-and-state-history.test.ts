import type { R2Bucket, SqlStorage } from '@cloudflare/workers-types'
import { beforeAll, expect, test } from 'vitest'
import { listStateRuns, backfillStateHistory } from '../../../../../provider/homes/devices/state-history-rows.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { createTombstones } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { listEventsOverStorageLimit } from '../../../../../provider/events/retention/events-over-limit.ts'
import type { Entitlement } from '../../../../../provider/billing/plans/entitlements.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'
import { DAY_MS } from '../../../../../contract/time-units.ts'

const NOW = 1_790_000_000_000
const EVENT_COUNT = 5000
/** Number of stored clips. Every second event had its own clip, but those of the first 3,000 events are deleted. */
const STORED_CLIP_COUNT = 1000
const { sql, transaction } = openHomeSql()
const getOwnClipKey = (n: number) => `h/home/clip/e${n}.mp4`
const getClipKey = (n: number) => (n % 2 === 0 ? getOwnClipKey(n) : 'demo/clip/walk.mp4')

/**
 * Creates three cameras, and one event per minute until `NOW`. The cameras `door` and `yard` alternate after every two
 * events. The camera `empty` has no events.
 */
beforeAll(() => {
  transaction(() => {
    for (const [device, battery] of [
      ['door', 0],
      ['yard', 1],
      ['empty', 0],
    ] as const)
      sql.exec(
        `INSERT INTO devices (device_id, bridge_id, nickname, model, position, provider, renditions, dual, audio, battery, state, reason, since)
         VALUES (?, 'b', '', '', 0, '', '[]', 0, 0, ?, 'unknown', '', 0)`,
        device,
        battery,
      )
    for (let n = 0; n < EVENT_COUNT; n++) {
      const device = n % 4 < 2 ? 'door' : 'yard'
      const event_ts = NOW - (EVENT_COUNT - n) * 60_000
      insertEvent(sql, createBridgeEvent(device, `e${n}`, { event_ts, clip_object: getClipKey(n) }))
    }
  })
})

function recordStatements() {
  const seen: { plan: string[]; rows: number }[] = []
  const exec = (text: string, ...values: never[]) => {
    const plan = sql.exec<{ detail: string }>(`EXPLAIN QUERY PLAN ${text}`, ...values).toArray()
    const rows = sql.exec(text, ...values).toArray()
    const eventPlanSteps = plan.map(({ detail }) => detail).filter((detail) => /events|TEMP/.test(detail))
    seen.push({ plan: eventPlanSteps, rows: rows.length })
    return { toArray: () => rows, one: () => rows[0] }
  }
  return { seen, sql: { exec } as unknown as SqlStorage }
}

const entitlements = new Map([
  ['door', { plan: 'unlimited', keepsDays: 30 }],
  ['yard', { plan: 'unlimited', keepsDays: 1 }],
]) as unknown as ReadonlyMap<string, Entitlement>
/** Fake R2 bucket with clips of 100 bytes each. Like R2, it lists them in pages. */
const media = {
  list({ cursor = '0' }: { cursor?: string } = {}) {
    const keys = Array.from({ length: STORED_CLIP_COUNT }, (_, i) => getOwnClipKey(3000 + 2 * i))
    const page = keys.slice(Number(cursor), Number(cursor) + 400)
    const next = Number(cursor) + 400
    const objects = page.map((key) => ({ key, size: 100 }))
    return Promise.resolve({ objects, truncated: next < STORED_CLIP_COUNT, cursor: String(next) })
  },
} as unknown as R2Bucket

test('a full storage finds each stored clip by its name, however many events there are', async () => {
  const { seen, sql: home } = recordStatements()
  const findOverLimit = (bytes: number) =>
    listEventsOverStorageLimit({ sql: home, media }, { id: 'home', entitlements, limit: { kind: 'bytes', bytes } }, NOW)
  const { crowded: ids } = await findOverLimit(STORED_CLIP_COUNT * 100 - 500)
  // Event e3560 is one day old. Older clips of `yard` exceed its retention period and are visible to no account, so they
  // are deleted first.
  expect(ids).toEqual(['e3002', 'e3006', 'e3010', 'e3014', 'e3018'])
  expect(seen.filter(({ rows }) => rows > 0)).toEqual([
    {
      plan: [
        expect.stringMatching(/SEARCH events USING INDEX sqlite_autoindex_events_1 \(event_id=\?\)/),
        expect.stringMatching(/SEARCH events USING INDEX sqlite_autoindex_events_1 \(event_id=\?\)/),
        expect.stringMatching(/SEARCH events USING INDEX events_other_clip \(clip_object=\?\)/),
      ],
      rows: STORED_CLIP_COUNT,
    },
  ])
  expect(await findOverLimit(STORED_CLIP_COUNT * 100)).toEqual({ deleted: [], crowded: [] })
  expect(seen.filter(({ rows }) => rows > 0)).toHaveLength(1)
})

test('a clip deleted by its owner during the storage check stays for the undo', () => {
  sql.exec("UPDATE events SET gone = 'deleted', gone_at = ? WHERE event_id = 'e2002'", NOW)
  expect(createTombstones(sql, 'full', JSON.stringify(['e2002', 'e2006']), NOW)).toEqual({ events: 1, clips: 1 })
})

test('the state history of a camera starts with its first event, found by one index row', () => {
  sql.exec("UPDATE events SET gone = 'expired', gone_at = ? WHERE event_id = 'e0'", NOW)
  const { seen, sql: home } = recordStatements()
  for (const device of ['door', 'yard', 'empty', 'door']) backfillStateHistory(home, device)
  const listRunStarts = (device: string) =>
    listStateRuns(sql, device, NOW - 10 * DAY_MS, NOW).map(({ from, state }) => [from, state])
  expect([listRunStarts('door'), listRunStarts('yard'), listRunStarts('empty')]).toEqual([
    [[NOW - EVENT_COUNT * 60_000, 'awake']],
    [[NOW - (EVENT_COUNT - 2) * 60_000, 'asleep']],
    [],
  ])
  const seeks = [
    expect.stringMatching(/SEARCH events USING .*INDEX events_device \(device_id=\?\)/),
    expect.stringMatching(/SEARCH events USING .*INDEX events_past \(device_id=\?\)/),
  ]
  expect(seen.map(({ plan }) => plan)).toEqual([seeks, seeks, seeks, seeks])
})
