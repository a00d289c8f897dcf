import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_COUPONS } from '../../../../contract/operator/demo-coupons.ts'
import { getSubscriptions } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase } from '../../../../contract/billing/purchase.ts'
import { processRedeem, redeem } from '../../../../contract/billing/coupons.ts'
import { userLog } from '../../../../provider/accounts/activity/logs.ts'
import { holdCoupon, releaseCoupon } from '../../../../provider/billing/coupons/coupon-service.ts'
import { addCoupons, HOLD_MS, findHold } from '../../../../provider/billing/coupons/coupon-rows.ts'
import { type Account, addAccount, type Answer, openNeighborhood, type Neighborhood } from '../../../support/home.ts'
import { send } from '../../../support/provider.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

let town: Neighborhood
let people = 0

beforeAll(async () => {
  town = await openNeighborhood()
  await addCoupons(town.bindings.DB, DEMO_COUPONS)
})
afterAll(() => town.close())

const somebody = (): Promise<Account> => addAccount(town.bindings, `person${(people += 1)}`)
let keys = 0
const key = () => `intent_of_the_test_${String((keys += 1)).padStart(4, '0')}`
const previewCoupon = (as: Account, code: string) => town.call(as, redeem, { code })
const use = (as: Account, code: string, option_id: string, intent = key()) =>
  town.call(as, processRedeem, { code, option_id, intent })
const summarize = ({ status, body: { code, data } }: Answer) => [status, code, data?.reason ?? null]

async function makeCoupon(code: string, rules: Record<string, string | number>): Promise<void> {
  await addCoupons(town.bindings.DB, [{ code, gives: [{ kind: 'credit', sku: null, value: 100 }] }])
  for (const [name, value] of Object.entries(rules))
    await town.bindings.DB.prepare(`UPDATE coupons SET ${name} = ? WHERE code = ?`).bind(value, code).run()
}

describe('CALL-04 coupon preview', () => {
  test('ignores letter case, lists the changes of each option and consumes nothing', async () => {
    const as = await somebody()
    for (const code of ['PORCH-GIFT', 'porch-gift', 'Porch-Gift']) {
      const { status, body } = await previewCoupon(as, code)
      expect([status, body.data.code, body.data.until]).toEqual([200, 'PORCH-GIFT', null])
      const [months, credit] = body.data.options
      expect(months).toMatchObject({ kind: 'free_months', sku: 'unlimited', value: 3 })
      expect(months.changes).toContainEqual(expect.objectContaining({ kind: 'free_until', sku: 'unlimited' }))
      expect(credit).toMatchObject({ kind: 'credit', sku: null, value: 2000 })
      expect(credit.changes).toEqual([{ kind: 'waits', amount: 2000 }])
    }
    expect(await findHold(town.bindings.DB, 'PORCH-GIFT', as.userId)).toBeNull()
  })

  test.each([
    ['WELCOME20', { kind: 'percent', sku: null, value: 20, changes: [] }],
    ['FIVE-OFF', { kind: 'amount', sku: null, value: 500, changes: [] }],
    ['BONUST1', { kind: 'bonus', sku: 'cam-ai', value: 30 }],
  ])('%s has one option', async (code, option) => {
    const { body } = await previewCoupon(await somebody(), code)
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
    expect(summarize(await previewCoupon(await somebody(), code))).toEqual([409, expected, reason])
  })

  test('checks eligibility against the account’s own data', async () => {
    await makeCoupon('OVER', { until: Date.now() - DAY_MS })
    await makeCoupon('FOR-PAT', { emails: '["pat@example.com"]' })
    await makeCoupon('UNREADABLE-LIST', { emails: '{' })
    const pat = await addAccount(town.bindings, 'pat')
    const other = await somebody()
    expect(summarize(await previewCoupon(other, 'OVER'))).toEqual([409, 4101, null])
    expect(summarize(await previewCoupon(other, 'FOR-PAT'))).toEqual([409, 4107, 'select'])
    expect((await previewCoupon(pat, 'for-pat')).status).toBe(200)
    expect(summarize(await previewCoupon(pat, 'UNREADABLE-LIST'))).toEqual([409, 4107, 'select'])
  })
})

