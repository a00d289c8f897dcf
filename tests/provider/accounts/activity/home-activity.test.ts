import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  ACTIVITY_GROUPS,
  ACTIVITY_PAGE_SIZE,
  activityPageResponse,
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
  createBridgeEvent,
  openNeighborhood,
  RECENT_TIME_MS,
  createSignedMediaUrl,
  type Neighborhood,
} from '../../../support/home.ts'
import { openSocket } from '../../../support/socket.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'

type Guest = Awaited<ReturnType<typeof addAccount>>
let neighborhood: Neighborhood
let guest: Guest
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  for (const device of ['door_a', 'yard_a', 'shed_a'])
    await neighborhood.a.bridge.register(device, { nickname: device })
  await neighborhood.b.bridge.register('door_b')
  guest = await addAccount(neighborhood.bindings, 'guest')
  for (const [n, id] of ['clip_1', 'clip_2'].entries()) {
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, Buffer.alloc(5000, n + 1))
    const resource = {
      begin_time: RECENT_TIME_MS,
      end_time: RECENT_TIME_MS + 9,
      resource_version: 1,
      resource_type: 's3' as const,
    }
    await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', id, { clip_object, event_resources: [resource] }))
  }
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
})
afterAll(() => neighborhood.close())

async function readActivity(account: Guest, input: Record<string, unknown> = {}): Promise<ActivityEntry[]> {
  const { status, body } = await neighborhood.call(account, getActivity, input)
  expect(status).toBe(200)
  return v.parse(getActivity.response, body).data.entries
}
/** Waits for an entry that `matches` accepts: the provider writes entries after the response. */
async function waitForEntry(account: Guest, matches: (entry: ActivityEntry) => boolean): Promise<ActivityEntry> {
  return await vi.waitFor(async () => {
    const entry = (await readActivity(account)).find(matches)
    expect(entry).toBeDefined()
    return entry!
  }, WAIT_OPTIONS)
}
const matchesKind = (kind: ActivityEntry['kind'], value?: string) => (entry: ActivityEntry) =>
  entry.kind === kind && (value === undefined || entry.value === value)

async function watchLive(account: Guest, device_id: string): Promise<void> {
  const { streams } = (await neighborhood.call(account, getStreams, { device_list: [{ device_id }] })).body.data
  const viewer = await openSocket(streams[0].signalling_url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
  await viewer.close()
}
const playClip = async (account: Guest, id: string, range = 'bytes=0-99') =>
  (await fetch(await createSignedMediaUrl(neighborhood, account, 'clip', id), { headers: { range } })).arrayBuffer()
const requestExport = (account: Guest, ...ids: string[]) =>
  neighborhood.call(account, exportClips, { files: ids.map((event_id) => ({ event_id, name: `${event_id}.mp4` })) })

describe('a change by the owner', () => {
  test('is recorded with its author and new value, never with browser or address', async () => {
    await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'yard_a', nickname: 'Yard' })
    await neighborhood.call(neighborhood.a, setCameraSettings, {
      device_id: 'yard_a',
      settings: { ...DEFAULT_CAMERA_SETTINGS, motion: false, sensitivity: 7 },
    })
    await neighborhood.call(neighborhood.a, setCameraPower, { device_id: 'yard_a', on: false })
    const ownerEntry = { who: 'a@example.com', own: true, camera: 'Yard', device: '', address: '' }
    expect(await waitForEntry(neighborhood.a, matchesKind('camera-renamed'))).toMatchObject({
      ...ownerEntry,
      value: 'Yard',
    })
    expect(await waitForEntry(neighborhood.a, matchesKind('camera-settings'))).toMatchObject({
      ...ownerEntry,
      value: 'motion sensitivity',
    })
    expect(await waitForEntry(neighborhood.a, matchesKind('camera-power'))).toMatchObject({
      ...ownerEntry,
      value: 'off',
    })
  })

  test('is not recorded if nothing changes', async () => {
    await neighborhood.call(neighborhood.a, setCameraSettings, {
      device_id: 'shed_a',
      settings: DEFAULT_CAMERA_SETTINGS,
    })
    await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'shed_a', nickname: 'Last of all' })
    await waitForEntry(neighborhood.a, matchesKind('camera-renamed', 'Last of all'))
    const settings = (await readActivity(neighborhood.a)).filter(matchesKind('camera-settings'))
    expect(settings.filter(({ camera }) => camera === 'Last of all')).toEqual([])
  })

  test('records the number of deleted and restored events', async () => {
    await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', 'spare_1'))
    await neighborhood.a.bridge.postEvent(createBridgeEvent('yard_a', 'spare_2'))
    await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['spare_1', 'spare_2'] })
    expect(await waitForEntry(neighborhood.a, matchesKind('events-deleted'))).toMatchObject({ own: true, count: 2 })
    await neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['spare_1'] })
    expect(await waitForEntry(neighborhood.a, matchesKind('events-restored'))).toMatchObject({ own: true, count: 1 })
  })

  test('names the account that a camera is shared with, also when sharing ends', async () => {
    await addAccount(neighborhood.bindings, 'friend')
    await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'yard_a', email: 'friend@example.com', role: 2 })
    await neighborhood.call(neighborhood.a, revokeShare, { device_id: 'yard_a', email: 'friend@example.com' })
    for (const kind of ['shared', 'unshared'] as const) {
      const entry = await waitForEntry(
        neighborhood.a,
        (candidate) => candidate.kind === kind && candidate.whom === 'friend@example.com',
      )
      expect(entry).toMatchObject({ who: 'a@example.com', own: true })
    }
  })
})

