import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright/test'
import { ACTION_STREAM } from '../support/bridge-streams.ts'
import { findViolations } from '../support/axe.ts'
import { openAsNewAccount } from '../support/browser-account.ts'
import { expect, test } from '../support/e2e.ts'
import { RESULTS_FOLDER } from '../support/results.ts'
import { RtspServer } from '../support/rtsp-server.ts'

const DATA_FOLDER = `${RESULTS_FOLDER}/data`
const CANARY_PASSWORD = 'canary-S3cret'

let camera: RtspServer
test.beforeAll(async () => {
  camera = await RtspServer.start({ stream: ACTION_STREAM, credentials: { user: 'viewer', password: CANARY_PASSWORD } })
})
test.afterAll(() => camera.close())

/** Returns the text of a file, or '' if it no longer exists: files of idle databases can disappear. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/**
 * Returns the files of this test run that contain `word`. Skips node_modules, and the bridge's cameras.json, which
 * stores camera passwords.
 */
function findFilesWith(word: string): string[] {
  const skippedNames = ['cameras.json', 'node_modules']
  return readdirSync(DATA_FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !skippedNames.includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readText(path).includes(word))
}

/** Opens /live as a new account. Returns a list that collects the requests of the page. */
async function openFirstVisit(page: Page): Promise<string[]> {
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await openAsNewAccount(page, 'first-camera', '/live')
  await expect(page.getByRole('heading', { name: 'Add your first camera' })).toBeVisible()
  return sent
}

const findCameraCard = (page: Page) => page.getByRole('article', { name: '127.0.0.1' })

