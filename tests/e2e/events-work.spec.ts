import AxeBuilder from '@axe-core/playwright'
import type { Page, WebSocketRoute } from 'playwright/test'
import { expect, SIGNED_IN, test } from '../support/e2e.ts'
import { cards, eventIds as ids } from '../support/events.ts'
import { daysAgo } from '../support/time-zone.ts'

test.use({ storageState: SIGNED_IN.owner })

const boxes = (page: Page) => page.getByRole('checkbox', { name: /^Select / })

/** A day long past, so that nothing new comes in. */
async function openPast(page: Page, days: number): Promise<void> {
  const day = daysAgo(days)
  await page.goto(`/events?from=${day}&to=${day}`)
  await expect(cards(page).nth(4)).toBeVisible()
}

test('events are chosen one by one and in a row, deleted and brought back; a second browser sees it', async ({
  page,
  browser,
}) => {
  const other = await (await browser.newContext({ storageState: SIGNED_IN.owner })).newPage()
  // What is told before its feed is open is not told again.
  const feed = other.waitForEvent('websocket', (socket) => new URL(socket.url()).pathname === '/feed')
  const hears = feed.then((socket) => socket.waitForEvent('framereceived'))
  await openPast(page, 9)
  await openPast(other, 9)
  await hears
  const before = await ids(page)
  await boxes(page).nth(1).click()
  await cards(page)
    .nth(3)
    .click({ modifiers: ['Shift'] })
  await expect(page.getByText('3 chosen')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByText('3 events deleted')).toBeVisible()
  const left = before.filter((_, i) => i < 1 || i > 3)
  await expect.poll(() => ids(page)).not.toContain(before[1])
  await expect.poll(async () => (await ids(other)).slice(0, 2), { timeout: 9000 }).toEqual(left.slice(0, 2))
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await ids(page)).slice(0, 4)).toEqual(before.slice(0, 4))
  await expect.poll(async () => (await ids(other)).slice(0, 4), { timeout: 9000 }).toEqual(before.slice(0, 4))
  await other.context().close()
})

test('what another browser deleted while the feed was away goes once it is back', async ({ page, browser }) => {
  test.slow()
  const other = await (await browser.newContext({ storageState: SIGNED_IN.owner })).newPage()
  const feed = { line: null as WebSocketRoute | null, isCut: false, greetings: 0 }
  await other.routeWebSocket(/\/feed/, (line) => {
    if (feed.isCut) return void line.close()
    feed.line = line
    line.connectToServer().onMessage((message) => {
      feed.greetings += String(message).includes('"hello"') ? 1 : 0
      line.send(message)
    })
  })
  await openPast(page, 11)
  await openPast(other, 11)
  await expect.poll(() => feed.greetings).toBe(1)
  feed.isCut = true
  await feed.line?.close()
  const gone = (await ids(page))[1] ?? ''
  const deleted = page.waitForResponse((answer) => answer.url().endsWith('/extension/events-delete'))
  await boxes(page).nth(1).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  expect((await deleted).ok()).toBe(true)
  expect(await ids(other)).toContain(gone)
  feed.isCut = false
  await expect.poll(() => feed.greetings, { timeout: 40_000 }).toBe(2)
  await expect.poll(() => ids(other)).not.toContain(gone)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => ids(other)).toContain(gone)
  await other.context().close()
})

test('events are marked as seen and not seen, by keys too, and the filter knows', async ({ page }) => {
  await openPast(page, 10)
  const [first] = await ids(page)
  await cards(page).getByRole('link').first().focus()
  await page.keyboard.press('x')
  await expect(page.getByText('1 chosen')).toBeVisible()
  await page.getByRole('button', { name: 'Mark as seen' }).click()
  await page.getByRole('button', { name: 'Choose none' }).click()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Not seen' }).click()
  await expect.poll(() => ids(page)).not.toContain(first)
  await page.getByRole('button', { name: 'Seen', exact: true }).click()
  await expect.poll(() => ids(page)).toContain(first)
  await expect(page).toHaveURL(/seen=yes/)
})

