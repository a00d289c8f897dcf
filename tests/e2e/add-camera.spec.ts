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
  await expect(findCameraCard(page).getByText(/^First picture after \d+\.\d s$/)).toBeVisible()
  await expect(findCameraCard(page).getByRole('img')).toHaveJSProperty('naturalWidth', 640)
  await findCameraCard(page).getByLabel('its name').fill('Front gate')
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
  const fingerprint = /Fingerprint of this bridge: ((?:[0-9A-F]{4} ?){4})/.exec(log)?.[1]?.trim() ?? 'none'
  await expect(page.getByText(fingerprint)).toBeVisible()
  await page.getByLabel('Address of the camera').fill(camera.url(`viewer:${CANARY_PASSWORD}`))
  await expect(page.getByLabel('Address of the camera')).toHaveValue(camera.url())
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
    await expect(page.getByText('None answered.')).toBeVisible()
    expect(await findViolations(page, 'no camera')).toEqual([])
    await page.getByLabel('Address of the camera').fill(camera.url('viewer:wrong-canary-S3cret'))
    await page.keyboard.press('Enter')
    await expect(findCameraCard(page).getByText('This was the first.')).toBeVisible()
    expect(await findViolations(page, 'a wrong password')).toEqual([])
    await findCameraCard(page).getByRole('button', { name: 'Change the password' }).click()
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
