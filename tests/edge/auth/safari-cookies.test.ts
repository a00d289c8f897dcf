import { expect, test } from 'vitest'
import { ALL_COOKIES, toCookieName } from '../../../contract/wire/cookies.ts'
import { completeCardReturn, saveCardOnPage } from '../../support/card-form.ts'
import { signInThroughEdge } from '../../support/edge.ts'
import { openTestDeployment } from '../../support/harness.ts'
import { SafariVisitor } from '../../support/visitor.ts'

const LOCAL_NAMES = Object.values(ALL_COOKIES)
  .flat()
  .map((name) => toCookieName(name, 'http://localhost'))

/** Returns the listed name of a cookie; undefined for a cookie that is not in the list. */
const findListedName = (line: string) =>
  LOCAL_NAMES.find((name) =>
    line
      .replace(/^(\w+)\.sig=/, '$1=')
      .replace(/^(tx|known_)[^=]*=/, '$1=')
      .startsWith(`${name}=`),
  )

test('a browser that stores no Secure cookie over http signs in, saves a card and signs out on one host', async () => {
  const onLocalhost = (origin: string) => origin.replace('127.0.0.1', 'localhost')
  const deployment = await openTestDeployment({
    portal: true,
    seeded: true,
    change: ({ PROVIDER_ORIGIN, PAYMENT_ORIGIN }) => {
      const provider = onLocalhost(PROVIDER_ORIGIN)
      return { PROVIDER_ORIGIN: provider, OIDC_ISSUER: provider, PAYMENT_ORIGIN: onLocalhost(PAYMENT_ORIGIN) }
    },
  })
  const visitor = new SafariVisitor(deployment.env.PORTAL_ORIGIN)
  await signInThroughEdge(visitor, '/account/payment')
  expect(await (await visitor.get('/api/auth/me')).json()).toMatchObject({ user_account: 'owner@example.com' })

  const started = await visitor.post('/api/payment/start', { return_to: '/account/payment' })
  const { url } = (await started.json()) as { url: string }
  expect((await completeCardReturn(visitor, await saveCardOnPage(visitor, url))).status).toBe(200)
  expect((await visitor.get('/api/auth/me')).status).toBe(200)

  expect((await visitor.post('/api/auth/logout')).status).toBe(200)
  expect(visitor.sessionCookie).toBeUndefined()
  expect((await visitor.get('/api/auth/me')).status).toBe(401)

  expect(visitor.rejectedCookies).toEqual([])
  expect(visitor.acceptedCookies.filter((line) => findListedName(line) === undefined)).toEqual([])
  expect(new Set(visitor.acceptedCookies.map(findListedName))).toEqual(
    new Set(['sid', 'tx', 'pay', 'signed_in', 'XSRF-TOKEN', 'sso', 'sign_in', 'sign_in_resume', 'known_', 'card']),
  )
  await deployment.close()
})