test('several clips come as one zip, the list as a table', async ({ page }) => {
  await openPast(page, 11)
  await boxes(page).nth(0).click()
  await boxes(page).nth(1).click()
  const zip = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('button', { name: 'Choose none' }).click()
  const file = await zip
  expect(file.suggestedFilename()).toMatch(/clips\.zip$/)
  const { readFile } = await import('node:fs/promises')
  const bytes = await readFile(await file.path())
  expect(bytes.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
  expect(bytes.readUInt16LE(bytes.length - 12)).toBe(2)
  const table = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Save the list as a table' }).click()
  const text = await readFile(await (await table).path(), 'utf8')
  expect(text.trim().split('\r\n').length).toBeGreaterThan(5)
  expect(text).toContain('Clip seconds')
})

test('EVENT-09 the camera of the open event is in the address and opens with it', async ({ page }) => {
  await openPast(page, 8)
  await cards(page).first().click()
  await expect(page.locator('main video').first()).toBeVisible()
  const held = () => new URL(page.url()).searchParams.get('camera')
  const camera = held()
  expect(camera).toMatch(/\w+/)
  const asked = page.waitForRequest((request) => request.url().includes('/replay_url'))
  await page.goto(`/events?event=${new URL(page.url()).searchParams.get('event') ?? ''}&camera=${camera ?? ''}`)
  expect(new URL((await asked).url()).searchParams.get('device_id')).toBe(camera)
  await expect(page.locator('main video').first()).toBeVisible()
  await cards(page)
    .getByRole('link')
    .and(page.locator(`a[href*="camera="]:not([href*="camera=${camera ?? ''}"])`))
    .first()
    .click()
  await expect.poll(held).not.toBe(camera)
})

test('a clip steps by pictures, repeats, and a link leads to its moment', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await openPast(page, 8)
  await cards(page).nth(1).click()
  const video = page.locator('main video').first()
  await expect.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime)).toBeGreaterThan(0.2)
  const time = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  await page.keyboard.press('.')
  const paused = await time()
  await page.keyboard.press('.')
  await expect.poll(time).toBeGreaterThan(paused)
  expect((await time()) - paused).toBeLessThan(0.2)
  await page.keyboard.press('r')
  expect(await video.evaluate((element: HTMLVideoElement) => element.loop)).toBe(true)
  await page.getByRole('slider', { name: 'Position in the clip' }).focus()
  await page.keyboard.press('PageUp')
  await expect.poll(time).toBeGreaterThan(9)
  await page.getByRole('button', { name: 'More', exact: true }).last().click()
  await page.getByRole('button', { name: 'Copy link to this moment' }).click()
  await expect(page.getByText('Copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.goto('/live')
  await page.goto(link)
  await expect.poll(time).toBeGreaterThan(9)
})

test('FEEDBACK-03 whether a label is right is sent with PUT events/{event_id}/feedback', async ({ page }) => {
  await openPast(page, 8)
  await cards(page).nth(2).click()
  await expect(page.locator('main video').first()).toBeVisible()
  const sent = page.waitForResponse((answer) => /\/events\/[^/]+\/feedback$/.test(new URL(answer.url()).pathname))
  await page.getByRole('group', { name: 'Is this label right?' }).getByRole('button', { name: 'Yes' }).click()
  const answer = await sent
  expect(answer.request().method()).toBe('PUT')
  expect(answer.status()).toBe(200)
  await expect(page.getByRole('button', { name: 'Yes' })).toHaveAttribute('aria-pressed', 'true')
})

test('FEEDBACK-04 a clip is sent with POST feedbackvideo only after consent, and can be taken back', async ({
  page,
}) => {
  await openPast(page, 8)
  await cards(page).nth(3).click()
  await expect(page.locator('main video').first()).toBeVisible()
  await page.getByRole('button', { name: 'No', exact: true }).click()
  await page.getByRole('button', { name: 'Send the clip' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send this clip?' })
  await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'I agree that the clip is sent' }).check()
  const sent = page.waitForResponse((answer) => answer.url().includes('/feedbackvideo/'))
  await dialog.getByRole('button', { name: 'Send' }).click()
  const answer = await sent
  expect(answer.request().method()).toBe('POST')
  expect(answer.status()).toBe(200)
  expect(answer.request().postDataJSON()).toMatchObject({ stage: 'submit', data: { collect_channel: 'web' } })
  await page.getByRole('button', { name: 'Send the clip' }).click()
  await page.getByRole('dialog', { name: 'The clip was sent' }).getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

for (const [width, colorScheme] of [
  [390, 'dark'],
  [1440, 'light'],
] as const) {
  test(`axe finds nothing in menus, choices and an open clip at ${width} px, ${colorScheme}`, async ({ page }) => {
    test.slow()
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 900 })
    const look = async (where: string) => {
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${where} ${id}: ${nodes[0]?.html}`)).toEqual([])
    }
    await openPast(page, 12)
    // On a phone all of them are in one sheet.
    for (const name of width < 768 ? [/^Filters/] : ['.anchor-dates', '.anchor-tags'])
      await test.step(String(name), async () => {
        const menu = typeof name === 'string' ? page.locator(name) : page.getByRole('button', { name })
        await menu.click()
        const opened = page.locator(':is(dialog[open], .filter-menu:popover-open) :is(calendar-range, fieldset)')
        await expect(opened.first()).toBeVisible()
        await look(String(name))
        await page.keyboard.press('Escape')
      })
    await boxes(page).first().click()
    await expect(page.getByText('1 chosen')).toBeVisible()
    await look('choices')
    await page.getByRole('button', { name: 'Choose none' }).click()
    await cards(page).nth(1).getByRole('link').click()
    await expect(page.getByRole('group', { name: 'Is this label right?' })).toBeVisible()
    await expect(page.locator('main video').first()).toBeVisible()
    await look('clip')
  })
}
