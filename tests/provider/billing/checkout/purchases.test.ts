import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { activate, batchGetBindings } from '../../../../contract/billing/licenses.ts'
import { CHANGE_CODES } from '../../../../contract/billing/change-codes.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  createPurchase,
  previewPurchase,
  processTask,
  type Quote,
  updatePurchase,
} from '../../../../contract/billing/purchase.ts'
import { sellFeedTicket } from '../../../../provider/homes/feed/open-feed.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { addCard } from '../../../support/cards.ts'
import { openSocket } from '../../../support/socket.ts'

let town: Neighborhood
let people = 0
let keys = 0

beforeAll(async () => {
  town = await openNeighborhood()
  await town.bindings.DB.exec('DELETE FROM subscriptions')
  for (const id of ['door_a', 'yard_a', 'shed_a']) await town.a.bridge.register(id)
  await town.b.bridge.register('door_b')
})
afterAll(() => town.close())

async function buyer(digits = '4242'): Promise<Account & { method_id: string }> {
  const as = await addAccount(town.bindings, `buyer${(people += 1)}`)
  return { ...as, method_id: (await addCard(town.bindings, as.userId, digits)).method_id }
}
const key = () => `intent_of_the_test_${String((keys += 1)).padStart(4, '0')}`
const T1 = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const T2 = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const
type Target = typeof T1 | typeof T2 | Record<string, unknown>

const getQuote = async (as: Account, target: Target) =>
  (await town.call(as, previewPurchase, { ...target })).body.data as Quote
const create = (as: Account & { method_id: string }, target: Target, change: Record<string, unknown>) =>
  town.call(as, createPurchase, { ...target, method_id: as.method_id, intent: key(), ...change })
async function buyNow(as: Account & { method_id: string }, target: Target, more = {}) {
  const { quote } = await getQuote(as, target)
  return await create(as, target, { quote, ...more })
}
const listSubscriptions = async (as: Account) =>
  (await town.call(as, getSubscriptions, {}, { uuid: as.userId })).body.data.subscriptions as Subscription[]
const collected = (as: Account) => town.bindings.GATEWAYS.getByName(as.userId).charges()

