import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  ACTIVITY_GROUPS,
  ACTIVITY_PAGE,
  activityPage,
  getActivity,
  type ActivityEntry,
} from '../../../../contract/account/activity.ts'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { DEFAULT_CAMERA_SETTINGS } from '../../../../contract/cameras/camera-settings.ts'
import { replayArchive } from '../../../../contract/events/event-calls.ts'
import { getStreams } from '../../../../contract/live/live-calls.ts'
import {
  renameCamera,
  revokeShare,
  setCameraPower,
  setCameraSettings,
  shareCamera,
} from '../../../../contract/cameras/owner-calls.ts'
import { deleteEvents, exportClips, restoreEvents } from '../../../../contract/events/timeline.ts'
import {
  addAccount,
  makeEvent,
  openNeighborhood,
  RECENT,
  signedMedia,
  type Neighborhood,
} from '../../../support/home.ts'
import { openSocket } from '../../../support/socket.ts'
import { patience } from '../../../support/patience.ts'

type Guest = Awaited<ReturnType<typeof addAccount>>
let town: Neighborhood
let guest: Guest
beforeAll(async () => {
  town = await openNeighborhood()
  for (const device of ['door_a', 'yard_a', 'shed_a']) await town.a.bridge.register(device, { nickname: device })
  await town.b.bridge.register('door_b')
  guest = await addAccount(town.bindings, 'guest')
  for (const [n, id] of ['clip_1', 'clip_2'].entries()) {
    const clip_object = await town.a.bridge.upload('door_a', 'clip', id, Buffer.alloc(5000, n + 1))
    const resource = { begin_time: RECENT, end_time: RECENT + 9, resource_version: 1, resource_type: 's3' as const }
    await town.a.bridge.post(makeEvent('door_a', id, { clip_object, event_resources: [resource] }))
  }
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
})
afterAll(() => town.close())

async function read(as: Guest, input: Record<string, unknown> = {}): Promise<ActivityEntry[]> {
  const { status, body } = await town.call(as, getActivity, input)
  expect(status).toBe(200)
  return v.parse(getActivity.response, body).data.entries
}
/** Waits for an entry that matches `is`: entries are written after the response. */
async function found(as: Guest, is: (entry: ActivityEntry) => boolean): Promise<ActivityEntry> {
  return await vi.waitFor(async () => {
    const entry = (await read(as)).find(is)
    expect(entry).toBeDefined()
    return entry!
  }, patience)
}
const of = (kind: ActivityEntry['kind'], value?: string) => (entry: ActivityEntry) =>
  entry.kind === kind && (value === undefined || entry.value === value)

async function watch(as: Guest, device_id: string): Promise<void> {
  const { streams } = (await town.call(as, getStreams, { device_list: [{ device_id }] })).body.data
  const viewer = await openSocket(streams[0].signalling_url, { origin: town.stage.env.PORTAL_ORIGIN })
  await viewer.close()
}
const playClip = async (as: Guest, id: string, range = 'bytes=0-99') =>
  (await fetch(await signedMedia(town, as, 'clip', id), { headers: { range } })).arrayBuffer()
const exported = (as: Guest, ...ids: string[]) =>
  town.call(as, exportClips, { files: ids.map((event_id) => ({ event_id, name: `${event_id}.mp4` })) })

