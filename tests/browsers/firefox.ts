import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { findFirefox } from '../../scripts/tools.mjs'
import { TIME_ZONE } from '../support/time-zone.ts'
import type { JourneyElement, JourneyPage, TestedBrowser, Visit } from './journey.ts'

/** Preferences that set the language, and turn off Firefox's own requests and prompts, which would disturb a page. */
const FIREFOX_PREFERENCES = {
  'app.normandy.enabled': false,
  'browser.safebrowsing.downloads.remote.enabled': false,
  'browser.translations.enable': false,
  'intl.accept_languages': 'en-US',
  'media.gmp-manager.updateEnabled': false,
  'nimbus.rollouts.enabled': false,
  'services.settings.server': 'data:,',
}

export async function openFirefox(): Promise<TestedBrowser> {
  const executablePath = findFirefox()
  if (!executablePath)
    throw new Error(
      'There is no Firefox here. Install it (Debian: sudo apt-get install firefox-esr), or name it: FIREFOX=/path/to/firefox npm run firefox',
    )
  const downloads = mkdtempSync(join(tmpdir(), 'porchlight-firefox-'))
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    headless: true,
    env: { ...process.env, TZ: TIME_ZONE },
    extraPrefsFirefox: {
      ...FIREFOX_PREFERENCES,
      // The download panel of the window would receive the next key press.
      'browser.download.alwaysOpenPanel': false,
      'browser.download.dir': downloads,
      'browser.download.folderList': 2,
      'browser.download.useDownloadDir': true,
    },
  })
  return {
    version: await browser.version(),
    downloads,
    openVisit: (origin, width) => openVisit(browser, origin, width),
    async close() {
      await browser.close()
      rmSync(downloads, { recursive: true, force: true })
    },
  }
}

async function openVisit(browser: Browser, origin: string, width: number): Promise<Visit> {
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const problems: string[] = []
  collectProblems(page, origin, problems)
  await page.setViewport({ width, height: width < 768 ? 844 : 900 })
  const { hostname } = new URL(origin)
  return {
    page: createJourneyPage(page),
    problems,
    listCookies: async () => (await context.cookies()).filter(({ domain }) => domain === hostname),
    saveScreenshot: async (path) => void (await page.screenshot({ path: path as `${string}.png` })),
    close: () => context.close(),
  }
}

function createJourneyPage(page: Page): JourneyPage {
  const findElement: JourneyPage['findElement'] = async (find, ...args) =>
    (
      await page.evaluateHandle(find as unknown as (...values: unknown[]) => unknown, ...args)
    ).asElement() as JourneyElement | null
  return Object.assign(page, { findElement }) as unknown as JourneyPage
}

const SIGNED_OUT_STATUS = 401
/** Network error of requests that were pending when the browser left the page. */
const ABORTED_REQUEST = 'NS_BINDING_ABORTED'
/** Errors that the old page reports for its aborted requests while the next page loads. */
const NAVIGATION_ABORT_ERRORS = /^(error loading dynamically imported module|Image corrupt or truncated)/
/** Error of a view transition that another navigation interrupts; the portal's error reports ignore it too. */
const INTERRUPTED_TRANSITION = /Transition was (skipped|aborted)/

/**
 * Collects a page's problems from its page errors, console, failed requests and responses. Firefox reports CSP
 * violations and broken sockets as page errors, but logs no HTTP statuses to the console.
 */
function collectProblems(page: Page, origin: string, problems: string[]): void {
  let isLeaving = false
  page.on('request', (request) => {
    isLeaving ||= request.isNavigationRequest() && request.frame() === page.mainFrame()
  })
  page.on('domcontentloaded', () => (isLeaving = false))
  page.on('console', (message) => message.type() === 'error' && problems.push(`console: ${message.text()}`))
  page.on('pageerror', (error) => {
    const text = (error instanceof Error ? error.message : String(error)).replace(/^\w*Error: /, '')
    if (!INTERRUPTED_TRANSITION.test(text) && !(isLeaving && NAVIGATION_ABORT_ERRORS.test(text)))
      problems.push(`page: ${text}`)
  })
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? ''
    if (request.url().startsWith(origin) && reason !== ABORTED_REQUEST)
      problems.push(`request: ${request.url()} ${reason}`)
  })
  page.on('response', (response) => {
    const isRefused = response.status() >= 400 && response.status() !== SIGNED_OUT_STATUS
    if (isRefused && response.url().startsWith(origin))
      problems.push(`response: ${response.status()} ${response.url()}`)
  })
}
