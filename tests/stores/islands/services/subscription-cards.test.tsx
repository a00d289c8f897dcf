import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Binding } from '../../../../contract/billing/licenses.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { Unused } from '../../../../src/islands/overview/parts/UnusedLicenses.tsx'
import { Ended } from '../../../../src/islands/services/parts/EndedSubscriptions.tsx'
import { Hints } from '../../../../src/islands/services/parts/SubscriptionHints.tsx'
import { ServiceCard } from '../../../../src/islands/services/parts/ServiceCard.tsx'
import { $bindings } from '../../../../src/stores/billing/license-assignments.ts'
import { $subscriptions } from '../../../../src/stores/billing/subscriptions.ts'
import { $payment } from '../../../../src/stores/billing/payment-methods.ts'
import { $userId } from '../../../../src/stores/session/session.ts'
import { answerWith } from '../../../support/client.ts'
import { patience } from '../../../support/patience.ts'

const later = Date.now() + 10 * 86_400_000
const plan = (change: Partial<Subscription> = {}): Subscription => ({
  ...{ subscription_id: 's1', sku: 'cam-ai', status: 'active', quantity: 3, period: 'monthly' },
  ...{ billing_provider: 'card', renews_at: later, running: true, channel: 'web', revision: 3, since: 0 },
  ...{ scheduled: null, next: null, paused_until: null, leaving: null, open: null, clock: 0, ...change },
})
const bound = (device_mac: string): Binding => ({ device_mac, plan: null, bound_to: 's1', keeps_days: 14 })
const ok = <T,>(data: T) => ({ code: 200, data })

let root: Root
const show = (node: ReactNode) => act(async () => root.render(node))
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  answerWith({})
  localStorage.clear()
  sessionStorage.clear()
  $userId.set('user_1')
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

const named = (name: RegExp) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find((element) =>
    name.test(element.getAttribute('aria-label') ?? element.textContent),
  )

const have = (subscription: Subscription, ...macs: string[]) => {
  $subscriptions.set({ state: 'ready', subscriptions: [subscription] })
  $bindings.set({ state: 'ready', bindings: new Map(macs.map((mac) => [mac, bound(mac)])) })
}
const scheduled = { sku: 'cam-ai', period: 'annual', quantity: 2 } as const

test.each([
  ['some are used', plan(), ['a'], '/account/products/camera-ai?cameras=1&period=monthly'],
  ['fewer are scheduled', plan({ scheduled }), ['a'], '/account/products/camera-ai?cameras=1&period=annual'],
  ['none is used', plan(), [], '/account/services'],
  ['it is free', plan({ status: 'trial' }), ['a'], undefined],
  ['it ends', plan({ status: 'cancelled' }), ['a'], undefined],
])('unused licenses can be returned where that saves money: %s', async (_, subscription, macs, href) => {
  have(subscription, ...macs)
  await show(<Unused />)
  expect(document.body.textContent).toContain('Cover a camera')
  expect(named(/^Give (it|them) back/)?.getAttribute('href')).toBe(href)
  await show(<Hints subscription={subscription} now={Date.now()} />)
  expect(named(/^Give (it|them) back/) !== undefined).toBe(href !== undefined)
})

test('an ended plan is offered again, unless another plan retains as much', async () => {
  const over = plan({ subscription_id: 'old', sku: 'unlimited', running: false, renews_at: Date.now() - 86_400_000 })
  await show(<Ended ended={[over]} all={[over]} />)
  expect([document.body.textContent.includes('hidden'), named(/^Turn on again/)?.tagName]).toEqual([true, 'A'])
  await show(<Ended ended={[over]} all={[over, plan({ sku: 'pro' })]} />)
  expect([document.body.textContent.includes('hidden'), named(/^Turn on again/)]).toEqual([false, undefined])
})

const open = { total: 1081, due_at: 0, tries: 1, next_tries: [later], code: '4221', method: null }
const visa: PaymentMethod = {
  ...{ method_id: 'm2', type: 'card', brand: 'visa', last_four: '4242', name: '', ends: null },
  ...{ state: 'good', is_default: false, may_go: true, added_at: 0 },
}
test.each([
  ['Undo', 'card', plan({ status: 'cancelled' })],
  ['Resume', 'resume', plan({ running: false, paused_until: later })],
  ['Pay ', 'pay-open', plan({ status: 'past_due', open })],
])('after %s the focus is on the plan card', async (name, call, subscription) => {
  $payment.set({ ...$payment.get(), methods: [visa], isLoaded: true })
  await show(<ServiceCard subscription={subscription} />)
  const subscriptions = { subscriptions: [plan()] }
  const data = { state: 'done', subscription_id: 's1', renews_at: later, paid: 1081, paused_until: null }
  answerWith({ [call]: ok(data), user_1: ok(subscriptions), recurring_info: null })
  const button = named(new RegExp(`^${name}`))!
  button.focus()
  await act(async () => button.click())
  await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector('[data-plan=s1]')), patience)
})
