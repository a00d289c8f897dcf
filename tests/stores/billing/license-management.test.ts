// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest'
import { ERROR_CATALOG } from '../../../contract/wire/error-codes.ts'
import {
  $bindCart,
  $assignmentResults,
  addToCart,
  assignLicenses,
  unassignLicense,
  removeFromCart,
  transferCameraLicense,
  undoAssignment,
} from '../../../src/stores/billing/license-cart.ts'
import {
  $isAutoAssignOn,
  $licenseManager,
  $managedPlanId,
  setAutoAssign,
} from '../../../src/stores/billing/license-manager.ts'
import { $licenseAssignments } from '../../../src/stores/billing/license-assignments.ts'
import { $subscriptions } from '../../../src/stores/billing/subscriptions.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { clearUserData } from '../../../src/stores/storage/safe-storage.ts'
import { CAMERA_SUBSCRIPTION as plan } from '../../support/checkout.ts'
import { stubApiResponses, type SentRequest } from '../../support/client.ts'
import { areDistinct, statesUnknownResult } from '../../support/facts.ts'
import { assignmentRefusalText } from '../../../src/domain/copy/licenses.ts'

const NOW = Date.parse('2026-11-22T09:44:00Z')
const SUBSCRIPTION_ID = 's1'
const ASSIGNMENT_ERROR_TEXT = ERROR_CATALOG['4301'].text
const readStoredCart = () => JSON.parse(localStorage.getItem('bindCart') ?? '[]') as unknown
const listCartIds = () => $bindCart.get().map(({ device_id }) => device_id)
const createCamera = (device_id: string, role = 1) =>
  toDevice({ device_id, device_model: 'M', nickname: device_id, device_order: 0, role, device_category: 'camera' })

let requests: SentRequest[] = []
const mockResponses = (answers: Record<string, unknown>) => (requests = stubApiResponses(answers))
const listBodies = (path: string) =>
  requests.filter((request) => request.path.endsWith(path)).map(({ body }) => body as Record<string, unknown>)

beforeEach(() => {
  clearUserData()
  $userId.set('user_1')
  $bindCart.set([])
  $assignmentResults.set(new Map())
  $devices.set({ state: 'ready', devices: [createCamera('a'), createCamera('b'), createCamera('c')] })
  while ($toast.get()) closeToast()
  mockResponses({})
})

describe('the bind cart', () => {
  test('BIND-03 holds each device once, by id, and is stored in the browser', () => {
    for (const id of ['a', 'b', 'a']) addToCart(id)
    expect(readStoredCart()).toEqual([{ device_id: 'a' }, { device_id: 'b' }])
    removeFromCart('a')
    removeFromCart('x')
    expect([listCartIds(), readStoredCart()]).toEqual([['b'], [{ device_id: 'b' }]])
  })

  test.each(['7', '{"device_id":"a"}', '[{"device_id":7}]', '[null]', '[{"device_id":"a"},{"device_id":"a"}]', '['])(
    'BIND-03 is empty if the stored value is not a valid list: %s',
    (text) => {
      const event = new StorageEvent('storage', { key: 'bindCart', newValue: text })
      const stop = $bindCart.listen(() => undefined)
      window.dispatchEvent(event)
      expect(listCartIds()).toEqual([])
      stop()
    },
  )

  test('OPEN-42 is cleared with the user’s other data', () => {
    addToCart('a')
    clearUserData()
    expect(localStorage.getItem('bindCart')).toBeNull()
  })
})

const assignedResult = (device_mac: string) => ({ device_mac, bound: true, why: null })
const failedResult = (device_mac: string, why = 'bound') => ({ device_mac, bound: false, why })
const assignmentResponse = (code: number, devices: object[]) => ({ active: { code, status: 200, data: { devices } } })

