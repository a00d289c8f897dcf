import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright/test'

const WIDTHS = [350, 390, 768, 1024, 1440]
/** The others look at what is there and what it is called, which no colour changes. */
const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block']
/** Without `media`: axe would wait ten seconds for the length of each live picture, which has none. */
const OPTIONS = { resultTypes: ['violations' as const], preload: { assets: ['cssom'] } }

/**
 * What axe finds on the page as it stands, at every width, in light and in dark; `within` narrows it to a
 * part of the page. The page is not loaded again, and axe goes into it once.
 */
export async function findings(page: Page, name: string, within?: string): Promise<string[]> {
  const found: string[] = []
  let source = {}
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const axe = new AxeBuilder({ page, ...source }).options({ ...OPTIONS }).setLegacyMode()
      if (within) axe.include(within)
      if (colorScheme === 'dark') axe.withRules(RULES_OF_COLOUR)
      const { violations } = await axe.analyze()
      source = { axeSource: 'void 0' }
      found.push(
        ...violations.map(({ id, nodes }) => `${name} at ${width} px, ${colorScheme}, ${id}: ${nodes[0]?.html}`),
      )
    }
  }
  return found
}
