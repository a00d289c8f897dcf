import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { openStripe, STRIPE_KEY, type StripeServer } from '../../support/stripe-server.ts'
import { CAMERA_AI_ORDER } from '../../support/stripe/shop.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeDeployment
let stripe: StripeServer
let visitor: Visitor
beforeAll(async () => {
  stripe = await openStripe()
  const gateway = { BILLING_GATEWAY: 'stripe', STRIPE_SECRET_KEY: STRIPE_KEY, STRIPE_API_ORIGIN: stripe.origin }
  edge = await openEdge({ ...gateway, PAYMENT_DOMAIN: 'checkout.stripe.com' })
  visitor = edge.visitor()
  await signInThroughEdge(visitor, '/live', 'free@example.com')
})
afterAll(async () => {
  await edge.close()
  await stripe.close()
})

const startCardEntry = async () => {
  const answer = await visitor.post('/api/payment/start', { return_to: '/account/products/cam-ai' })
  return { status: answer.status, ...((await answer.json()) as { url?: string; code: unknown }) }
}
async function postCall(path: string, body: object) {
  const answer = await visitor.post(`/api/p/web-backend${path}`, body)
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are looked into, field by field
  return ((await answer.json()) as { data: any }).data
}

test('PAY-01 OPEN-158 a card entered on the Stripe page is saved by the browser that started the entry', async () => {
  const { status, url = '' } = await startCardEntry()
  expect([status, new URL(url).origin]).toEqual([200, 'https://checkout.stripe.com'])
  const early = await visitor.post('/api/payment/return')
  expect([early.status, await early.json()]).toMatchObject([409, { code: 4226 }])
  stripe.account.enterCard(url, { behavior: 'asks' })
  const returnResponse = await visitor.post('/api/payment/return')
  expect([returnResponse.status, await returnResponse.json()]).toEqual([
    200,
    {
      code: 200,
      method: expect.objectContaining({ type: 'card', brand: 'visa', last_four: '4242' }),
      return_to: '/account/products/cam-ai',
    },
  ])
  expect((await visitor.post('/api/payment/return')).status).toBe(403)
})

test('CALL-10 the bank page URL reaches the page that tracks the purchase', async () => {
  const { methods } = await postCall('/services/recurring_info', { kind: 'payment_methods' })
  const { quote } = await postCall('/purchase_v3/preview_purchase', CAMERA_AI_ORDER)
  const paid = { quote, intent: 'intent_through_the_edge', method_id: methods.at(-1).method_id }
  const { process_id } = await postCall('/purchase_v3/create', { ...CAMERA_AI_ORDER, ...paid })
  expect(await postCall('/api/v2/get_process_task', { process_id })).toMatchObject({
    state: 'pending',
    step: 'asked',
    action_url: expect.stringMatching(/^https:\/\/hooks\.stripe\.com\//),
  })
  stripe.account.resolveBankChallenge(stripe.account.getIntentByKey(process_id), true)
  expect(await postCall('/api/v2/get_process_task', { process_id })).toMatchObject({ state: 'done' })
})

test('OPEN-158 visitors are not sent to a page outside the payment domain', async () => {
  const other = await openEdge({
    BILLING_GATEWAY: 'stripe',
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_API_ORIGIN: stripe.origin,
    PAYMENT_DOMAIN: 'pay.example',
  })
  const somebody = other.visitor()
  await signInThroughEdge(somebody, '/live', 'free@example.com')
  const answer = await somebody.post('/api/payment/start', { return_to: '/account/payment' })
  expect(answer.status).toBe(502)
  await other.close()
})