describe('CALL-12 CALL-13 a purchase', () => {
  test('charges the quoted price and starts the plan immediately', async () => {
    const as = await buyer()
    const quote = await getQuote(as, T2)
    expect(quote).toMatchObject({ subtotal: 9999, tax: 825, total: 10_824, due: 10_824, change: CHANGE_CODES['F-T2'] })
    const { status, body } = await create(as, T2, { quote: quote.quote })
    expect([status, body.code, body.data.state]).toEqual([200, 200, 'done'])
    expect(body.data.order).toMatchObject({ paid: 10_824, sku: 'unlimited', method: { last_four: '4242' } })
    expect(body.data.order.bill).toMatch(/^[0-9A-Z]{10}-1$/)
    const [plan] = await listSubscriptions(as)
    expect(plan).toMatchObject({ sku: 'unlimited', status: 'active', running: true, channel: 'web', revision: 1 })
    expect(plan?.next).toEqual(quote.next)
    expect(await collected(as)).toMatchObject([{ cents: 10_824 }])
  })

  test('happens once per idempotency key, concurrently or repeated, and never for another body', async () => {
    const as = await buyer()
    const { quote } = await getQuote(as, T1)
    const intent = key()
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(as, T1, { quote, intent })))
    const again = await create(as, T1, { quote, intent })
    for (const { body } of answers) expect(body).toEqual(again.body)
    expect(await collected(as)).toHaveLength(1)
    const other = await create(as, { ...T1, quantity: 2 }, { quote, intent })
    expect([other.status, other.body.code]).toEqual([422, 'intent'])
  })

  test('from two tabs buys one plan, and the other tab learns that it exists', async () => {
    const as = await buyer()
    const quotes = await Promise.all([getQuote(as, T1), getQuote(as, T2)])
    const answers = await Promise.all([
      create(as, T1, { quote: quotes[0].quote }),
      create(as, T2, { quote: quotes[1].quote }),
    ])
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    expect(['busy', 'exists', 'quote']).toContain(codes.find((code) => code !== 200))
    expect(await collected(as)).toHaveLength(1)
    expect((await town.call(as, previewPurchase, { ...T1 })).body.code).toBe('exists')
  })

  test.each([
    ['0000', '0000'],
    ['4220', 4220],
    ['4221', 4221],
    ['4223', 4223],
    ['4226', 4226],
  ])('with the card %s is declined, and stays declined for that idempotency key', async (digits, code) => {
    const as = await buyer(digits)
    const { quote } = await getQuote(as, T1)
    const intent = key()
    const first = await create(as, T1, { quote, intent })
    expect([first.status, first.body.code]).toEqual([402, code])
    expect(await create(as, T1, { quote, intent })).toEqual(first)
    expect([await collected(as), await listSubscriptions(as)]).toEqual([[], []])
  })

  test('with a lost gateway response is retried and charged once', async () => {
    const as = await buyer('9999')
    const { body } = await buyNow(as, T1)
    expect(body.data.state).toBe('done')
    expect(await collected(as)).toHaveLength(1)
  })

  test('CALL-10 that takes the bank long can be polled as a task by its account alone', async () => {
    const as = await buyer('2020')
    const { body } = await buyNow(as, T1)
    expect(body.data).toEqual({ state: 'pending', process_id: expect.any(String) })
    const { process_id } = body.data
    const { body: task } = await town.call(as, processTask, { process_id })
    expect(task.data).toMatchObject({ state: 'pending', step: 'asked' })
    expect((await town.call(town.b, processTask, { process_id })).status).toBe(404)
    expect((await buyNow(as, T1)).body.code).toBe('busy')
    await town.bindings.LEDGERS.getByName(as.userId).due(Date.now() + 60_000)
    const { body: done } = await town.call(as, processTask, { process_id })
    expect(done.data).toMatchObject({ state: 'done', order: { order_id: process_id, paid: 324 } })
    expect(await listSubscriptions(as)).toMatchObject([{ sku: 'cam-ai', status: 'active' }])
  })

  test('needs a payment method of the same account unless nothing is due', async () => {
    const as = await buyer()
    const other = await buyer()
    const { quote } = await getQuote(as, T1)
    for (const method_id of [null, other.method_id, 'nobody_has_this'])
      expect((await create(as, T1, { quote, method_id })).body.code).toBe('no_method')
    const trial = await getQuote(as, { ...T1, trial: true })
    expect(trial).toMatchObject({ due: 0, next: null, is_trial: true })
    const { body } = await create(as, T1, { quote: trial.quote, method_id: null })
    expect(body.data.order).toMatchObject({ is_trial: true, bill: '', method: null })
    expect(await listSubscriptions(as)).toMatchObject([{ status: 'trial', next: null }])
    expect(await collected(as)).toEqual([])
  })
})

describe('OPEN-78 OPEN-88 untrusted purchase input', () => {
  test.each([
    ['quantity 0', { ...T1, quantity: 0 }],
    ['quantity 100', { ...T1, quantity: 100 }],
    ['quantity 1.5', { ...T1, quantity: 1.5 }],
    ['quantity x', { ...T1, quantity: 'x' }],
    ['two of a plan for the home', { ...T2, quantity: 2 }],
    ['an unknown plan', { ...T1, sku: 'gold' }],
    ['the free one', { ...T1, sku: 'free', level: 0 }],
    ['another level', { ...T2, level: 1 }],
    ['another period', { ...T1, mode: 'weekly' }],
  ])('%s returns 400', async (_, target) => {
    const as = await buyer()
    const { quote } = await getQuote(as, T1)
    expect((await town.call(as, previewPurchase, target)).status).toBe(400)
    expect((await create(as, target, { quote })).status).toBe(400)
    expect(await collected(as)).toEqual([])
  })

  test('a forged, expired or mismatched quote returns 409 with a new one, another account’s returns 403', async () => {
    const as = await buyer()
    const [small, theirs] = await Promise.all([getQuote(as, T1), getQuote(await buyer(), T2)])
    const body = JSON.parse(atob(small.quote.split('.')[0]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''))
    const cheap = btoa(JSON.stringify({ ...body, terms: { ...body.terms, due: 1, total: 1 } }))
    const forged = `${cheap.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.${small.quote.split('.')[1]}`
    expect((await create(as, T2, { quote: theirs.quote })).status).toBe(403)
    for (const quote of [small.quote, forged, 'nothing']) {
      const { status, body } = await create(as, T2, { quote })
      expect([status, body.code, body.data.due]).toEqual([409, 'quote', 10_824])
    }
    expect(await collected(as)).toEqual([])
  })
})

