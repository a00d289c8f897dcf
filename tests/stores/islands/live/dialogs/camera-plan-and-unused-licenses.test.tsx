import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Binding } from '../../../../../contract/billing/licenses.ts'
import type { Subscription } from '../../../../../contract/billing/subscriptions.ts'
import { PlanRow } from '../../../../../src/islands/live/dialogs/PlanRow.tsx'
import { $devices, toDevice } from '../../../../../src/stores/home/devices.ts'
import {
  $licenseAssignments,
  $subscriptionsWithUnusedLicenses,
  loadLicenseAssignments,
} from '../../../../../src/stores/billing/license-assignments.ts'
import { $userId } from '../../../../../src/stores/session/session.ts'
import { $subscriptions } from '../../../../../src/stores/billing/subscriptions.ts'
import { stubApiResponses } from '../../../../support/client.ts'
import { extractFacts } from '../../../../support/facts.ts'

const createSubscription = (
  subscription_id: string,
  sku: Subscription['sku'],
  change: Partial<Subscription> = {},
): Subscription => ({
  subscription_id,
  sku,
  status: 'active',
  quantity: 1,
  period: 'monthly',
  billing_provider: 'card',
  renews_at: 0,
  running: true,
  channel: 'web',
  revision: 0,
  since: 0,
  scheduled: null,
  next: null,
  paused_until: null,
  leaving: null,
  open: null,
  clock: 0,
  ...change,
})
const wireFields = { device_model: 'PL-CAM-V1', device_order: 0, device_category: 'camera' }
const createCamera = (device_id: string, role = 1) => toDevice({ ...wireFields, device_id, nickname: device_id, role })
const createBinding = (device_mac: string, change: Partial<Binding> = {}): Binding => ({
  device_mac,
  plan: null,
  bound_to: null,
  keeps_days: 1,
  ...change,
})
const bindingsResponse = (...list: Binding[]) => ({ code: 200, data: { bindings: list } })
const setSubscriptions = (...subscriptions: Subscription[]) => $subscriptions.set({ state: 'ready', subscriptions })
function mockBindings(batch_get_bindings: unknown) {
  const current = $subscriptions.get()
  const subscriptions = current.state === 'ready' ? current.subscriptions : []
  return stubApiResponses({ batch_get_bindings, user_1: { code: 200, data: { subscriptions } } })
}

beforeEach(() => {
  $userId.set('user_1')
  $devices.set({ state: 'ready', devices: [createCamera('a'), createCamera('b'), createCamera('c', 2)] })
  $subscriptions.set({ state: 'loading' })
  $licenseAssignments.set({ state: 'loading' })
})

describe('account subscriptions', () => {
  test('count as unused if a license covers fewer cameras than allowed, once the assignments are known', async () => {
    setSubscriptions(
      createSubscription('three', 'cam-ai', { quantity: 3 }),
      createSubscription('one', 'cam-ai'),
      createSubscription('home', 'unlimited', { quantity: 2 }),
      createSubscription('ended', 'cam-ai', { status: 'cancelled', running: false }),
    )
    expect($subscriptionsWithUnusedLicenses.get()).toEqual([])
    mockBindings(
      bindingsResponse(
        createBinding('a', { bound_to: 'three' }),
        createBinding('b', { bound_to: 'one' }),
        createBinding('c'),
      ),
    )
    await loadLicenseAssignments(['a', 'b', 'c'])
    expect($subscriptionsWithUnusedLicenses.get()).toEqual([
      { subscription: expect.objectContaining({ quantity: 3 }), unused: 2 },
    ])
    const fewer = { sku: 'cam-ai', period: 'monthly', quantity: 1 } as const
    setSubscriptions(createSubscription('three', 'cam-ai', { quantity: 3, scheduled: fewer }))
    expect($subscriptionsWithUnusedLicenses.get()).toEqual([])
  })
})

describe('camera plan', () => {
  let root: Root
  beforeEach(() => {
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    document.body.innerHTML = '<div id="root"></div>'
    root = createRoot(document.getElementById('root')!)
  })
  afterEach(() => act(() => root.unmount()))

  const renderPlanRow = async (answer: unknown, of = createCamera('a')) => {
    const requests = mockBindings(answer)
    await act(async () => root.render(<PlanRow camera={of} />))
    expect(requests.map(({ body }) => body)).toContainEqual({ device_macs: ['a', 'b', 'c'] })
    return readPlanText()
  }
  const readPlanText = () => document.querySelector('small')?.textContent ?? ''
  const readPlanLink = () => document.querySelector('a')?.getAttribute('href')
  const plan = { subscription_id: 'u', sku: 'unlimited', by: 'home' } as const

  test('is named to its owner, with a link to the plans', async () => {
    const home = await renderPlanRow(bindingsResponse(createBinding('a', { plan, keeps_days: 30 })))
    expect(extractFacts(home, 'every camera')).toEqual(['Unlimited Cameras', 'every camera', '30 days'])
    expect(readPlanLink()).toBe('/account/products/choose')
    const own = { ...plan, sku: 'cam-ai', by: 'licence' } as const
    await act(async () =>
      $licenseAssignments.set({
        state: 'ready',
        bindings: new Map([['a', createBinding('a', { plan: own, keeps_days: 14 })]]),
      }),
    )
    expect(extractFacts(readPlanText(), 'this camera')).toEqual(['Camera AI', 'this camera', '14 days'])
  })

  test('is shown as none, with the unused licenses', async () => {
    setSubscriptions(createSubscription('two', 'cam-ai', { quantity: 2 }))
    expect(extractFacts(await renderPlanRow(bindingsResponse(createBinding('a'))))).toEqual(['1 day', '2'])
  })

  test('of a shared camera is its owner’s, without a link to the plans', async () => {
    const answer = bindingsResponse(createBinding('c', { plan: { ...plan, subscription_id: null }, keeps_days: 30 }))
    expect(extractFacts(await renderPlanRow(answer, createCamera('c', 2)), 'owner')).toEqual([
      'Unlimited Cameras',
      'owner',
      '30 days',
    ])
    expect(readPlanLink()).toBeUndefined()
  })

  test.each([{ code: 500 }, null])('is not shown as none if it could not be loaded: %j', async (answer) => {
    const text = await renderPlanRow(answer)
    expect([text === '', extractFacts(text)]).toEqual([false, []])
  })
})
