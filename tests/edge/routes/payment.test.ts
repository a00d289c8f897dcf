import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PAYMENT_COOKIE, toCookieName } from '../../../contract/wire/cookies.ts'
import { CARD_ELSEWHERE_CODE } from '../../../contract/billing/payment-calls.ts'
import { encryptValue } from '../../../functions/lib/security/encrypt-value.ts'
import {
  completeCardReturn,
  openCardPage,
  readReturnProof,
  submitCardFields,
  saveCardOnPage,
} from '../../support/card-form.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeDeployment
let paymentCookie: string
let owner: Visitor
let otherAccount: Visitor
beforeAll(async () => {
  edge = await openEdge()
  paymentCookie = toCookieName(PAYMENT_COOKIE, edge.portalOrigin)
})
afterAll(() => edge.close())
beforeEach(async () => {
  edge.proxy.clearFaults()
  owner = edge.visitor()
  otherAccount = edge.visitor()
  await signInThroughEdge(owner, '/live', 'owner@example.com')
  await signInThroughEdge(otherAccount, '/live', 'free@example.com')
})

const startCardEntry = (visitor: Visitor, body: object = { return_to: '/account/payment' }) =>
  visitor.post('/api/payment/start', body)
const createCardUrl = async (visitor: Visitor, returnTo = '/account/payment') =>
  ((await (await startCardEntry(visitor, { return_to: returnTo })).json()) as { url: string }).url
const finishWithoutProof = (visitor: Visitor) => visitor.post('/api/payment/return')
async function listMethods(visitor: Visitor): Promise<{ method_id: string; last_four: string }[]> {
  const answer = await visitor.post('/api/p/web-backend/services/recurring_info', { kind: 'payment_methods' })
  return ((await answer.json()) as { data: { methods: { method_id: string; last_four: string }[] } }).data.methods
}

