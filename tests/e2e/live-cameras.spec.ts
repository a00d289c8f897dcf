import { createHash, randomBytes } from 'node:crypto'
import WebSocket from 'ws'
import { ProviderClient } from '../../bridge/uplink/provider-client.ts'
import { ADMIN_PATHS, DEMO_HOMES } from '../../contract/admin.ts'
import { BRIDGE_PATHS } from '../../contract/bridge.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { expect, forgive, forgiveToTheEnd, SIGNED_IN, signIn, test, throughProxy } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'
import { expectMoving } from '../support/moving.ts'

test.use({ storageState: SIGNED_IN.owner })

test('DEVICE-11 the primary home is kept in local storage', async ({ page }) => {
  await page.goto('/live')
  await expect(page.getByRole('listitem', { name: /, live$/ }).first()).toBeVisible()
  const kept = await page.evaluate(() => localStorage.getItem('home_id'))
  expect(kept).toMatch(/^[\w-]{4,}$/)
  await page.evaluate(() => localStorage.removeItem('home_id'))
  await page.reload()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('home_id'))).toBe(kept)
})

test('DEVICE-12 a home lookup that fails is logged, and the home of the last visit is used', async ({
  page,
  faults,
  problems,
}) => {
  await page.goto('/live')
  await expect(page.getByRole('listitem', { name: 'Garage, asleep' })).toBeVisible()
  const kept = await page.evaluate(() => localStorage.getItem('home_id'))
  await page.evaluate(() => ['user-cameras', 'action_log'].forEach((key) => localStorage.removeItem(key)))
  await throughProxy(page, faults, '**/app/v4/home')
  faults.fail('/', { kind: 'answer', status: 500, body: '{"code":500}' })
  const asked: unknown[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/get-home-devices')) return
    asked.push((request.postDataJSON() as { home_id?: string }).home_id)
  })
  await page.reload()
  await expect(page.getByRole('listitem', { name: 'Garage, asleep' })).toBeVisible()
  const failed = () =>
    page.evaluate(() =>
      (JSON.parse(localStorage.getItem('action_log') ?? '[]') as { url: string; status: number }[])
        .filter(({ url }) => url.endsWith('/app/v4/home'))
        .map(({ status }) => status),
    )
  await expect.poll(failed).toContain(500)
  expect([...new Set(asked)]).toEqual([kept])
  expect(await page.evaluate(() => localStorage.getItem('home_id'))).toBe(kept)
  await expect(page.getByRole('alert')).toHaveCount(0)
  forgiveToTheEnd(problems, /500/)
})

test('STORE-13 the cameras are kept as user-cameras, and show at the next visit before the list has come', async ({
  page,
}) => {
  await page.goto('/live')
  await expect(page.getByRole('listitem', { name: 'Garage, asleep' })).toBeVisible()
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('user-cameras') ?? '[]') as unknown)
  expect(kept).toContainEqual(expect.objectContaining({ nickname: 'Garage' }))
  await page.route('**/get-home-devices', () => {})
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Garage' })).toBeVisible()
})

test('LIVE-14 a wake-up that fails leaves no message, and the camera can be woken again', async ({
  page,
  problems,
}) => {
  await page.route('**/run_action', (route) => route.abort())
  await page.goto('/live')
  const asleep = page.getByRole('listitem', { name: /, asleep$/ }).first()
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/run_action'))
  await asleep.getByRole('button', { name: 'Wake' }).click()
  await failed
  await expect(asleep.getByRole('button', { name: 'Wake' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  forgive(problems, /ERR_FAILED/)
})

test('LIVE-17 a 404 from the streams call leaves for /user/redirect', async ({ page, faults, problems }) => {
  await throughProxy(page, faults, '**/camera/get-streams')
  faults.fail('/', { kind: 'answer', status: 404, body: '{"code":404}' })
  const left = page.waitForRequest((request) => new URL(request.url()).pathname === '/user/redirect')
  await page.goto('/live')
  await left
  // The session lives, so the page is tried once more; then there is a page that says what is wrong.
  await expect(page.getByText('You are signed in, but that page could not be opened.')).toBeVisible()
  await expect(page).toHaveURL('/user/redirect')
  forgive(problems, /404/)
})

test('LIVE-19 AUTH-25 cameras of somebody else that are shared play, and say that they are shared', async ({
  browser,
  baseURL,
  problems,
}) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(`${baseURL}/live`)
  await signIn(page, 'shared@example.com')
  const shared = page.getByRole('listitem', { name: /, live$/ }).filter({ hasText: 'Shared with you' })
  // From a sign-in on.
  await expect(shared).toHaveCount(2, { timeout: 45_000 })
  await expectMoving(shared.locator('video').first())
  await context.close()
  // Nobody is signed in at first.
  forgive(problems, /401/)
})

/** A second bridge at the home of the free plan, as its own program would run: enrolled, registered, connected. */
async function connectChime(deviceId: string) {
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${RESULTS}/data/run.env`)
  const identity = { bridgeId: 'bridge_chime', key: randomBytes(32) }
  const enrolled = await fetch(`${PROVIDER_ORIGIN}${ADMIN_PATHS.bridges}/${identity.bridgeId}`, {
    method: 'PUT',
    headers: { authorization: `Admin ${ADMIN_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      key_hash: createHash('sha256').update(identity.key).digest('hex'),
      name: 'Hall',
      homes: [DEMO_HOMES.free],
    }),
  })
  expect(enrolled.status).toBe(200)
  const client = new ProviderClient(PROVIDER_ORIGIN, identity)
  await client.registerCamera(deviceId, {
    ...{ nickname: 'Chime', device_model: 'PL-CHIME-V1', provider: 'kvs', renditions: [], device_order: 9 },
    ...{ dual: false, audio: false, battery: false, firmware_version: '2.4' },
  })
  const socket = new WebSocket(PROVIDER_ORIGIN.replace('http', 'ws') + BRIDGE_PATHS.control, {
    headers: client.headers('GET', BRIDGE_PATHS.control, ''),
  })
  const cameras = [{ device_id: deviceId, state: 'awake', reason: '' }]
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', version: '1', cameras })))
  await new Promise((resolve, reject) => socket.on('message', resolve).on('error', reject))
  return { socket, client }
}

test.describe('a device that is no camera', () => {
  test.use({ storageState: SIGNED_IN.free })

  test('DEVICE-21 is listed with the cameras, says what it is and that it has no live picture', async ({ page }) => {
    const { socket, client } = await connectChime('PLCHIME')
    await page.goto('/live')
    const tile = page.getByRole('listitem', { name: 'Chime, no live picture' })
    await expect(tile).toContainText('This device has no live picture.')
    await expect(tile).toContainText('PL-CHIME-V1')
    await expect(tile.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await expect(page.getByRole('listitem', { name: /, live$/ }).first()).toBeVisible()
    await tile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Chime' })
    await expect(dialog.getByRole('button', { name: 'Switch off' })).toBeVisible()
    await expect(dialog.getByRole('group', { name: 'Best quality' })).toHaveCount(0)
    await client.removeCamera('PLCHIME')
    socket.close()
  })
})
