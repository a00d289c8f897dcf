import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SLOW_RESPONSE_MS, TEST_CARDS } from '../../../../../contract/billing/test-cards.ts'
import type { Env } from '../../../../../provider/env.ts'
import { CARD_PAGE_LIFETIME_MS } from '../../../../../provider/billing/payment/embedded/card-sessions.ts'
import { selectGateway } from '../../../../../provider/billing/payment/select-gateway.ts'
import {
  GatewayDownError,
  type ChargeRequest,
  type PaymentGateway,
  type GatewayMethod,
} from '../../../../../provider/billing/payment/gateway-interface.ts'
import { getGateway, createCardToken } from '../../../../support/card.ts'
import { openCardPage, readReturnProof, submitCardFields, saveCardOnPage } from '../../../../support/card-form.ts'
import { openTestDeployment, type TestDeployment } from '../../../../support/harness.ts'
import { Visitor } from '../../../../support/visitor.ts'

const ACCOUNT_ID = 'user_gateway'
const NOW = Date.now()
let deployment: TestDeployment
let gateway: PaymentGateway
let idempotencyKeyCount = 0

beforeAll(async () => {
  deployment = await openTestDeployment()
  gateway = await getGateway(deployment)
})
afterAll(() => deployment.close())

const createToken = (number: string) =>
  createCardToken(deployment, new Visitor(deployment.env.PORTAL_ORIGIN), ACCOUNT_ID, number)
const buildChargeRequest = (cardToken: string, cents = 1000): ChargeRequest => ({
  key: `key_${(idempotencyKeyCount += 1)}`,
  account: ACCOUNT_ID,
  token: cardToken,
  cents,
  currency: 'USD',
})
const findCardNumber = (outcome: string) => TEST_CARDS.find((card) => card.outcome === outcome)?.number ?? ''

describe('embedded gateway charge', () => {
  test('is authorized, captured and refunded once, however often the same keys repeat the calls', async () => {
    const request = buildChargeRequest(await createToken(findCardNumber('pays')))
    const first = await gateway.authorize(request, NOW)
    expect(first).toEqual({ state: 'authorised', authorisation: expect.any(String) })
    expect(await gateway.authorize(request, NOW + 5)).toEqual(first)
    expect(await gateway.charges(ACCOUNT_ID)).not.toContainEqual(expect.objectContaining({ key: request.key }))
    const captured = await gateway.capture(ACCOUNT_ID, request.key, NOW + 10)
    expect(await gateway.capture(ACCOUNT_ID, request.key, NOW + 20)).toEqual(captured)
    const refund = await gateway.refund(ACCOUNT_ID, request.key, 'refund_1', 400, NOW + 30)
    expect(await gateway.refund(ACCOUNT_ID, request.key, 'refund_1', 400, NOW + 40)).toEqual(refund)
    const charge = {
      key: request.key,
      charge: captured.charge,
      cents: 1000,
      currency: 'USD',
      refunded: 400,
      at: NOW + 10,
    }
    expect(await gateway.charges(ACCOUNT_ID)).toContainEqual(charge)
    await expect(gateway.refund(ACCOUNT_ID, request.key, 'refund_2', 601, NOW)).rejects.toThrow(GatewayDownError)
    await gateway.refund(ACCOUNT_ID, request.key, 'refund_3', 600, NOW)
    expect(await gateway.charges(ACCOUNT_ID)).toContainEqual({ ...charge, refunded: 1000 })
  })

  test('is not visible to another account', async () => {
    const request = buildChargeRequest(await createToken(findCardNumber('pays')))
    await gateway.authorize(request, NOW)
    await expect(gateway.capture('user_other', request.key, NOW)).rejects.toThrow(GatewayDownError)
    expect(await gateway.authorize({ ...request, account: 'user_other' }, NOW)).toMatchObject({ code: '4226' })
    expect(await gateway.charges('user_other')).toEqual([])
  })

  test.each(['0000', '4220', '4221', '4222', '4223', '4225', '4226'])(
    'on the card ending in %s is declined with that code every time and collects nothing',
    async (code) => {
      const request = buildChargeRequest(await createToken(findCardNumber(code)))
      const declined = await gateway.authorize(request, NOW)
      expect(declined).toMatchObject({ state: 'declined', code })
      const fields = declined.state === 'declined' ? declined.errors.map(({ field }) => field) : []
      expect(fields).toEqual(code === '0000' ? ['number', 'ends'] : [])
      expect(await gateway.authorize(request, NOW + 60_000)).toEqual(declined)
      await expect(gateway.capture(ACCOUNT_ID, request.key, NOW)).rejects.toThrow(GatewayDownError)
      expect(await gateway.charges(ACCOUNT_ID)).not.toContainEqual(expect.objectContaining({ key: request.key }))
    },
  )

  test('succeeds with one wallet and is declined with 4224 for the other', async () => {
    const saveWallet = async (id: string) => {
      const { session, url } = await gateway.openCardPage(ACCOUNT_ID, { email: 'a@example.com', lines: [] }, Date.now())
      const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
      await openCardPage(visitor, url)
      const back = await submitCardFields(visitor, deployment.env.PAYMENT_ORIGIN, { do: 'wallet', wallet: id })
      const method = await gateway.claimMethod(ACCOUNT_ID, session, readReturnProof(back), Date.now())
      return method === 'unproven' ? null : method
    }
    const [pays, declined] = [await saveWallet('pays'), await saveWallet('declined')]
    expect(pays).toMatchObject({ type: 'wallet', brand: 'wallet', last_four: '', name: 'Test wallet', ends: null })
    expect(await gateway.authorize(buildChargeRequest(pays?.token ?? ''), NOW)).toMatchObject({ state: 'authorised' })
    expect(await gateway.authorize(buildChargeRequest(declined?.token ?? ''), NOW)).toMatchObject({ code: '4224' })
  })

  test('that takes long is pending for 20 seconds, then authorized', async () => {
    const request = buildChargeRequest(await createToken(findCardNumber('slow')))
    expect(await gateway.authorize(request, NOW)).toEqual({ state: 'pending' })
    await expect(gateway.capture(ACCOUNT_ID, request.key, NOW)).rejects.toThrow(GatewayDownError)
    expect(await gateway.authorize(request, NOW + SLOW_RESPONSE_MS - 1)).toEqual({ state: 'pending' })
    expect(await gateway.authorize(request, NOW + SLOW_RESPONSE_MS)).toMatchObject({ state: 'authorised' })
    await gateway.capture(ACCOUNT_ID, request.key, NOW + SLOW_RESPONSE_MS)
    expect(await gateway.authorize(request, NOW)).toMatchObject({ state: 'authorised' })
  })

  test('remains valid when its response is lost: a retry with the same key returns it', async () => {
    const request = buildChargeRequest(await createToken(findCardNumber('lost')))
    await expect(gateway.authorize(request, NOW)).rejects.toThrow(GatewayDownError)
    expect(await gateway.authorize(request, NOW + 1)).toMatchObject({ state: 'authorised' })
    await gateway.capture(ACCOUNT_ID, request.key, NOW + 2)
    expect((await gateway.charges(ACCOUNT_ID)).filter(({ key }) => key === request.key)).toHaveLength(1)
  })

  test('on an expired or deleted card is declined', async () => {
    const expiringToken = await createToken(findCardNumber('pays'))
    expect(await gateway.authorize(buildChargeRequest(expiringToken), Date.UTC(2038, 8, 1))).toMatchObject({
      code: '4220',
    })
    expect(await gateway.authorize(buildChargeRequest(expiringToken), Date.UTC(2038, 8, 1) - 1)).toMatchObject({
      state: 'authorised',
    })
    await gateway.deleteMethod(ACCOUNT_ID, expiringToken)
    await gateway.deleteMethod(ACCOUNT_ID, expiringToken)
    expect(await gateway.authorize(buildChargeRequest(expiringToken), NOW)).toMatchObject({
      state: 'declined',
      code: '4226',
    })
  })
})

