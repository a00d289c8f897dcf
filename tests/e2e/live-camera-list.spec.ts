import type { Page } from 'playwright/test'
import { signInContext } from '../support/browser-account.ts'
import {
  expect,
  removeExpectedProblems,
  ignoreProblemsUntilEnd,
  SIGNED_OUT_STATE,
  SIGNED_IN_STATES,
  test,
  routeThroughProxy,
} from '../support/e2e.ts'
import { expectPlaying } from '../support/moving.ts'
import { openOfflineHome } from '../support/offline-home.ts'

test.use({ storageState: SIGNED_IN_STATES.free })

const findStreet = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('heading', { name: 'Street' })

test('DEVICE-11 STORE-13 the primary home and the cameras are cached, and the next visit shows the cameras before the list loads', async ({
  page,
}) => {
  await page.goto('/live')
  await expect(findStreet(page)).toBeVisible()
  const readStoredHome = () => page.evaluate(() => localStorage.getItem('home_id'))
  await expect.poll(readStoredHome).toMatch(/^[\w-]{4,}$/)
  const storedHome = await readStoredHome()
  const readStoredCameras = () =>
    page.evaluate(() => JSON.parse(localStorage.getItem('user-cameras') ?? '[]') as unknown)
  await expect.poll(readStoredCameras).toContainEqual(expect.objectContaining({ nickname: 'Street' }))
  await page.evaluate(() => localStorage.removeItem('home_id'))
  await page.route('**/get-home-devices', () => {})
  await page.reload()
  await expect(findStreet(page)).toBeVisible()
  await expect.poll(readStoredHome).toBe(storedHome)
})

test('DEVICE-12 a failed home lookup is logged, and the home of the last visit is used', async ({
  page,
  faults,
  problems,
}) => {
  await page.goto('/live')
  await expect(findStreet(page)).toBeVisible()
  const storedHome = await page.evaluate(() => localStorage.getItem('home_id'))
  await page.evaluate(() => ['user-cameras', 'action_log'].forEach((key) => localStorage.removeItem(key)))
  await routeThroughProxy(page, faults, '**/app/v4/home')
  faults.fail('/', { kind: 'answer', status: 500, body: '{"code":500}' })
  const homeIds: unknown[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/get-home-devices')) return
    homeIds.push((request.postDataJSON() as { home_id?: string }).home_id)
  })
  await page.reload()
  await expect(findStreet(page)).toBeVisible()
  const failed = () =>
    page.evaluate(() =>
      (JSON.parse(localStorage.getItem('action_log') ?? '[]') as { url: string; status: number }[])
        .filter(({ url }) => url.endsWith('/app/v4/home'))
        .map(({ status }) => status),
    )
  await expect.poll(failed).toContain(500)
  expect([...new Set(homeIds)]).toEqual([storedHome])
  // Settled: the failed lookup is in the log, and the page has requested the list for the stored home.
  expect(await page.evaluate(() => localStorage.getItem('home_id'))).toBe(storedHome)
  await expect(page.getByRole('alert')).toHaveCount(0)
  ignoreProblemsUntilEnd(problems, { status: 500, path: /\/app\/v4\/home$/ })
})

test.describe('battery camera', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('LIVE-14 a failed wake-up shows no message, and the camera can be woken again', async ({
    page,
    context,
    problems,
  }) => {
    const { bridge, getDeviceId } = await openOfflineHome(context, ['Shed'])
    const socket = await bridge.openControlSocket()
    socket.send({
      type: 'hello',
      version: '1',
      cameras: [{ device_id: getDeviceId('Shed'), state: 'asleep', reason: '' }],
    })
    await socket.ping()
    await page.route('**/run_action', (route) => route.abort())
    await page.goto('/live')
    const asleep = page.getByRole('listitem', { name: 'Shed, asleep' })
    const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/run_action'))
    await asleep.getByRole('button', { name: 'Wake' }).click()
    await failed
    await expect(asleep.getByRole('button', { name: 'Wake' })).toBeVisible()
    await expect(page.getByRole('alert')).toHaveCount(0)
    await socket.close()
    removeExpectedProblems(problems, { network: /ERR_FAILED/, path: /\/run_action$/ })
  })
})

test('LIVE-17 a 404 from the streams call navigates to /user/redirect', async ({ page, faults, problems }) => {
  await routeThroughProxy(page, faults, '**/camera/get-streams')
  faults.fail('/', { kind: 'answer', status: 404, body: '{"code":404}' })
  const redirectRequest = page.waitForRequest((request) => new URL(request.url()).pathname === '/user/redirect')
  await page.goto('/live')
  await redirectRequest
  // The session is valid, so /user/redirect returns to /live; a second failure within a minute shows an error.
  await expect(page.getByText('You’re logged in, but we couldn’t open that page')).toBeVisible()
  await expect(page).toHaveURL('/user/redirect')
  removeExpectedProblems(problems, { status: 404, path: /\/camera\/get-streams$/ })
})

test.describe('account with shared cameras', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('LIVE-19 AUTH-25 cameras shared by another account play and are labeled as shared', async ({
    page,
    context,
  }) => {
    await signInContext(context, 'shared@example.com')
    await page.goto('/live')
    const shared = page.getByRole('listitem', { name: /, live$/ }).filter({ hasText: 'Shared with you' })
    await expect(shared).toHaveCount(2)
    await expectPlaying(shared.locator('video').first())
  })
})

test.describe('device that is not a camera', () => {
  test.use({ storageState: SIGNED_OUT_STATE })

  test('DEVICE-21 is listed with the cameras, with its model and a note that it has no live video', async ({
    page,
    context,
  }) => {
    const { bridge, getDeviceId } = await openOfflineHome(context, ['Chime'])
    const device_id = getDeviceId('Chime')
    await bridge.register(device_id, {
      nickname: 'Chime',
      device_model: 'PL-CHIME-V1',
      provider: 'kvs',
      renditions: [],
    })
    const socket = await bridge.openControlSocket()
    socket.send({ type: 'hello', version: '1', cameras: [{ device_id, state: 'awake', reason: '' }] })
    await socket.ping()
    await page.goto('/live')
    const tile = page.getByRole('listitem', { name: 'Chime, no live video' })
    await expect(tile).toContainText('This device has no live video.')
    await expect(tile).toContainText('PL-CHIME-V1')
    await expect(tile.getByRole('button', { name: 'Try again' })).toHaveCount(0)
    await tile.getByRole('button', { name: 'Camera settings and details' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Chime' })
    await expect(dialog.getByRole('button', { name: 'Turn off' })).toBeVisible()
    await expect(dialog.getByRole('group', { name: 'Maximum quality' })).toHaveCount(0)
    await socket.close()
  })
})
