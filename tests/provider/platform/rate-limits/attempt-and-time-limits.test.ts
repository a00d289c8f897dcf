import { afterAll, beforeAll, expect, test } from 'vitest'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import { replayArchive } from '../../../../contract/events/event-calls.ts'
import { eventHistory, type Event } from '../../../../contract/events/events.ts'
import { revokeShare, shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { deleteEvents, restoreEvents, EVENT_RESTORE_MS } from '../../../../contract/events/timeline.ts'
import { addAccount, createBridgeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { Visitor } from '../../../support/visitor.ts'

const EVENT_TIME = Date.now() - 3_600_000
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const getStorage = (binding: 'GUARDS' | 'HOMES', name: string) =>
  neighborhood.stage.provider.getWorker().getDurableObjectStorage(binding, { name })
async function listEventIds(): Promise<string[]> {
  const rest = { device_id_list: [], event_tag_list: [], event_value_list: [], order_by: 2 }
  const range = { begin_time: EVENT_TIME - 600_000, end_time: EVENT_TIME + 600_000 }
  const { body } = await neighborhood.call(neighborhood.a, eventHistory, { ...rest, ...range, count: 10_000 })
  return body.data.event_list.map((event: Event) => event.event_id)
}

test('ten wrong passwords for one email address count together, however it is spelled', async () => {
  await addAccount(neighborhood.bindings, 'owner')
  const visitor = new Visitor(neighborhood.stage.env.PORTAL_ORIGIN)
  const attemptSignIn = async (email: string) => {
    const answer = await visitor.fetch(`${neighborhood.stage.env.PROVIDER_ORIGIN}${userLogin.path}?source=web`, {
      method: 'POST',
      body: JSON.stringify({ email, password: 'wrong' }),
      headers: { 'content-type': 'application/json' },
    })
    // Delete the attempts counted for this client network, so that only the counter of the email address can reject.
    await (await getStorage('GUARDS', 'ip:127.0.0.1')).exec('DELETE FROM attempts')
    return answer.status
  }
  const uppercaseAt = (n: number) => [...'owner@example.com'].map((c, i) => (i === n ? c.toUpperCase() : c)).join('')
  const spellings = [0, 1, 2, 3, 4, 6, 7, 8, 9].map(uppercaseAt).concat(' OWNER@EXAMPLE.COM ')
  const answers = []
  for (const email of spellings) answers.push(await attemptSignIn(email))
  expect(new Set(spellings).size).toBe(10)
  expect(answers).not.toContain(429)
  expect(await attemptSignIn('Owner@Example.Com')).toBe(429)
  expect(await attemptSignIn('neighbour@example.com')).not.toBe(429)
})

test('an owner may try to share with 30 addresses per hour; the next one waits', async () => {
  const share = (email: string) =>
    neighborhood.call(neighborhood.b, shareCamera, { device_id: 'door_b', email, role: 2 })
  const answers = []
  for (let n = 0; n < 30; n++) answers.push((await share(`nobody${n}@example.com`)).status)
  expect(new Set(answers)).toEqual(new Set([200]))
  const rejection = await share('a@example.com')
  expect([rejection.status, rejection.body.code]).toEqual([429, 429])
  await (await getStorage('GUARDS', neighborhood.b.userId)).exec('UPDATE attempts SET until = 0 WHERE id = 1')
  expect((await share('a@example.com')).status).toBe(200)
  await neighborhood.call(neighborhood.b, revokeShare, { device_id: 'door_b', email: 'a@example.com' })
})

test('a deleted event can be restored for exactly ten minutes, even before retention runs', async () => {
  await neighborhood.a.bridge.postEvent(createBridgeEvent('door_a', 'undone', { event_ts: EVENT_TIME }))
  const { body } = await neighborhood.call(neighborhood.a, deleteEvents, { event_ids: ['undone'] })
  expect(body.data.deleted).toBe(1)
  const home = await getStorage('HOMES', neighborhood.a.homeId)
  const setDeletedAgo = (ms: number) =>
    home.exec(`UPDATE events SET gone_at = ${Date.now() - ms} WHERE event_id = 'undone' AND gone = 'deleted'`)
  const requestRestore = () => neighborhood.call(neighborhood.a, restoreEvents, { event_ids: ['undone'] })
  await setDeletedAgo(EVENT_RESTORE_MS + 1000)
  expect((await requestRestore()).status).toBe(404)
  expect(await listEventIds()).not.toContain('undone')
  await setDeletedAgo(EVENT_RESTORE_MS - 60_000)
  expect((await requestRestore()).body.data).toEqual({ restored: 1 })
  expect(await listEventIds()).toContain('undone')
})

test('of two clips that overlap a range, the one that begins nearest to its start is returned', async () => {
  for (const [id, begin] of [
    ['first', EVENT_TIME],
    ['second', EVENT_TIME + 8000],
  ] as const) {
    const clip_object = await neighborhood.a.bridge.upload('door_a', 'clip', id, Buffer.from(`the ${id} clip`))
    const resource = { begin_time: begin, end_time: begin + 20_000, resource_version: 1, resource_type: 's3' as const }
    await neighborhood.a.bridge.postEvent(
      createBridgeEvent('door_a', id, { event_ts: begin + 1000, event_resources: [resource], clip_object }),
    )
  }
  const fetchClipAt = async (start_time: number) => {
    const { body } = await neighborhood.call(neighborhood.a, replayArchive, {
      device_id: 'door_a',
      product_model: 'PL-1',
      start_time,
      end_time: start_time + 5000,
      resource_version: 1,
      resource_type: 's3',
      is_live: 'false',
    })
    return (await fetch(body.data.replay_url)).text()
  }
  expect([await fetchClipAt(EVENT_TIME + 9000), await fetchClipAt(EVENT_TIME + 1000)]).toEqual([
    'the second clip',
    'the first clip',
  ])
})
