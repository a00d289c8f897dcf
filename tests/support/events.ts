import { expect, type Locator, type Page } from 'playwright/test'

export const cards = (page: Page): Locator => page.getByRole('main').getByRole('listitem')

export const eventIds = (page: Page): Promise<string[]> =>
  cards(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-event') ?? ''))

/** Returns the start of an event, ms UTC. The last part of the event id is this time in base 36. */
export const parseEventTime = (eventId: string): number => parseInt(eventId.split('-').at(-1) ?? '', 36)

/** Waits until the event list is not empty and every event in it contains `text`. */
export async function expectOnly(page: Page, text: string): Promise<void> {
  const others = async () => {
    const texts = await cards(page).allTextContents()
    return texts.length === 0 ? 'no events' : texts.find((cardText) => !cardText.includes(text))
  }
  await expect.poll(others).toBeUndefined()
}