describe('a change by the owner', () => {
  test('is recorded with its author and new value, never with browser or address', async () => {
    await town.call(town.a, renameCamera, { device_id: 'yard_a', nickname: 'Yard' })
    await town.call(town.a, setCameraSettings, {
      device_id: 'yard_a',
      settings: { ...DEFAULT_CAMERA_SETTINGS, motion: false, sensitivity: 7 },
    })
    await town.call(town.a, setCameraPower, { device_id: 'yard_a', on: false })
    const nowhere = { who: 'a@example.com', own: true, camera: 'Yard', device: '', address: '' }
    expect(await found(town.a, of('camera-renamed'))).toMatchObject({ ...nowhere, value: 'Yard' })
    expect(await found(town.a, of('camera-settings'))).toMatchObject({ ...nowhere, value: 'motion sensitivity' })
    expect(await found(town.a, of('camera-power'))).toMatchObject({ ...nowhere, value: 'off' })
  })

  test('is not recorded if nothing changes', async () => {
    await town.call(town.a, setCameraSettings, { device_id: 'shed_a', settings: DEFAULT_CAMERA_SETTINGS })
    await town.call(town.a, renameCamera, { device_id: 'shed_a', nickname: 'Last of all' })
    await found(town.a, of('camera-renamed', 'Last of all'))
    const settings = (await read(town.a)).filter(of('camera-settings'))
    expect(settings.filter(({ camera }) => camera === 'Last of all')).toEqual([])
  })

  test('records the number of deleted and restored events', async () => {
    await town.a.bridge.post(makeEvent('yard_a', 'spare_1'))
    await town.a.bridge.post(makeEvent('yard_a', 'spare_2'))
    await town.call(town.a, deleteEvents, { event_ids: ['spare_1', 'spare_2'] })
    expect(await found(town.a, of('events-deleted'))).toMatchObject({ own: true, count: 2 })
    await town.call(town.a, restoreEvents, { event_ids: ['spare_1'] })
    expect(await found(town.a, of('events-restored'))).toMatchObject({ own: true, count: 1 })
  })

  test('names the account that a camera is shared with, also when sharing ends', async () => {
    await addAccount(town.bindings, 'friend')
    await town.call(town.a, shareCamera, { device_id: 'yard_a', email: 'friend@example.com', role: 2 })
    await town.call(town.a, revokeShare, { device_id: 'yard_a', email: 'friend@example.com' })
    for (const kind of ['shared', 'unshared'] as const) {
      const entry = await found(
        town.a,
        (candidate) => candidate.kind === kind && candidate.whom === 'friend@example.com',
      )
      expect(entry).toMatchObject({ who: 'a@example.com', own: true })
    }
  })
})

describe('viewing a camera', () => {
  test('by a guest is one entry per camera and hour with counts, visible only to its owner', async () => {
    await watch(guest, 'door_a')
    await watch(guest, 'door_a')
    for (const range of ['bytes=0-99', 'bytes=100-199']) await playClip(guest, 'clip_1', range)
    await playClip(guest, 'clip_2')
    await vi.waitFor(async () => {
      const watched = (await read(town.a)).filter(of('watched'))
      const sum = (field: 'count' | 'clips') => watched.reduce((all, entry) => all + entry[field], 0)
      expect([sum('count'), sum('clips')]).toEqual([2, 2])
      // The log has two entries if the hour changes between the guest's views.
      expect(watched.length).toBeLessThanOrEqual(2)
      expect(watched[0]).toMatchObject({ who: 'guest@example.com', own: false, device: '', address: '' })
    }, patience)
    expect(await read(guest)).toEqual([])
    expect((await read(town.b)).filter(of('watched'))).toEqual([])
  })

  test('by a guest through a clip replay is an entry too', async () => {
    const friend = await addAccount(town.bindings, 'replayer')
    await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'replayer@example.com', role: 2 })
    const times = { start_time: String(RECENT), end_time: String(RECENT + 9) }
    const resource = { resource_version: '1', resource_type: 's3', is_live: 'false' }
    const { body } = await town.call(friend, replayArchive, {
      ...{ device_id: 'door_a', product_model: 'PL-1', ...times, ...resource },
    })
    await (await fetch(body.data.replay_url ?? body.data.url)).text()
    expect(await found(town.a, ({ who: actor }) => actor === 'replayer@example.com')).toMatchObject({
      kind: 'watched',
      clips: 1,
    })
  })

  test('by its owner is not recorded', async () => {
    await watch(town.b, 'door_b')
    await town.call(town.b, renameCamera, { device_id: 'door_b', nickname: 'After' })
    await found(town.b, of('camera-renamed', 'After'))
    expect((await read(town.b)).filter(of('watched'))).toEqual([])
  })
})

