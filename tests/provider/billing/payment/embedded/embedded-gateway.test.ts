import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SLOW_ANSWER_MS, TEST_CARDS } from '../../../../../contract/billing/test-cards.ts'
import type { Env } from '../../../../../provider/env.ts'
import { CARD_PAGE_MS } from '../../../../../provider/billing/payment/embedded/card-sessions.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import {
  GatewayDown,
  type ChargeRequest,
  type Gateway,
  type GatewayMethod,
} from '../../../../../provider/billing/payment/gateway-interface.ts'
import { gatewayIn, createCardToken } from '../../../../support/card.ts'
import { openCard, readReturnProof, submitCard, typeCard } from '../../../../support/card-form.ts'
import { openStage, type Stage } from '../../../../support/harness.ts'
import { Visitor } from '../../../../support/visitor.ts'

const ACCOUNT = 'user_gateway'
const NOW = Date.now()
let stage: Stage
let gateway: Gateway
let keys = 0

beforeAll(async () => {
  stage = await openStage()
  gateway = await gatewayIn(stage)
})
afterAll(() => stage.close())

const token = (number: string) => createCardToken(stage, new Visitor(stage.env.PORTAL_ORIGIN), ACCOUNT, number)
const buildChargeRequest = (of: string, cents = 1000): ChargeRequest => ({
  ...{ key: `key_${(keys += 1)}`, account: ACCOUNT, token: of, cents, currency: 'USD' },
})
const findCardNumber = (outcome: string) => TEST_CARDS.find((card) => card.outcome === outcome)?.number ?? ''

describe('embedded gateway charge', () => {
  test('is authorized, captured and refunded once, however often the same keys repeat the calls', async () => {
    const ask = buildChargeRequest(await token(findCardNumber('pays')))
    const first = await gateway.authorize(ask, NOW)
    expect(first).toEqual({ state: 'authorised', authorisation: expect.any(String) })
    expect(await gateway.authorize(ask, NOW + 5)).toEqual(first)
    expect(await gateway.charges(ACCOUNT)).not.toContainEqual(expect.objectContaining({ key: ask.key }))
    const captured = await gateway.capture(ACCOUNT, ask.key, NOW + 10)
    expect(await gateway.capture(ACCOUNT, ask.key, NOW + 20)).toEqual(captured)
    const refund = await gateway.refund(ACCOUNT, ask.key, 'refund_1', 400, NOW + 30)
    expect(await gateway.refund(ACCOUNT, ask.key, 'refund_1', 400, NOW + 40)).toEqual(refund)
    const charge = { key: ask.key, charge: captured.charge, cents: 1000, currency: 'USD', refunded: 400, at: NOW + 10 }
    expect(await gateway.charges(ACCOUNT)).toContainEqual(charge)
    await expect(gateway.refund(ACCOUNT, ask.key, 'refund_2', 601, NOW)).rejects.toThrow(GatewayDown)
    await gateway.refund(ACCOUNT, ask.key, 'refund_3', 600, NOW)
    expect(await gateway.charges(ACCOUNT)).toContainEqual({ ...charge, refunded: 1000 })
  })

  test('is not visible to another account', async () => {
    const ask = buildChargeRequest(await token(findCardNumber('pays')))
    await gateway.authorize(ask, NOW)
    await expect(gateway.capture('user_other', ask.key, NOW)).rejects.toThrow(GatewayDown)
    expect(await gateway.authorize({ ...ask, account: 'user_other' }, NOW)).toMatchObject({ code: '4226' })
    expect(await gateway.charges('user_other')).toEqual([])
  })

  test.each(['0000', '4220', '4221', '4222', '4223', '4225', '4226'])(
    'on the card ending in %s is declined with that code every time and collects nothing',
    async (code) => {
      const ask = buildChargeRequest(await token(findCardNumber(code)))
      const declined = await gateway.authorize(ask, NOW)
      expect(declined).toMatchObject({ state: 'declined', code })
      const fields = declined.state === 'declined' ? declined.errors.map(({ field }) => field) : []
      expect(fields).toEqual(code === '0000' ? ['number', 'ends'] : [])
      expect(await gateway.authorize(ask, NOW + 60_000)).toEqual(declined)
      await expect(gateway.capture(ACCOUNT, ask.key, NOW)).rejects.toThrow(GatewayDown)
      expect(await gateway.charges(ACCOUNT)).not.toContainEqual(expect.objectContaining({ key: ask.key }))
    },
  )

  test('succeeds with one wallet and is declined with 4224 for the other', async () => {
    const wallet = async (id: string) => {
      const { session, url } = await gateway.openCardPage(ACCOUNT, { email: 'a@example.com', lines: [] }, Date.now())
      const visitor = new Visitor(stage.env.PORTAL_ORIGIN)
      await openCard(visitor, url)
      const back = await submitCard(visitor, stage.env.PAYMENT_ORIGIN, { do: 'wallet', wallet: id })
      const method = await gateway.claimMethod(ACCOUNT, session, readReturnProof(back), Date.now())
      return method === 'unproven' ? null : method
    }
    const [pays, declined] = [await wallet('pays'), await wallet('declined')]
    expect(pays).toMatchObject({ type: 'wallet', brand: 'wallet', last_four: '', name: 'Test wallet', ends: null })
    expect(await gateway.authorize(buildChargeRequest(pays?.token ?? ''), NOW)).toMatchObject({ state: 'authorised' })
    expect(await gateway.authorize(buildChargeRequest(declined?.token ?? ''), NOW)).toMatchObject({ code: '4224' })
  })

  test('that takes long is pending for 20 seconds, then authorized', async () => {
    const ask = buildChargeRequest(await token(findCardNumber('slow')))
    expect(await gateway.authorize(ask, NOW)).toEqual({ state: 'pending' })
    await expect(gateway.capture(ACCOUNT, ask.key, NOW)).rejects.toThrow(GatewayDown)
    expect(await gateway.authorize(ask, NOW + SLOW_ANSWER_MS - 1)).toEqual({ state: 'pending' })
    expect(await gateway.authorize(ask, NOW + SLOW_ANSWER_MS)).toMatchObject({ state: 'authorised' })
    await gateway.capture(ACCOUNT, ask.key, NOW + SLOW_ANSWER_MS)
    expect(await gateway.authorize(ask, NOW)).toMatchObject({ state: 'authorised' })
  })

  test('remains valid when its response is lost: a retry with the same key returns it', async () => {
    const ask = buildChargeRequest(await token(findCardNumber('lost')))
    await expect(gateway.authorize(ask, NOW)).rejects.toThrow(GatewayDown)
    expect(await gateway.authorize(ask, NOW + 1)).toMatchObject({ state: 'authorised' })
    await gateway.capture(ACCOUNT, ask.key, NOW + 2)
    expect((await gateway.charges(ACCOUNT)).filter(({ key }) => key === ask.key)).toHaveLength(1)
  })

  test('on an expired or deleted card is declined', async () => {
    const over = await token(findCardNumber('pays'))
    expect(await gateway.authorize(buildChargeRequest(over), Date.UTC(2038, 8, 1))).toMatchObject({ code: '4220' })
    expect(await gateway.authorize(buildChargeRequest(over), Date.UTC(2038, 8, 1) - 1)).toMatchObject({
      state: 'authorised',
    })
    await gateway.deleteMethod(ACCOUNT, over)
    await gateway.deleteMethod(ACCOUNT, over)
    expect(await gateway.authorize(buildChargeRequest(over), NOW)).toMatchObject({ state: 'declined', code: '4226' })
  })
})

