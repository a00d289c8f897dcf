import { act, type ReactNode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PaymentMethod } from '../../../../contract/billing/payment-methods-and-invoices.ts'
import type { Binding } from '../../../../contract/billing/licenses.ts'
import type { Subscription } from '../../../../contract/billing/subscriptions.ts'
import { OwnPlan } from '../../../../src/islands/overview/parts/PlanSummary.tsx'
import { UnusedLicenses } from '../../../../src/islands/overview/parts/UnusedLicenses.tsx'
import { EndedSubscriptions } from '../../../../src/islands/services/parts/EndedSubscriptions.tsx'
import { SubscriptionHints } from '../../../../src/islands/services/parts/SubscriptionHints.tsx'
import { ServiceCard } from '../../../../src/islands/services/parts/ServiceCard.tsx'
import { $licenseAssignments } from '../../../../src/stores/billing/license-assignments.ts'
import { $subscriptions } from '../../../../src/stores/billing/subscriptions.ts'
import { $paymentMethods } from '../../../../src/stores/billing/payment-methods.ts'
import { $devices, toDevice } from '../../../../src/stores/home/devices.ts'
import { $userId } from '../../../../src/stores/session/session.ts'
import { stubApiResponses } from '../../../support/client.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'

const laterMs = Date.now() + 10 * 86_400_000
const createSubscription = (change: Partial<Subscription> = {}): Subscription => ({
  subscription_id: 's1',
  sku: 'cam-ai',
  status: 'active',
  quantity: 3,
  period: 'monthly',
  billing_provider: 'card',
  renews_at: laterMs,
  running: true,
  channel: 'web',
  revision: 3,
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  ...change,
})
const createBinding = (device_mac: string): Binding => ({ device_mac, plan: null, bound_to: 's1', keeps_days: 14 })
const okResponse = <T,>(data: T) => ({ code: 200, data })

let root: Root
const renderNode = (node: ReactNode) => act(async () => root.render(node))
beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  stubApiResponses({})
  localStorage.clear()
  sessionStorage.clear()
  $userId.set('user_1')
  document.body.innerHTML = '<div id="root"></div>'
  root = createRoot(document.getElementById('root')!)
})
afterEach(() => act(() => root.unmount()))

const findByName = (name: RegExp) =>
  [...document.querySelectorAll<HTMLElement>('button, a')].find((element) =>
    name.test(element.getAttribute('aria-label') ?? element.textContent),
  )

const setSubscription = (subscription: Subscription, ...macs: string[]) => {
  $subscriptions.set({ state: 'ready', subscriptions: [subscription] })
  $licenseAssignments.set({ state: 'ready', bindings: new Map(macs.map((mac) => [mac, createBinding(mac)])) })
}
const scheduledChange = { sku: 'cam-ai', period: 'annual', quantity: 2 } as const

test.each([
  ['some are used', createSubscription(), ['a'], '/account/products/camera-ai?cameras=1&period=monthly'],
  [
    'fewer are scheduled',
    createSubscription({ scheduled: scheduledChange }),
    ['a'],
    '/account/products/camera-ai?cameras=1&period=annual',
  ],
  ['none is used', createSubscription(), [], '/account/services'],
  ['it is free', createSubscription({ status: 'trial' }), ['a'], undefined],
  ['it ends', createSubscription({ status: 'cancelled' }), ['a'], undefined],
])('unused licenses can be returned where that saves money: %s', async (_, subscription, macs, href) => {
  setSubscription(subscription, ...macs)
  await renderNode(<UnusedLicenses />)
  expect(document.body.textContent).toMatch(/Assign licenses?/)
  expect(findByName(/^Remove licenses?/)?.getAttribute('href')).toBe(href)
  await renderNode(<SubscriptionHints subscription={subscription} now={Date.now()} />)
  expect(findByName(/^Remove licenses?/) !== undefined).toBe(href !== undefined)
})

test('an ended plan is offered again, unless another plan retains as much', async () => {
  const over = createSubscription({
    subscription_id: 'old',
    sku: 'unlimited',
    running: false,
    renews_at: Date.now() - 86_400_000,
  })
  await renderNode(<EndedSubscriptions ended={[over]} all={[over]} />)
  expect([document.body.textContent.includes('hidden'), findByName(/^Subscribe again/)?.tagName]).toEqual([true, 'A'])
  await renderNode(<EndedSubscriptions ended={[over]} all={[over, createSubscription({ sku: 'pro' })]} />)
  expect([document.body.textContent.includes('hidden'), findByName(/^Subscribe again/)]).toEqual([false, undefined])
})

