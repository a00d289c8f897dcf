import { expect, type Locator, type Page } from 'playwright/test'

export const eventCards = (page: Page): Locator => page.getByRole('main').getByRole('listitem')

export const readEventIds = (page: Page): Promise<string[]> =>
  eventCards(page)
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('data-event') ?? ''))

/** Returns the start of an event, ms UTC. The last part of the event id is this time in base 36. */
export const parseEventTime = (eventId: string): number => parseInt(eventId.split('-').at(-1) ?? '', 36)

/** Waits until the event list is not empty and every event in it contains `text`. */
export async function expectOnlyEventsWith(page: Page, text: string): Promise<void> {
  const findOtherEvent = async () => {
    const texts = await eventCards(page).allTextContents()
    return texts.length === 0 ? 'no events' : texts.find((cardText) => !cardText.includes(text))
  }
  await expect.poll(findOtherEvent).toBeUndefined()
}
