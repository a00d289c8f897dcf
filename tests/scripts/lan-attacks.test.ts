import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GATEWAY_CALLS } from '../../contract/all-calls.ts'
import { formatGatewayPath } from '../../contract/wire/call.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { isSignedIn, LanSystem } from '../support/lan-system.ts'
import { scaleTimeout } from '../support/machine.ts'
import { canCreateNamespaces, HUB_ADDRESS } from '../support/network-namespaces.ts'
import { startSignIn } from '../support/sign-in-walk.ts'
import type { Visitor } from '../support/visitor.ts'

const STRANGER = 'stranger@example.org'
/** Cookies that scripts of the portal read: proof of the page, and whether to show signed-in pages. */
const SCRIPT_COOKIES = [XSRF_COOKIE, 'signed_in']

/** Repeats attacks of a website or a device against `npm start -- --lan`, where three origins share one host. */
describe.skipIf(!canCreateNamespaces())('attacks from the local network', { timeout: scaleTimeout(120_000) }, () => {
  let system: LanSystem
  let stranger: Visitor

  const getOrigin = (offset: number) => system.getOrigin(offset)

  beforeAll(async () => {
    system = await LanSystem.open()
    stranger = system.createVisitor()
    await system.logIn(stranger, STRANGER)
  })
  afterAll(() => system.close())

  describe('sessions', () => {
    test('a cookie is worth nothing after its owner signed out', async () => {
      const visitor = system.createVisitor()
      await system.logIn(visitor, STRANGER)
      const cookie = visitor.sessionCookie ?? ''
      expect(await isSignedIn(visitor)).toBe(true)
      await visitor.post('/api/auth/logout')
      visitor.sessionCookie = cookie
      expect(await isSignedIn(visitor)).toBe(false)
    })

    test('a cookie that an attacker planted before the login is not signed in after it', async () => {
      const attacker = system.createVisitor()
      const planted = 'A'.repeat(43)
      const victim = system.createVisitor()
      victim.sessionCookie = planted
      await system.logIn(victim, STRANGER)
      expect(await isSignedIn(victim)).toBe(true)
      expect(victim.sessionCookie).not.toBe(planted)
      attacker.sessionCookie = planted
      expect(await isSignedIn(attacker)).toBe(false)
    })

    test('a callback works only in the browser that started the login', async () => {
      const visitor = system.createVisitor()
      const callback = await system.getCallback(visitor, STRANGER)
      const attacker = system.createVisitor()
      await attacker.navigate(callback)
      expect(await isSignedIn(attacker)).toBe(false)
      await visitor.navigate(callback)
      expect(await isSignedIn(visitor)).toBe(true)
    })

    test('100 requests at the same time keep one session', async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => stranger.get('/api/auth/me')))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
      expect(await isSignedIn(stranger)).toBe(true)
    })

    test('cookies are sent only over TLS, and only what pages need can be read by their scripts', () => {
      const cookies = [...stranger.setCookieHeaders]
      expect(cookies.length).toBeGreaterThan(SCRIPT_COOKIES.length)
      for (const [name, line] of cookies) {
        expect(line).toMatch(/; *secure/i)
        expect(line).not.toMatch(/; *domain=/i)
        expect([name, /; *httponly/i.test(line)]).toEqual([name, !SCRIPT_COOKIES.includes(name)])
      }
    })
  })

  describe('CSRF', () => {
    const writes = GATEWAY_CALLS.filter(({ method }) => method !== 'GET').map((call) => {
      const params = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']))
      return [call.method, formatGatewayPath(call, params)] as const
    })
    /** Returns the headers of an attack. `token`: the right token, although an attacker would have to guess it. */
    const ATTACKS: Readonly<Record<string, (token: string) => Record<string, string>>> = {
      'the provider’s port': (token) => ({
        origin: getOrigin(1),
        'sec-fetch-site': 'same-site',
        [XSRF_HEADER]: token,
      }),
      'the card page’s port': (token) => ({
        origin: getOrigin(2),
        'sec-fetch-site': 'same-site',
        [XSRF_HEADER]: token,
      }),
      'the same port over HTTP': (token) => ({ origin: getOrigin(0).replace('https', 'http'), [XSRF_HEADER]: token }),
      'a website': (token) => ({
        origin: 'https://evil.example',
        'sec-fetch-site': 'cross-site',
        [XSRF_HEADER]: token,
      }),
      'a sandboxed frame': (token) => ({ origin: 'null', 'sec-fetch-site': 'cross-site', [XSRF_HEADER]: token }),
      'a page without the token': () => ({ origin: getOrigin(0), 'sec-fetch-site': 'same-origin' }),
    }

    test.each(Object.keys(ATTACKS))('no call is accepted from %s', async (name) => {
      const token = stranger.getCookie(XSRF_COOKIE) ?? ''
      expect(token).not.toBe('')
      const answers = await Promise.all(
        writes.map(async ([method, path]) => {
          const headers = { 'content-type': 'application/json', ...ATTACKS[name]?.(token) }
          const answer = await stranger.fetch(path, { method, body: '{}', headers })
          return [path, answer.status, ((await answer.json()) as { code: unknown }).code] as const
        }),
      )
      expect(answers.length).toBeGreaterThan(50)
      expect(answers.filter(([, status, code]) => status !== 403 || code !== 'csrf')).toEqual([])
    })

    test('the sign-in form accepts no password from another origin', async () => {
      const visitor = system.createVisitor()
      const first = await visitor.navigate((await startSignIn(visitor, '/live')).href)
      const page = new URL(first.headers.get('location') ?? '', getOrigin(1))
      const action = /<form[^>]*action="([^"]+)"/.exec(await (await visitor.navigate(page.href)).text())?.[1] ?? ''
      const body = 'email=stranger%40example.org&password=a+long+own+password'
      const submit = (origin: string, site: string) =>
        visitor.fetch(new URL(action, page).href, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin, 'sec-fetch-site': site },
        })
      for (const origin of [getOrigin(0), getOrigin(2), 'https://evil.example', 'null'])
        // Shows the form again. Only a login redirects.
        expect([origin, (await submit(origin, 'same-site')).headers.get('location')]).toEqual([origin, null])
      expect((await submit(getOrigin(1), 'same-origin')).headers.get('location')).not.toBeNull()
    })
  })

  describe('redirects', () => {
    const listForeignUrls = () => [
      getOrigin(4),
      `https://${HUB_ADDRESS}`,
      `https://${HUB_ADDRESS}:1/`,
      getOrigin(0).replace('https', 'http'),
      `https://x.${HUB_ADDRESS}/`,
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      `${getOrigin(0)}@evil.example/`,
      'javascript:alert(1)',
      `${getOrigin(0)}.evil.example/`,
    ]

    test('no route leads away from the three origins', async () => {
      const allowed = [0, 1, 2].map(getOrigin)
      let redirects = 0
      for (const target of listForeignUrls())
        for (const path of ['/api/redirect', '/user/redirect', '/login'])
          for (const name of ['redirect_uri', 'url', 'state']) {
            const answer = await stranger.navigate(`${path}?${name}=${encodeURIComponent(target)}`)
            const location = answer.headers.get('location')
            if (location === null) continue
            redirects += 1
            expect(allowed, `${path} ${name} ${target}`).toContain(new URL(location, getOrigin(0)).origin)
          }
      expect(redirects).toBeGreaterThan(0)
    })

    test('a login that asks for a foreign target returns to the portal', async () => {
      for (const state of listForeignUrls()) {
        const visitor = system.createVisitor()
        await visitor.get('/api/auth/me')
        const answer = await visitor.post('/api/auth/authorize', { state, kount_session_id: 'test-device' })
        const { url } = (await answer.json()) as { url?: string }
        if (url === undefined) expect([state, answer.status]).toEqual([state, 400])
        else expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${getOrigin(0)}/api/auth/callback`)
      }
    })

    test('the provider sends codes only to the callback of the portal', async () => {
      const visitor = system.createVisitor()
      const url = await startSignIn(visitor, '/live')
      for (const target of [`${getOrigin(4)}/api/auth/callback`, 'https://evil.example/', `${getOrigin(0)}/live`]) {
        url.searchParams.set('redirect_uri', target)
        const answer = await visitor.navigate(url.href)
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      }
    })
  })
})
