import { afterAll, beforeAll, expect, test } from 'vitest'
import { BRIDGE_PATHS } from '../../../contract/bridge/bridge-protocol.ts'
import { createBridgeEvent, openNeighborhood, RECENT_TIME_MS, type Neighborhood } from '../../support/home.ts'
import { DAY_MS, HOUR_MS } from '../../../contract/time-units.ts'

const GB = 1e9

let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.a.bridge.register('door_a')
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const getHome = () => neighborhood.bindings.HOMES.getByName('home_a')
const openStorage = () => neighborhood.stage.provider.getWorker().getDurableObjectStorage('HOMES', { name: 'home_a' })
const isStored = async (key: string) => (await neighborhood.bindings.MEDIA.head(key)) !== null

async function requestUpload(name: string, length = 1000) {
  const objects = [{ kind: 'clip', name, type: 'video/mp4', length }]
  return neighborhood.a.bridge.send('POST', BRIDGE_PATHS.uploads, { device_id: 'door_a', objects })
}

const toDay = (time: number) => Math.floor(time / DAY_MS)

async function addGrants(count: number, until: number): Promise<void> {
  const names = Array.from({ length: count }, (_, n) => `h/home_a/clip/filled_${n}`)
  const insert = 'INSERT INTO upload_batches (day, day_bytes, grants) VALUES (?, 0, ?)'
  const grants = Object.fromEntries(names.map((name) => [name, [1, until]]))
  await (await openStorage()).exec(insert, toDay(until), JSON.stringify(grants))
}

test('two thousand upload grants may be pending; one can be requested again, others after they expire', async () => {
  expect((await requestUpload('first')).status).toBe(200)
  await addGrants(1999, Date.now())
  expect(await requestUpload('one_more')).toMatchObject({
    status: 429,
    body: { code: 429, msg: expect.stringMatching(/\btwo hours\b/) as string },
  })
  expect((await requestUpload('first')).status).toBe(200)
  const objects = [{ kind: 'clip', name: 'theirs', type: 'video/mp4', length: 1000 }]
  const neighbor = await neighborhood.b.bridge.send('POST', BRIDGE_PATHS.uploads, { device_id: 'door_b', objects })
  expect(neighbor.status).toBe(200)
  let steps = 1
  while (await getHome().runRetentionStep(Date.now() + 2 * HOUR_MS)) steps += 1
  expect(steps).toBeGreaterThanOrEqual(5)
  expect((await requestUpload('one_more')).status).toBe(200)
  expect((await requestUpload('one_more')).status).toBe(200)
})

test('expired grants make room without a retention step, and the next step deletes their objects', async () => {
  const storage = await openStorage()
  await storage.exec('DELETE FROM upload_batches')
  const expired = 'h/home_a/clip/filled_0'
  await neighborhood.bindings.MEDIA.put(expired, 'clip')
  await addGrants(2000, Date.now() - HOUR_MS)
  expect((await requestUpload('after_expiry')).status).toBe(200)
  expect(await isStored(expired)).toBe(true)
  while (await getHome().runRetentionStep(Date.now()));
  expect(await isStored(expired)).toBe(false)
  expect((await requestUpload('after_expiry')).status).toBe(200)
})

test('an orphaned object is deleted an hour after its grant, and an object of an event stays', async () => {
  const [claimed, lost] = await Promise.all(
    ['kept', 'lost'].map((name) => neighborhood.a.bridge.upload('door_a', 'clip', name, Buffer.from(name))),
  )
  const resource = {
    begin_time: RECENT_TIME_MS,
    end_time: RECENT_TIME_MS + 9,
    resource_version: 1,
    resource_type: 's3' as const,
  }
  await neighborhood.a.bridge.postEvent(
    createBridgeEvent('door_a', 'kept', { clip_object: claimed ?? null, event_resources: [resource] }),
  )
  await getHome().runRetentionStep(Date.now() + HOUR_MS / 2)
  expect(await Promise.all([claimed, lost].map((key) => isStored(key ?? '')))).toEqual([true, true])
  await getHome().runRetentionStep(Date.now() + 2 * HOUR_MS)
  expect(await Promise.all([claimed, lost].map((key) => isStored(key ?? '')))).toEqual([true, false])
})

test('a home’s upload limit is a thousand gigabytes a day, counts an object once and resets daily', async () => {
  const storage = await openStorage()
  const today = toDay(Date.now())
  // A grant at midnight finds the total of its own day.
  await storage.exec('UPDATE upload_batches SET day_bytes = ? WHERE day = ?', 1000 * GB - 1500, today)
  await storage.exec(
    "INSERT INTO upload_batches (day, day_bytes, grants) SELECT ?1, ?2, '{}' WHERE NOT EXISTS (SELECT 1 FROM upload_batches WHERE day = ?1)",
    today,
    1000 * GB - 1500,
  )
  expect((await requestUpload('fits', 1000)).status).toBe(200)
  expect((await requestUpload('fits', 1000)).status).toBe(200)
  expect((await requestUpload('fits', 2000)).status).toBe(429)
  const rejection = await requestUpload('too_much', 1000)
  expect([rejection.status, rejection.body.msg]).toEqual([429, expect.stringMatching(/resume tomorrow/)])
  await storage.exec('UPDATE upload_batches SET day = day - 2')
  expect((await requestUpload('too_much', 1000)).status).toBe(200)
})
