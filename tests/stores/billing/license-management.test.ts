// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest'
import { ERROR_CATALOG } from '../../../contract/wire/error-codes.ts'
import {
  $bindCart,
  $bindResults,
  addToCart,
  bindDevices,
  unassignLicense,
  removeFromCart,
  transferCameraLicense,
  undoBinding,
} from '../../../src/stores/billing/license-cart.ts'
import { $autoCover, $cover, $coverPlan, chooseAutoCover } from '../../../src/stores/billing/license-manager.ts'
import { $bindings } from '../../../src/stores/billing/license-assignments.ts'
import { $subscriptions } from '../../../src/stores/billing/subscriptions.ts'
import { $devices, toDevice } from '../../../src/stores/home/devices.ts'
import { $userId } from '../../../src/stores/session/session.ts'
import { $toast, closeToast } from '../../../src/stores/shell/toasts.ts'
import { clearUserScoped } from '../../../src/stores/storage/safe-storage.ts'
import { camera as plan } from '../../support/checkout.ts'
import { answerWith, type SentRequest } from '../../support/client.ts'
import { areDistinct, saysUnknown } from '../../support/facts.ts'
import { reasonText } from '../../../src/domain/copy/licenses.ts'

const NOW = Date.parse('2026-11-22T09:44:00Z')
const PLAN = 's1'
const MESSAGE = ERROR_CATALOG['4301'].text
const readStoredCart = () => JSON.parse(localStorage.getItem('bindCart') ?? '[]') as unknown
const ids = () => $bindCart.get().map(({ device_id }) => device_id)
const camera = (device_id: string, role = 1) =>
  toDevice({ device_id, device_model: 'M', nickname: device_id, device_order: 0, role, device_category: 'camera' })

let requests: SentRequest[] = []
const answer = (answers: Record<string, unknown>) => (requests = answerWith(answers))
const bodies = (path: string) =>
  requests.filter((request) => request.path.endsWith(path)).map(({ body }) => body as Record<string, unknown>)

beforeEach(() => {
  clearUserScoped()
  $userId.set('user_1')
  $bindCart.set([])
  $bindResults.set(new Map())
  $devices.set({ state: 'ready', devices: [camera('a'), camera('b'), camera('c')] })
  while ($toast.get()) closeToast()
  answer({})
})

describe('the bind cart', () => {
  test('BIND-03 holds each device once, by id, and is stored in the browser', () => {
    for (const id of ['a', 'b', 'a']) addToCart(id)
    expect(readStoredCart()).toEqual([{ device_id: 'a' }, { device_id: 'b' }])
    removeFromCart('a')
    removeFromCart('x')
    expect([ids(), readStoredCart()]).toEqual([['b'], [{ device_id: 'b' }]])
  })

  test.each(['7', '{"device_id":"a"}', '[{"device_id":7}]', '[null]', '[{"device_id":"a"},{"device_id":"a"}]', '['])(
    'BIND-03 is empty if the stored value is not a valid list: %s',
    (text) => {
      const event = new StorageEvent('storage', { key: 'bindCart', newValue: text })
      const stop = $bindCart.listen(() => undefined)
      window.dispatchEvent(event)
      expect(ids()).toEqual([])
      stop()
    },
  )

  test('OPEN-42 is cleared with the user’s other data', () => {
    addToCart('a')
    clearUserScoped()
    expect(localStorage.getItem('bindCart')).toBeNull()
  })
})

const bound = (device_mac: string) => ({ device_mac, bound: true, why: null })
const failed = (device_mac: string, why = 'bound') => ({ device_mac, bound: false, why })
const active = (code: number, devices: object[]) => ({ active: { code, status: 200, data: { devices } } })

