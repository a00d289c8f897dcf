import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'
import { areAllTestsIncluded } from './tier.ts'

interface Appearance {
  readonly colorScheme: 'light' | 'dark'
  readonly width: number
}
/**
 * Covers each width once, and each color scheme at a narrow and a wide width. Layout faults do not depend on the color
 * scheme, so not every combination is checked.
 */
const ALL_APPEARANCES: readonly Appearance[] = [
  { colorScheme: 'light', width: 350 },
  { colorScheme: 'light', width: 768 },
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
  { colorScheme: 'dark', width: 1024 },
]
/**
 * Appearance that `findViolations` and `findViolationsOnPhone` check in `npm test`. In `npm run test:all`, they check
 * more appearances.
 */
const DEFAULT_APPEARANCES: readonly Appearance[] = [{ colorScheme: 'light', width: 390 }]
const PHONE_APPEARANCES: readonly Appearance[] = [...DEFAULT_APPEARANCES, { colorScheme: 'dark', width: 390 }]
/** Excludes `media` from preloading: a live video has no duration, so axe would wait ten seconds for each one. */
const AXE_OPTIONS = { resultTypes: ['violations' as const], preload: { assets: ['cssom'] } }

/** Resolves after two animation frames, so that the page has been painted with its new size and color scheme. */
const waitForPaint = (page: Page) =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))))

/**
 * Returns the axe violations of the current page, or only those inside the element that matches `within`. Does not
 * reload the page, and injects axe once per call. Restores the viewport size, and ends the emulation of the color
 * scheme.
 */
export const findViolations = (page: Page, name: string, within?: string): Promise<string[]> =>
  findViolationsIn(page, name, areAllTestsIncluded ? ALL_APPEARANCES : DEFAULT_APPEARANCES, within)

/** Returns the axe violations in all of `ALL_APPEARANCES`, even in `npm test`, where `findViolations` checks fewer. */
export const findViolationsInAllAppearances = (page: Page, name: string): Promise<string[]> =>
  findViolationsIn(page, name, ALL_APPEARANCES)

/** Returns the axe violations at the phone width of 390 px, for a part of the page that closes at wide widths. */
export const findViolationsOnPhone = (page: Page, name: string): Promise<string[]> =>
  findViolationsIn(page, name, areAllTestsIncluded ? PHONE_APPEARANCES : DEFAULT_APPEARANCES)

async function findViolationsIn(
  page: Page,
  name: string,
  appearances: readonly Appearance[],
  within?: string,
): Promise<string[]> {
  const found: string[] = []
  const size = page.viewportSize()
  let source = {}
  for (const { colorScheme, width } of appearances) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height: 900 })
    await waitForPaint(page)
    const axe = new AxeBuilder({ page, ...source }).options({ ...AXE_OPTIONS }).setLegacyMode()
    if (within) axe.include(within)
    const { violations } = await axe.analyze()
    source = { axeSource: 'void 0' }
    found.push(...violations.map(({ id, nodes }) => `${name} at ${width} px, ${colorScheme}, ${id}: ${nodes[0]?.html}`))
  }
  await page.emulateMedia({ colorScheme: null })
  if (size) await page.setViewportSize(size)
  await waitForPaint(page)
  return found
}
