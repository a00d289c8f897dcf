import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { CHANGE_CODES } from '../../../../contract/billing/change-codes.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import {
  createPurchase,
  previewPurchase,
  getPurchaseTask,
  type Quote,
  updatePurchase,
} from '../../../../contract/billing/purchase.ts'
import { type Account, addAccount, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { addCard } from '../../../support/cards.ts'

let neighborhood: Neighborhood
let accountCount = 0
let idempotencyKeyCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await neighborhood.bindings.DB.exec('DELETE FROM subscriptions')
})
afterAll(() => neighborhood.close())

async function createBuyer(digits = '4242'): Promise<Account & { method_id: string }> {
  const account = await addAccount(neighborhood.bindings, `buyer${(accountCount += 1)}`)
  return { ...account, method_id: (await addCard(neighborhood.bindings, account.userId, digits)).method_id }
}
const nextIdempotencyKey = () => `intent_of_the_test_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`
const CAM_AI_MONTHLY = { sku: 'cam-ai', level: 1, mode: 'monthly', quantity: 1 } as const
const UNLIMITED_ANNUAL = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 } as const
type PurchaseTarget = typeof CAM_AI_MONTHLY | typeof UNLIMITED_ANNUAL | Record<string, unknown>

const getQuote = async (account: Account, target: PurchaseTarget) =>
  (await neighborhood.call(account, previewPurchase, { ...target })).body.data as Quote
const sendPurchase = (
  account: Account & { method_id: string },
  target: PurchaseTarget,
  change: Record<string, unknown>,
) =>
  neighborhood.call(account, createPurchase, {
    ...target,
    method_id: account.method_id,
    intent: nextIdempotencyKey(),
    ...change,
  })
async function buy(account: Account & { method_id: string }, target: PurchaseTarget, extraFields = {}) {
  const { quote } = await getQuote(account, target)
  return await sendPurchase(account, target, { quote, ...extraFields })
}
const listSubscriptions = async (account: Account) =>
  (await neighborhood.call(account, getSubscriptions, {}, { uuid: account.userId })).body.data
    .subscriptions as Subscription[]
const listCharges = (account: Account) => neighborhood.bindings.GATEWAYS.getByName(account.userId).listCharges()

