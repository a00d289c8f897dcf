import { SESSION_COOKIE, toCookieName } from '../../../contract/wire/cookies.ts'
import type { Journey } from '../journey.ts'
import { expectUrl, assert, expectNoOverflow, expectText, signIn, readTexts, waitUntil } from '../page-helpers.ts'

const READABLE_COOKIES = ['XSRF-TOKEN', 'signed_in']

export const signInJourney: Journey = {
  name: 'sign-in',
  summary: 'A wrong password was rejected with a message, and the right one opened the requested page.',
  async run({ page, listCookies, origin }) {
    await page.goto(`${origin}/events?days=60`)
    await signIn(page, 'wrong')
    const errorText = await waitUntil('A wrong password shows no error message.', async () =>
      (await readTexts(page, '[role=alert]')).find((text) => text.length > 10),
    )
    assert(!errorText.includes('owner@example.com'), `The error message reveals that the account exists: ${errorText}`)
    await expectNoOverflow(page)
    await signIn(page)
    await expectUrl(page, '/events?days=60')
    await expectText(page, 'main li', ':')
    const cookies = await listCookies()
    const session = cookies.find(({ name }) => name === toCookieName(SESSION_COOKIE, origin))
    assert(session?.httpOnly, 'The session cookie is missing or not HttpOnly.')
    // `browser_first_party` belongs to the device collector (docs/decisions/0063).
    const readable = cookies.filter(({ name, httpOnly }) => !httpOnly && name !== 'browser_first_party')
    const names = readable.map(({ name }) => name).sort()
    assert(names.join() === READABLE_COOKIES.join(), `Scripts may read the cookies ${names.join(', ')}.`)
    await page.reload()
    await expectUrl(page, '/events?days=60')
    await expectText(page, 'main li', ':')
  },
}