describe('card page round trip', () => {
  test('PAY-01 OPEN-158 saves the card in the browser that started and returns to the previous page', async () => {
    const before = await listMethods(owner)
    const startResponse = await startCardEntry(owner, { return_to: '/account/products/unlimited?mode=annual' })
    expect(startResponse.headers.getSetCookie().join()).toMatch(
      new RegExp(`^${paymentCookie}=[\\w-]+; Max-Age=1800; Path=/; HttpOnly; SameSite=Lax$`),
    )
    const { url } = (await startResponse.json()) as { url: string }
    expect(new URL(url).origin).toBe(edge.deployment.env.PAYMENT_ORIGIN)
    const back = await saveCardOnPage(owner, url, { number: '5555 5555 5555 4444' })
    expect(back.headers.get('location')).toBe(
      `${edge.portalOrigin}/account/payment?payment=200#proof=${readReturnProof(back)}`,
    )
    const finishResponse = await completeCardReturn(owner, back)
    expect([finishResponse.status, await finishResponse.json()]).toEqual([
      200,
      {
        code: 200,
        method: expect.objectContaining({ type: 'card', brand: 'mastercard', last_four: '4444' }),
        return_to: '/account/products/unlimited?mode=annual',
      },
    ])
    expect(owner.getCookie(paymentCookie)).toBeUndefined()
    expect(await listMethods(owner)).toHaveLength(before.length + 1)
    expect((await completeCardReturn(owner, back)).status).toBe(403)
  })

  test('saves nothing for either account if another account enters a card with this account’s ticket', async () => {
    const before = [await listMethods(owner), await listMethods(otherAccount)]
    const url = await createCardUrl(owner)
    const page = await openCardPage(otherAccount, url)
    expect(await page.text()).toContain('owner@example.com')
    await submitCardFields(otherAccount, edge.deployment.env.PAYMENT_ORIGIN, { do: 'leave' })
    const other = await createCardUrl(owner)
    const back = await saveCardOnPage(otherAccount, other)
    const rejection = await completeCardReturn(otherAccount, back)
    expect([rejection.status, await rejection.json()]).toEqual([
      403,
      { code: CARD_ELSEWHERE_CODE, msg: expect.stringMatching(/wasn’t saved/i) as unknown },
    ])
    const ownProof = readReturnProof(await saveCardOnPage(owner, await createCardUrl(owner))) ?? ''
    for (const proof of [undefined, '', 'x', ownProof.slice(1)]) {
      const answer = await owner.post('/api/payment/return', { proof })
      expect([answer.status, await answer.json()]).toMatchObject([409, { code: CARD_ELSEWHERE_CODE }])
    }
    expect([await listMethods(owner), await listMethods(otherAccount)]).toEqual(before)
  })

  test('OPEN-158 saves a card once if the same return is sent twice concurrently', async () => {
    const before = await listMethods(owner)
    const back = await saveCardOnPage(owner, await createCardUrl(owner))
    const both = await Promise.all([completeCardReturn(owner, back), completeCardReturn(owner, back)])
    const answers = await Promise.all(both.map((response) => response.json()))
    expect(answers).toEqual([answers[1], expect.objectContaining({ code: 200 })])
    expect(await listMethods(owner)).toHaveLength(before.length + 1)
  })

  test('saves nothing in a browser where another account has signed in meanwhile', async () => {
    const before = [await listMethods(owner), await listMethods(otherAccount)]
    const back = await saveCardOnPage(owner, await createCardUrl(owner))
    otherAccount.setCookie(paymentCookie, owner.getCookie(paymentCookie) ?? '')
    expect((await completeCardReturn(otherAccount, back)).status).toBe(403)
    expect([await listMethods(owner), await listMethods(otherAccount)]).toEqual(before)
  })

  test('returns 4226 while no card is saved, and accepts a later return', async () => {
    const url = await createCardUrl(owner)
    const early = await finishWithoutProof(owner)
    expect([early.status, await early.json()]).toEqual([409, expect.objectContaining({ code: 4226 })])
    expect((await completeCardReturn(owner, await saveCardOnPage(owner, url))).status).toBe(200)
  })

  test('continues in two tabs, whichever returns first', async () => {
    const [first, second] = [
      await createCardUrl(owner, '/account/first'),
      await createCardUrl(owner, '/account/second'),
    ]
    const amex = await saveCardOnPage(owner, first, { number: '3782 822463 10005', code: '1234' })
    const answer = await completeCardReturn(owner, amex)
    expect(await answer.json()).toMatchObject({ method: { last_four: '0005' }, return_to: '/account/first' })
    const back = await saveCardOnPage(owner, second)
    expect(await (await completeCardReturn(owner, back)).json()).toMatchObject({ return_to: '/account/second' })
  })

  test('rejects cookies that it did not seal or that are older than 30 minutes', async () => {
    await createCardUrl(owner)
    const sealed = owner.getCookie(paymentCookie) ?? ''
    owner.setCookie(paymentCookie, `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`)
    expect((await finishWithoutProof(owner)).status).toBe(403)
    const me = (await (await owner.get('/api/auth/me')).json()) as { user_id: string }
    const old = { session_id: 'cs_1', user_id: me.user_id, return_to: '/live', at: Date.now() - 1_800_000 }
    owner.setCookie(paymentCookie, await encryptValue([old], edge.deployment.env.COOKIE_KEY))
    expect((await finishWithoutProof(owner)).status).toBe(403)
  })

  test.each(['https://evil.test/', '//evil.test', '/user/login', '', 7, undefined])(
    'rejects %j as the page to return to',
    async (return_to) => {
      expect((await startCardEntry(owner, { return_to })).status).toBe(400)
    },
  )

  test('returns 401 without a session', async () => {
    const nobody = edge.visitor()
    await nobody.get('/api/auth/me')
    expect([(await startCardEntry(nobody)).status, (await finishWithoutProof(nobody)).status]).toEqual([401, 401])
  })

  test('rejects a card page URL that the redirect rule does not allow', async () => {
    const data = { session_id: 'cs_1', url: 'https://evil.test/card?ticket=x' }
    edge.proxy.fail('/extension/card-session', {
      kind: 'answer',
      status: 200,
      body: JSON.stringify({ code: 200, data }),
    })
    expect((await startCardEntry(owner)).status).toBe(502)
  })

  test('refreshes a rejected token once, and stops if the new token is rejected too', async () => {
    await createCardUrl(owner, '/account/first')
    const back = await saveCardOnPage(owner, await createCardUrl(owner, '/account/second'))
    edge.proxy.clearFaults()
    edge.proxy.fail('/extension/card-confirm', { kind: 'answer', status: 401, body: '{"code":401,"msg":"No."}' })
    expect((await completeCardReturn(owner, back)).status).toBe(401)
    expect([edge.proxy.count('/oauth/token'), edge.proxy.count('/extension/card-confirm')]).toEqual([1, 2])
    edge.proxy.clearFaults()
    edge.proxy.fail('/extension/card-confirm', { kind: 'answer', status: 401, body: '{"code":401,"msg":"No."}' }, 1)
    expect(await (await completeCardReturn(owner, back)).json()).toMatchObject({ return_to: '/account/second' })
    expect([edge.proxy.count('/oauth/token'), edge.proxy.count('/extension/card-confirm')]).toEqual([1, 2])
  })

  test('reports a temporary failure rather than that nothing was saved', async () => {
    await saveCardOnPage(owner, await createCardUrl(owner, '/account/first'))
    await createCardUrl(owner, '/account/second')
    const nothing = { kind: 'answer', status: 409, body: '{"code":4226,"msg":"Nothing was saved."}' } as const
    edge.proxy.fail('/extension/card-confirm', nothing, 1)
    edge.proxy.fail('/extension/card-confirm', { kind: 'answer', status: 503, body: '{"code":503,"msg":"Later."}' })
    const answer = await finishWithoutProof(owner)
    expect([answer.status, await answer.json()]).toEqual([503, { code: 503, msg: 'Later.' }])
  })

  test('reports an unavailable provider, and another click retries', async () => {
    const back = await saveCardOnPage(owner, await createCardUrl(owner))
    edge.proxy.fail('/extension/card-confirm', { kind: 'answer', status: 503, body: '{"code":503,"msg":"Later."}' })
    expect((await completeCardReturn(owner, back)).status).toBe(503)
    edge.proxy.clearFaults()
    expect((await completeCardReturn(owner, back)).status).toBe(200)
  })
})

