import { readFileSync } from 'node:fs'
import type { Page } from 'playwright/test'
import { alone } from '../support/demo-cameras.ts'
import { expect, forgiveToTheEnd, SIGNED_IN, test } from '../support/e2e.ts'
import { scaled } from '../support/machine.ts'
import { expectMoving } from '../support/moving.ts'
import { RESULTS } from '../support/results.ts'

test.use({ storageState: SIGNED_IN.owner })

const FRONT = alone('Front door')
const front = (page: Page) => page.getByRole('group', { name: /^Front door, / })
const picture = (page: Page) => page.getByLabel('Front door, live picture')
const isByWebRtc = (page: Page) => picture(page).evaluate((video: HTMLVideoElement) => video.srcObject !== null)

const readPid = (part: 'bridge' | 'provider'): number => {
  const run = JSON.parse(readFileSync(`${RESULTS}/data/run.json`, 'utf8')) as {
    parts: Record<string, { pid: number }>
  }
  return run.parts[part]?.pid ?? Number.NaN
}

/** Kills the bridge or the provider, and waits until the supervisor has started a new process. */
async function kill(part: 'bridge' | 'provider'): Promise<void> {
  const before = readPid(part)
  process.kill(-before, 'SIGKILL')
  await expect.poll(() => readPid(part)).not.toBe(before)
}

/** Records every accessible name of the front door's tile, even brief ones. */
const recordNames = (page: Page) =>
  front(page).evaluate((tile) => {
    const names = ((globalThis as { seenNames?: string[] }).seenNames = [] as string[])
    new MutationObserver(() => names.push(tile.getAttribute('aria-label') ?? '')).observe(tile, {
      attributeFilter: ['aria-label'],
    })
  })
const namesSeen = (page: Page) => page.evaluate(() => (globalThis as { seenNames?: string[] }).seenNames ?? [])

async function isProviderUp(page: Page): Promise<boolean> {
  const health = (await (await page.request.get('/healthz')).json()) as { provider: { ok: boolean } }
  return health.provider.ok
}

/** Timeout: three times the sum of a process restart and the promised two seconds. */
const BACK = { timeout: scaled(45_000) }

/** Waits until the provider is back and a new page plays live video through it. */
async function expectBack(page: Page): Promise<void> {
  await expect.poll(() => isProviderUp(page), BACK).toBe(true)
  const next = await page.context().newPage()
  await next.goto(FRONT)
  await expect(front(next)).toHaveAccessibleName(/, live$/, BACK)
}

test.describe('killed process', () => {
  // After a failed test, wait until the provider runs again: the next test needs the complete Porchlight.
  test.afterEach(async ({ page }, { status, expectedStatus }) => {
    if (status !== expectedStatus) await expectBack(page)
  })

  for (const part of ['bridge', 'provider'] as const) {
    test(
      `live video resumes automatically after the ${part} was killed`,
      { tag: '@all' },
      async ({ page, problems }) => {
        test.slow()
        await page.goto(FRONT)
        await expect.poll(() => isByWebRtc(page)).toBe(true)
        await page.evaluate(() => ((globalThis as { isSamePage?: boolean }).isSamePage = true))
        await recordNames(page)
        await kill(part)
        // WebRTC needs the provider only to connect, so the video stops only if the bridge restarts.
        const isGone = expect.not.stringMatching(/, live$/) as unknown
        if (part === 'bridge') await expect.poll(() => namesSeen(page)).toContainEqual(isGone)
        await expect.poll(() => isProviderUp(page), BACK).toBe(true)
        await expect(front(page)).toHaveAccessibleName(/, live$/, BACK)
        await expectMoving(picture(page))
        await expectBack(page)
        // Settled: the part is back, and a page that had reloaded meanwhile would have lost its mark.
        expect(await page.evaluate(() => (globalThis as { isSamePage?: boolean }).isSamePage)).toBe(true)
        // Requests during the outage may fail, but the page itself may not report an error.
        forgiveToTheEnd(
          problems,
          { status: [500, 502, 503, 504], path: /^\/(api|m)\// },
          { network: /WebSocket|ERR_/ },
          { console: /CORS|WebSocket/ },
        )
      },
    )
  }
})