describe('viewing a camera', () => {
  test('by a guest is one entry per camera and hour with counts, visible only to its owner', async () => {
    await watchLive(guest, 'door_a')
    await watchLive(guest, 'door_a')
    for (const range of ['bytes=0-99', 'bytes=100-199']) await playClip(guest, 'clip_1', range)
    await playClip(guest, 'clip_2')
    await vi.waitFor(async () => {
      const watched = (await readActivity(neighborhood.a)).filter(matchesKind('watched'))
      const sum = (field: 'count' | 'clips') => watched.reduce((all, entry) => all + entry[field], 0)
      expect([sum('count'), sum('clips')]).toEqual([2, 2])
      // The log has two entries if the hour changes between the guest's views.
      expect(watched.length).toBeLessThanOrEqual(2)
      expect(watched[0]).toMatchObject({ who: 'guest@example.com', own: false, device: '', address: '' })
    }, WAIT_OPTIONS)
    expect(await readActivity(guest)).toEqual([])
    expect((await readActivity(neighborhood.b)).filter(matchesKind('watched'))).toEqual([])
  })

  test('by a guest through a clip replay is an entry too', async () => {
    const friend = await addAccount(neighborhood.bindings, 'replayer')
    await neighborhood.call(neighborhood.a, shareCamera, {
      device_id: 'door_a',
      email: 'replayer@example.com',
      role: 2,
    })
    const times = { start_time: String(RECENT_TIME_MS), end_time: String(RECENT_TIME_MS + 9) }
    const resource = { resource_version: '1', resource_type: 's3', is_live: 'false' }
    const { body } = await neighborhood.call(friend, replayArchive, {
      device_id: 'door_a',
      product_model: 'PL-1',
      ...times,
      ...resource,
    })
    await (await fetch(body.data.replay_url ?? body.data.url)).text()
    expect(await waitForEntry(neighborhood.a, ({ who: actor }) => actor === 'replayer@example.com')).toMatchObject({
      kind: 'watched',
      clips: 1,
    })
  })

  test('by its owner is not recorded', async () => {
    await watchLive(neighborhood.b, 'door_b')
    await neighborhood.call(neighborhood.b, renameCamera, { device_id: 'door_b', nickname: 'After' })
    await waitForEntry(neighborhood.b, matchesKind('camera-renamed', 'After'))
    expect((await readActivity(neighborhood.b)).filter(matchesKind('watched'))).toEqual([])
  })
})

test('an export is one activity entry, however often and in however many ranges it is downloaded', async () => {
  const { body } = await requestExport(neighborhood.a, 'clip_1', 'clip_2')
  for (const range of ['bytes=0-9', 'bytes=10-19', 'bytes=0-']) {
    const answer = await fetch(body.data.url, { headers: { range } })
    expect(answer.status).toBe(206)
    await answer.arrayBuffer()
  }
  await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'shed_a', nickname: 'After the export' })
  await waitForEntry(neighborhood.a, matchesKind('camera-renamed', 'After the export'))
  const exports = (await readActivity(neighborhood.a, { group: 'exports' })).filter(({ own }) => own)
  expect(exports.length).toBeLessThanOrEqual(2)
  expect(exports[0]).toMatchObject({ count: 2, bytes: 10_000, value: `${RECENT_TIME_MS} ${RECENT_TIME_MS}` })
})

