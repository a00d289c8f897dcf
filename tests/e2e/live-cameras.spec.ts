import { expect, SIGNED_IN, signIn, test } from '../support/e2e.ts'

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
  problems.length = 0
})

test('LIVE-17 a 404 from the streams call leaves for /user/redirect', async ({ page, problems }) => {
  await page.route('**/camera/get-streams', (route) => route.fulfill({ status: 404, json: { code: 404 } }))
  const left = page.waitForRequest((request) => new URL(request.url()).pathname === '/user/redirect')
  await page.goto('/live')
  await left
  problems.length = 0
})

test('LIVE-19 AUTH-25 cameras of somebody else that are shared play, and say that they are shared', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto(`${baseURL}/live`)
  await signIn(page, 'shared@example.com')
  const shared = page.getByRole('listitem', { name: /, live$/ }).filter({ hasText: 'Shared with you' })
  await expect(shared).toHaveCount(2)
  const timeOf = () =>
    shared
      .locator('video')
      .first()
      .evaluate((video: HTMLVideoElement) => video.currentTime)
  const before = await timeOf()
  await expect.poll(timeOf).toBeGreaterThan(before)
  await context.close()
})