test('a free trial names the price of the plan that it becomes, and preselects it', async () => {
  await renderNode(<ServiceCard subscription={createSubscription({ status: 'trial', quantity: 1 })} />)
  const link = findByName(/Subscribe for \$\d+\.\d\d a month$/)
  expect(link?.getAttribute('href')).toBe('/account/products/camera-ai?period=monthly')
})

test('a plan has the same icon on the overview and the services page', async () => {
  const readIcon = () => document.querySelector('.service-icon svg, .plan-sign svg')?.getAttribute('class')
  const icons: unknown[] = []
  for (const sku of ['cam-ai', 'unlimited', 'hms'] as const) {
    await renderNode(<ServiceCard subscription={createSubscription({ sku })} />)
    const icon = readIcon()
    await renderNode(<OwnPlan subscriptions={[createSubscription({ sku })]} />)
    expect(readIcon()).toBe(icon)
    icons.push(icon)
  }
  expect(new Set(icons).size).toBe(3)
})

test('a covered camera shows since when it has its license', async () => {
  const wireFields = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera', role: 1 }
  const device = toDevice({ ...wireFields, device_id: 'a', nickname: 'a' })
  $devices.set({ state: 'ready', devices: [device] })
  const own = { subscription_id: 's1', sku: 'cam-ai', by: 'licence' } as const
  const readTile = async (change: Partial<Binding>) => {
    const binding = { ...createBinding('a'), plan: own, ...change }
    act(() => $licenseAssignments.set({ state: 'ready', bindings: new Map([['a', binding]]) }))
    await renderNode(<ServiceCard subscription={createSubscription()} />)
    return document.querySelector('.covered small')?.textContent
  }
  const bound_at = Date.UTC(2025, 5, 8, 12)
  expect(await readTile({ bound_at })).toBe('Covered since 8 June 2025')
  expect(await readTile({})).toBe('Covered')
  // A plan for all cameras covers this camera. The license has nothing to do with it.
  expect(await readTile({ bound_at, plan: { ...own, by: 'home' } })).toBe('Covered')
})

const openInvoice = { total: 1081, due_at: 0, tries: 1, next_tries: [laterMs], code: '4221', method: null }
const visa: PaymentMethod = {
  method_id: 'm2',
  type: 'card',
  brand: 'visa',
  last_four: '4242',
  name: '',
  ends: null,
  state: 'good',
  is_default: false,
  may_go: true,
  added_at: 0,
}
test.each([
  ['Undo', 'card', createSubscription({ status: 'cancelled' })],
  ['Resume', 'resume', createSubscription({ running: false, paused_until: laterMs })],
  ['Pay ', 'pay-open', createSubscription({ status: 'past_due', open: openInvoice })],
])('after %s the focus is on the plan card', async (name, call, subscription) => {
  $paymentMethods.set({ ...$paymentMethods.get(), methods: [visa], isLoaded: true })
  await renderNode(<ServiceCard subscription={subscription} />)
  const subscriptions = { subscriptions: [createSubscription()] }
  const data = { state: 'done', subscription_id: 's1', renews_at: laterMs, paid: 1081, paused_until: null }
  stubApiResponses({ [call]: okResponse(data), user_1: okResponse(subscriptions), recurring_info: null })
  const button = findByName(new RegExp(`^${name}`))!
  button.focus()
  await act(async () => button.click())
  await vi.waitFor(() => expect(document.activeElement).toBe(document.querySelector('[data-plan=s1]')), WAIT_OPTIONS)
})

test('an open invoice is the primary action of the overview', async () => {
  const readClasses = () => findByName(/^(Pay now|Change plan)/)?.classList.contains('btn-primary')
  await renderNode(<OwnPlan subscriptions={[createSubscription()]} />)
  expect(readClasses()).toBe(false)
  await renderNode(<OwnPlan subscriptions={[createSubscription({ status: 'past_due', open: openInvoice })]} />)
  expect(readClasses()).toBe(true)
})
