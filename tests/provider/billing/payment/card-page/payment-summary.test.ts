import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CardPurpose, PaymentGateway } from '../../../../../provider/billing/payment/gateway-interface.ts'
import { getGateway } from '../../../../support/card.ts'
import { openCardPage } from '../../../../support/card-form.ts'
import { openTestDeployment, type TestDeployment } from '../../../../support/harness.ts'
import { Visitor } from '../../../../support/visitor.ts'

let deployment: TestDeployment
let gateway: PaymentGateway
let accountCount = 0
beforeAll(async () => {
  deployment = await openTestDeployment()
  gateway = await getGateway(deployment)
})
afterAll(() => deployment.close())

const LINES = ['Unlimited Cameras, monthly', '$9.99 plus $0.82 tax, due since Nov 24']

async function renderPage(unpaid?: CardPurpose['unpaid']): Promise<string> {
  const purpose = { email: 'a@example.com', lines: LINES, amount: '$10.81', ...(unpaid && { unpaid }) }
  const { url } = await gateway.openCardPage(`user_summary_${(accountCount += 1)}`, purpose, Date.now())
  return await (await openCardPage(new Visitor(deployment.env.PORTAL_ORIGIN), url)).text()
}

test('a failed charge: what is due, how long the plan works, and the way back to the services', async () => {
  const html = await renderPage({ worksUntil: 'Dec 8' })
  for (const text of [
    '<p class="amount">$10.81 due</p>',
    LINES[1],
    'Your plan stays active until Dec 8.',
    'You won’t be charged for saving a card. You’ll pay in the next step.',
    'Back to Services',
  ])
    expect(html).toContain(text)
  expect(await renderPage({ worksUntil: null })).not.toContain('stays active')
})

test('a purchase: its amount, and the way back to the portal', async () => {
  const html = await renderPage()
  expect(html).toContain('<p class="amount">$10.81</p>')
  expect(html).toContain('Back to Porchlight')
  expect(html).not.toContain('charged for saving a card')
})