describe('CALL-12 CALL-13 a purchase', () => {
  test('charges the quoted price and starts the plan immediately', async () => {
    const account = await createBuyer()
    const quote = await getQuote(account, UNLIMITED_ANNUAL)
    expect(quote).toMatchObject({ subtotal: 9999, tax: 825, total: 10_824, due: 10_824, change: CHANGE_CODES['F-T2'] })
    const { status, body } = await sendPurchase(account, UNLIMITED_ANNUAL, { quote: quote.quote })
    expect([status, body.code, body.data.state]).toEqual([200, 200, 'done'])
    expect(body.data.order).toMatchObject({ paid: 10_824, sku: 'unlimited', method: { last_four: '4242' } })
    expect(body.data.order.bill).toMatch(/^[0-9A-Z]{10}-1$/)
    const [plan] = await listSubscriptions(account)
    expect(plan).toMatchObject({ sku: 'unlimited', status: 'active', running: true, channel: 'web', revision: 1 })
    expect(plan?.next).toEqual(quote.next)
    expect(await listCharges(account)).toMatchObject([{ cents: 10_824 }])
  })

  test('happens once per idempotency key, concurrently or repeated, and never for another body', async () => {
    const account = await createBuyer()
    const { quote } = await getQuote(account, CAM_AI_MONTHLY)
    const intent = nextIdempotencyKey()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => sendPurchase(account, CAM_AI_MONTHLY, { quote, intent })),
    )
    const again = await sendPurchase(account, CAM_AI_MONTHLY, { quote, intent })
    for (const { body } of answers) expect(body).toEqual(again.body)
    expect(await listCharges(account)).toHaveLength(1)
    const other = await sendPurchase(account, { ...CAM_AI_MONTHLY, quantity: 2 }, { quote, intent })
    expect([other.status, other.body.code]).toEqual([422, 'intent'])
  })

  test('from two tabs buys one plan, and the other tab learns that it exists', async () => {
    const account = await createBuyer()
    const quotes = await Promise.all([getQuote(account, CAM_AI_MONTHLY), getQuote(account, UNLIMITED_ANNUAL)])
    const answers = await Promise.all([
      sendPurchase(account, CAM_AI_MONTHLY, { quote: quotes[0].quote }),
      sendPurchase(account, UNLIMITED_ANNUAL, { quote: quotes[1].quote }),
    ])
    const codes = answers.map(({ body }) => body.code)
    expect(codes.filter((code) => code === 200)).toHaveLength(1)
    expect(['busy', 'exists', 'quote']).toContain(codes.find((code) => code !== 200))
    expect(await listCharges(account)).toHaveLength(1)
    expect((await neighborhood.call(account, previewPurchase, { ...CAM_AI_MONTHLY })).body.code).toBe('exists')
  })

  test.each([
    ['0000', '0000'],
    ['4220', 4220],
    ['4221', 4221],
    ['4223', 4223],
    ['4226', 4226],
  ])('with the card %s is declined, and stays declined for that idempotency key', async (digits, code) => {
    const account = await createBuyer(digits)
    const { quote } = await getQuote(account, CAM_AI_MONTHLY)
    const intent = nextIdempotencyKey()
    const first = await sendPurchase(account, CAM_AI_MONTHLY, { quote, intent })
    expect([first.status, first.body.code]).toEqual([402, code])
    expect(await sendPurchase(account, CAM_AI_MONTHLY, { quote, intent })).toEqual(first)
    expect([await listCharges(account), await listSubscriptions(account)]).toEqual([[], []])
  })

  test('with a lost gateway response is retried and charged once', async () => {
    const account = await createBuyer('9999')
    const { body } = await buy(account, CAM_AI_MONTHLY)
    expect(body.data.state).toBe('done')
    expect(await listCharges(account)).toHaveLength(1)
  })

  test('CALL-10 that takes the bank long can be polled as a task by its account alone', async () => {
    const account = await createBuyer('2020')
    const { body } = await buy(account, CAM_AI_MONTHLY)
    expect(body.data).toEqual({ state: 'pending', process_id: expect.any(String) })
    const { process_id } = body.data
    const { body: task } = await neighborhood.call(account, getPurchaseTask, { process_id })
    expect(task.data).toMatchObject({ state: 'pending', step: 'asked' })
    expect((await neighborhood.call(neighborhood.b, getPurchaseTask, { process_id })).status).toBe(404)
    expect((await buy(account, CAM_AI_MONTHLY)).body.code).toBe('busy')
    await neighborhood.bindings.LEDGERS.getByName(account.userId).processDue(Date.now() + 60_000)
    const { body: done } = await neighborhood.call(account, getPurchaseTask, { process_id })
    expect(done.data).toMatchObject({ state: 'done', order: { order_id: process_id, paid: 324 } })
    expect(await listSubscriptions(account)).toMatchObject([{ sku: 'cam-ai', status: 'active' }])
  })

  test('needs a payment method of the same account unless nothing is due', async () => {
    const account = await createBuyer()
    const other = await createBuyer()
    const { quote } = await getQuote(account, CAM_AI_MONTHLY)
    for (const method_id of [null, other.method_id, 'nobody_has_this'])
      expect((await sendPurchase(account, CAM_AI_MONTHLY, { quote, method_id })).body.code).toBe('no_method')
    const trial = await getQuote(account, { ...CAM_AI_MONTHLY, trial: true })
    expect(trial).toMatchObject({ due: 0, next: null, is_trial: true })
    const { body } = await sendPurchase(account, CAM_AI_MONTHLY, { quote: trial.quote, method_id: null })
    expect(body.data.order).toMatchObject({ is_trial: true, bill: '', method: null })
    expect(await listSubscriptions(account)).toMatchObject([{ status: 'trial', next: null }])
    expect(await listCharges(account)).toEqual([])
  })
})