describe('license assignment from the cart', () => {
  beforeEach(() => ['a', 'b', 'c'].forEach(addToCart))

  test('BIND-01 empties the cart without a toast once all licenses are assigned', async () => {
    mockResponses(assignmentResponse(200, ['a', 'b', 'c'].map(assignedResult)))
    expect(await assignLicenses(SUBSCRIPTION_ID, listCartIds(), NOW)).toBeNull()
    expect(listBodies('active')).toEqual([{ subscription_id: SUBSCRIPTION_ID, device_macs: ['a', 'b', 'c'] }])
    expect([listCartIds(), $toast.get()]).toEqual([[], null])
    expect($assignmentResults.get().get('a')).toEqual({ bound: true, at: NOW, from: null })
  })

  test('BIND-05 OPEN-156 keeps failed cameras in the cart with their reason and shows a warning', async () => {
    mockResponses(assignmentResponse(4301, [assignedResult('a'), assignedResult('b'), failedResult('c')]))
    await assignLicenses(SUBSCRIPTION_ID, listCartIds(), NOW)
    expect($toast.get()).toMatchObject({
      style: 'warning',
      text: `2 of 3 cameras are covered. ${ASSIGNMENT_ERROR_TEXT}`,
    })
    expect([listCartIds(), $assignmentResults.get().get('c')]).toEqual([['c'], { bound: false, why: 'bound' }])
    removeFromCart('c')
    expect([listCartIds(), $assignmentResults.get().has('c'), $assignmentResults.get().has('a')]).toEqual([
      [],
      false,
      true,
    ])
  })

  test('BIND-05 OPEN-156 shows an error if no license was assigned', async () => {
    mockResponses(
      assignmentResponse(
        4301,
        ['a', 'b', 'c'].map((id) => failedResult(id, 'no_licence')),
      ),
    )
    await assignLicenses(SUBSCRIPTION_ID, listCartIds(), NOW)
    expect($toast.get()).toMatchObject({ style: 'error', text: ASSIGNMENT_ERROR_TEXT })
    expect(listCartIds()).toEqual(['a', 'b', 'c'])
  })

  test.each([
    ['a missing response', {}, expect.toSatisfy(statesUnknownResult) as unknown],
    ['a rate limit error', { active: { code: 429 } }, ERROR_CATALOG['429'].text],
    [
      'a partial success without a device list',
      { active: { code: 4301, status: 200, data: 7 } },
      ASSIGNMENT_ERROR_TEXT,
    ],
  ])('%s is reported in place and keeps the whole cart', async (_, answers, text) => {
    mockResponses(answers)
    expect(await assignLicenses(SUBSCRIPTION_ID, listCartIds(), NOW)).toMatchObject({ text, inPlace: true })
    expect([listCartIds(), $toast.get(), $assignmentResults.get().size]).toEqual([['a', 'b', 'c'], null, 0])
  })
})

const isDistinctReason = (text: string) =>
  areDistinct([
    text,
    ...(['bound', 'not_yours', 'no_licence'] as const).map((why) => assignmentRefusalText(why, null, NOW)),
  ])

