import { beforeEach, expect, test, vi } from 'vitest'

const plan = (sku: string, running = true) => ({
  subscription_id: `sub-${sku}`,
  billing_provider: 'recurring',
  sku,
  status: 'active',
  quantity: 1,
  period: 'monthly',
  renews_at: 1_800_000_000_000,
  running,
})

async function page(answer: () => Response) {
  vi.resetModules()
  const { configureClient } = await import('../../../src/api/api-client.ts')
  let requestCount = 0
  configureClient({
    fetch: () => ((requestCount += 1), Promise.resolve(answer())),
    token: () => 'handle',
    xsrf: () => 'xsrf',
    refresh: () => Promise.resolve('over'),
    signedOut: () => undefined,
  })
  const session = await import('../../../src/stores/session/session.ts')
  session.$userId.set('user_1')
  return { ...(await import('../../../src/stores/billing/subscriptions.ts')), asked: () => requestCount }
}
const list =
  (...skus: string[]) =>
  () =>
    Response.json({ code: 200, data: { subscriptions: skus.map((sku) => plan(sku)) } })

beforeEach(() => localStorage.clear())

test('STORE-16 an account has no services if its response lists none, or only the free plan', async () => {
  for (const skus of [[], ['free']]) {
    const { $isNoServices, loadSubscriptions } = await page(list(...skus))
    expect($isNoServices.get()).toBe(false)
    await loadSubscriptions()
    expect($isNoServices.get()).toBe(true)
    localStorage.clear()
  }
  const { $isNoServices, loadSubscriptions } = await page(list('free', 'cam-ai'))
  await loadSubscriptions()
  expect($isNoServices.get()).toBe(false)
})

test('a failed request says nothing about services, and the next load sends it again', async () => {
  let down = true
  const {
    $isNoServices,
    $subscriptions,
    loadSubscriptions,
    asked: requestCount,
  } = await page(() => (down ? Response.json({ code: 503 }, { status: 503 }) : list()()))
  await loadSubscriptions()
  expect([$subscriptions.get().state, $isNoServices.get()]).toEqual(['failed', false])
  down = false
  await Promise.all([loadSubscriptions(), loadSubscriptions()])
  expect([$subscriptions.get().state, $isNoServices.get(), requestCount()]).toEqual(['ready', true, 2])
})

test('OPEN-147 an ended plan is not a service, but a running plan of any kind is', async () => {
  const openPageWith = (...subscriptions: object[]) => page(() => Response.json({ code: 200, data: { subscriptions } }))
  const ended = await openPageWith(plan('pro', false), plan('hms', false))
  await ended.loadSubscriptions()
  expect(ended.$isNoServices.get()).toBe(true)
  const guarded = await openPageWith(plan('pro', false), plan('hms'))
  await guarded.loadSubscriptions()
  expect(guarded.$isNoServices.get()).toBe(false)
})

test('SUB-01 all subscriptions are stored, camera plans separated, and a flag shows whether this page loaded them', async () => {
  const { $userSubs, loadSubscriptions, reloadSubscriptions } = await page(list('free', 'cam-ai', 'hms'))
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
  const first = await page(list('free'))
  await first.loadSubscriptions()
  const { $isNoServices } = await page(list('cam-ai'))
  expect($isNoServices.get()).toBe(true)
})
