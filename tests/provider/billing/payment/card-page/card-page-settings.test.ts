import { expect, test } from 'vitest'
import { getBillingInfo } from '../../../../../contract/billing/payment-methods-and-invoices.ts'
import { openCardSession } from '../../../../../contract/billing/payment-calls.ts'
import { getGateway } from '../../../../support/card.ts'
import { readReturnProof, saveCardOnPage } from '../../../../support/card-form.ts'
import { openTestDeployment } from '../../../../support/harness.ts'
import { sendCallAsEdge, signInAtProvider } from '../../../../support/provider.ts'
import { Visitor } from '../../../../support/visitor.ts'

test('the card page coexists with the provider’s pages if both share a name, as in a preview', async () => {
  const preview = await openTestDeployment({ change: (env) => ({ PAYMENT_ORIGIN: env.PROVIDER_ORIGIN }) })
  const { session, url } = await (
    await getGateway(preview)
  ).openCardPage('user_preview', { email: 'a@example.com', lines: [] }, Date.now())
  expect(new URL(url).origin).toBe(preview.env.PROVIDER_ORIGIN)
  const saved = await saveCardOnPage(new Visitor(preview.env.PORTAL_ORIGIN), url)
  expect(saved.headers.get('location')).toMatch(/payment=200#proof=/)
  const method = await (
    await getGateway(preview)
  ).claimMethod('user_preview', session, readReturnProof(saved), Date.now())
  expect(method).toMatchObject({ last_four: '4242' })
  expect((await fetch(`${preview.env.PROVIDER_ORIGIN}/home-monitoring`)).status).toBe(200)
  await preview.close()
})

test('CALL-11 without sales there is no card page and no card session, and the catalog says so', async () => {
  const stageWithoutSales = await openTestDeployment({ change: () => ({ BILLING_GATEWAY: '' }) })
  expect((await fetch(`${stageWithoutSales.env.PAYMENT_ORIGIN}/card`)).status).toBe(404)
  await stageWithoutSales.seed()
  const { access_token } = await signInAtProvider(stageWithoutSales.env)
  const rejection = await sendCallAsEdge(stageWithoutSales.env, openCardSession, access_token)
  expect([rejection.status, await rejection.json()]).toMatchObject([400, { code: 'not_sold' }])
  const catalog = await sendCallAsEdge(stageWithoutSales.env, getBillingInfo, access_token, {
    params: { billing_provider: 'recurring' },
    payload: { kind: 'catalogue' },
  })
  expect(await catalog.json()).toMatchObject({ data: { sells: false } })
  await stageWithoutSales.close()
})