describe('a license', () => {
  const answers = (devices: object[]) => ({ code: 200, data: { devices } })

  test('is unassigned with the same idempotency key until a response confirms it', async () => {
    expect(await unassignLicense(SUBSCRIPTION_ID, 'a')).toMatchObject({ status: 0 })
    mockResponses({ unbind: { code: 502 } })
    await unassignLicense(SUBSCRIPTION_ID, 'a')
    const [first] = listBodies('unbind')
    mockResponses({ unbind: answers([{ device_mac: 'a', done: true, why: null }]) })
    expect(await unassignLicense(SUBSCRIPTION_ID, 'a')).toBeNull()
    await unassignLicense(SUBSCRIPTION_ID, 'a')
    const [second, third] = listBodies('unbind')
    expect(second).toEqual(first)
    expect(third?.['intent']).not.toBe(first?.['intent'])
  })

  test('is transferred from one camera to another, and Undo reverses it', async () => {
    addToCart('b')
    mockResponses({ 'move-licence': answers(['a', 'b'].map((device_mac) => ({ device_mac, done: true, why: null }))) })
    expect(await transferCameraLicense(SUBSCRIPTION_ID, { from: 'a', to: 'b', now: NOW })).toBeNull()
    expect([listCartIds(), $assignmentResults.get().get('b')]).toEqual([[], { bound: true, at: NOW, from: 'a' }])
    await undoAssignment(SUBSCRIPTION_ID, 'b', NOW)
    expect(listBodies('move-licence')).toMatchObject([
      { subscription_id: SUBSCRIPTION_ID, from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ])
    expect($assignmentResults.get().size).toBe(0)
  })

  test.each([
    ['not_bound', null, expect.toSatisfy(isDistinctReason) as unknown],
    [null, 'bound', assignmentRefusalText('bound', null, NOW)],
    [null, 'not_yours', assignmentRefusalText('not_yours', null, NOW)],
  ])('that cannot be transferred (%s, %s) stays and shows the reason', async (gave, got, text) => {
    const devices = [
      { device_mac: 'a', done: false, why: gave },
      { device_mac: 'b', done: false, why: got },
    ]
    mockResponses({ 'move-licence': answers(devices) })
    expect(await transferCameraLicense(SUBSCRIPTION_ID, { from: 'a', to: 'b', now: NOW })).toEqual({
      text,
      inPlace: true,
    })
    expect($assignmentResults.get().size).toBe(0)
  })
})

describe('new cameras', () => {
  test('take a license automatically if the owner wants it', async () => {
    mockResponses({ 'auto-cover': { code: 200, data: { on: false } } })
    expect(await setAutoAssign(false)).toBeNull()
    expect([$isAutoAssignOn.get(), listBodies('auto-cover')]).toMatchObject([false, [{ on: false }]])
    mockResponses({ 'auto-cover': { code: 429 } })
    expect(await setAutoAssign(true)).toMatchObject({ text: ERROR_CATALOG['429'].text, inPlace: false })
    expect($isAutoAssignOn.get()).toBe(false)
  })
})

describe('the license page', () => {
  const setSubscriptions = (...subscriptions: object[]) =>
    $subscriptions.set({
      state: 'ready',
      subscriptions: subscriptions.map((subscription) => ({ ...plan, ...subscription })),
    })
  const binding = (device_mac: string, bound_to: string | null) => ({ device_mac, plan: null, bound_to, keeps_days: 1 })

  beforeEach(() => {
    $managedPlanId.set(SUBSCRIPTION_ID)
    $licenseAssignments.set({
      state: 'ready',
      bindings: new Map([
        ['a', binding('a', SUBSCRIPTION_ID)],
        ['b', binding('b', 'other')],
      ]),
    })
  })

  test('OPEN-55 shows own cameras with their licenses and offers no shared ones', () => {
    $devices.set({ state: 'ready', devices: [createCamera('a'), createCamera('b'), createCamera('shared', 2)] })
    setSubscriptions({}, { subscription_id: 'other', channel: 'amazon' })
    const cover = $licenseManager.get()
    expect(cover).toMatchObject({ state: 'ready', free: 2, plan: { subscription_id: SUBSCRIPTION_ID } })
    expect(
      'cameras' in cover && cover.cameras.map(({ device, isBound, other }) => [device.mac, isBound, other?.channel]),
    ).toEqual([
      ['a', true, undefined],
      ['b', false, 'amazon'],
    ])
  })

  test('distinguishes a license that covers its camera from one beyond the paid quantity', () => {
    $devices.set({ state: 'ready', devices: [createCamera('a'), createCamera('b')] })
    setSubscriptions({})
    const covering = { subscription_id: SUBSCRIPTION_ID, sku: 'cam-ai', by: 'licence' } as const
    const bindings = [{ ...binding('a', SUBSCRIPTION_ID), plan: covering }, binding('b', SUBSCRIPTION_ID)]
    $licenseAssignments.set({ state: 'ready', bindings: new Map(bindings.map((entry) => [entry.device_mac, entry])) })
    const cover = $licenseManager.get()
    expect('cameras' in cover && cover.cameras.map(({ isBound, isCovered }) => [isBound, isCovered])).toEqual([
      [true, true],
      [true, false],
    ])
  })

  test('shows if the plan is missing, gives nothing or covers the whole home', () => {
    setSubscriptions({ subscription_id: 'other' })
    expect($licenseManager.get().state).toBe('none')
    setSubscriptions({ running: false })
    expect($licenseManager.get().state).toBe('over')
    setSubscriptions({ sku: 'unlimited' })
    expect($licenseManager.get().state).toBe('home')
    setSubscriptions({ sku: 'hms' })
    expect($licenseManager.get().state).toBe('none')
    $managedPlanId.set(null)
    setSubscriptions({ sku: 'unlimited', subscription_id: 'x' }, {})
    expect($licenseManager.get()).toMatchObject({ state: 'ready', plan: { subscription_id: SUBSCRIPTION_ID } })
    setSubscriptions({ sku: 'unlimited' })
    expect($licenseManager.get().state).toBe('home')
  })

  test('waits for data that is not known yet', () => {
    setSubscriptions({})
    $licenseAssignments.set({ state: 'loading' })
    expect($licenseManager.get().state).toBe('loading')
    $devices.set({ state: 'failed', msg: 'No.' })
    expect($licenseManager.get()).toEqual({ state: 'failed', text: 'No.' })
  })
})
