import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright'
import { browserOptions } from '../../scripts/tools.mjs'

const openBrowsers = new Set<Browser>()

export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch(browserOptions({ whole: true }))
  openBrowsers.add(browser)
  browser.on('disconnected', () => openBrowsers.delete(browser))
  return browser
}

/** Closes all open browsers after a failed measurement, so that they do not affect the next measurement. */
export async function closeBrowsers(): Promise<void> {
  await Promise.all([...openBrowsers].map((browser) => browser.close()))
}

/** Signs in as the owner and loads `path` once, so that the figures describe a warm session. */
export async function openSignedInPage(
  browser: Browser,
  origin: string,
  path: string,
  viewport = { width: 1350, height: 940 },
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ viewport })
  const page = await context.newPage()
  await page.goto(origin + path)
  await page.getByLabel('Email').fill('owner@example.com')
  await page.getByLabel('Password').fill('porchlight')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByRole('main').getByRole('listitem').first().waitFor()
  return { context, page }
}

/**
 * Moves the mouse to an element, presses the button and releases it immediately. Unlike `Locator.click`, adds no code to
 * the page, whose hit tests would be part of the measured time.
 */
export async function pressWithMouse(page: Page, element: Locator): Promise<void> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element to press is not displayed.')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