describe('return of a saved card', () => {
  const saveCard = async (account = ACCOUNT_ID) => {
    const visitor = new Visitor(deployment.env.PORTAL_ORIGIN)
    const { session, url } = await gateway.openCardPage(account, { email: 'a@example.com', lines: [] }, Date.now())
    const proof = readReturnProof(await saveCardOnPage(visitor, url)) ?? ''
    return {
      proof,
      claimMethod: (claimProof: string | null, at = Date.now()) =>
        gateway.claimMethod(account, session, claimProof, at),
    }
  }

  test('requires the proof of that card page, and a repeat gets the same response', async () => {
    const [first, other] = [await saveCard(), await saveCard()]
    for (const wrong of [null, '', 'x', other.proof, first.proof.slice(1), `${first.proof}A`])
      expect(await first.claimMethod(wrong)).toBe('unproven')
    const method = await first.claimMethod(first.proof)
    expect(method).toMatchObject({ last_four: '4242' })
    expect([await first.claimMethod(first.proof), await other.claimMethod(first.proof)]).toEqual([method, 'unproven'])
  })

  test('expires with the card page', async () => {
    const { proof, claimMethod } = await saveCard()
    expect(await claimMethod(proof, Date.now() + CARD_PAGE_LIFETIME_MS)).toBeNull()
    expect(await claimMethod(proof)).toMatchObject({ last_four: '4242' })
  })

  test('is awaited until expiry; then the gateway deletes the card but keeps returned ones', async () => {
    const account = 'user_unreturned'
    const [returned, unreturned] = [await saveCard(account), await saveCard(account)]
    const method = await returned.claimMethod(returned.proof)
    const { GATEWAYS } = (await deployment.provider.getWorker().getEnv()) as Env
    const storage = await deployment.provider.getWorker().getDurableObjectStorage('GATEWAYS', { name: account })
    const listTokens = async () => (await storage.exec('SELECT token FROM methods')) as unknown as object[]
    await GATEWAYS.getByName(account).deleteUnreturnedSessions(Date.now())
    expect(await listTokens()).toHaveLength(2)
    await GATEWAYS.getByName(account).deleteUnreturnedSessions(Date.now() + CARD_PAGE_LIFETIME_MS)
    expect(await listTokens()).toEqual([expect.objectContaining({ token: (method as GatewayMethod).token })])
    expect([await unreturned.claimMethod(unreturned.proof), await returned.claimMethod(null)]).toEqual([null, method])
  })
})

test('the embedded gateway requires demo accounts and its name; Stripe requires its key', () => {
  const { env } = deployment
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