describe('license assignment from the cart', () => {
  beforeEach(() => ['a', 'b', 'c'].forEach(addToCart))

  test('BIND-01 empties the cart without a toast once all licenses are assigned', async () => {
    answer(active(200, ['a', 'b', 'c'].map(bound)))
    expect(await bindDevices(PLAN, ids(), NOW)).toBeNull()
    expect(bodies('active')).toEqual([{ subscription_id: PLAN, device_macs: ['a', 'b', 'c'] }])
    expect([ids(), $toast.get()]).toEqual([[], null])
    expect($bindResults.get().get('a')).toEqual({ bound: true, at: NOW, from: null })
  })

  test('BIND-05 OPEN-156 keeps failed cameras in the cart with their reason and shows a warning', async () => {
    answer(active(4301, [bound('a'), bound('b'), failed('c')]))
    await bindDevices(PLAN, ids(), NOW)
    expect($toast.get()).toMatchObject({ style: 'warning', text: `2 of 3 cameras are covered. ${MESSAGE}` })
    expect([ids(), $bindResults.get().get('c')]).toEqual([['c'], { bound: false, why: 'bound' }])
    removeFromCart('c')
    expect([ids(), $bindResults.get().has('c'), $bindResults.get().has('a')]).toEqual([[], false, true])
  })

  test('BIND-05 OPEN-156 shows an error if no license was assigned', async () => {
    answer(
      active(
        4301,
        ['a', 'b', 'c'].map((id) => failed(id, 'no_licence')),
      ),
    )
    await bindDevices(PLAN, ids(), NOW)
    expect($toast.get()).toMatchObject({ style: 'error', text: MESSAGE })
    expect(ids()).toEqual(['a', 'b', 'c'])
  })

  test.each([
    ['no answer', {}, expect.toSatisfy(saysUnknown) as unknown],
    ['too many questions', { active: { code: 429 } }, ERROR_CATALOG['429'].text],
    ['a part without its devices', { active: { code: 4301, status: 200, data: 7 } }, MESSAGE],
  ])('%s is reported in place and keeps the whole cart', async (_, answers, text) => {
    answer(answers)
    expect(await bindDevices(PLAN, ids(), NOW)).toMatchObject({ text, inPlace: true })
    expect([ids(), $toast.get(), $bindResults.get().size]).toEqual([['a', 'b', 'c'], null, 0])
  })
})

const isOfItsOwn = (text: string) =>
  areDistinct([text, ...(['bound', 'not_yours', 'no_licence'] as const).map((why) => reasonText(why, null, NOW))])

describe('a license', () => {
  const answers = (devices: object[]) => ({ code: 200, data: { devices } })

  test('is unassigned with the same idempotency key until a response confirms it', async () => {
    expect(await unassignLicense(PLAN, 'a')).toMatchObject({ status: 0 })
    answer({ unbind: { code: 502 } })
    await unassignLicense(PLAN, 'a')
    const [first] = bodies('unbind')
    answer({ unbind: answers([{ device_mac: 'a', done: true, why: null }]) })
    expect(await unassignLicense(PLAN, 'a')).toBeNull()
    await unassignLicense(PLAN, 'a')
    const [second, third] = bodies('unbind')
    expect(second).toEqual(first)
    expect(third?.['intent']).not.toBe(first?.['intent'])
  })

  test('is transferred from one camera to another, and Undo reverses it', async () => {
    addToCart('b')
    answer({ 'move-licence': answers(['a', 'b'].map((device_mac) => ({ device_mac, done: true, why: null }))) })
    expect(await transferCameraLicense(PLAN, { from: 'a', to: 'b', now: NOW })).toBeNull()
    expect([ids(), $bindResults.get().get('b')]).toEqual([[], { bound: true, at: NOW, from: 'a' }])
    await undoBinding(PLAN, 'b', NOW)
    expect(bodies('move-licence')).toMatchObject([
      { subscription_id: PLAN, from: 'a', to: 'b' },
      { from: 'b', to: 'a' },
    ])
    expect($bindResults.get().size).toBe(0)
  })

  test.each([
    ['not_bound', null, expect.toSatisfy(isOfItsOwn) as unknown],
    [null, 'bound', reasonText('bound', null, NOW)],
    [null, 'not_yours', reasonText('not_yours', null, NOW)],
  ])('that cannot be transferred (%s, %s) stays and shows the reason', async (gave, got, text) => {
    const devices = [
      { device_mac: 'a', done: false, why: gave },
      { device_mac: 'b', done: false, why: got },
    ]
    answer({ 'move-licence': answers(devices) })
    expect(await transferCameraLicense(PLAN, { from: 'a', to: 'b', now: NOW })).toEqual({ text, inPlace: true })
    expect($bindResults.get().size).toBe(0)
  })
})

