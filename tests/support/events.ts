import { expect, type Locator, type Page } from 'playwright/test'

export const cards = (page: Page): Locator => page.getByRole('main').getByRole('listitem')

export const eventIds = (page: Page): Promise<string[]> =>
  cards(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-event') ?? ''))

/** Start of an event, ms UTC. The event id ends with it. */
export const parseEventTime = (eventId: string): number => parseInt(eventId.split('-').at(-1) ?? '', 36)

/** Waits for a list that has events, each with this text. */
export async function expectOnly(page: Page, text: string): Promise<void> {
  const others = async () => {
    const texts = await cards(page).allTextContents()
    return texts.length === 0 ? 'no events' : texts.find((cardText) => !cardText.includes(text))
  }
  await expect.poll(others).toBeUndefined()
}
