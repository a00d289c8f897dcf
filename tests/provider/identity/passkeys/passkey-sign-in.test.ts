import { describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { encryptText } from '../../../../provider/platform/crypto/encrypt-text.ts'
import { Authenticator, type ResponseDeviation } from '../../../support/authenticator.ts'
import {
  setUpPasskeyProvider,
  PASSKEY_ACCOUNT_PASSWORD,
  PASSKEY_REJECTED,
  type PasskeyProvider,
} from '../../../support/passkeys.ts'
import { startFlow, resolveRedirects, sendCallAsEdge } from '../../../support/provider.ts'
import { generateAppCode, parseTotpKey, parseAlert } from '../../../support/second-factor.ts'

let provider: PasskeyProvider
let email: string
setUpPasskeyProvider((context) => ({ provider, email } = context))

const getUserStatus = async (token: string) => (await sendCallAsEdge(provider.env, userMe, token)).status

describe('sign-in with a passkey', () => {
  test('needs no password and no code, even if the account has a second factor', async () => {
    const { visitor, key } = await provider.withPasskey(email)
    const factor = '/account/second-factor'
    const totpKey = parseTotpKey(
      await provider.post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }, factor),
    )
    await provider.post(visitor, { step: 'code', code: generateAppCode(totpKey) }, factor)
    expect(parseAlert(await provider.post(visitor, { step: 'on', kept: '1' }, factor))).toBeUndefined()

    expect(await getUserStatus(await provider.fetchAccessToken(key))).toBe(200)
    expect(await (await visitor.navigate(provider.page().href)).text()).toMatch(/last used on \w+ \d/)
    const { page } = await provider.signInWithPasskey(key)
    expect(page.visitor.listCookieNames(provider.env.PROVIDER_ORIGIN).some((name) => name.startsWith('known_'))).toBe(
      true,
    )
  })

  test('allows the scripts that it needs, from the provider only', async () => {
    const { answer } = await resolveRedirects(provider.person(), provider.env, startFlow(provider.env).url)
    const policy = answer?.headers.get('content-security-policy')
    const [showPasswordScript, passkeys] = ['show-password', 'passkeys'].map(
      (name) => `${provider.env.PROVIDER_ORIGIN}/assets/${name}.js`,
    )
    expect(policy).toContain(`script-src ${showPasswordScript} ${passkeys};`)
    const script = await fetch(`${provider.env.PROVIDER_ORIGIN}/assets/passkeys.js`)
    expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript'])
  })

  test.each<[string, ResponseDeviation]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a user who was not verified', { verified: false }],
    ['another account', { userHandle: Buffer.from('user_1').toString('base64url') }],
  ])('rejects an assertion signed for %s, and accepts the right one after that', async (_, deviation) => {
    const { key } = await provider.withPasskey(email)
    const { answer } = await provider.signInWithPasskey(key, deviation)
    expect(parseAlert(await answer.text())).toBe(PASSKEY_REJECTED)
    expect(await provider.canSignIn(key)).toBe(true)
  })

  test('rejects a key that does not match its id, and a key that no account has', async () => {
    const { key } = await provider.withPasskey(email)
    const [other, signInPage] = [new Authenticator(provider.env.PROVIDER_ORIGIN), await provider.signInPage()]
    const forged = other.createAssertion(signInPage.options).replaceAll(other.id, key.id)
    expect(parseAlert(await (await provider.submitPasskey(signInPage, forged)).text())).toBe(PASSKEY_REJECTED)
    expect(parseAlert(await (await provider.signInWithPasskey(other)).answer.text())).toBe(PASSKEY_REJECTED)
    expect(parseAlert(await (await provider.submitPasskey(await provider.signInPage(), '{"id":1}')).text())).toBe(
      PASSKEY_REJECTED,
    )
  })

  test('accepts a challenge once, on the page that it was made for', async () => {
    const { key } = await provider.withPasskey(email)
    const { page } = await provider.signInWithPasskey(key, { origin: 'http://evil.example' })
    expect(parseAlert(await (await provider.submitPasskey(page, key.createAssertion(page.options))).text())).toMatch(
      /was submitted twice/,
    )
    const [firstSignInPage, otherSignInPage] = [await provider.signInPage(), await provider.signInPage()]
    expect(
      (
        await provider.submitPasskey(
          otherSignInPage,
          key.createAssertion(firstSignInPage.options),
          firstSignInPage.ticket,
        )
      ).headers.has('location'),
    ).toBe(false)
    expect(
      (await provider.submitPasskey(firstSignInPage, key.createAssertion(firstSignInPage.options))).headers.has(
        'location',
      ),
    ).toBe(true)
  })

  test('rejects a challenge that is older than five minutes', async () => {
    const { key } = await provider.withPasskey(email)
    const submitChallenge = async (ms: number) => {
      const signInPage = await provider.signInPage()
      const purpose = `passkey at ${signInPage.pageUrl.pathname.split('/').at(-1)}`
      const sealed = { challenge: signInPage.options.challenge, until: Date.now() + ms }
      return await provider.submitPasskey(
        signInPage,
        key.createAssertion(signInPage.options),
        await encryptText(provider.env.FACTOR_KEY, purpose, JSON.stringify(sealed)),
      )
    }
    expect(parseAlert(await (await submitChallenge(-1)).text())).toMatch(/expired or was submitted twice/)
    expect((await submitChallenge(60_000)).headers.has('location')).toBe(true)
  })

  test('rejects a counter that has not advanced, and accepts a key that never counts', async () => {
    const { key } = await provider.withPasskey(email)
    expect(await provider.canSignIn(key, { counter: 0 })).toBe(true)
    expect(await provider.canSignIn(key, { counter: 0 })).toBe(true)
    expect(await provider.canSignIn(key, { counter: 7 })).toBe(true)
    expect(await provider.canSignIn(key, { counter: 7 })).toBe(false)
    expect(await provider.canSignIn(key, { counter: 0 })).toBe(false)
    expect(await provider.canSignIn(key, { counter: 8 })).toBe(true)
  })

  test('counts rejected attempts by client network and reports them to the owner', async () => {
    const { visitor, key, tokens } = await provider.withPasskey(email)
    const attacker = provider.person()
    const page = await provider.signInPage(attacker)
    for (let n = 0; n < 30; n++)
      await provider.submitPasskey(page, key.createAssertion(page.options, { verified: false }))
    const limited = await provider.submitPasskey(page, key.createAssertion(page.options))
    expect([limited.status, Number(limited.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect(parseAlert(await limited.text())).toMatch(/^Too many attempts/)
    const owner = provider.person(attacker.address)
    for (const name of visitor
      .listCookieNames(provider.env.PROVIDER_ORIGIN)
      .filter((cookieName) => cookieName.startsWith('known_')))
      owner.setCookie(name, visitor.getCookie(name, provider.env.PROVIDER_ORIGIN) ?? '', provider.env.PROVIDER_ORIGIN)
    expect((await provider.signInWithPasskey(key, {}, owner)).answer.status).toBe(303)
    const readActivity = async () =>
      JSON.stringify(await (await sendCallAsEdge(provider.env, getActivity, tokens.access_token)).json())
    await expect.poll(readActivity).toContain('sign-in-refused')
  })
})