test('an export by a guest is visible in the activity of the camera owner', async () => {
  const exportingGuest = await addAccount(neighborhood.bindings, 'taker')
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'taker@example.com', role: 2 })
  expect((await requestExport(exportingGuest, 'clip_1')).status).toBe(200)
  expect(await waitForEntry(neighborhood.a, ({ who: actor }) => actor === 'taker@example.com')).toMatchObject({
    kind: 'export',
    count: 1,
  })
  expect(await readActivity(exportingGuest)).toEqual([])
})

describe('activity pages', () => {
  test('continue after the previous page across all logs of the account, and can filter by group', async () => {
    const pagedAccount = await addAccount(neighborhood.bindings, 'paged')
    await neighborhood.bindings.DB.prepare("INSERT INTO home_members (home_id, user_id, role) VALUES ('home_b', ?, 1)")
      .bind(pagedAccount.userId)
      .run()
    const now = Date.now()
    for (let n = 0; n < ACTIVITY_PAGE_SIZE; n++) {
      const at = now - n * 60_000
      const kind = n % 2 ? 'sign-in' : 'camera-renamed'
      const log = neighborhood.bindings.ACTIVITY.getByName(n % 2 ? `user:${pagedAccount.userId}` : 'home:home_b')
      await log.add({ kind, who: pagedAccount.userId, value: `paged ${n}` }, null, at)
    }
    const first = (await neighborhood.call(pagedAccount, getActivity)).body.data
    expect(first.entries).toHaveLength(ACTIVITY_PAGE_SIZE)
    const all = [...first.entries]
    for (let next = first.next; next !== null;) {
      const { data } = (await neighborhood.call(pagedAccount, getActivity, { before: next })).body
      all.push(...data.entries)
      next = data.next
    }
    const own = all.filter(({ value }) => value.startsWith('paged'))
    expect(own.map(({ value }) => value)).toEqual(Array.from({ length: ACTIVITY_PAGE_SIZE }, (_, n) => `paged ${n}`))
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    const changes = await readActivity(pagedAccount, { group: 'changes' })
    expect(changes.every(({ kind }) => (ACTIVITY_GROUPS.changes as readonly string[]).includes(kind))).toBe(true)
    expect(changes.length).toBeGreaterThanOrEqual(ACTIVITY_PAGE_SIZE / 2)
  })

  test('show nothing of a home that the account no longer owns', async () => {
    const formerOwner = await addAccount(neighborhood.bindings, 'former')
    const { DB } = neighborhood.bindings
    await DB.prepare("INSERT INTO home_members (home_id, user_id, role) VALUES ('home_a', ?, 1)")
      .bind(formerOwner.userId)
      .run()
    await neighborhood.call(neighborhood.a, renameCamera, { device_id: 'shed_a', nickname: 'Seen by both' })
    await waitForEntry(formerOwner, matchesKind('camera-renamed', 'Seen by both'))
    await DB.prepare('UPDATE home_members SET role = 2 WHERE user_id = ?').bind(formerOwner.userId).run()
    expect(await readActivity(formerOwner)).toEqual([])
  })

  test('are the same for the operator, who needs the admin key', async () => {
    await neighborhood.call(neighborhood.b, renameCamera, { device_id: 'door_b', nickname: 'For the operator' })
    await waitForEntry(neighborhood.b, matchesKind('camera-renamed', 'For the operator'))
    const url = `${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.activity}/b@example.com`
    const headers = { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}` }
    const { data } = v.parse(activityPageResponse, await (await fetch(url, { headers })).json())
    expect(data.entries.some(matchesKind('camera-renamed', 'For the operator'))).toBe(true)
    const statuses = [
      (await fetch(url)).status,
      (await fetch(`${url}?before=x`, { headers })).status,
      (await fetch(url.replace('b@', 'nobody@'), { headers })).status,
    ]
    expect(statuses).toEqual([401, 400, 404])
  })
})
