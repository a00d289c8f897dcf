import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shareCamera } from '../../../../contract/cameras/owner-calls.ts'
import { countAffectedClips, countCamerasInUse } from '../../../../provider/billing/cancellation/affected-clips.ts'
import { readAccountAccess } from '../../../../provider/homes/members/account-access.ts'
import { addAccount, createBridgeEvent, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { addSubscription } from '../../../support/subscription-rows.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const NOW = Date.now()
let neighborhood: Neighborhood
const buildRequester = async (userId = 'user_a') => ({
  access: await readAccountAccess(neighborhood.bindings, userId),
  now: NOW,
})
const countClips = async (plan: string, userId?: string) =>
  countAffectedClips(neighborhood.bindings, await buildRequester(userId), plan)
const countInUse = async (plan: string) => countCamerasInUse(neighborhood.bindings, await buildRequester(), plan)

async function addClip(camera: string, id: string, days: number, change: object = {}): Promise<void> {
  const clip_object = await neighborhood.a.bridge.upload(camera, 'clip', id, Buffer.from(id.padEnd(100)))
  const event = createBridgeEvent(camera, id, { event_ts: NOW - days * DAY_MS - 60_000, clip_object, ...change })
  expect((await neighborhood.a.bridge.postEvent(event)).status).toBe(200)
}
const addPlan = (id: string, sku: 'cam-ai' | 'unlimited' | 'pro', quantity = 1) =>
  addSubscription(
    neighborhood.bindings.DB,
    'user_a',
    {
      subscription_id: id,
      sku,
      status: 'active',
      quantity,
      period: 'monthly',
      billing_provider: 'card',
      renews_at: NOW + DAY_MS,
    },
    NOW,
  )

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await addAccount(neighborhood.bindings, 'guest')
  for (const camera of ['door_a', 'yard_a', 'shed_a']) await neighborhood.a.bridge.register(camera)
  await neighborhood.call(neighborhood.a, shareCamera, { device_id: 'door_a', email: 'guest@example.com', role: 2 })
  await addClip('door_a', 'e0_a', 0)
  await addClip('door_a', 'e0_tagged', 0, { tags: ['900'] })
  await addClip('door_a', 'e5_a', 5)
  await addClip('yard_a', 'e20_a', 20)
  await addClip('yard_a', 'e45_a', 45)
})
afterAll(() => neighborhood.close())
beforeEach(() => neighborhood.bindings.DB.exec('DELETE FROM subscriptions; DELETE FROM bindings'))

describe('the cancellation preview of a plan', () => {
  test('for the whole home keeps the free clips and reports the bytes of the stored ones', async () => {
    await addPlan('home', 'unlimited')
    const { bytes, ...clips } = await countClips('home')
    expect(clips).toEqual({ shown: 4, shown_days: 30, kept: 1, kept_days: 1 })
    expect(bytes).toBe(500)
    await addPlan('pro', 'pro')
    expect(await countClips('home')).toMatchObject({ shown: 5, shown_days: 60, kept: 5, kept_days: 60 })
    expect(await countClips('pro')).toMatchObject({ shown: 5, kept: 4, kept_days: 30 })
  })

  test('omits the stored bytes if some clips are missing from storage', async () => {
    await addPlan('home', 'unlimited')
    const [first, second] = (await neighborhood.bindings.MEDIA.list({ prefix: 'h/home_a/clip/' })).objects
    const contents = await Promise.all(
      [first, second].map((entry) =>
        neighborhood.bindings.MEDIA.get(entry!.key).then((object) => object!.arrayBuffer()),
      ),
    )
    await neighborhood.bindings.MEDIA.delete([first!.key, second!.key])
    expect(await countClips('home')).toMatchObject({ shown: 4, bytes: 0 })
    for (const [at, entry] of [first, second].entries())
      await neighborhood.bindings.MEDIA.put(entry!.key, contents[at]!)
    expect((await countClips('home')).bytes).toBe(500)
  })

  test('for single cameras leaves the cameras of other plans alone', async () => {
    await addPlan('door', 'cam-ai')
    await addPlan('yard', 'cam-ai')
    const assignLicense = (device: string, plan: string) =>
      neighborhood.bindings.DB.prepare('INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES (?, ?, ?)')
        .bind(device, plan, NOW)
        .run()
    await assignLicense('door_a', 'door')
    await assignLicense('yard_a', 'yard')
    expect(await countClips('door')).toMatchObject({ shown: 3, shown_days: 14, kept: 1, kept_days: 14 })
    expect(await countClips('yard')).toMatchObject({ shown: 3, kept: 3 })
  })

  test('reports nothing about homes or plans that belong to another account', async () => {
    await addPlan('home', 'unlimited')
    for (const user of ['user_guest', 'user_b'])
      expect(await countClips('home', user)).toEqual({
        shown: 0,
        shown_days: expect.any(Number),
        kept: 0,
        kept_days: expect.any(Number),
        bytes: 0,
      })
  })

  test('counts which of its cameras recorded clips recently', async () => {
    await addPlan('home', 'unlimited')
    expect(await countInUse('home')).toBe(2)
    expect(await countInUse('other')).toBe(0)
    await addClip('shed_a', 'shed_1', 1)
    expect(await countInUse('home')).toBe(0)
  })
})