describe('CALL-14 a plan change', () => {
  test('charges the difference immediately for an upgrade, and nothing for a downgrade until the period ends', async () => {
    const as = await buyer()
    await buyNow(as, T1)
    const [t1] = await listSubscriptions(as)
    const ref = { subscription_id: t1?.subscription_id, revision: t1?.revision }
    const up = await getQuote(as, { ...T2, ...ref })
    expect(up.lines.map(({ kind }) => kind)).toEqual(['plan', 'unused'])
    const paid = { ...T2, ...ref, quote: up.quote, method_id: as.method_id, intent: key() }
    const wrong = await town.call(as, updatePurchase, { ...paid, change: CHANGE_CODES['T1-T3'], intent: key() })
    expect([wrong.status, wrong.body.code]).toEqual([409, 'quote'])
    const { body } = await town.call(as, updatePurchase, { ...paid, change: CHANGE_CODES['T1-T2'] })
    expect(body.data.order).toMatchObject({ paid: up.due, subscription_id: t1?.subscription_id })
    const [t2] = await listSubscriptions(as)
    expect(t2).toMatchObject({ sku: 'unlimited', period: 'annual', revision: (t1?.revision ?? 0) + 1 })
    // Sends the old revision of the plan, as another open tab would.
    const stale = await town.call(as, updatePurchase, { ...paid, change: CHANGE_CODES['T1-T2'], intent: key() })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    const down = { ...T1, subscription_id: t2?.subscription_id, revision: t2?.revision }
    const later = await getQuote(as, down)
    expect(later).toMatchObject({ due: 0, lines: [], is_later: true, starts_at: t2?.renews_at })
    await town.call(as, updatePurchase, { ...down, quote: later.quote, change: 52, method_id: null, intent: key() })
    const scheduled = { sku: 'cam-ai', period: 'monthly', quantity: 1 }
    expect(await listSubscriptions(as)).toMatchObject([{ sku: 'unlimited', scheduled, next: { total: 324 } }])
    const stays = { ...T2, subscription_id: t2?.subscription_id, revision: (t2?.revision ?? 0) + 1 }
    const { quote, change, due } = await getQuote(as, stays)
    await town.call(as, updatePurchase, { ...stays, quote, change, method_id: null, intent: key() })
    expect([change, due, await listSubscriptions(as)]).toMatchObject([51, 0, [{ sku: 'unlimited', scheduled: null }]])
  })

  test('of another account’s plan returns the same 404 as of an unknown plan', async () => {
    const as = await buyer()
    await buyNow(as, T1)
    const [plan] = await listSubscriptions(as)
    const other = await buyer()
    const named = (subscription_id: string) =>
      town.call(other, previewPurchase, { ...T2, subscription_id, revision: plan?.revision })
    expect(await named(plan?.subscription_id ?? '')).toEqual(await named('nobody_has_this'))
    expect((await named(plan?.subscription_id ?? '')).status).toBe(404)
  })
})

