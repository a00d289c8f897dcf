import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { activateLicenses, batchGetBindings } from '../../../../contract/billing/licenses.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase, updatePurchase, type Quote } from '../../../../contract/billing/purchase.ts'
import { feedTicket } from '../../../../contract/events/feed-and-review-calls.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { addCard } from '../../../support/cards.ts'
import { openSocket } from '../../../support/socket.ts'

let neighborhood: Neighborhood
let keyCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.bindings.DB.exec('DELETE FROM subscriptions')
  for (const id of ['door_a', 'yard_a', 'shed_a']) await neighborhood.a.bridge.register(id)
  await neighborhood.b.bridge.register('door_b')
})
afterAll(() => neighborhood.close())

const nextKey = () => `intent_of_the_test_${String((keyCount += 1)).padStart(4, '0')}`
const CAM_AI_MONTHLY = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const

async function buy({ method_id, ...account }: Account & { method_id: string }, target: object, cameras: string[]) {
  const { quote } = (await neighborhood.call(account, previewPurchase, { ...target })).body.data
  await neighborhood.call(account, createPurchase, { ...target, quote, method_id, intent: nextKey(), cameras })
}
const listSubscriptions = async (account: Account) =>
  (await neighborhood.call(account, getSubscriptions, {}, { uuid: account.userId })).body.data
    .subscriptions as Subscription[]

describe('CALL-06 license assignment', () => {
  test('covers the cameras named in the purchase and notifies open pages', async () => {
    const { method_id } = await addCard(neighborhood.bindings, neighborhood.a.userId, '4242')
    const account = { ...neighborhood.a, method_id }
    const { url } = (await neighborhood.call(account, feedTicket)).body.data
    const feed = await openSocket(url, { origin: neighborhood.stage.env.PORTAL_ORIGIN })
    await feed.receive((message) => message.type === 'hello')
    await buy(account, { ...CAM_AI_MONTHLY, quantity: 2 }, ['door_a', 'door_b'])
    await feed.receive((message) => message.type === 'access')
    await feed.close()
    const query = { device_macs: ['door_a', 'yard_a'] }
    const { bindings } = (await neighborhood.call(account, batchGetBindings, query)).body.data
    expect(bindings).toMatchObject([{ plan: { sku: 'cam-ai', by: 'licence' } }, { plan: null }])
    expect(bindings[0].bound_at).toBeGreaterThan(Date.now() - DAY_MS)
  })

  test('returns a result per camera, and 20 concurrent calls assign the one remaining license once', async () => {
    const [plan] = await listSubscriptions(neighborhood.a)
    const assignLicenses = (device_macs: string[]) =>
      neighborhood.call(neighborhood.a, activateLicenses, { subscription_id: plan?.subscription_id, device_macs })
    const cameras = ['yard_a', 'shed_a']
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => assignLicenses([cameras[n % 2] ?? ''])))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const bound = await assignLicenses(['door_a', ...cameras, 'door_b'])
    expect([bound.status, bound.body.code]).toEqual([200, 4301])
    const reasons = bound.body.data.devices.map((device: { why: string | null }) => device.why)
    expect(reasons.toSorted()).toEqual([null, null, 'no_licence', 'not_yours'].toSorted())
    const { results } = await neighborhood.bindings.DB.prepare('SELECT device_id FROM bindings').all()
    expect(results).toHaveLength(2)
    expect(
      (
        await neighborhood.call(neighborhood.b, activateLicenses, {
          subscription_id: plan?.subscription_id,
          device_macs: ['door_b'],
        })
      ).status,
    ).toBe(404)
  })
})

test('CALL-06 a license does not follow its camera into another home, whose owner assigns their own', async () => {
  const { DB, LEDGERS } = neighborhood.bindings
  const { method_id } = await addCard(neighborhood.bindings, neighborhood.b.userId, '4242')
  await neighborhood.b.bridge.register('roams')
  await buy({ ...neighborhood.b, method_id }, CAM_AI_MONTHLY, ['roams'])
  const [theirs] = (await listSubscriptions(neighborhood.b)).filter(({ sku }) => sku === 'cam-ai')
  const listLicenses = async () => (await DB.prepare("SELECT * FROM bindings WHERE device_id = 'roams'").all()).results
  expect(await listLicenses()).toMatchObject([{ subscription_id: theirs?.subscription_id }])
  await neighborhood.b.bridge.send('DELETE', '/bridge/v1/cameras/roams')
  await neighborhood.a.bridge.send('DELETE', '/bridge/v1/cameras/door_a')
  await LEDGERS.getByName(neighborhood.a.userId).setAutoAssignment({ intent: nextKey(), on: false }, Date.now())
  await neighborhood.a.bridge.register('roams')
  await LEDGERS.getByName(neighborhood.b.userId).rebuildProjection(Date.now())
  expect(await listLicenses()).toEqual([])
  // Inserts a license assignment as an earlier version stored it at a renewal.
  await DB.prepare("INSERT INTO bindings (device_id, subscription_id, bound_at) VALUES ('roams', ?, 1)")
    .bind(theirs?.subscription_id)
    .run()
  const [own] = await listSubscriptions(neighborhood.a)
  const request = { subscription_id: own?.subscription_id, device_macs: ['roams'] }
  expect((await neighborhood.call(neighborhood.a, activateLicenses, request)).body.data.devices).toMatchObject([
    { bound: true, why: null },
  ])
  expect(await listLicenses()).toMatchObject([{ subscription_id: own?.subscription_id }])
  await LEDGERS.getByName(neighborhood.b.userId).rebuildProjection(Date.now())
  expect(await listLicenses()).toMatchObject([{ subscription_id: own?.subscription_id }])
})

test('CALL-12 the price for a page that does not know the subscriptions is that of a change of the running plan', async () => {
  const account = await addAccount(neighborhood.bindings, 'newcomer')
  const { method_id } = await addCard(neighborhood.bindings, account.userId, '4242')
  const preview = (input: object) => neighborhood.call(account, previewPurchase, { ...input })
  const ownInput = { sku: 'cam-ai', level: 1, mode: 'monthly', changes_own: true } as const
  expect((await preview(ownInput)).body.data).toMatchObject({ mode: 'checkout', quantity: 1 })
  await buy({ ...account, method_id }, { ...CAM_AI_MONTHLY, quantity: 3 }, [])
  expect((await preview(ownInput)).status).toBe(400)
  const unlimited = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1 } as const
  expect((await preview({ ...unlimited, changes_own: true })).body.data).toMatchObject({ mode: 'update', quantity: 1 })
  const annual = { ...ownInput, mode: 'annual' }
  const quote = (await preview(annual)).body.data as Quote
  expect(quote).toMatchObject({ mode: 'update', quantity: 3, is_later: false })
  expect((await preview({ ...annual, quantity: 5 })).body.data).toMatchObject({ mode: 'update', quantity: 5 })
  const [plan] = await listSubscriptions(account)
  const target = { subscription_id: plan?.subscription_id ?? '', revision: plan?.revision ?? 0 }
  expect((await preview({ ...annual, ...target })).status).toBe(400)
  const change = { ...CAM_AI_MONTHLY, mode: 'annual', quantity: 3, ...target, quote: quote.quote, change: quote.change }
  const { body } = await neighborhood.call(account, updatePurchase, { ...change, method_id, intent: nextKey() })
  expect(body.data).toMatchObject({ state: 'done', order: { paid: quote.due, quantity: 3 } })
})