describe('new cameras', () => {
  test('take a license automatically if the owner wants it', async () => {
    answer({ 'auto-cover': { code: 200, data: { on: false } } })
    expect(await chooseAutoCover(false)).toBeNull()
    expect([$autoCover.get(), bodies('auto-cover')]).toMatchObject([false, [{ on: false }]])
    answer({ 'auto-cover': { code: 429 } })
    expect(await chooseAutoCover(true)).toMatchObject({ text: ERROR_CATALOG['429'].text, inPlace: false })
    expect($autoCover.get()).toBe(false)
  })
})

describe('the license page', () => {
  const subs = (...subscriptions: object[]) =>
    $subscriptions.set({
      state: 'ready',
      subscriptions: subscriptions.map((subscription) => ({ ...plan, ...subscription })),
    })
  const binding = (device_mac: string, bound_to: string | null) => ({ device_mac, plan: null, bound_to, keeps_days: 1 })

  beforeEach(() => {
    $coverPlan.set(PLAN)
    $bindings.set({
      state: 'ready',
      bindings: new Map([
        ['a', binding('a', PLAN)],
        ['b', binding('b', 'other')],
      ]),
    })
  })

  test('OPEN-55 shows own cameras with their licenses and offers no shared ones', () => {
    $devices.set({ state: 'ready', devices: [camera('a'), camera('b'), camera('shared', 2)] })
    subs({}, { subscription_id: 'other', channel: 'amazon' })
    const cover = $cover.get()
    expect(cover).toMatchObject({ state: 'ready', free: 2, plan: { subscription_id: PLAN } })
    expect(
      'cameras' in cover && cover.cameras.map(({ device, isBound, other }) => [device.mac, isBound, other?.channel]),
    ).toEqual([
      ['a', true, undefined],
      ['b', false, 'amazon'],
    ])
  })

  test('distinguishes a license that covers its camera from one beyond the paid quantity', () => {
    $devices.set({ state: 'ready', devices: [camera('a'), camera('b')] })
    subs({})
    const covering = { subscription_id: PLAN, sku: 'cam-ai', by: 'licence' } as const
    const bindings = [{ ...binding('a', PLAN), plan: covering }, binding('b', PLAN)]
    $bindings.set({ state: 'ready', bindings: new Map(bindings.map((entry) => [entry.device_mac, entry])) })
    const cover = $cover.get()
    expect('cameras' in cover && cover.cameras.map(({ isBound, isCovered }) => [isBound, isCovered])).toEqual([
      [true, true],
      [true, false],
    ])
  })

  test('shows if the plan is missing, gives nothing or covers the whole home', () => {
    subs({ subscription_id: 'other' })
    expect($cover.get().state).toBe('none')
    subs({ running: false })
    expect($cover.get().state).toBe('over')
    subs({ sku: 'unlimited' })
    expect($cover.get().state).toBe('home')
    subs({ sku: 'hms' })
    expect($cover.get().state).toBe('none')
    $coverPlan.set(null)
    subs({ sku: 'unlimited', subscription_id: 'x' }, {})
    expect($cover.get()).toMatchObject({ state: 'ready', plan: { subscription_id: PLAN } })
  })

  test('waits for data that is not known yet', () => {
    subs({})
    $bindings.set({ state: 'loading' })
    expect($cover.get().state).toBe('loading')
    $devices.set({ state: 'failed', msg: 'No.' })
    expect($cover.get()).toEqual({ state: 'failed', text: 'No.' })
  })
})
