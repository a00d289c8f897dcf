import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN_PATHS } from '../../contract/admin.ts'
import { callOperator } from '../../scripts/lib/operator.ts'
import { readEnvironment } from '../../scripts/lib/secrets-file.ts'
import { STREAM } from '../bridge/streams.ts'
import { findings } from '../support/axe.ts'
import { expect, signIn, test } from '../support/e2e.ts'
import { RESULTS } from '../support/results.ts'
import { RtspServer } from '../support/rtsp-server.ts'

const DATA = `${RESULTS}/data`
const CANARY = 'canary-S3cret'
const NEW = { email: 'first-camera@example.com', password: 'a new account of the suite' }

let camera: RtspServer
test.beforeAll(async () => {
  const { PROVIDER_ORIGIN = '', ADMIN_KEY = '' } = readEnvironment(`${DATA}/run.env`)
  await callOperator({ PROVIDER_ORIGIN, ADMIN_KEY }, 'POST', ADMIN_PATHS.accounts, NEW)
  camera = await RtspServer.start({ stream: STREAM, credentials: { user: 'viewer', password: CANARY } })
})
test.afterAll(() => camera.close())

/** The text of a file; '' of one that has gone meanwhile, as those of idle databases do. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Files of the run, but for what the bridge alone keeps on its own computer, that hold the word. */
function filesWith(word: string): string[] {
  const own = ['cameras.json', 'node_modules']
  return readdirSync(DATA, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !own.includes(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => textOf(path).includes(word))
}

test('a new account adds its first camera by its address: a wrong password is told, the right one gives a picture within ten seconds, and neither passes in the clear', async ({
  page,
  problems,
}) => {
  test.slow()
  const sent: string[] = []
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
  await page.goto('/live')
  await signIn(page, NEW.email, NEW.password)
  await expect(page.getByRole('heading', { name: 'Add your first camera' })).toBeVisible()
  // The first visit is signed out: the browser reports the 401 of the current-user call.
  problems.splice(0, problems.length, ...problems.filter((problem) => !problem.includes('401')))
  await expect(page.getByText('Sealed for the box in your home')).toBeVisible()
  const log = readFileSync(`${DATA}/logs/bridge.log`, 'utf8')
  const fingerprint = /Fingerprint of this bridge: ((?:[0-9A-F]{4} ?){4})/.exec(log)?.[1]?.trim() ?? 'none'
  await expect(page.getByText(fingerprint)).toBeVisible()
  await expect(page.getByText('None answered.')).toBeVisible()
  expect(await findings(page, page.url())).toEqual([])

  await page.getByLabel('Address of the camera').fill(camera.url('viewer:wrong-canary-S3cret'))
  await expect(page.getByLabel('Address of the camera')).toHaveValue(camera.url())
  await page.keyboard.press('Enter')
  const card = page.getByRole('article', { name: '127.0.0.1' })
  await expect(
    card.getByText('Refused. Check capital letters, or make a user for viewing in its own app.'),
  ).toBeVisible()
  await expect(card.getByText('This was the first.')).toBeVisible()
  expect(await findings(page, page.url())).toEqual([])

  await card.getByRole('button', { name: 'Change the password' }).click()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type(CANARY)
  await page.keyboard.press('Enter')
  await expect(card.getByText('All good')).toBeVisible()
  await expect(card.getByText(/^First picture after \d\.\d s$/)).toBeVisible()
  await expect(card.getByRole('img')).toHaveJSProperty('naturalWidth', 640)
  expect(await findings(page, page.url())).toEqual([])

  await card.getByLabel('its name').fill('Front gate')
  await card.getByRole('button', { name: 'Add this camera' }).click()
  await expect(page.getByText('1 of 1 live')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Live view' }).getByText('Front gate').first()).toBeVisible()
  expect(sent.join('\n')).toContain('/extension/camera-ask')
  expect(sent.filter((one) => /canary|127\.0\.0\.1:\d+\/stream/.test(one))).toEqual([])
  expect(filesWith('canary-S3cret')).toEqual([])
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).not.toContain('canary')
})
