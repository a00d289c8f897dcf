import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_COUPONS } from '../../../../contract/operator/demo-coupons.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase } from '../../../../contract/billing/purchase.ts'
import { applyCoupon, validateCoupon } from '../../../../contract/billing/coupons.ts'
import { getUserLogName } from '../../../../provider/accounts/activity/logs.ts'
import { holdCoupon, releaseCoupon } from '../../../../provider/billing/coupons/coupon-service.ts'
import { addCoupons, HOLD_DURATION_MS, findHold } from '../../../../provider/billing/coupons/coupon-rows.ts'
import {
  type Account,
  addAccount,
  type CallResponse,
  openNeighborhood,
  type Neighborhood,
} from '../../../support/home.ts'
import { sendCallAsEdge } from '../../../support/provider.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

let neighborhood: Neighborhood
let accountCount = 0

beforeAll(async () => {
  neighborhood = await openNeighborhood()
  await addCoupons(neighborhood.bindings.DB, DEMO_COUPONS)
})
afterAll(() => neighborhood.close())

const createAccount = (): Promise<Account> => addAccount(neighborhood.bindings, `person${(accountCount += 1)}`)
let idempotencyKeyCount = 0
const nextIdempotencyKey = () => `intent_of_the_test_${String((idempotencyKeyCount += 1)).padStart(4, '0')}`
const previewCoupon = (account: Account, code: string) => neighborhood.call(account, validateCoupon, { code })
const redeemCoupon = (account: Account, code: string, option_id: string, intent = nextIdempotencyKey()) =>
  neighborhood.call(account, applyCoupon, { code, option_id, intent })
const summarize = ({ status, body: { code, data } }: CallResponse) => [status, code, data?.reason ?? null]

async function createCoupon(code: string, rules: Record<string, string | number>): Promise<void> {
  await addCoupons(neighborhood.bindings.DB, [{ code, gives: [{ kind: 'credit', sku: null, value: 100 }] }])
  for (const [name, value] of Object.entries(rules))
    await neighborhood.bindings.DB.prepare(`UPDATE coupons SET ${name} = ? WHERE code = ?`).bind(value, code).run()
}

describe('CALL-04 coupon preview', () => {
  test('ignores letter case, lists the changes of each option and consumes nothing', async () => {
    const account = await createAccount()
    for (const code of ['PORCH-GIFT', 'porch-gift', 'Porch-Gift']) {
      const { status, body } = await previewCoupon(account, code)
      expect([status, body.data.code, body.data.until]).toEqual([200, 'PORCH-GIFT', null])
      const [months, credit] = body.data.options
      expect(months).toMatchObject({ kind: 'free_months', sku: 'unlimited', value: 3 })
      expect(months.changes).toContainEqual(expect.objectContaining({ kind: 'free_until', sku: 'unlimited' }))
      expect(credit).toMatchObject({ kind: 'credit', sku: null, value: 2000 })
      expect(credit.changes).toEqual([{ kind: 'waits', amount: 2000 }])
    }
    expect(await findHold(neighborhood.bindings.DB, 'PORCH-GIFT', account.userId)).toBeNull()
  })

  test.each([
    ['WELCOME20', { kind: 'percent', sku: null, value: 20, changes: [] }],
    ['FIVE-OFF', { kind: 'amount', sku: null, value: 500, changes: [] }],
    ['BONUST1', { kind: 'bonus', sku: 'cam-ai', value: 30 }],
  ])('%s has one option', async (code, option) => {
    const { body } = await previewCoupon(await createAccount(), code)
    expect(body.data.options).toHaveLength(1)
    expect(body.data.options[0]).toMatchObject(option)
  })

  test.each([
    ['NO-SUCH-CODE', 4101, null],
    ['E4102', 4102, 'has_plan'],
    ['E4103', 4103, 'new_only'],
    ['E4104', 4104, 'credit'],
    ['E4105', 4105, 'trial'],
    ['E4106', 4106, 'channel'],
    ['E4107', 4107, 'select'],
  ])('%s is rejected with %s', async (code, expected, reason) => {
    expect(summarize(await previewCoupon(await createAccount(), code))).toEqual([409, expected, reason])
  })

  test('checks eligibility against the account’s own data', async () => {
    await createCoupon('OVER', { until: Date.now() - DAY_MS })
    await createCoupon('FOR-PAT', { emails: '["pat@example.com"]' })
    await createCoupon('UNREADABLE-LIST', { emails: '{' })
    const pat = await addAccount(neighborhood.bindings, 'pat')
    const other = await createAccount()
    expect(summarize(await previewCoupon(other, 'OVER'))).toEqual([409, 4101, null])
    expect(summarize(await previewCoupon(other, 'FOR-PAT'))).toEqual([409, 4107, 'select'])
    expect((await previewCoupon(pat, 'for-pat')).status).toBe(200)
    expect(summarize(await previewCoupon(pat, 'UNREADABLE-LIST'))).toEqual([409, 4107, 'select'])
  })
})

