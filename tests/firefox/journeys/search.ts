import type { Page } from 'puppeteer-core'
import type { Journey } from '../journey.ts'
import { address, assert, clickOn, find, fits, isThere, key, moves, press, signIn, until } from '../looks.ts'

const FIELD = 'Describe what happened'
const RESULT = '[role=dialog] a[data-result], dialog a[data-result]'
const CLIP = 'video[aria-label^="Recording: "]'

export const search: Journey = {
  name: 'search',
  says: 'A sentence found clips that say why they match, one opened at its second, Back led to the results.',
  async go({ page, origin, isPhone }) {
    await page.goto(`${origin}/events`)
    await signIn(page)
    await address(page, '/events')
    await press(page, 'button', isPhone ? 'Search' : FIELD)
    await openSearch(page)
    await page.keyboard.type('person with a box')
    await key(page, 'Enter')
    await address(page, '/events?search=person+with+a+box')
    const first = await until('Nothing was found.', () => page.$(RESULT))
    await until('No result says why it matches.', () => page.$('dialog li mark'))
    await fits(page)
    const count = (await page.$$(RESULT)).length
    const id = await first.evaluate((link) => link.getAttribute('data-result'))
    await clickOn(page, first)
    await address(page, new RegExp(`event=${id}.*&t=\\d+`))
    const second = Number(new URL(page.url()).searchParams.get('t'))
    await until(`The clip does not begin at second ${second}.`, () =>
      page.$$eval(
        CLIP,
        (all, from) => all.some((element) => (element as HTMLVideoElement).currentTime >= from),
        second,
      ),
    )
    await moves(page, CLIP)
    await page.goBack()
    await address(page, '/events?search=person+with+a+box')
    await until('Back does not lead to the results.', async () => (await page.$$(RESULT)).length >= count)
    const resultId = await page.$eval(RESULT, (link) => link.getAttribute('data-result'))
    assert(resultId === id, 'Back leads to other results.')
    await key(page, 'Escape')
    await address(page, '/events')
  },
}

/** Waits for the search, turns it on if this is the account's first use, and focuses its field. */
async function openSearch(page: Page): Promise<void> {
  await address(page, '/events?search=')
  await until(
    'The search does not open.',
    async () => (await isThere(page, 'button', 'Turn on search')) || (await isThere(page, 'combobox', FIELD)),
  )
  if (await isThere(page, 'button', 'Turn on search')) await press(page, 'button', 'Turn on search')
  await (await find(page, 'combobox', FIELD)).focus()
}