test('an export is one activity entry, however often and in however many ranges it is downloaded', async () => {
  const { body } = await exported(town.a, 'clip_1', 'clip_2')
  for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=0-']) {
    const answer = await fetch(body.data.url, { headers: { range } })
    expect(answer.status).toBe(206)
    await answer.arrayBuffer()
  }
  await town.call(town.a, renameCamera, { device_id: 'shed_a', nickname: 'After the export' })
  await found(town.a, of('camera-renamed', 'After the export'))
  const exports = (await read(town.a, { group: 'exports' })).filter(({ own }) => own)
  expect(exports.length).toBeLessThanOrEqual(2)
  expect(exports[0]).toMatchObject({ count: 2, bytes: 10_000, value: `${RECENT} ${RECENT}` })
})

test('an export by a guest is visible in the activity of the camera owner', async () => {
  const taker = await addAccount(town.bindings, 'taker')
  await town.call(town.a, shareCamera, { device_id: 'door_a', email: 'taker@example.com', role: 2 })
  expect((await exported(taker, 'clip_1')).status).toBe(200)
  expect(await found(town.a, ({ who: actor }) => actor === 'taker@example.com')).toMatchObject({
    kind: 'export',
    count: 1,
  })
  expect(await read(taker)).toEqual([])
})

describe('activity pages', () => {
  test('continue after the previous page across all logs of the account, and can filter by group', async () => {
    const paged = await addAccount(town.bindings, 'paged')
    await town.bindings.DB.prepare("INSERT INTO home_members (home_id, user_id, role) VALUES ('home_b', ?, 1)")
      .bind(paged.userId)
      .run()
    const now = Date.now()
    for (let n = 0; n < ACTIVITY_PAGE; n++) {
      const at = now - n * 60_000
      const kind = n % 2 ? 'sign-in' : 'camera-renamed'
      const log = town.bindings.ACTIVITY.getByName(n % 2 ? `user:${paged.userId}` : 'home:home_b')
      await log.add({ kind, who: paged.userId, value: `paged ${n}` }, null, at)
    }
    const first = (await town.call(paged, getActivity)).body.data
    expect(first.entries).toHaveLength(ACTIVITY_PAGE)
    const all = [...first.entries]
    for (let next = first.next; next !== null;) {
      const { data } = (await town.call(paged, getActivity, { before: next })).body
      all.push(...data.entries)
      next = data.next
    }
    const own = all.filter(({ value }) => value.startsWith('paged'))
    expect(own.map(({ value }) => value)).toEqual(Array.from({ length: ACTIVITY_PAGE }, (_, n) => `paged ${n}`))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const changes = await read(paged, { group: 'changes' })
    expect(changes.every(({ kind }) => (ACTIVITY_GROUPS.changes as readonly string[]).includes(kind))).toBe(true)
    expect(changes.length).toBeGreaterThanOrEqual(ACTIVITY_PAGE / 2)
  })

  test('show nothing of a home that the account no longer owns', async () => {
    const former = await addAccount(town.bindings, 'former')
    const { DB } = town.bindings
    await DB.prepare("INSERT INTO home_members (home_id, user_id, role) VALUES ('home_a', ?, 1)")
      .bind(former.userId)
      .run()
    await town.call(town.a, renameCamera, { device_id: 'shed_a', nickname: 'Seen by both' })
    await found(former, of('camera-renamed', 'Seen by both'))
    await DB.prepare('UPDATE home_members SET role = 2 WHERE user_id = ?').bind(former.userId).run()
    expect(await read(former)).toEqual([])
  })

  test('are the same for the operator, who needs the admin key', async () => {
    await town.call(town.b, renameCamera, { device_id: 'door_b', nickname: 'For the operator' })
    await found(town.b, of('camera-renamed', 'For the operator'))
    const address = `${town.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.activity}/b@example.com`
    const headers = { authorization: `Admin ${town.stage.env.ADMIN_KEY}` }
    const { data } = v.parse(activityPage, await (await fetch(address, { headers })).json())
    expect(data.entries.some(of('camera-renamed', 'For the operator'))).toBe(true)
    const statuses = [
      (await fetch(address)).status,
      (await fetch(`${address}?before=x`, { headers })).status,
      (await fetch(address.replace('b@', 'nobody@'), { headers })).status,
    ]
    expect(statuses).toEqual([401, 400, 404])
  })
})