describe('CALL-05 coupon redemption', () => {
  test('gives credit once: the same key repeats the response, another body returns 422, another key 4101', async () => {
    const [account, intent] = [await createAccount(), nextIdempotencyKey()]
    const first = await redeemCoupon(account, 'CREDIT20', 'credit', intent)
    expect([first.status, first.body.data.kind, first.body.data.balance]).toEqual([200, 'credit', 2000])
    expect(await redeemCoupon(account, 'CREDIT20', 'credit', intent)).toEqual(first)
    expect(summarize(await redeemCoupon(account, 'BONUST1', 'bonus', intent))).toEqual([422, 'intent', null])
    expect(summarize(await redeemCoupon(account, 'credit20', 'credit'))).toEqual([409, 4101, 'used'])
    expect(summarize(await previewCoupon(account, 'CREDIT20'))).toEqual([409, 4101, 'used'])
    expect(await findHold(neighborhood.bindings.DB, 'CREDIT20', account.userId)).toMatchObject({
      state: 'used',
      intent,
    })
    expect((await previewCoupon(await createAccount(), 'CREDIT20')).status).toBe(200)
  })

  test('gives free months that start immediately', async () => {
    const account = await createAccount()
    const { body } = await redeemCoupon(account, 'FREE3', 'free_months')
    const { subscriptions } = (await neighborhood.call(account, getSubscriptions, {}, { uuid: account.userId })).body
      .data
    expect(subscriptions).toHaveLength(1)
    expect(subscriptions[0]).toMatchObject({
      subscription_id: body.data.subscription_id,
      sku: 'unlimited',
      running: true,
    })
    expect(subscriptions[0].renews_at).toBeGreaterThan(Date.now() + 88 * DAY_MS)
  })

  test('gives a Camera AI bonus, but rejects it for an account with Unlimited', async () => {
    const account = await createAccount()
    expect((await redeemCoupon(account, 'BONUST1', 'bonus')).body.data.kind).toBe('bonus')
    const { subscriptions } = (await neighborhood.call(account, getSubscriptions, {}, { uuid: account.userId })).body
      .data
    expect(subscriptions).toMatchObject([{ sku: 'cam-ai', channel: 'bonus', quantity: 1, running: true }])
    const unlimited = await createAccount()
    await redeemCoupon(unlimited, 'FREE3', 'free_months')
    expect(summarize(await redeemCoupon(unlimited, 'BONUST1', 'bonus'))).toEqual([409, 4102, 'has_plan'])
  })

  test('rejects price discounts and options that the coupon does not have', async () => {
    const account = await createAccount()
    expect((await redeemCoupon(account, 'WELCOME20', 'percent')).status).toBe(400)
    expect((await redeemCoupon(account, 'CREDIT20', 'free_months')).status).toBe(400)
    expect(await findHold(neighborhood.bindings.DB, 'WELCOME20', account.userId)).toBeNull()
  })

  test('happens once despite concurrent requests', async () => {
    const account = await createAccount()
    const answers = await Promise.all(Array.from({ length: 6 }, () => redeemCoupon(account, 'CREDIT20', 'credit')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect(
      (await neighborhood.bindings.LEDGERS.getByName(account.userId).getEligibilityState(Date.now())).balance,
    ).toBe(2000)
  })

  test('gives a single-use coupon to only one of two concurrent accounts', async () => {
    for (let round = 0; round < 5; round++) {
      await createCoupon(`ONLY-ONE-${round}`, { max_uses: 1 })
      const both = await Promise.all([createAccount(), createAccount()])
      const answers = await Promise.all(both.map((account) => redeemCoupon(account, `only-one-${round}`, 'credit')))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const balances = await Promise.all(
        both.map(
          async ({ userId }) =>
            (await neighborhood.bindings.LEDGERS.getByName(userId).getEligibilityState(Date.now())).balance,
        ),
      )
      expect(balances.toSorted((a, b) => a - b)).toEqual([0, 100])
    }
  })
})

test('OPEN-90 one code discounts only one purchase, regardless of how many quotes use it', async () => {
  const account = await createAccount()
  await redeemCoupon(account, 'CREDIT20', 'credit')
  const buildOrder = (sku: string, level: number | string) => ({ sku, level, mode: 'monthly', quantity: 1 })
  const getQuote = async (target: object) =>
    (await neighborhood.call(account, previewPurchase, { ...target, coupon: 'welcome20' })).body.data
  const [home, camera] = [buildOrder('hms', ''), buildOrder('cam-ai', 1)]
  const [first, second] = await Promise.all([getQuote(home), getQuote(camera)])
  expect(first.lines.map(({ kind }: { kind: string }) => kind)).toContain('coupon')
  const buy = (target: object, { quote }: { quote: string }) =>
    neighborhood.call(account, createPurchase, { ...target, quote, intent: nextIdempotencyKey(), method_id: null })
  expect((await buy(home, first)).body.data.state).toBe('done')
  expect(summarize(await buy(camera, second))).toEqual([409, 4101, null])
  expect(summarize(await neighborhood.call(account, previewPurchase, { ...camera, coupon: 'WELCOME20' }))).toEqual([
    409,
    4101,
    'used',
  ])
  expect(await findHold(neighborhood.bindings.DB, 'WELCOME20', account.userId)).toMatchObject({ state: 'used' })
})

test('a redemption coupon cannot discount a price', async () => {
  const target = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1, coupon: 'FREE3' }
  expect((await neighborhood.call(await createAccount(), previewPurchase, target)).status).toBe(400)
})

describe('OPEN-90 single-use coupon', () => {
  test('is held for 15 minutes, then available to others', async () => {
    await createCoupon('HELD', { max_uses: 1 })
    const [a, b, now] = [await createAccount(), await createAccount(), Date.now()]
    const hold = (account: Account, at: number, intent = `of_${account.userId}`) =>
      holdCoupon(neighborhood.bindings, 'held', account.userId, intent, at)
    expect(await hold(a, now)).toBe(true)
    expect(await hold(b, now + HOLD_DURATION_MS - 1)).toBe(false)
    expect(summarize(await redeemCoupon(b, 'HELD', 'credit'))).toEqual([409, 4101, null])
    expect(await hold(a, now + 1, 'of_another_page')).toBe(true)
    await releaseCoupon(neighborhood.bindings, 'HELD', a.userId, `of_${a.userId}`)
    expect(await hold(b, now + HOLD_DURATION_MS)).toBe(false)
    expect(await hold(b, now + HOLD_DURATION_MS + 1)).toBe(true)
    await releaseCoupon(neighborhood.bindings, 'HELD', b.userId, `of_${b.userId}`)
    expect(await hold(a, now + HOLD_DURATION_MS + 2)).toBe(true)
  })

  test('stays used when the ledger has used it but D1 is not updated yet', async () => {
    await createCoupon('LATE', { max_uses: 1 })
    const [a, b] = [await createAccount(), await createAccount()]
    expect((await redeemCoupon(a, 'LATE', 'credit')).status).toBe(200)
    await neighborhood.bindings.DB.prepare(
      "UPDATE coupon_holds SET state = 'held', expires_at = 1 WHERE code = 'LATE'",
    ).run()
    expect(summarize(await redeemCoupon(b, 'LATE', 'credit'))).toEqual([409, 4101, null])
    expect(await findHold(neighborhood.bindings.DB, 'LATE', a.userId)).toMatchObject({ state: 'used' })
  })
})

describe('OPEN-90 coupon guessing', () => {
  test('is blocked for the account after 10 unknown codes; existing codes do not count', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    const guess = (code: string) =>
      sendCallAsEdge(neighborhood.stage.env, validateCoupon, account.token, {
        payload: { code, user_id: account.userId },
      })
    for (let n = 0; n < 9; n++) expect((await guess(`WRONG-${n}`)).status).toBe(409)
    for (let n = 0; n < 5; n++) expect((await guess('CREDIT20')).status).toBe(200)
    const preview = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1, coupon: 'WRONG-9' }
    expect(summarize(await neighborhood.call(account, previewPurchase, preview))).toEqual([409, 4101, null])
    const stopped = await guess('WRONG-10')
    expect(stopped.status).toBe(429)
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(500)
    expect((await guess('CREDIT20')).status).toBe(429)
    expect((await redeemCoupon(account, 'WRONG-11', 'credit')).status).toBe(429)
    expect((await previewCoupon(other, 'CREDIT20')).status).toBe(200)
  })

  test('is not faster with concurrent requests', async () => {
    const account = await createAccount()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => previewCoupon(account, `AT-ONCE-${n}`)))
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
  })
})