describe('CALL-06 license assignment', () => {
  test('covers the cameras named in the purchase and notifies open pages', async () => {
    const { method_id } = await addCard(town.bindings, town.a.userId, '4242')
    const as = { ...town.a, method_id }
    const { url } = await sellFeedTicket(town.bindings, as.userId, Date.now())
    const feed = await openSocket(url, { origin: town.stage.env.PORTAL_ORIGIN })
    await feed.receive((message) => message.type === 'hello')
    await buyNow(as, { ...T1, quantity: 2 }, { cameras: ['door_a', 'door_b'] })
    await feed.receive((message) => message.type === 'access')
    await feed.close()
    const query = { device_macs: ['door_a', 'yard_a'] }
    const { bindings } = (await town.call(as, batchGetBindings, query)).body.data
    expect(bindings).toMatchObject([{ plan: { sku: 'cam-ai', by: 'licence' } }, { plan: null }])
  })

  test('returns a result per camera, and 20 concurrent calls assign the one remaining license once', async () => {
    const [plan] = await listSubscriptions(town.a)
    const assignLicenses = (device_macs: string[]) =>
      town.call(town.a, activate, { subscription_id: plan?.subscription_id, device_macs })
    const cameras = ['yard_a', 'shed_a']
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => assignLicenses([cameras[n % 2] ?? ''])))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    const bound = await assignLicenses(['door_a', ...cameras, 'door_b'])
    expect([bound.status, bound.body.code]).toEqual([200, 4301])
    const why = bound.body.data.devices.map((device: { why: string | null }) => device.why)
    expect(why.toSorted()).toEqual([null, null, 'no_licence', 'not_yours'].toSorted())
    const { results } = await town.bindings.DB.prepare('SELECT device_id FROM bindings').all()
    expect(results).toHaveLength(2)
    expect(
      (await town.call(town.b, activate, { subscription_id: plan?.subscription_id, device_macs: ['door_b'] })).status,
    ).toBe(404)
  })
})

test('CALL-06 a license does not follow its camera into another home, whose owner assigns their own', async () => {
  const { DB, LEDGERS } = town.bindings
  const { method_id } = await addCard(town.bindings, town.b.userId, '4242')
  await town.b.bridge.register('roams')
  await buyNow({ ...town.b, method_id }, T1, { cameras: ['roams'] })
  const [theirs] = (await listSubscriptions(town.b)).filter(({ sku }) => sku === 'cam-ai')
  const listLicenses = async () => (await DB.prepare("SELECT * FROM bindings WHERE device_id = 'roams'").all()).results
  expect(await listLicenses()).toMatchObject([{ subscription_id: theirs?.subscription_id }])
  await town.b.bridge.send('DELETE', '/bridge/v1/cameras/roams')
  await town.a.bridge.send('DELETE', '/bridge/v1/cameras/door_a')
  await LEDGERS.getByName(town.a.userId).setAutoCover({ intent: key(), on: false }, Date.now())
  await town.a.bridge.register('roams')
  await LEDGERS.getByName(town.b.userId).rebuild(Date.now())
  expect(await listLicenses()).toEqual([])
  // Inserts a license assignment as a renewal in an earlier version stored it.
  await DB.prepare("INSERT INTO bindings VALUES ('roams', ?, 1)").bind(theirs?.subscription_id).run()
  const [own] = await listSubscriptions(town.a)
  const request = { subscription_id: own?.subscription_id, device_macs: ['roams'] }
  expect((await town.call(town.a, activate, request)).body.data.devices).toMatchObject([{ bound: true, why: null }])
  expect(await listLicenses()).toMatchObject([{ subscription_id: own?.subscription_id }])
  await LEDGERS.getByName(town.b.userId).rebuild(Date.now())
  expect(await listLicenses()).toMatchObject([{ subscription_id: own?.subscription_id }])
})

test.each([
  ['an account that is removed is charged no more', '4242', 1],
  ['neither by what the bank still thinks about', '2020', 0],
])('%s, and its payment methods are deleted', async (_, digits, charges) => {
  const as = await buyer(digits)
  await buyNow(as, T1)
  const removed = await fetch(`${town.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/buyer${people}@example.com`, {
    method: 'DELETE',
    headers: { authorization: `Admin ${town.stage.env.ADMIN_KEY}` },
  })
  expect(removed.status).toBe(200)
  const ledger = town.bindings.LEDGERS.getByName(as.userId)
  await ledger.due(Date.now() + 60_000)
  await ledger.due(Date.now() + 100 * 86_400_000)
  expect(await collected(as)).toHaveLength(charges)
  const gateway = await town.stage.provider.getWorker().getDurableObjectStorage('GATEWAYS', { name: as.userId })
  expect(await gateway.exec('SELECT token FROM methods')).toEqual([])
  const credit = { code: 'LATE', kind: 'credit', sku: null, value: 100 } as const
  expect(await ledger.useCoupon(key(), credit, Date.now())).toMatchObject({ state: 'refused', code: 404 })
  const method = { type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null, address: [] } as const
  expect(await ledger.addMethod('late', { ...method, token: 'late' }, Date.now())).toMatchObject({ code: 404 })
})
