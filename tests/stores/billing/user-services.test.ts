import { beforeEach, describe, expect, test } from 'vitest'
import type { Subscription } from '../../../contract/billing/subscriptions.ts'
import { userServices } from '../../../src/domain/billing/user-services.ts'
import { $subscriptions, $serviceUpdateStatus, runServiceChange } from '../../../src/stores/billing/subscriptions.ts'
import { $subscriptionsWithUnusedLicenses } from '../../../src/stores/billing/license-assignments.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import {
  $hasSecondTier,
  $userServices,
  syncUserServices,
  SUBSCRIPTIONS_BY_SKU,
} from '../../../src/stores/billing/user-services.ts'

const createSubscription = (sku: Subscription['sku'], change: Partial<Subscription> = {}): Subscription => ({
  subscription_id: `s-${sku}`,
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
const SERVICE_KEYS = [
  't1Quantity',
  't2Quantity',
  't3Quantity',
  'webT1Quantity',
  'webT2Quantity',
  'otherT1Quantity',
  'otherT2Quantity',
  'isHaveCptSub',
  'isHaveHmsSub',
  'isHaveCamerasBingCpt',
  'onlyBonusFreeT1',
  'onlyAmazonSub',
]
const createCamera = (covered: boolean, role = 1) =>
  toDevice({
    device_id: 'a',
    device_model: 'PL-CAM-V1',
    nickname: 'Hall',
    device_order: 0,
    device_category: 'camera',
    role,
    covered,
  })

beforeEach(() => {
  $subscriptions.set({ state: 'loading' })
  $devices.set({ state: 'loading' })
})

describe('the services of an account', () => {
  test('STORE-01 are stored with exactly the listed keys', () => {
    const stop = syncUserServices()
    $devices.set({ state: 'ready', devices: [createCamera(true)] })
    $subscriptions.set({ state: 'ready', subscriptions: [createSubscription('cam-ai', { quantity: 3 })] })
    const stored = JSON.parse(localStorage.getItem('userServices') ?? '') as object
    expect(Object.keys(stored).toSorted()).toEqual(SERVICE_KEYS.toSorted())
    expect(stored).toEqual($userServices.get())
    expect(stored).toMatchObject({ t1Quantity: 3, isHaveCptSub: true, isHaveCamerasBingCpt: true })
    $devices.set({ state: 'ready', devices: [createCamera(true, 2)] })
    expect($userServices.get().isHaveCamerasBingCpt).toBe(false)
    stop()
  })

  test('OPEN-145 count licenses by channel, including a canceled plan until its end', () => {
    const counted = userServices(
      [
        createSubscription('cam-ai', { quantity: 3, status: 'cancelled' }),
        createSubscription('cam-ai', { quantity: 2, channel: 'amazon' }),
        createSubscription('cam-ai', { channel: 'bonus' }),
        createSubscription('cam-ai', { quantity: 9, running: false }),
        createSubscription('unlimited', { channel: 'amazon' }),
        createSubscription('unlimited'),
        createSubscription('pro'),
        createSubscription('free'),
      ],
      false,
    )
    expect(counted).toMatchObject({
      t1Quantity: 6,
      webT1Quantity: 3,
      otherT1Quantity: 3,
      t2Quantity: 2,
      webT2Quantity: 1,
      otherT2Quantity: 1,
      t3Quantity: 1,
      isHaveCptSub: true,
      isHaveHmsSub: false,
      isHaveCamerasBingCpt: false,
    })
  })

  test.each([
    [[], false, false],
    [[createSubscription('free')], false, false],
    [[createSubscription('unlimited', { channel: 'amazon' })], true, false],
    [[createSubscription('unlimited', { channel: 'amazon' }), createSubscription('hms')], false, false],
    [[createSubscription('cam-ai', { channel: 'bonus' })], false, true],
    [
      [createSubscription('cam-ai', { channel: 'bonus' }), createSubscription('unlimited', { running: false })],
      false,
      true,
    ],
    [[createSubscription('unlimited', { channel: 'bonus' })], false, false],
    [[createSubscription('cam-ai', { channel: 'bonus' }), createSubscription('cam-ai')], false, false],
  ] as const)('OPEN-46 name a sole source only if there is one: %#', (subs, onlyAmazonSub, onlyBonusFreeT1) => {
    expect(userServices(subs, true)).toMatchObject({ onlyAmazonSub, onlyBonusFreeT1 })
  })

  test('do not count a plan for homes as a camera plan', () => {
    expect(userServices([createSubscription('hms')], true)).toMatchObject({
      isHaveCptSub: false,
      isHaveHmsSub: true,
      isHaveCamerasBingCpt: false,
      t1Quantity: 0,
    })
  })
})

test('STORE-14 each kind of plan has a store, and unused plans have one', () => {
  const all = [
    createSubscription('cam-ai'),
    createSubscription('unlimited'),
    createSubscription('pro'),
    createSubscription('hms'),
    createSubscription('hms', { running: false }),
  ]
  $subscriptions.set({ state: 'ready', subscriptions: all })
  const counts = Object.entries(SUBSCRIPTIONS_BY_SKU).map(([kind, store]) => [kind, store.get().map(({ sku }) => sku)])
  expect(Object.fromEntries(counts)).toEqual({
    'cam-ai': ['cam-ai'],
    unlimited: ['unlimited'],
    pro: ['pro'],
    hms: ['hms', 'hms'],
  })
  expect($subscriptionsWithUnusedLicenses.get()).toEqual([])
})

test('STORE-17 an account has the second tier while a subscription to it is running', () => {
  for (const [subs, has] of [
    [[], false],
    [[createSubscription('pro'), createSubscription('cam-ai')], false],
    [[createSubscription('unlimited', { running: false })], false],
    [[createSubscription('unlimited', { status: 'cancelled' })], true],
  ] as const) {
    $subscriptions.set({ state: 'ready', subscriptions: subs })
    expect($hasSecondTier.get()).toBe(has)
  }
})

test('SUB-16 the service update status is true, and false while a change is in progress', async () => {
  expect($serviceUpdateStatus.get()).toBe(true)
  const change = Promise.withResolvers<string>()
  const done = runServiceChange(() => change.promise)
  expect($serviceUpdateStatus.get()).toBe(false)
  change.resolve('through')
  expect(await done).toBe('through')
  expect($serviceUpdateStatus.get()).toBe(true)
  await expect(runServiceChange(() => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect($serviceUpdateStatus.get()).toBe(true)
})
