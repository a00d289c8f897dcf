import { DEMO_PASSWORD } from '../../contract/admin.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import { openFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { openStage, type Stage } from './harness.ts'
import { Visitor } from './visitor.ts'

/** Edge and provider, with a proxy between them that tests can break. */
export interface EdgeStage {
  readonly stage: Stage
  readonly proxy: FaultProxy
  readonly portal: string
  visitor(): Visitor
  close(): Promise<void>
}

type Change = Record<string, string>

/** `change` of the environment may depend on the origins, which are chosen before the Workers start. */
export async function openEdge(
  change: Change | ((env: RunEnvironment) => Promise<Change>) = {},
  portal: true | 'with its site' = true,
): Promise<EdgeStage> {
  const proxy = await openFaultProxy()
  const stage = await openStage({
    portal,
    async change(env) {
      proxy.forwardTo(env.PROVIDER_ORIGIN)
      const more = typeof change === 'function' ? await change(env) : change
      return { PROVIDER_ORIGIN: proxy.origin, OIDC_ISSUER: proxy.origin, ...more }
    },
  })
  await stage.seed()
  proxy.heal()
  return {
    stage,
    proxy,
    portal: stage.env.PORTAL_ORIGIN,
    visitor: () => new Visitor(stage.env.PORTAL_ORIGIN),
    async close() {
      await stage.close()
      await proxy.close()
    },
  }
}

/** Starts a sign-in and answers the authorize URL. */
export async function startSignIn(visitor: Visitor, state: string): Promise<URL> {
  await visitor.get('/api/auth/me')
  const answer = await visitor.post('/api/auth/authorize', { state, kount_session_id: 'test-device' })
  const { url } = (await answer.json()) as { url: string }
  return new URL(url)
}

/** Walks the provider's sign-in page from the authorize URL on; answers the callback's address. */
export async function walkSignInPage(
  visitor: Visitor,
  authorizeUrl: URL,
  email = 'owner@example.com',
  password: string = DEMO_PASSWORD,
): Promise<string> {
  let answer = await visitor.navigate(authorizeUrl.href)
  let at = authorizeUrl
  for (let step = 0; step < 10; step++) {
    const location = answer.headers.get('location')
    if (location !== null) {
      at = new URL(location, at)
      if (at.origin === visitor.portal) return at.href
      answer = await visitor.navigate(at.href)
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(await answer.text())?.[1]
    if (action === undefined || answer.status !== 200)
      throw new Error(`No sign-in page at ${at.href}: ${answer.status}`)
    at = new URL(action.replaceAll('&amp;', '&'), at)
    answer = await visitor.fetch(at.href, {
      method: 'POST',
      body: new URLSearchParams({ email, password }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        origin: at.origin,
        'sec-fetch-site': 'same-origin',
        'sec-fetch-mode': 'navigate',
      },
    })
  }
  throw new Error('The sign-in did not come back to the portal.')
}

/** The whole sign-in; answers what the callback answered. */
export async function signIn(visitor: Visitor, state = '/live', email = 'owner@example.com'): Promise<Response> {
  const callback = await walkSignInPage(visitor, await startSignIn(visitor, state), email)
  return visitor.navigate(callback)
}
