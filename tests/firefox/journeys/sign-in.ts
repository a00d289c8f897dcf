import type { Journey } from '../journey.ts'
import { address, assert, fits, says, signIn, readTexts, until } from '../looks.ts'

/** Cookies that scripts of the page may read. */
const READABLE = ['XSRF-TOKEN', 'signed_in']

export const signInJourney: Journey = {
  name: 'sign-in',
  says: 'A wrong password was refused in a sentence, the right one led to the page that was asked for.',
  async go({ page, context, origin }) {
    await page.goto(`${origin}/events?days=60`)
    await signIn(page, 'wrong')
    const errorText = await until('A wrong password is not refused in a sentence.', async () =>
      (await readTexts(page, '[role=alert]')).find((text) => text.length > 10),
    )
    assert(!errorText.includes('owner@example.com'), `The refusal tells whether there is such an account: ${errorText}`)
    await fits(page)
    await signIn(page)
    await address(page, '/events?days=60')
    await says(page, 'main li', ':')
    const cookies = (await context.cookies()).filter(({ domain }) => domain === 'localhost')
    const session = cookies.find(({ name }) => name === '__Host-Http-sid')
    assert(session?.httpOnly && session.secure, 'The cookie of the session is readable, or may be sent in the clear.')
    // `browser_first_party` belongs to the device collector (docs/decisions/0063).
    const readable = cookies.filter(({ name, httpOnly }) => !httpOnly && name !== 'browser_first_party')
    const names = readable.map(({ name }) => name).sort()
    assert(names.join() === READABLE.join(), `Scripts may read the cookies ${names.join(', ')}.`)
    await page.reload()
    await address(page, '/events?days=60')
    await says(page, 'main li', ':')
  },
}