describe('billing info', () => {
  const requestBillingInfo = (visitor: Visitor, provider: string, body: object) =>
    visitor.post(`/api/p/web-backend/services/${provider}_info`, body)

  test.each(['recurring', 'card', 'wallet'])('PAY-05 responds for the billing provider %s', async (provider) => {
    const answer = await requestBillingInfo(owner, provider, { kind: 'catalogue' })
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { code: 200, data: { kind: 'catalogue', currency: 'USD', sells: true, tax_basis_points: 825 } },
    ])
    expect(await (await requestBillingInfo(owner, provider, { kind: 'invoices' })).json()).toMatchObject({
      data: { kind: 'invoices' },
    })
  })

  test.each(['amazon', 'x', 'recurring_info'])('PAY-05 returns 404 for the billing provider %s', async (provider) => {
    expect((await requestBillingInfo(owner, provider, { kind: 'catalogue' })).status).toBe(404)
  })

  test('reports which plans are on sale and whether there is a free trial', async () => {
    const { data } = (await (await requestBillingInfo(otherAccount, 'recurring', { kind: 'catalogue' })).json()) as {
      data: { trial: boolean; plans: { sku: string; on_sale: boolean; monthly: number }[] }
    }
    expect(data.plans.map(({ sku, on_sale, monthly }) => [sku, on_sale, monthly])).toEqual([
      ['free', false, 0],
      ['cam-ai', true, 299],
      ['unlimited', true, 999],
      ['pro', true, 1999],
      ['hms', true, 999],
    ])
    expect(data.trial).toBe(true)
  })
})