describe('OPEN-78 OPEN-88 untrusted purchase input', () => {
  test.each([
    ['quantity 0', { ...CAM_AI_MONTHLY, quantity: 0 }],
    ['quantity 100', { ...CAM_AI_MONTHLY, quantity: 100 }],
    ['quantity 1.5', { ...CAM_AI_MONTHLY, quantity: 1.5 }],
    ['quantity x', { ...CAM_AI_MONTHLY, quantity: 'x' }],
    ['two of a plan for the home', { ...UNLIMITED_ANNUAL, quantity: 2 }],
    ['an unknown plan', { ...CAM_AI_MONTHLY, sku: 'gold' }],
    ['the free plan', { ...CAM_AI_MONTHLY, sku: 'free', level: 0 }],
    ['another level', { ...UNLIMITED_ANNUAL, level: 1 }],
    ['another period', { ...CAM_AI_MONTHLY, mode: 'weekly' }],
  ])('%s returns 400', async (_, target) => {
    const account = await createBuyer()
    const { quote } = await getQuote(account, CAM_AI_MONTHLY)
    expect((await neighborhood.call(account, previewPurchase, target)).status).toBe(400)
    expect((await sendPurchase(account, target, { quote })).status).toBe(400)
    expect(await listCharges(account)).toEqual([])
  })

  test('a forged, expired or mismatched quote returns 409 with a new one, another account’s returns 403', async () => {
    const account = await createBuyer()
    const [small, theirs] = await Promise.all([
      getQuote(account, CAM_AI_MONTHLY),
      getQuote(await createBuyer(), UNLIMITED_ANNUAL),
    ])
    const body = JSON.parse(atob(small.quote.split('.')[0]?.replaceAll('-', '+').replaceAll('_', '/') ?? ''))
    const cheap = btoa(JSON.stringify({ ...body, terms: { ...body.terms, due: 1, total: 1 } }))
    const forged = `${cheap.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.${small.quote.split('.')[1]}`
    expect((await sendPurchase(account, UNLIMITED_ANNUAL, { quote: theirs.quote })).status).toBe(403)
    for (const quote of [small.quote, forged, 'nothing']) {
      const { status, body } = await sendPurchase(account, UNLIMITED_ANNUAL, { quote })
      expect([status, body.code, body.data.due]).toEqual([409, 'quote', 10_824])
    }
    expect(await listCharges(account)).toEqual([])
  })
})

