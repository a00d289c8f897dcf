import { DEMO_PASSWORD } from '../../contract/operator/operator-calls.ts'
import type { Visitor } from './visitor.ts'

/** Starts a sign-in; returns the authorize URL. */
export async function startSignIn(visitor: Visitor, state: string): Promise<URL> {
  await visitor.get('/api/auth/me')
  const answer = await visitor.post('/api/auth/authorize', { state, kount_session_id: 'test-device' })
  const { url } = (await answer.json()) as { url: string }
  return new URL(url)
}

/** Opens the authorize URL, submits the provider's sign-in form, and returns the callback URL. */
export async function completeSignInPage(
  visitor: Visitor,
  authorizeUrl: URL,
  email = 'owner@example.com',
  password: string = DEMO_PASSWORD,
): Promise<string> {
  let answer = await visitor.navigate(authorizeUrl.href)
  let url = authorizeUrl
  for (let step = 0; step < 10; step++) {
    const location = answer.headers.get('location')
    if (location !== null) {
      url = new URL(location, url)
      if (url.origin === visitor.portalOrigin) return url.href
      answer = await visitor.navigate(url.href)
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(await answer.text())?.[1]
    if (action === undefined || answer.status !== 200)
      throw new Error(`No sign-in page at ${url.href}: ${answer.status}`)
    url = new URL(action.replaceAll('&amp;', '&'), url)
    answer = await visitor.fetch(url.href, {
      method: 'POST',
      body: new URLSearchParams({ email, password }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: url.origin,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
      },
    })
  }
  throw new Error('The sign-in did not return to the portal.')
}