describe('CALL-05 coupon redemption', () => {
  test('gives credit once: the same key repeats the response, another body returns 422, another key 4101', async () => {
    const [as, intent] = [await somebody(), key()]
    const first = await use(as, 'CREDIT20', 'credit', intent)
    expect([first.status, first.body.data.kind, first.body.data.balance]).toEqual([200, 'credit', 2000])
    expect(await use(as, 'CREDIT20', 'credit', intent)).toEqual(first)
    expect(summarize(await use(as, 'BONUST1', 'bonus', intent))).toEqual([422, 'intent', null])
    expect(summarize(await use(as, 'credit20', 'credit'))).toEqual([409, 4101, 'used'])
    expect(summarize(await previewCoupon(as, 'CREDIT20'))).toEqual([409, 4101, 'used'])
    expect(await findHold(town.bindings.DB, 'CREDIT20', as.userId)).toMatchObject({ state: 'used', intent })
    expect((await previewCoupon(await somebody(), 'CREDIT20')).status).toBe(200)
  })

  test('gives free months that start immediately', async () => {
    const as = await somebody()
    const { body } = await use(as, 'FREE3', 'free_months')
    const { subscriptions } = (await town.call(as, getSubscriptions, {}, { uuid: as.userId })).body.data
    expect(subscriptions).toHaveLength(1)
    expect(subscriptions[0]).toMatchObject({
      ...{ subscription_id: body.data.subscription_id, sku: 'unlimited', running: true },
    })
    expect(subscriptions[0].renews_at).toBeGreaterThan(Date.now() + 88 * DAY_MS)
  })

  test('gives a Camera AI bonus, but rejects it for an account with Unlimited', async () => {
    const as = await somebody()
    expect((await use(as, 'BONUST1', 'bonus')).body.data.kind).toBe('bonus')
    const { subscriptions } = (await town.call(as, getSubscriptions, {}, { uuid: as.userId })).body.data
    expect(subscriptions).toMatchObject([{ sku: 'cam-ai', channel: 'bonus', quantity: 1, running: true }])
    const unlimited = await somebody()
    await use(unlimited, 'FREE3', 'free_months')
    expect(summarize(await use(unlimited, 'BONUST1', 'bonus'))).toEqual([409, 4102, 'has_plan'])
  })

  test('rejects price discounts and options that the coupon does not have', async () => {
    const as = await somebody()
    expect((await use(as, 'WELCOME20', 'percent')).status).toBe(400)
    expect((await use(as, 'CREDIT20', 'free_months')).status).toBe(400)
    expect(await findHold(town.bindings.DB, 'WELCOME20', as.userId)).toBeNull()
  })

  test('happens once despite concurrent requests', async () => {
    const as = await somebody()
    const answers = await Promise.all(Array.from({ length: 6 }, () => use(as, 'CREDIT20', 'credit')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    expect((await town.bindings.LEDGERS.getByName(as.userId).state(Date.now())).balance).toBe(2000)
  })

  test('gives a single-use coupon to only one of two concurrent accounts', async () => {
    for (let round = 0; round < 5; round++) {
      await makeCoupon(`ONLY-ONE-${round}`, { max_uses: 1 })
      const both = await Promise.all([somebody(), somebody()])
      const answers = await Promise.all(both.map((as) => use(as, `only-one-${round}`, 'credit')))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
      const balances = await Promise.all(
        both.map(async ({ userId }) => (await town.bindings.LEDGERS.getByName(userId).state(Date.now())).balance),
      )
      expect(balances.toSorted((a, b) => a - b)).toEqual([0, 100])
    }
  })
})

test('OPEN-90 one code discounts only one purchase, regardless of how many quotes use it', async () => {
  const as = await somebody()
  await use(as, 'CREDIT20', 'credit')
  const buildOrder = (sku: string, level: number | string) => ({ sku, level, mode: 'monthly', quantity: 1 })
  const quoted = async (target: object) =>
    (await town.call(as, previewPurchase, { ...target, coupon: 'welcome20' })).body.data
  const [home, camera] = [buildOrder('hms', ''), buildOrder('cam-ai', 1)]
  const [first, second] = await Promise.all([quoted(home), quoted(camera)])
  expect(first.lines.map(({ kind }: { kind: string }) => kind)).toContain('coupon')
  const buy = (target: object, { quote }: { quote: string }) =>
    town.call(as, createPurchase, { ...target, quote, intent: key(), method_id: null })
  expect((await buy(home, first)).body.data.state).toBe('done')
  expect(summarize(await buy(camera, second))).toEqual([409, 4101, null])
  expect(summarize(await town.call(as, previewPurchase, { ...camera, coupon: 'WELCOME20' }))).toEqual([
    409,
    4101,
    'used',
  ])
  expect(await findHold(town.bindings.DB, 'WELCOME20', as.userId)).toMatchObject({ state: 'used' })
})

test('a redemption coupon cannot discount a price', async () => {
  const target = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1, coupon: 'FREE3' }
  expect((await town.call(await somebody(), previewPurchase, target)).status).toBe(400)
})

describe('OPEN-90 single-use coupon', () => {
  test('is held for 15 minutes, then available to others', async () => {
    await makeCoupon('HELD', { max_uses: 1 })
    const [a, b, now] = [await somebody(), await somebody(), Date.now()]
    const hold = (as: Account, at: number, intent = `of_${as.userId}`) =>
      holdCoupon(town.bindings, 'held', as.userId, intent, at)
    expect(await hold(a, now)).toBe(true)
    expect(await hold(b, now + HOLD_MS - 1)).toBe(false)
    expect(summarize(await use(b, 'HELD', 'credit'))).toEqual([409, 4101, null])
    expect(await hold(a, now + 1, 'of_another_page')).toBe(true)
    await releaseCoupon(town.bindings, 'HELD', a.userId, `of_${a.userId}`)
    expect(await hold(b, now + HOLD_MS)).toBe(false)
    expect(await hold(b, now + HOLD_MS + 1)).toBe(true)
    await releaseCoupon(town.bindings, 'HELD', b.userId, `of_${b.userId}`)
    expect(await hold(a, now + HOLD_MS + 2)).toBe(true)
  })

  test('stays used when the ledger has used it but D1 is not updated yet', async () => {
    await makeCoupon('LATE', { max_uses: 1 })
    const [a, b] = [await somebody(), await somebody()]
    expect((await use(a, 'LATE', 'credit')).status).toBe(200)
    await town.bindings.DB.prepare("UPDATE coupon_holds SET state = 'held', expires_at = 1 WHERE code = 'LATE'").run()
    expect(summarize(await use(b, 'LATE', 'credit'))).toEqual([409, 4101, null])
    expect(await findHold(town.bindings.DB, 'LATE', a.userId)).toMatchObject({ state: 'used' })
  })
})

describe('OPEN-90 coupon guessing', () => {
  test('is blocked for the account after 10 unknown codes; existing codes do not count', async () => {
    const [as, other] = [await somebody(), await somebody()]
    const guess = (code: string) => send(town.stage.env, redeem, as.token, { payload: { code, user_id: as.userId } })
    for (let n = 0; n < 9; n++) expect((await guess(`WRONG-${n}`)).status).toBe(409)
    for (let n = 0; n < 5; n++) expect((await guess('CREDIT20')).status).toBe(200)
    const preview = { sku: 'unlimited', level: 2, mode: 'monthly', quantity: 1, coupon: 'WRONG-9' }
    expect(summarize(await town.call(as, previewPurchase, preview))).toEqual([409, 4101, null])
    const stopped = await guess('WRONG-10')
    expect(stopped.status).toBe(429)
    expect(Number(stopped.headers.get('retry-after'))).toBeGreaterThan(500)
    expect((await guess('CREDIT20')).status).toBe(429)
    expect((await use(as, 'WRONG-11', 'credit')).status).toBe(429)
    expect((await previewCoupon(other, 'CREDIT20')).status).toBe(200)
  })

  test('is not faster with concurrent requests', async () => {
    const as = await somebody()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => previewCoupon(as, `AT-ONCE-${n}`)))
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10)
  })
})