describe('return of a saved card', () => {
  const saved = async (account = ACCOUNT) => {
    const visitor = new Visitor(stage.env.PORTAL_ORIGIN)
    const { session, url } = await gateway.openCardPage(account, { email: 'a@example.com', lines: [] }, Date.now())
    const proof = readReturnProof(await typeCard(visitor, url)) ?? ''
    return {
      proof,
      take: (claimProof: string | null, at = Date.now()) => gateway.claimMethod(account, session, claimProof, at),
    }
  }

  test('requires the proof of that card page, and a repeat gets the same response', async () => {
    const [first, other] = [await saved(), await saved()]
    for (const wrong of [null, '', 'x', other.proof, first.proof.slice(1), `${first.proof}A`])
      expect(await first.take(wrong)).toBe('unproven')
    const method = await first.take(first.proof)
    expect(method).toMatchObject({ last_four: '4242' })
    expect([await first.take(first.proof), await other.take(first.proof)]).toEqual([method, 'unproven'])
  })

  test('expires with the card page', async () => {
    const { proof, take } = await saved()
    expect(await take(proof, Date.now() + CARD_PAGE_MS)).toBeNull()
    expect(await take(proof)).toMatchObject({ last_four: '4242' })
  })

  test('is awaited until expiry; then the gateway deletes the card but keeps returned ones', async () => {
    const account = 'user_unreturned'
    const [returned, left] = [await saved(account), await saved(account)]
    const method = await returned.take(returned.proof)
    const { GATEWAYS } = (await stage.provider.getWorker().getEnv()) as Env
    const storage = await stage.provider.getWorker().getDurableObjectStorage('GATEWAYS', { name: account })
    const tokens = async () => (await storage.exec('SELECT token FROM methods')) as unknown as object[]
    await GATEWAYS.getByName(account).deleteUnreturnedSessions(Date.now())
    expect(await tokens()).toHaveLength(2)
    await GATEWAYS.getByName(account).deleteUnreturnedSessions(Date.now() + CARD_PAGE_MS)
    expect(await tokens()).toEqual([expect.objectContaining({ token: (method as GatewayMethod).token })])
    expect([await left.take(left.proof), await returned.take(null)]).toEqual([null, method])
  })
})

test('the embedded gateway requires demo accounts and its name; Stripe requires its key', () => {
  const { env } = stage
  const bindings = { ...env, DB: null as never, GATEWAYS: null as never }
  expect(selectGateway(bindings)).not.toBeNull()
  expect(selectGateway({ ...bindings, DEMO: '0' })).toBeNull()
  expect(selectGateway({ ...bindings, BILLING_GATEWAY: '' })).toBeNull()
  expect(selectGateway({ ...bindings, BILLING_GATEWAY: 'another' })).toBeNull()
  expect(selectGateway({ ...bindings, BILLING_GATEWAY: 'stripe' })).toBeNull()
  expect(
    selectGateway({ ...bindings, BILLING_GATEWAY: 'stripe', DEMO: '0', STRIPE_SECRET_KEY: 'sk_test_x' }),
  ).not.toBeNull()
})
