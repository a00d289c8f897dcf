import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type {
  Invoice,
  PaymentMethod,
  UpcomingCharge,
} from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { NextCharge as OverviewCharge } from '../../../../src/islands/overview/parts/NextCharge.tsx'
import { OwnPlan } from '../../../../src/islands/overview/parts/PlanSummary.tsx'
import { MethodRow } from '../../../../src/islands/payment/parts/MethodRow.tsx'
import { UpcomingCharges } from '../../../../src/islands/payment/parts/UpcomingCharges.tsx'
import { NextCharge as ServicesCharge } from '../../../../src/islands/services/parts/NextCharge.tsx'
import { $invoices } from '../../../../src/stores/billing/invoices.ts'
import { $paymentMethods } from '../../../../src/stores/billing/payment-methods.ts'
import { $subscriptions } from '../../../../src/stores/billing/subscriptions.ts'
import { $devices } from '../../../../src/stores/home/devices.ts'
import { stubApiResponses } from '../../../support/client.ts'

const DUE_AT = Date.UTC(2026, 10, 27, 12)
const RETRY_AT = Date.UTC(2026, 10, 30, 12)
const TRIED_AT = [DUE_AT, Date.UTC(2026, 10, 28, 12)]
const declined = { brand: 'visa', last_four: '4221', name: '' } as const
const open = {
  total: 1081,
  due_at: DUE_AT,
  tries: 2,
  next_tries: [RETRY_AT],
  code: '4221',
  method: declined,
  tried_at: TRIED_AT,
}
const pastDue: Subscription = {
  subscription_id: 's1',
  sku: 'unlimited',
  status: 'past_due',
  quantity: 1,
  period: 'monthly',
  billing_provider: 'card',
  renews_at: RETRY_AT,
  running: true,
  channel: 'web',
  revision: 3,
  since: 0,
  scheduled: null,
  next: { at: RETRY_AT, total: 1081 },
  paused_until: null,
  leaving: null,
  open,
  clock: 0,
}
const visa: PaymentMethod = {
  ...declined,
  method_id: 'm1',
  type: 'card',
  ends: { month: 8, year: 2028 },
  state: 'good',
  is_default: true,
  may_go: false,
  added_at: 0,
}
const charge: UpcomingCharge = {
  subscription_id: 's1',
  sku: 'unlimited',
  period: 'monthly',
  quantity: 1,
  at: RETRY_AT,
  due: 10_824,
  method_id: 'm1',
  would_fail: false,
}
const line = {
  kind: 'plan',
  sku: 'unlimited',
  period: 'monthly',
  quantity: 1,
  unit: 999,
  amount: 999,
  tax: 82,
} as const
const bill: Invoice = {
  bill: 'a-1',
  kind: 'invoice',
  at: DUE_AT,
  subscription_id: 's1',
  lines: [{ ...line, from: DUE_AT, to: Date.UTC(2026, 11, 27, 12) }],
  subtotal: 999,
  tax: 82,
  total: 1081,
  balance_used: 0,
  paid: 0,
  state: 'open',
  paid_at: null,
  method: null,
  refers_to: null,
  refunded: 0,
  refund_retried: false,
  currency: 'USD',
  buyer: [],
}

let root: Root
const render = (node: ReactNode) => act(async () => root.render(node))
const readText = () => document.body.textContent
function setAccount(subscription: Subscription, upcoming: UpcomingCharge, ...others: PaymentMethod[]): void {
  const methods = [visa, ...others]
  act(() => {
    $subscriptions.set({ state: 'ready', subscriptions: [subscription] })
    $paymentMethods.set({ ...$paymentMethods.get(), isLoaded: true, methods, upcoming: [upcoming] })
  })
}
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  stubApiResponses({})
  $invoices.set({ state: 'ready', bills: [bill], seller: { name: '', address: [], tax_id: '' } })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

const PANELS = [
  ['overview', OverviewCharge],
  ['services', ServicesCharge],
] as const

test.each(PANELS)(
  '%s: a declined charge is an amount due, with its tax, period and declined card',
  async (_, Panel) => {
    setAccount(pastDue, { ...charge, due: 1081 })
    await render(<Panel />)
    expect(document.querySelector('section')?.getAttribute('aria-label')).toBe('Amount due')
    expect(readText()).toMatch(/\$9\.99 plus \$0\.82 tax, for 27 Nov to 27 Dec.*Past due since 27 November/)
    expect(readText()).toContain('Visa ·· 4221Declined 28 Nov')
    expect(readText()).not.toContain('Next charge')
  },
)

test.each(PANELS)('%s: the next charge has price and tax, and warns of a card that expires first', async (_, Panel) => {
  setAccount({ ...pastDue, status: 'active', open: null }, charge)
  await render(<Panel />)
  expect(readText()).toContain('$99.99 plus $8.25 tax')
  expect(readText()).not.toContain('before this charge')
  setAccount({ ...pastDue, status: 'active', open: null }, { ...charge, would_fail: true })
  await render(<Panel />)
  expect(readText()).toContain('Expires 08/28, before this charge')
})

test('an unpaid plan has one primary button, which pays', async () => {
  $devices.set({ state: 'ready', devices: [] })
  const listPrimary = () => [...document.querySelectorAll('.btn-primary')].map(({ textContent }) => textContent)
  await render(<OwnPlan subscriptions={[pastDue]} />)
  expect(listPrimary()).toEqual(['Pay now'])
  await render(<OwnPlan subscriptions={[{ ...pastDue, status: 'active', open: null }]} />)
  expect(listPrimary()).toEqual(['Add your first camera'])
})

test('the payment page marks the declined method, and lists the amount due instead of its retry', async () => {
  setAccount(pastDue, { ...charge, due: 1081 })
  await render(
    <>
      <MethodRow method={visa} onAddFirst={() => undefined} />
      <MethodRow method={{ ...visa, method_id: 'm2', last_four: '4242' }} onAddFirst={() => undefined} />
      <UpcomingCharges />
    </>,
  )
  const [first, second] = [...document.querySelectorAll('.method-row')].map(({ textContent }) => textContent)
  expect(first).toMatch(/Declined.*insufficient|Declined.*funds/i)
  expect(second).not.toContain('Declined')
  expect(readText()).toMatch(/Amount due.*Since 27 November.*\$10\.81/)
  expect(readText()).toContain('we’ll try Visa ·· 4221 on 30 November')
  expect(readText()).not.toContain('Upcoming charges')
  expect(document.querySelector('a.btn-primary')?.getAttribute('href')).toBe('/account/services')
})

test('an upcoming charge names the digits of its card, and another stored card is one click away', async () => {
  const active = { ...pastDue, status: 'active', open: null } as const
  setAccount(active, charge)
  await render(<UpcomingCharges />)
  expect(readText()).toContain('Unlimited Cameras · Visa ·· 4221')
  expect(document.querySelector('button')).toBeNull()
  setAccount(active, charge, { ...visa, method_id: 'm2', last_four: '4242', is_default: false })
  await render(<UpcomingCharges />)
  expect(document.querySelector('button')?.textContent).toBe('Use Visa ·· 4242 from now on')
})
