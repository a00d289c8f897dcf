import { beforeEach, expect, test, vi } from 'vitest'

const createSubscription = (sku: string, running = true) => ({
  subscription_id: `sub-${sku}`,
  billing_provider: 'recurring',
  sku,
  status: 'active',
  quantity: 1,
  period: 'monthly',
  renews_at: 1_800_000_000_000,
  running,
})

async function openPage(answer: () => Response) {
  vi.resetModules()
  const { configureClient } = await import('../../../src/api/api-client.ts')
  let getRequestCount = 0
  configureClient({
    fetch: () => ((getRequestCount += 1), Promise.resolve(answer())),
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    onSignedOut: () => undefined,
  })
  const session = await import('../../../src/stores/session/session.ts')
  session.$userId.set('user_1')
  return { ...(await import('../../../src/stores/billing/subscriptions.ts')), getRequestCount: () => getRequestCount }
}
const subscriptionsResponse =
  (...skus: string[]) =>
  () =>
    Response.json({ code: 200, data: { subscriptions: skus.map((sku) => createSubscription(sku)) } })

beforeEach(() => localStorage.clear())

test('STORE-16 an account has no services if its response lists none, or only the free plan', async () => {
  for (const skus of [[], ['free']]) {
    const { $isNoServices, loadSubscriptions } = await openPage(subscriptionsResponse(...skus))
    expect($isNoServices.get()).toBe(false)
    await loadSubscriptions()
    expect($isNoServices.get()).toBe(true)
    localStorage.clear()
  }
  const { $isNoServices, loadSubscriptions } = await openPage(subscriptionsResponse('free', 'cam-ai'))
  await loadSubscriptions()
  expect($isNoServices.get()).toBe(false)
})

test('a failed request says nothing about services, and the next load sends it again', async () => {
  let down = true
  const { $isNoServices, $subscriptions, loadSubscriptions, getRequestCount } = await openPage(() =>
    down ? Response.json({ code: 503 }, { status: 503 }) : subscriptionsResponse()(),
  )
  await loadSubscriptions()
  expect([$subscriptions.get().state, $isNoServices.get()]).toEqual(['failed', false])
  down = false
  await Promise.all([loadSubscriptions(), loadSubscriptions()])
  expect([$subscriptions.get().state, $isNoServices.get(), getRequestCount()]).toEqual(['ready', true, 2])
})

test('OPEN-147 an ended plan is not a service, but a running plan of any kind is', async () => {
  const openPageWith = (...subscriptions: object[]) =>
    openPage(() => Response.json({ code: 200, data: { subscriptions } }))
  const ended = await openPageWith(createSubscription('pro', false), createSubscription('hms', false))
  await ended.loadSubscriptions()
  expect(ended.$isNoServices.get()).toBe(true)
  const guarded = await openPageWith(createSubscription('pro', false), createSubscription('hms'))
  await guarded.loadSubscriptions()
  expect(guarded.$isNoServices.get()).toBe(false)
})

test('SUB-01 all subscriptions are stored, camera plans separated, and a flag shows whether this page loaded them', async () => {
  const { $userSubs, loadSubscriptions, reloadSubscriptions } = await openPage(
    subscriptionsResponse('free', 'cam-ai', 'hms'),
  )
  expect($userSubs.get()).toEqual({ data: [], membershipSubs: [], updateLoaded: false })
  await loadSubscriptions()
  const skus = (all: readonly { sku: string }[]) => all.map(({ sku }) => sku)
  const { data, membershipSubs, updateLoaded } = $userSubs.get()
  expect([skus(data), skus(membershipSubs), updateLoaded]).toEqual([['free', 'cam-ai', 'hms'], ['cam-ai'], true])
  expect(skus(JSON.parse(localStorage.getItem('allSubs') ?? ''))).toEqual(['free', 'cam-ai', 'hms'])
  await reloadSubscriptions()
  expect($userSubs.get().updateLoaded).toBe(true)
})

test('OPEN-145 the stored list determines whether there are services, without another response', async () => {
  const first = await openPage(subscriptionsResponse('free'))
  await first.loadSubscriptions()
  const { $isNoServices } = await openPage(subscriptionsResponse('cam-ai'))
  expect($isNoServices.get()).toBe(true)
})

test('billing is on hold as long as the responses say so', async () => {
  let isHeld = true
  const { $isBillingOnHold, loadSubscriptions, reloadSubscriptions } = await openPage(() =>
    Response.json({ code: 200, data: { subscriptions: [], ...(isHeld && { is_on_hold: true }) } }),
  )
  expect($isBillingOnHold.get()).toBe(false)
  await loadSubscriptions()
  expect($isBillingOnHold.get()).toBe(true)
  isHeld = false
  await reloadSubscriptions()
  expect($isBillingOnHold.get()).toBe(false)
})
