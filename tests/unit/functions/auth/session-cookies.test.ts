import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { savePendingCardPages } from '../../../../functions/lib/auth/card-page-cookie.ts'
import {
  addPendingAuthorization,
  clearSessionCookies,
  setSessionCookies,
  setXsrfCookie,
} from '../../../../functions/lib/auth/session-cookies.ts'
import { createSessionId } from '../../../../functions/lib/auth/session-id.ts'
import type { EdgeEnv } from '../../../../functions/lib/edge-context.ts'
import { readSettings, type Bindings } from '../../../../functions/lib/settings.ts'
import { makeEnvironment, makeSecrets } from '../../../../scripts/lib/secrets.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

const AUTHORIZATION = { handle: 'h', verifier: 'v', nonce: 'n', state: '/live', kount: 'k' }

/** Mounts routes that set all cookies of the portal, and delete the cookies of a session. */
function createApp(portalOrigin: string) {
  const run = { portalOrigin, providerOrigin: 'https://id.example.com', buildId: 'test' }
  const result = readSettings({ ...makeEnvironment(makeSecrets(), run) } as unknown as Bindings)
  if (!result.ok) throw new Error(result.problem)
  const { settings } = result
  return new Hono<EdgeEnv>()
    .use(async (c, next) => {
      c.set('settings', settings)
      await next()
    })
    .get('/set', async (c) => {
      const now = Date.now()
      setSessionCookies(c, createSessionId(), now + 60 * DAY_MS)
      setXsrfCookie(c)
      await addPendingAuthorization(c, { ...AUTHORIZATION, at: now }, [])
      await savePendingCardPages(c, [{ session_id: 'cs_1', user_id: 'u', return_to: '/live', at: now }])
      return c.body(null)
    })
    .get('/clear', (c) => {
      clearSessionCookies(c)
      return c.body(null)
    })
}

const listCookies = (answer: Response) => answer.headers.getSetCookie().map((line) => line.replace(/=[^;]*/, '='))

test.each([
  ['https://cam.example.com', '__Host-Http-', ' Secure;'],
  ['https://localhost:8787', '__Host-Http-', ' Secure;'],
  ['http://localhost:8787', '', ''],
  ['http://127.0.0.1:8787', '', ''],
])('cookies on %s have the name prefix "%s" and the attribute "%s"', async (origin, prefix, secure) => {
  const app = createApp(origin)
  expect(listCookies(await app.request('/set'))).toEqual([
    `${prefix}sid=; Max-Age=1209600; Path=/; HttpOnly;${secure} SameSite=Strict`,
    `signed_in=; Max-Age=1209600; Path=/;${secure} SameSite=Strict`,
    `XSRF-TOKEN=; Path=/;${secure} SameSite=Strict`,
    `${prefix}tx-h=; Max-Age=600; Path=/; HttpOnly;${secure} SameSite=Lax`,
    `${prefix}pay=; Max-Age=1800; Path=/; HttpOnly;${secure} SameSite=Lax`,
  ])
  const cleared = await app.request('/clear', { headers: { cookie: 'signed_in=1' } })
  expect(listCookies(cleared)).toEqual([
    expect.stringMatching(`^${prefix}sid=; Max-Age=0; Path=/; HttpOnly;${secure}`),
    expect.stringMatching(`^signed_in=; Max-Age=0; Path=/;${secure}`),
  ])
})
