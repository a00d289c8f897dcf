import { describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { encryptText } from '../../../../provider/platform/crypto/encrypt-text.ts'
import { Authenticator, type Twist } from '../../../support/authenticator.ts'
import { namedForEach, PASSWORD, REFUSED, type NamedProvider } from '../../../support/passkeys.ts'
import { startFlow, resolveRedirects, send } from '../../../support/provider.ts'
import { appCode, parseTotpKey, parseAlert } from '../../../support/second-factor.ts'

let named: NamedProvider
let email: string
namedForEach((at) => ({ named, email } = at))

const me = async (token: string) => (await send(named.env, userMe, token)).status

describe('sign-in with a passkey', () => {
  test('needs no password and no code, even if the account has a second factor', async () => {
    const { visitor, key } = await named.withPasskey(email)
    const factor = '/account/second-factor'
    const app = parseTotpKey(await named.post(visitor, { step: 'begin', password: PASSWORD }, factor))
    await named.post(visitor, { step: 'code', code: appCode(app) }, factor)
    expect(parseAlert(await named.post(visitor, { step: 'on', kept: '1' }, factor))).toBeUndefined()

    expect(await me(await named.tokenOf(key))).toBe(200)
    expect(await (await visitor.navigate(named.page().href)).text()).toMatch(/last used on \d/)
    const { at } = await named.answerTo(key)
    expect(at.visitor.cookieNames(named.env.PROVIDER_ORIGIN).some((name) => name.startsWith('known_'))).toBe(true)
  })

  test('allows the scripts that it needs, from the provider only', async () => {
    const { answer } = await resolveRedirects(named.person(), named.env, startFlow(named.env).url)
    const policy = answer?.headers.get('content-security-policy')
    const [eye, passkeys] = ['show-password', 'passkeys'].map(
      (name) => `${named.env.PROVIDER_ORIGIN}/assets/${name}.js`,
    )
    expect(policy).toContain(`script-src ${eye} ${passkeys};`)
    const script = await fetch(`${named.env.PROVIDER_ORIGIN}/assets/passkeys.js`)
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript'])
  })

  test.each<[string, Twist]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['nobody who showed who it is', { verified: false }],
    ['another account', { userHandle: Buffer.from('user_1').toString('base64url') }],
  ])('rejects an assertion signed for %s, and accepts the right one after that', async (_, twist) => {
    const { key } = await named.withPasskey(email)
    const { answer } = await named.answerTo(key, twist)
    expect(parseAlert(await answer.text())).toBe(REFUSED)
    expect(await named.opens(key)).toBe(true)
  })

  test('rejects a key that does not match its id, and a key that no account has', async () => {
    const { key } = await named.withPasskey(email)
    const [other, at] = [new Authenticator(named.env.PROVIDER_ORIGIN), await named.signInPage()]
    const forged = other.get(at.options).replaceAll(other.id, key.id)
    expect(parseAlert(await (await named.show(at, forged)).text())).toBe(REFUSED)
    expect(parseAlert(await (await named.answerTo(other)).answer.text())).toBe(REFUSED)
    expect(parseAlert(await (await named.show(await named.signInPage(), '{"id":1}')).text())).toBe(REFUSED)
  })

  test('accepts a challenge once, on the page that it was made for', async () => {
    const { key } = await named.withPasskey(email)
    const { at } = await named.answerTo(key, { origin: 'http://evil.example' })
    expect(parseAlert(await (await named.show(at, key.get(at.options))).text())).toMatch(/was sent twice/)
    const [here, there] = [await named.signInPage(), await named.signInPage()]
    expect((await named.show(there, key.get(here.options), here.ticket)).headers.has('location')).toBe(false)
    expect((await named.show(here, key.get(here.options))).headers.has('location')).toBe(true)
  })

  test('rejects a challenge that is older than five minutes', async () => {
    const { key } = await named.withPasskey(email)
    const signed = async (ms: number) => {
      const at = await named.signInPage()
      const purpose = `passkey at ${at.at.pathname.split('/').at(-1)}`
      const sealed = { challenge: at.options.challenge, until: Date.now() + ms }
      return await named.show(
        at,
        key.get(at.options),
        await encryptText(named.env.FACTOR_KEY, purpose, JSON.stringify(sealed)),
      )
    }
    expect(parseAlert(await (await signed(-1)).text())).toMatch(/longer than five minutes/)
    expect((await signed(60_000)).headers.has('location')).toBe(true)
  })

  test('rejects a counter that has not advanced, and accepts a key that never counts', async () => {
    const { key } = await named.withPasskey(email)
    expect(await named.opens(key, { counter: 0 })).toBe(true)
    expect(await named.opens(key, { counter: 0 })).toBe(true)
    expect(await named.opens(key, { counter: 7 })).toBe(true)
    expect(await named.opens(key, { counter: 7 })).toBe(false)
    expect(await named.opens(key, { counter: 0 })).toBe(false)
    expect(await named.opens(key, { counter: 8 })).toBe(true)
  })

  test('counts rejected attempts by client network and reports them to the owner', async () => {
    const { visitor, key, tokens } = await named.withPasskey(email)
    const robber = named.person()
    const thief = await named.signInPage(robber)
    for (let n = 0; n < 30; n++) await named.show(thief, key.get(thief.options, { verified: false }))
    const limited = await named.show(thief, key.get(thief.options))
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(parseAlert(await limited.text())).toMatch(/^Too many attempts/)
    const owner = named.person(robber.address)
    for (const name of visitor
      .cookieNames(named.env.PROVIDER_ORIGIN)
      .filter((cookieName) => cookieName.startsWith('known_')))
      owner.setCookie(name, visitor.cookie(name, named.env.PROVIDER_ORIGIN) ?? '', named.env.PROVIDER_ORIGIN)
    expect((await named.answerTo(key, {}, owner)).answer.status).toBe(303)
    const readActivity = async () =>
      JSON.stringify(await (await send(named.env, getActivity, tokens.access_token)).json())
    await expect.poll(readActivity).toContain('sign-in-refused')
  })
})