test('an account cannot redeem what another account holds, by the same idempotency key or its option', async () => {
  const [a, b, intent] = [await createAccount(), await createAccount(), nextIdempotencyKey()]
  expect((await redeemCoupon(a, 'CREDIT20', 'credit', intent)).body.data.balance).toBe(2000)
  expect((await redeemCoupon(b, 'BONUST1', 'bonus', intent)).body.data).toMatchObject({ kind: 'bonus', balance: 0 })
  const stranger = await neighborhood.call({ ...a, token: b.token }, applyCoupon, {
    code: 'FREE3',
    option_id: 'free_months',
    intent: nextIdempotencyKey(),
    user_id: a.userId,
  })
  expect(stranger.status).toBe(403)
})

test('no coupon code is printed or logged', async () => {
  const account = await createAccount()
  await createCoupon('CANARY-CODE', {})
  await previewCoupon(account, 'CANARY-CODE')
  await redeemCoupon(account, 'CANARY-CODE', 'credit')
  await previewCoupon(account, 'CANARY-WRONG')
  await addCoupons(neighborhood.bindings.DB, [
    { code: 'CANARY-OFF', gives: [{ kind: 'percent', sku: null, value: 20 }] },
  ])
  const target = { sku: 'hms', level: '', mode: 'monthly', quantity: 1 }
  const previewPrice = (coupon: string) => neighborhood.call(account, previewPurchase, { ...target, coupon })
  const { quote } = (await previewPrice('CANARY-OFF')).body.data
  await previewPrice('CANARY-NONE')
  await neighborhood.call(account, createPurchase, { ...target, quote, intent: nextIdempotencyKey(), method_id: null })
  await neighborhood.bindings.DB.prepare('ALTER TABLE coupons RENAME TO away_coupons').run()
  expect((await previewCoupon(account, 'CANARY-CODE')).status).toBe(500)
  await neighborhood.bindings.DB.prepare('ALTER TABLE away_coupons RENAME TO coupons').run()
  const log = neighborhood.bindings.ACTIVITY.getByName(getUserLogName(account.userId))
  const entries = await log.list({ kinds: null, before: null, limit: 1000 }, Date.now())
  const { results } = await neighborhood.bindings.DB.prepare('SELECT * FROM error_reports').all()
  const printed = neighborhood.stage.provider.outputLines.join('\n')
  expect(printed).toContain('coupons')
  expect(`${printed} ${JSON.stringify([entries, results])}`).not.toMatch(/canary/i)
})