async function addCheckedCamera(page: Page): Promise<void> {
  await expect(findCameraCard(page).getByText(/^First frame after \d+\.\d s$/)).toBeVisible()
  await expect(findCameraCard(page).getByRole('img')).toHaveJSProperty('naturalWidth', 640)
  await findCameraCard(page).getByLabel('Camera name').fill('Front gate')
  await findCameraCard(page).getByRole('button', { name: 'Add this camera' }).click()
  await expect(page.getByText('1 of 1 live')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Live view' }).getByText('Front gate').first()).toBeVisible()
}

/**
 * Checks that the page sends the password only in sealed requests and does not store it. Of the files of this run, only
 * the bridge's cameras.json may contain the password.
 */
async function expectPasswordSealed(page: Page, sent: readonly string[]): Promise<void> {
  expect(sent.join('\n')).toContain('/extension/camera-ask')
  expect(sent.filter((text) => /canary|127\.0\.0\.1:\d+\/stream/.test(text))).toEqual([])
  expect(findFilesWith(CANARY_PASSWORD)).toEqual([])
  // Settled: the page stores nothing more, because the camera is already live.
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('canary')
}

test('a new account adds its first camera by address, and nothing is sent unencrypted', async ({ page }) => {
  test.slow()
  const sent = await openFirstVisit(page)
  const log = readFileSync(`${DATA_FOLDER}/logs/bridge.log`, 'utf8')
  const fingerprint = /This hub's fingerprint code: ((?:[0-9A-F]{4} ?){4})/.exec(log)?.[1]?.trim() ?? 'none'
  await expect(page.getByText(fingerprint)).toBeVisible()
  await page.getByLabel('Camera address').fill(camera.url(`viewer:${CANARY_PASSWORD}`))
  await expect(page.getByLabel('Camera address')).toHaveValue(camera.url())
  await page.keyboard.press('Enter')
  await addCheckedCamera(page)
  await expectPasswordSealed(page, sent)
})

test(
  'the form reports a wrong camera password, and the right one shows an image',
  { tag: '@all' },
  async ({ page }) => {
    test.slow()
    const sent = await openFirstVisit(page)
    await expect(page.getByText('No cameras found.')).toBeVisible()
    expect(await findViolations(page, 'no camera')).toEqual([])
    await page.getByLabel('Camera address').fill(camera.url('viewer:wrong-canary-S3cret'))
    await page.keyboard.press('Enter')
    await expect(findCameraCard(page).getByText('Failed attempts: 1.')).toBeVisible()
    expect(await findViolations(page, 'a wrong password')).toEqual([])
    await findCameraCard(page).getByRole('button', { name: 'Change login' }).click()
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type(CANARY_PASSWORD)
    await page.keyboard.press('Enter')
    await expect(findCameraCard(page).getByText('All good')).toBeVisible()
    expect(await findViolations(page, 'a camera that answers')).toEqual([])
    await addCheckedCamera(page)
    await expectPasswordSealed(page, sent)
  },
)

test('an invalid address is corrected in its field, and a host is enough', { tag: '@all' }, async ({ page }) => {
  test.slow()
  const sent = await openFirstVisit(page)
  const address = page.getByLabel('Camera address')
  await address.fill('hello')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Enter an address like rtsp://192.168.1.20:554/stream1')
  await expect(address).toBeFocused()
  await expect(page.getByRole('article')).toHaveCount(0)
  expect(sent.filter((text) => text.includes('/extension/camera-ask')).length).toBeLessThanOrEqual(1)
  expect(await findViolations(page, 'an invalid address')).toEqual([])
  await address.fill(`viewer:${CANARY_PASSWORD}@127.0.0.1:${camera.port}`)
  await page.keyboard.press('Enter')
  await expect(address).toHaveValue(`127.0.0.1:${camera.port}`)
  await expect(page.getByLabel('Username')).toHaveValue('viewer')
  await expect(findCameraCard(page).getByText('All good')).toBeVisible()
  await expect(findCameraCard(page).getByLabel('Camera name')).toHaveValue('')
  await findCameraCard(page).getByRole('button', { name: 'Main stream 640 × 360' }).click()
  await expect(page.getByLabel('Main stream address')).toHaveValue(`rtsp://127.0.0.1:${camera.port}/stream1`)
  expect(await findViolations(page, 'streams of a camera')).toEqual([])
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Main stream address')).toBeHidden()
  await findCameraCard(page).getByLabel('Camera name').press('Escape')
  await expect(page.getByRole('article')).toHaveCount(0)
  await expect(address).toBeFocused()
})

test('the owner changes the streams of a camera, which stay as they are until new ones work', async ({ page }) => {
  test.slow()
  const sent = await openFirstVisit(page)
  await page.getByLabel('Camera address').fill(camera.url(`viewer:${CANARY_PASSWORD}`))
  await page.keyboard.press('Enter')
  await addCheckedCamera(page)
  const id = await page.locator('[data-camera]').first().getAttribute('data-camera')
  // Use the keyboard: the button appears only on hover, and tiles may move away from the mouse while the page loads.
  await page.getByRole('button', { name: 'Camera settings and details' }).first().press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Change streams' }).click()
  const [main, sub] = [dialog.getByLabel('Main stream address'), dialog.getByLabel('Sub-stream address')]
  await expect(main).toHaveValue(camera.url())
  await expect(dialog.getByLabel('Username')).toHaveValue('')
  expect(await findViolations(page, 'streams of a stored camera', '.dialog')).toEqual([])

  await main.fill('rtsp://127.0.0.1:1/stream1')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Your camera keeps its current streams.')).toBeVisible()
  await main.fill(camera.url().replace('stream1', 'sharp'))
  await sub.fill('hello')
  await page.keyboard.press('Enter')
  await expect(sub).toBeFocused()
  await sub.fill(camera.url().replace('stream1', 'small'))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Streams changed')).toBeVisible()
  await dialog.getByRole('button', { name: 'Change streams' }).click()
  await expect(sub).toHaveValue(camera.url().replace('stream1', 'small'))
  await page.keyboard.press('Escape')
  await expect(page.getByText('1 of 1 live')).toBeVisible()
  await expect(page.locator(`[data-camera="${id}"]`).getByText('Front gate').first()).toBeVisible()
  expect(sent.filter((text) => /canary|127\.0\.0\.1:\d+\/(stream|sharp|small)/.test(text))).toEqual([])
})
