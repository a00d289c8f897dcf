import type { CDPSession, Page } from 'playwright/test'
import {
  expect,
  removeExpectedProblems,
  SIGNED_IN_STATES,
  SIGNED_OUT_401,
  SIGNED_OUT_STATE,
  test,
} from '../support/e2e.ts'

/** Fields of a trace event. `ts`: microseconds. */
interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly ts: number
  readonly args: {
    readonly elementCount?: number
    readonly beginData?: { readonly totalObjects?: number }
    readonly data?: { readonly documentLoaderURL?: string }
  }
}

interface FirstPaintWork {
  /** Number of styled elements until the first contentful paint. An element counts again if the font arrives. */
  readonly styledCount: number
  /** Number of objects in the largest layout until then. */
  readonly layoutSize: number
}

async function recordTrace(page: Page, act: () => Promise<void>): Promise<TraceEvent[]> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser.')
  const cdp: CDPSession = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  cdp.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  const complete = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve))
  await cdp.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'blink.user_timing', 'loading'] },
  })
  await act()
  await cdp.send('Tracing.end')
  await complete
  await cdp.detach()
  return events
}

async function countFirstPaintWork(page: Page, path: string): Promise<FirstPaintWork> {
  const events = await recordTrace(page, async () => {
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  })
  const start = events.find(
    ({ name, args }) => name === 'navigationStart' && args.data?.documentLoaderURL?.endsWith(path),
  )
  const paint = events.find(({ name, pid }) => name === 'firstContentfulPaint' && pid === start?.pid)
  if (!start || !paint) throw new Error(`The trace of ${path} has no first paint.`)
  const work = events.filter(({ pid, ts }) => pid === start.pid && ts >= start.ts && ts < paint.ts)
  const list = (event: string, read: (args: TraceEvent['args']) => number | undefined) =>
    work.filter(({ name }) => name === event).map(({ args }) => read(args) ?? 0)
  return {
    styledCount: list('UpdateLayoutTree', ({ elementCount }) => elementCount).reduce((sum, count) => sum + count, 0),
    layoutSize: Math.max(0, ...list('Layout', ({ beginData }) => beginData?.totalObjects)),
  }
}

test.describe('the first paint on a phone', () => {
  test.use({ viewport: { width: 412, height: 823 } })

  test.describe('of the home page', () => {
    test.use({ storageState: SIGNED_OUT_STATE })

    test('needs only the first section, and the others follow', async ({ page, problems }) => {
      const { styledCount, layoutSize } = await countFirstPaintWork(page, '/')
      expect.soft(styledCount).toBeLessThanOrEqual(110)
      expect.soft(layoutSize).toBeLessThanOrEqual(110)
      await expect(page.getByText('Sam at the door')).toHaveJSProperty('offsetHeight', 18)
      await expect(page.getByText('Every second accounted for')).toHaveJSProperty('offsetHeight', 24)
      removeExpectedProblems(problems, SIGNED_OUT_401)
    })

    test('shows the plans if the address names them', async ({ page, problems }) => {
      await page.goto('/#plans')
      await expect(page.locator('#plans').getByRole('heading').first()).toBeInViewport()
      removeExpectedProblems(problems, SIGNED_OUT_401)
    })
  })

  test.describe('of protected pages', () => {
    test.use({ storageState: SIGNED_IN_STATES.owner })

    for (const path of [
      '/live',
      '/events',
      '/account/services',
      '/account/products/camera-ai',
      '/account/redeem/choose',
    ])
      test(`of ${path} needs only the loading screen`, async ({ page }) => {
        await page.route('**/api/**', () => undefined)
        const { styledCount, layoutSize } = await countFirstPaintWork(page, path)
        expect.soft(styledCount).toBeLessThanOrEqual(80)
        expect.soft(layoutSize).toBeLessThanOrEqual(60)
      })

    test('does not wait for the font on a slow connection, and requests it once', async ({ page }) => {
      const cdp = await page.context().newCDPSession(page)
      await cdp.send('Network.enable')
      const network = { offline: false, latency: 400, downloadThroughput: -1, uploadThroughput: -1 }
      await cdp.send('Network.emulateNetworkConditions', network)
      const fonts: string[] = []
      page.on('request', (request) => void (request.resourceType() === 'font' && fonts.push(request.url())))
      await page.goto('/account/services', { waitUntil: 'commit' })
      // Chrome delays the first paint only for fonts that a link in the head preloads.
      await expect(page.getByText('loading...')).toBeVisible()
      await expect(page.locator('link[as=font]')).toHaveCount(0)
      await expect.poll(() => page.evaluate(() => document.fonts.check('bold 15px "Nunito Variable"'))).toBe(true)
      expect(fonts).toHaveLength(1)
    })
  })
})