test('an account cannot redeem what another account holds, by the same idempotency key or its option', async () => {
  const [a, b, intent] = [await somebody(), await somebody(), key()]
  expect((await use(a, 'CREDIT20', 'credit', intent)).body.data.balance).toBe(2000)
  expect((await use(b, 'BONUST1', 'bonus', intent)).body.data).toMatchObject({ kind: 'bonus', balance: 0 })
  const stranger = await town.call({ ...a, token: b.token }, processRedeem, {
    ...{ code: 'FREE3', option_id: 'free_months', intent: key(), user_id: a.userId },
  })
  expect(stranger.status).toBe(403)
})

test('no coupon code is printed or logged', async () => {
  const as = await somebody()
  await makeCoupon('CANARY-CODE', {})
  await previewCoupon(as, 'CANARY-CODE')
  await use(as, 'CANARY-CODE', 'credit')
  await previewCoupon(as, 'CANARY-WRONG')
  await addCoupons(town.bindings.DB, [{ code: 'CANARY-OFF', gives: [{ kind: 'percent', sku: null, value: 20 }] }])
  const target = { sku: 'hms', level: '', mode: 'monthly', quantity: 1 }
  const previewed = (coupon: string) => town.call(as, previewPurchase, { ...target, coupon })
  const { quote } = (await previewed('CANARY-OFF')).body.data
  await previewed('CANARY-NONE')
  await town.call(as, createPurchase, { ...target, quote, intent: key(), method_id: null })
  await town.bindings.DB.prepare('ALTER TABLE coupons RENAME TO away_coupons').run()
  expect((await previewCoupon(as, 'CANARY-CODE')).status).toBe(500)
  await town.bindings.DB.prepare('ALTER TABLE away_coupons RENAME TO coupons').run()
  const log = town.bindings.ACTIVITY.getByName(userLog(as.userId))
  const entries = await log.list({ kinds: null, before: null, limit: 1000 }, Date.now())
  const { results } = await town.bindings.DB.prepare('SELECT * FROM error_reports').all()
  const printed = town.stage.provider.printed.join('\n')
  expect(printed).toContain('coupons')
  expect(`${printed} ${JSON.stringify([entries, results])}`).not.toMatch(/canary/i)
})
