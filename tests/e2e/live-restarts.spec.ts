import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { singleCameraPath } from '../support/demo-cameras.ts'
import { expect, ignoreProblemsUntilEnd, SIGNED_IN_STATES, test } from '../support/e2e.ts'
import { scaleTimeout } from '../support/machine.ts'
import { expectPlaying } from '../support/moving.ts'
import { RESULTS_FOLDER } from '../support/results.ts'

test.use({ storageState: SIGNED_IN_STATES.owner })

const FRONT_DOOR_URL = singleCameraPath('Front door')
const findFrontDoor = (page: Page) => page.getByRole('group', { name: /^Front door, / })
const findVideo = (page: Page) => page.getByLabel('Front door, live video')
const isOverWebRtc = (page: Page) => findVideo(page).evaluate((video: HTMLVideoElement) => video.srcObject !== null)

const readPid = (part: 'bridge' | 'provider'): number => {
  const run = JSON.parse(readFileSync(`${RESULTS_FOLDER}/data/run.json`, 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  return run.parts[part]?.pid ?? Number.NaN
}

/** Kills the bridge or the provider, and waits until the supervisor has started a new process. */
async function killProcess(part: 'bridge' | 'provider'): Promise<void> {
  const before = readPid(part)
  process.kill(-before, 'SIGKILL')
  await expect.poll(() => readPid(part)).not.toBe(before)
}

const recordNames = (page: Page) =>
  findFrontDoor(page).evaluate((tile) => {
    const names = ((globalThis as { seenNames?: string[] }).seenNames = [] as string[])
    new MutationObserver(() => names.push(tile.getAttribute('aria-label') ?? '')).observe(tile, {
      attributeFilter: ['aria-label'],
    })
  })
const readSeenNames = (page: Page) => page.evaluate(() => (globalThis as { seenNames?: string[] }).seenNames ?? [])

async function isProviderUp(page: Page): Promise<boolean> {
  const health = (await (await page.request.get('/healthz')).json()) as { provider: { ok: boolean } }
  return health.provider.ok
}

/** Timeout: three times 15 s, the expected time until a process has restarted and the video plays again. */
const RESTART_TIMEOUT = { timeout: scaleTimeout(45_000) }

async function expectRecovery(page: Page): Promise<void> {
  await expect.poll(() => isProviderUp(page), RESTART_TIMEOUT).toBe(true)
  const next = await page.context().newPage()
  await next.goto(FRONT_DOOR_URL)
  await expect(findFrontDoor(next)).toHaveAccessibleName(/, live$/, RESTART_TIMEOUT)
}

test.describe('killed process', () => {
  // After a failed test, waits until the provider runs again, because the next test needs all processes.
  test.afterEach(async ({ page }, { status, expectedStatus }) => {
    if (status !== expectedStatus) await expectRecovery(page)
  })

  for (const part of ['bridge', 'provider'] as const) {
    test(
      `live video resumes automatically after the ${part} was killed`,
      { tag: '@all' },
      async ({ page, problems }) => {
        test.slow()
        await page.goto(FRONT_DOOR_URL)
        await expect.poll(() => isOverWebRtc(page)).toBe(true)
        await page.evaluate(() => ((globalThis as { isSamePage?: boolean }).isSamePage = true))
        await recordNames(page)
        await killProcess(part)
        // WebRTC needs the provider only to connect, so the video stops only if the bridge restarts.
        const notLive = expect.not.stringMatching(/, live$/) as unknown
        if (part === 'bridge') await expect.poll(() => readSeenNames(page)).toContainEqual(notLive)
        await expect.poll(() => isProviderUp(page), RESTART_TIMEOUT).toBe(true)
        await expect(findFrontDoor(page)).toHaveAccessibleName(/, live$/, RESTART_TIMEOUT)
        await expectPlaying(findVideo(page))
        await expectRecovery(page)
        // Settled: the process is back, and a page that had reloaded in the meantime would have lost `isSamePage`.
        expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true)
        // Requests may fail during the outage, but the page must not report an error.
        ignoreProblemsUntilEnd(
          problems,
          { status: [500, 502, 503, 504], path: /^\/(api|m)\// },
          { network: /WebSocket|ERR_/ },
          { console: /CORS|WebSocket/ },
        )
      },
    )
  }
})
