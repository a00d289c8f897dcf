import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Order } from '../../../../contract/billing/purchase.ts'
import { CamerasStep } from '../../../../src/islands/plan/parts/CamerasStep.tsx'
import { NextCharge } from '../../../../src/islands/plan/parts/NextCharge.tsx'
import { PlanSimulationPanel } from '../../../../src/islands/plan/parts/PlanSimulationPanel.tsx'
import { QuoteValidity } from '../../../../src/islands/plan/parts/QuotePanel.tsx'
import { PurchaseConfirmationPage } from '../../../../src/islands/purchase-confirmation/parts/PurchaseConfirmationPage.tsx'
import { $paymentMethods } from '../../../../src/stores/billing/payment-methods.ts'
import { $planSimulation } from '../../../../src/stores/billing/plan-simulation.ts'
import { TAB_HANDOVER_KEYS } from '../../../../src/stores/storage/billing-keys.ts'
import { createQuote, getCheckout, okResponse, openNewTab, reloadCheckout } from '../../../support/checkout.ts'

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })

const answers: Record<string, unknown> = {}
const visa: PaymentMethod = {
  method_id: 'm1',
  type: 'card',
  brand: 'visa',
  last_four: '4221',
  name: '',
  ends: null,
  state: 'good',
  is_default: true,
  may_go: true,
  added_at: 0,
}
const NOW = Date.UTC(2026, 10, 29, 12)
const NEXT = { at: Date.UTC(2027, 10, 29, 12), total: 10_824 }
let root: Root
const render = (node: ReactNode) => act(async () => root.render(node))
const readText = () => document.body.textContent
beforeEach(() => {
  openNewTab(answers)
  answers['preview_purchase'] = okResponse(createQuote())
  $paymentMethods.set({ ...$paymentMethods.get(), isLoaded: true, methods: [visa] })
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

test('the next charge on the plan page names the default card and the email before an annual renewal', async () => {
  await render(<NextCharge quote={createQuote({ period: 'annual', as_of: NOW, next: NEXT })} />)
  expect(readText()).toContain('$108.24 with tax, to Visa ·· 4221. We’ll email you 30 days in advance.')
  await render(<NextCharge quote={createQuote({ period: 'monthly', as_of: NOW, next: NEXT })} />)
  expect(readText()).not.toContain('email')
})

test('nothing is promised about the amount if nothing is due', async () => {
  const createCheckout = (due: number) =>
    ({ ...getCheckout(), price: { state: 'ready', quote: createQuote({ due }), changed: [] } }) as const
  await reloadCheckout('unlimited', '?period=monthly')
  await render(<QuoteValidity checkout={createCheckout(1081)} />)
  expect(readText()).toContain('exactly this amount')
  await render(<QuoteValidity checkout={createCheckout(0)} />)
  expect(readText()).toBe('')
})

test('Camera AI for many cameras advises Unlimited, which costs less', async () => {
  await reloadCheckout('camera-ai', '?period=annual&cameras=2')
  await render(<CamerasStep number={2} checkout={getCheckout()} />)
  expect(readText()).not.toContain('costs')
  await reloadCheckout('camera-ai', '?period=annual&cameras=6')
  await render(<CamerasStep number={2} checkout={getCheckout()} />)
  expect(readText()).toMatch(/Unlimited Cameras costs \$\d+\.\d\d less a year/)
  expect(document.querySelector('.plan-advice a')?.getAttribute('href')).toMatch(/period=annual$/)
})

test('the simulation marks one row for the chosen number of licenses', async () => {
  const plan = { is_own: false, lost: 0, found: 3, cameras: 2, kept: 100 }
  const plans = (['free', 'cam-ai', 'unlimited', 'pro'] as const).map((sku) => ({ ...plan, sku }))
  const camera_clips = ['door', 'yard'].map((device_id) => ({ device_id, with_plan: 40, without_plan: 1 }))
  const times = { days: 30, from: 0, to: NOW }
  $planSimulation.set({ state: 'ready', ...times, cameras: 2, clips: 100, searches: 4, plans, camera_clips })
  await reloadCheckout('camera-ai', '?period=annual&cameras=1')
  await render(<PlanSimulationPanel checkout={getCheckout()} />)
  const readChosen = () => [...document.querySelectorAll('tr[data-chosen]')].map(({ textContent }) => textContent)
  expect(readChosen()).toEqual([expect.stringMatching(/Selected.*14 days, your busiest camera.*41.*59/)])
  await reloadCheckout('camera-ai', '?period=annual&cameras=2')
  await render(<PlanSimulationPanel checkout={getCheckout()} />)
  expect(readChosen()).toEqual([expect.stringMatching(/Selected.*14 days, both cameras/)])
})

test('the selected own plan has one badge', async () => {
  const plans = [{ sku: 'unlimited', cameras: 2, is_own: true, kept: 9, lost: 0, found: 3 }] as const
  const totals = { days: 30, from: 0, to: NOW, cameras: 2, clips: 9, searches: 4, camera_clips: [] }
  $planSimulation.set({ state: 'ready', plans: [...plans], ...totals })
  await reloadCheckout('unlimited', '?period=monthly')
  await render(<PlanSimulationPanel checkout={getCheckout()} />)
  const badges = [...document.querySelectorAll('tr[data-chosen] .badge')].map(({ textContent }) => textContent)
  expect(badges).toEqual(['Your plan, selected'])
})

test('the purchase confirmation opens the invoice and names the card of the next charge', async () => {
  const order: Order = {
    order_id: 'o1',
    subscription_id: 's1',
    bill: 'a-1',
    paid: 10_824,
    method: null,
    at: Date.now(),
    sku: 'unlimited',
    period: 'annual',
    quantity: 1,
    starts_at: NOW,
    is_later: false,
    is_trial: false,
    next: { at: Date.now() + 365 * 86_400_000, total: 10_824 },
  }
  sessionStorage.setItem(TAB_HANDOVER_KEYS.bought, JSON.stringify({ order, before: { cameras: [], days: 1 } }))
  await render(<PurchaseConfirmationPage />)
  expect(document.querySelector('a[aria-label="Open invoice a-1"]')?.getAttribute('href')).toBe(
    '/account/billing/invoice?bill=a-1',
  )
  expect(readText()).toContain('with tax, to Visa ·· 4221')
})
