import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright/test'
import {
  clearStoredData,
  expect,
  removeExpectedProblems,
  SIGNED_IN_STATES,
  SIGNED_OUT_401,
  SIGNED_OUT_STATE,
  test,
} from '../support/e2e.ts'
import { runIdleCallbacksAtOnce } from '../support/measured-page.ts'
import { listLayoutShifts, readLayoutShift, recordLayoutShifts } from '../support/shifts.ts'

interface VisitBudget {
  readonly path: string
  /** JavaScript of a first visit with all scripts that load in advance, KiB gzip. */
  readonly scriptKib: number
  /** Number of JavaScript files of this visit. */
  readonly scriptFiles: number
  /** All bodies of this visit except images, video and fonts, KiB gzip. */
  readonly totalKib: number
  /** Scripts that load last. */
  readonly lastScripts: readonly string[]
}

const VISITS: readonly VisitBudget[] = [
  { path: '/', scriptKib: 20, scriptFiles: 25, totalKib: 60, lastScripts: ['page-analytics'] },
  { path: '/live', scriptKib: 190, scriptFiles: 25, totalKib: 300, lastScripts: ['page-analytics', 'Dialogs'] },
  {
    path: '/events',
    scriptKib: 190,
    scriptFiles: 25,
    totalKib: 300,
    lastScripts: ['page-analytics', 'clip-stage-chunk'],
  },
  { path: '/account/services', scriptKib: 139, scriptFiles: 25, totalKib: 200, lastScripts: ['page-analytics'] },
  {
    path: '/account/products/camera-ai',
    scriptKib: 139,
    scriptFiles: 25,
    totalKib: 200,
    lastScripts: ['page-analytics'],
  },
]

/** Maximum cumulative layout shift of a visit. */
const LAYOUT_SHIFT_MAX = 0.01

const MEDIA = ['image', 'media', 'font']
const isScript = (url: string) => new URL(url).pathname.endsWith('.js')

/** Records the gzip size of each response body, in bytes, by URL. */
function recordBodies(page: Page) {
  const sizes = new Map<string, number>()
  let pendingCount = 0
  page.on('request', () => (pendingCount += 1))
  page.on('requestfailed', () => (pendingCount -= 1))
  page.on('requestfinished', async (request) => {
    const response = await request.response()
    const body = MEDIA.includes(request.resourceType()) ? '' : await response?.body().catch(() => '')
    sizes.set(request.url(), gzipSync(body ?? '', { level: 9 }).length)
    pendingCount -= 1
  })
  return { sizes, countPending: () => pendingCount }
}

const sumKib = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0) / 1024

for (const width of [1440, 390])
  for (const { path, lastScripts, ...budget } of VISITS)
    test.describe(`a first visit of ${path} with ${width} px`, () => {
      test.use({
        storageState: path === '/' ? SIGNED_OUT_STATE : SIGNED_IN_STATES.owner,
        viewport: { width, height: width === 390 ? 844 : 900 },
      })

      test('stays within its budget of scripts and does not move', async ({ page, problems }) => {
        await runIdleCallbacksAtOnce(page)
        await recordLayoutShifts(page)
        const { sizes, countPending } = recordBodies(page)
        await page.goto(path)
        const listScripts = () => [...sizes].filter(([url]) => isScript(url))
        const hasScript = (name: string) => listScripts().some(([url]) => url.includes(`/_astro/${name}.`))
        await expect.poll(() => lastScripts.filter((name) => !hasScript(name))).toEqual([])
        await expect.poll(countPending).toBe(0)
        const scripts = listScripts()
        const names = scripts.map(([url, size]) => `${size} ${url}`).join('\n')
        expect.soft(scripts.length, names).toBeLessThanOrEqual(budget.scriptFiles)
        expect.soft(sumKib(scripts.map(([, size]) => size)), names).toBeLessThanOrEqual(budget.scriptKib)
        expect.soft(sumKib([...sizes.values()])).toBeLessThanOrEqual(budget.totalKib)
        const shifts = await listLayoutShifts(page)
        expect.soft((await readLayoutShift(page)) <= LAYOUT_SHIFT_MAX ? [] : shifts).toEqual([])
        if (path === '/') removeExpectedProblems(problems, SIGNED_OUT_401)
      })
    })

/** Account pages whose first visit knows neither subscriptions nor cameras. */
const ACCOUNT_PATHS = ['', '/services', '/billing', '/payment', '/redeem', '/products/camera-ai?period=monthly']

for (const width of [1440, 390])
  test.describe(`a browser without stored data, with ${width} px`, () => {
    test.use({ storageState: SIGNED_IN_STATES.owner, viewport: { width, height: width === 390 ? 844 : 900 } })

    for (const path of ACCOUNT_PATHS)
      test(`loads /account${path} without moving`, async ({ page }) => {
        await clearStoredData(page)
        await runIdleCallbacksAtOnce(page)
        await recordLayoutShifts(page)
        const { sizes, countPending } = recordBodies(page)
        await page.goto(`/account${path}`)
        await expect.poll(() => [...sizes.keys()].some((url) => url.includes('/page-analytics.'))).toBe(true)
        await expect.poll(countPending).toBe(0)
        const shifts = await listLayoutShifts(page)
        expect((await readLayoutShift(page)) <= LAYOUT_SHIFT_MAX ? [] : shifts).toEqual([])
      })
  })