describe('CALL-14 a plan change', () => {
  test('charges the difference immediately for an upgrade, and nothing for a downgrade until the period ends', async () => {
    const account = await createBuyer()
    await buy(account, CAM_AI_MONTHLY)
    const [cameraPlan] = await listSubscriptions(account)
    const planVersion = { subscription_id: cameraPlan?.subscription_id, revision: cameraPlan?.revision }
    const up = await getQuote(account, { ...UNLIMITED_ANNUAL, ...planVersion })
    expect(up.lines.map(({ kind }) => kind)).toEqual(['plan', 'unused'])
    const paid = {
      ...UNLIMITED_ANNUAL,
      ...planVersion,
      quote: up.quote,
      method_id: account.method_id,
      intent: nextIdempotencyKey(),
    }
    const wrong = await neighborhood.call(account, updatePurchase, {
      ...paid,
      change: CHANGE_CODES['T1-T3'],
      intent: nextIdempotencyKey(),
    })
    expect([wrong.status, wrong.body.code]).toEqual([409, 'quote'])
    const { body } = await neighborhood.call(account, updatePurchase, { ...paid, change: CHANGE_CODES['T1-T2'] })
    expect(body.data.order).toMatchObject({ paid: up.due, subscription_id: cameraPlan?.subscription_id })
    const [homePlan] = await listSubscriptions(account)
    expect(homePlan).toMatchObject({ sku: 'unlimited', period: 'annual', revision: (cameraPlan?.revision ?? 0) + 1 })
    // Sends the old revision of the plan, as another open tab would.
    const stale = await neighborhood.call(account, updatePurchase, {
      ...paid,
      change: CHANGE_CODES['T1-T2'],
      intent: nextIdempotencyKey(),
    })
    expect([stale.status, stale.body.code]).toEqual([409, 'stale'])
    const down = { ...CAM_AI_MONTHLY, subscription_id: homePlan?.subscription_id, revision: homePlan?.revision }
    const later = await getQuote(account, down)
    expect(later).toMatchObject({ due: 0, lines: [], is_later: true, starts_at: homePlan?.renews_at })
    await neighborhood.call(account, updatePurchase, {
      ...down,
      quote: later.quote,
      change: 52,
      method_id: null,
      intent: nextIdempotencyKey(),
    })
    const scheduled = { sku: 'cam-ai', period: 'monthly', quantity: 1 }
    expect(await listSubscriptions(account)).toMatchObject([{ sku: 'unlimited', scheduled, next: { total: 324 } }])
    const keptPlan = {
      ...UNLIMITED_ANNUAL,
      subscription_id: homePlan?.subscription_id,
      revision: (homePlan?.revision ?? 0) + 1,
    }
    const { quote, change, due } = await getQuote(account, keptPlan)
    await neighborhood.call(account, updatePurchase, {
      ...keptPlan,
      quote,
      change,
      method_id: null,
      intent: nextIdempotencyKey(),
    })
    expect([change, due, await listSubscriptions(account)]).toMatchObject([
      51,
      0,
      [{ sku: 'unlimited', scheduled: null }],
    ])
  })

  test('of another account’s plan returns the same 404 as of an unknown plan', async () => {
    const account = await createBuyer()
    await buy(account, CAM_AI_MONTHLY)
    const [plan] = await listSubscriptions(account)
    const other = await createBuyer()
    const previewChange = (subscription_id: string) =>
      neighborhood.call(other, previewPurchase, { ...UNLIMITED_ANNUAL, subscription_id, revision: plan?.revision })
    expect(await previewChange(plan?.subscription_id ?? '')).toEqual(await previewChange('nobody_has_this'))
    expect((await previewChange(plan?.subscription_id ?? '')).status).toBe(404)
  })
})

test.each([
  ['a removed account is not charged again', '4242', 1],
  ['a removed account is not charged for a pending purchase', '2020', 0],
])('%s, and its payment methods are deleted', async (_, digits, charges) => {
  const account = await createBuyer(digits)
  await buy(account, CAM_AI_MONTHLY)
  const removed = await fetch(
    `${neighborhood.stage.env.PROVIDER_ORIGIN}${ADMIN_PATHS.accounts}/buyer${accountCount}@example.com`,
    {
      method: 'DELETE',
      headers: { authorization: `Admin ${neighborhood.stage.env.ADMIN_KEY}` },
    },
  )
  expect(removed.status).toBe(200)
  const ledger = neighborhood.bindings.LEDGERS.getByName(account.userId)
  await ledger.processDue(Date.now() + 60_000)
  await ledger.processDue(Date.now() + 100 * 86_400_000)
  expect(await listCharges(account)).toHaveLength(charges)
  const gateway = await neighborhood.stage.provider
    .getWorker()
    .getDurableObjectStorage('GATEWAYS', { name: account.userId })
  expect(await gateway.exec('SELECT token FROM methods')).toEqual([])
  const credit = { code: 'LATE', kind: 'credit', sku: null, value: 100 } as const
  expect(await ledger.useCoupon(nextIdempotencyKey(), credit, Date.now())).toMatchObject({
    state: 'refused',
    code: 404,
  })
  const method = { type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null, address: [] } as const
  expect(await ledger.addMethod('late', { ...method, token: 'late' }, Date.now())).toMatchObject({ code: 404 })
})
