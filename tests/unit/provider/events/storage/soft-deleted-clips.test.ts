import type { R2Bucket } from '@cloudflare/workers-types'
import { beforeEach, describe, expect, test } from 'vitest'
import { DAY_MS, MINUTE_MS } from '../../../../../contract/time-units.ts'
import { insertEvent } from '../../../../../provider/events/event-rows.ts'
import { runRetentionStep } from '../../../../../provider/events/retention/retention-step.ts'
import { restoreTombstones } from '../../../../../provider/events/retention/tombstone-rows.ts'
import { previewDeletion } from '../../../../../provider/events/storage/camera-limits.ts'
import type { StorageLimit } from '../../../../../provider/events/storage/storage-limit.ts'
import { readLimits, writeLimits } from '../../../../../provider/events/storage/storage-rows.ts'
import { openHomeSql } from '../../../../support/home-sql.ts'
import { createBridgeEvent } from '../../../../support/home.ts'

const NOW = 1_790_000_000_000
const CLIP_BYTES = 100
const CLIP_COUNT = 10
const getKey = (id: string) => `h/home/clip/${id}.mp4`
const listIds = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => `e${from + i}`)

let home: ReturnType<typeof openHomeSql>
let stored: Set<string>

/** Creates ten clips, two per day, oldest first. The owner has deleted the newer half. */
beforeEach(() => {
  home = openHomeSql()
  stored = new Set()
  for (let n = 0; n < CLIP_COUNT; n += 1) {
    const clip_object = getKey(`e${n}`)
    stored.add(clip_object)
    insertEvent(home.sql, createBridgeEvent('door', `e${n}`, { event_ts: NOW - (5 - n / 2) * DAY_MS, clip_object }))
  }
  home.sql.exec('UPDATE events SET clip_bytes = ?', CLIP_BYTES)
  home.sql.exec(`UPDATE events SET gone = 'deleted', gone_at = ? WHERE event_id >= 'e5'`, NOW - MINUTE_MS)
})

/** Fake R2 bucket, because a unit test has no storage. */
const media = () =>
  ({
    list: () =>
      Promise.resolve({ objects: [...stored].map((key) => ({ key, size: CLIP_BYTES })), truncated: false as const }),
    head: () => Promise.resolve(null),
    delete: (keys: string[]) => Promise.resolve(keys.forEach((key) => stored.delete(key))),
  }) as unknown as R2Bucket

async function runRetention(limit: StorageLimit | null): Promise<void> {
  const context = { sql: home.sql, media: media(), atomically: (work: () => void) => home.transaction(work) }
  await runRetentionStep(context, { id: 'home', entitlements: null, limit }, NOW)
}
const listStored = () => [...stored].map((key) => /e\d+/.exec(key)?.[0])
const listTombstones = (reason: string) =>
  home.sql
    .exec<{ event_id: string }>('SELECT event_id FROM events WHERE gone = ? ORDER BY event_id', reason)
    .toArray()
    .map(({ event_id }) => event_id)

describe.each([
  ['full storage', (bytes: number) => runRetention({ kind: 'bytes', bytes })],
  [
    'a limit of the camera',
    (bytes: number) => {
      writeLimits(home.sql, 'door', { max_bytes: bytes, max_days: null })
      return runRetention(null)
    },
  ],
])('%s', (_name, enforce) => {
  test('deletes the clips first that the owner has deleted, oldest first', async () => {
    await enforce(7 * CLIP_BYTES)
    expect(listStored()).toEqual([...listIds(0, 4), 'e8', 'e9'])
    expect([listTombstones('purged'), listTombstones('full'), listTombstones('deleted')]).toEqual([
      listIds(5, 7),
      [],
      ['e8', 'e9'],
    ])
    // The deleted clips are no longer listed, so nothing that the owner still sees was freed.
    expect(readLimits(home.sql, 'door').freed_until).toBeNull()
  })

  test('deletes other clips only when no deleted clip is left', async () => {
    await enforce(3 * CLIP_BYTES)
    expect(listStored()).toEqual(listIds(2, 4))
    expect([listTombstones('purged'), listTombstones('full')]).toEqual([listIds(5, 9), ['e0', 'e1']])
  })

  test('leaves a deleted clip that fits to the undo', async () => {
    await enforce(CLIP_COUNT * CLIP_BYTES)
    expect(restoreTombstones(home.sql, ['door'], ['e9'], NOW)).toHaveLength(1)
    expect(listStored()).toEqual(listIds(0, 9))
  })
})

test('a limit keeps the newest clip that the owner has not deleted', async () => {
  writeLimits(home.sql, 'door', { max_bytes: 1, max_days: null })
  await runRetention(null)
  expect(listStored()).toEqual(['e4'])
})

test('the preview of a limit counts only clips that the owner has not deleted', () => {
  const preview = (max_bytes: number) => previewDeletion(home.sql, 'door', { max_bytes, max_days: null }, NOW)
  expect(preview(5 * CLIP_BYTES)).toMatchObject({ events: 0, bytes: 0 })
  expect(preview(3 * CLIP_BYTES)).toMatchObject({ events: 2, bytes: 2 * CLIP_BYTES })
})
