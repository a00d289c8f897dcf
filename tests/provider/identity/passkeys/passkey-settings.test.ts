import { describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { Authenticator, type PasskeyCreationOptions, type ResponseDeviation } from '../../../support/authenticator.ts'
import { openTestDeployment } from '../../../support/harness.ts'
import {
  parsePasskeyForm,
  setUpPasskeyProvider,
  PASSKEY_ACCOUNT_PASSWORD,
  PASSKEY_REJECTED,
  type PasskeyProvider,
} from '../../../support/passkeys.ts'
import { startFlow, resolveRedirects, sendCallAsEdge, submitForm } from '../../../support/provider.ts'
import { parseAlert } from '../../../support/second-factor.ts'
import { Visitor } from '../../../support/visitor.ts'

let provider: PasskeyProvider
let email: string
setUpPasskeyProvider((context) => ({ provider, email } = context))

const getUserStatus = async (token: string) => (await sendCallAsEdge(provider.env, userMe, token)).status
const openPage = async (visitor: Visitor) => (await visitor.navigate(provider.page().href)).text()
const parseStatus = (html: string) => /role="status">([^<]*)</.exec(html)?.[1]?.trim()

describe('adding a passkey', () => {
  test('needs the password, then the new credential; the page lists it and the activity log records it', async () => {
    const visitor = provider.person()
    const { access_token: token } = await provider.signIn(visitor, email)
    const factorPage = await visitor.navigate(provider.page('/account/second-factor').href)
    expect(await factorPage.text()).toContain('href="/account/passkeys"')
    expect(await openPage(visitor)).toContain('No passkeys yet')
    expect(parseAlert(await provider.post(visitor, { step: 'begin', password: 'wrong' }))).toMatch(/^Wrong password/)

    const { access_token: otherToken } = await provider.signIn(provider.person(), email)
    expect([await getUserStatus(token), await getUserStatus(otherToken)]).toEqual([200, 200])
    const { html, key } = await provider.addPasskey(visitor)
    expect(parseStatus(html)).toMatch(/^Passkey added/)
    // A new passkey works immediately, and ends no sign-in.
    expect(await getUserStatus(await provider.fetchAccessToken(key))).toBe(200)
    expect([await getUserStatus(token), await getUserStatus(otherToken)]).toEqual([200, 200])
    expect(html).toContain('Phone of Pat')
    expect(html).toContain('never used')
    const listActivityKinds = async () => {
      const { data } = (await (await sendCallAsEdge(provider.env, getActivity, token)).json()) as {
        data: { entries: { kind: string }[] }
      }
      return data.entries.map(({ kind }) => kind)
    }
    await expect.poll(listActivityKinds).toContain('passkey-added')
  })

  test('requests a resident key with user verification, other than the registered ones', async () => {
    const { visitor, key } = await provider.withPasskey(email)
    const { options } = parsePasskeyForm<PasskeyCreationOptions>(
      await provider.post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }),
    )
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: key.id, transports: ['internal'] }],
    })
  })

  test.each<[string, ResponseDeviation]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['a user who was not verified', { verified: false }],
  ])('rejects one made for %s', async (_, deviation) => {
    const visitor = provider.person()
    await provider.signIn(visitor, email)
    expect(parseAlert((await provider.addPasskey(visitor, deviation)).html)).toMatch(/couldn’t verify this passkey/)
    expect(await openPage(visitor)).toContain('No passkeys yet')
  })

  test('accepts a challenge once, and no passkey twice', async () => {
    const visitor = provider.person()
    await provider.signIn(visitor, email)
    const { sent, key } = await provider.addPasskey(visitor)
    expect(parseAlert(await provider.post(visitor, sent))).toMatch(/was submitted twice/)
    expect(parseAlert((await provider.addPasskey(visitor, {}, key)).html)).toMatch(/already added/)
  })

  test('allows at most twenty', async () => {
    const { visitor } = await provider.withPasskey(email)
    const copyPasskey = (n: number) =>
      provider.DB.prepare(
        `INSERT INTO passkeys SELECT ?1, user_id, public_key, counter, transports, name, created_at, NULL FROM passkeys
         WHERE user_id = (SELECT user_id FROM accounts WHERE email = ?2) LIMIT 1`,
      ).bind(`copy-${email}-${n}`, email)
    await provider.DB.batch(Array.from({ length: 18 }, (_, n) => copyPasskey(n)))
    const { options, ticket } = parsePasskeyForm<PasskeyCreationOptions>(
      await provider.post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }),
    )
    await provider.DB.batch([copyPasskey(18)])
    const credential = new Authenticator(provider.env.PROVIDER_ORIGIN).createCredential(options)
    const html = await provider.post(visitor, { passkey: ticket, credential, name: 'One more' })
    expect(html).toContain('you already have 20')
    expect(html).not.toContain('One more')
    expect(await provider.post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD })).not.toContain(
      'data-passkey',
    )
  })

  test('needs a session of a non-demo account, and rejects a form from another site', async () => {
    expect((await provider.person().navigate(provider.page().href)).status).toBe(403)
    const visitor = provider.person()
    await provider.signIn(visitor, email)
    const answer = await visitor.fetch(provider.page().href, {
      method: 'POST',
      body: new URLSearchParams({ step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(await answer.text()).not.toContain('data-passkey')
    const demo = provider.person()
    await provider.signIn(demo, 'owner@example.com', DEMO_PASSWORD)
    expect(await openPage(demo)).toMatch(/\bdemo\b/)
    expect(await provider.post(demo, { step: 'begin', password: DEMO_PASSWORD })).not.toContain('data-passkey')
  })
})

describe('removing a passkey', () => {
  test('revokes the passkey and every other session, and works only for its own account', async () => {
    const { visitor, key, tokens } = await provider.withPasskey(email)
    const other = provider.person()
    await provider.addAccount(`other-${email}`)
    await provider.signIn(other, `other-${email}`)
    await provider.post(other, { step: 'remove', id: key.id, password: PASSKEY_ACCOUNT_PASSWORD })
    const token = await provider.fetchAccessToken(key)

    const remove = { step: 'remove', id: key.id }
    expect(await provider.post(visitor, remove)).toContain('Your password')
    expect(parseAlert(await provider.post(visitor, { ...remove, password: 'wrong' }))).toMatch(/^Wrong password/)
    expect(parseAlert(await provider.post(visitor, { ...remove, password: '' }))).toMatch(/./)
    expect([await getUserStatus(token), await getUserStatus(tokens.access_token)]).toEqual([200, 200])
    expect(parseStatus(await provider.post(visitor, { ...remove, password: PASSKEY_ACCOUNT_PASSWORD }))).toMatch(
      /^Passkey removed/,
    )
    expect([await getUserStatus(token), await getUserStatus(tokens.access_token)]).toEqual([401, 200])
    expect(parseAlert(await (await provider.signInWithPasskey(key)).answer.text())).toBe(PASSKEY_REJECTED)
  })

  test('happens when the operator resets every sign-in method besides the password', async () => {
    const { key, tokens } = await provider.withPasskey(email)
    expect(await getUserStatus(tokens.access_token)).toBe(200)
    const path = `/${email}/second-factor`
    expect((await provider.admin('DELETE', path)).status).toBe(200)
    expect(await getUserStatus(tokens.access_token)).toBe(401)
    expect(await provider.canSignIn(key)).toBe(false)
    expect((await provider.admin('DELETE', path)).status).toBe(409)
  })

  test('happens with the deletion of the account, but not with a change of its password', async () => {
    const { key } = await provider.withPasskey(email)
    await provider.admin('PUT', `/${email}`, { password: 'another horse' })
    expect(await provider.canSignIn(key)).toBe(true)
    expect((await provider.admin('DELETE', `/${email}`)).status).toBe(200)
    expect(await provider.canSignIn(key)).toBe(false)
    const countQuery = provider.DB.prepare('SELECT count(*) AS n FROM passkeys WHERE credential_id = ?').bind(key.id)
    expect(await countQuery.first('n')).toBe(0)
  })
})

describe('a provider at an IP address', () => {
  test('offers no passkeys, and says why when a visitor tries to use them', async () => {
    const ipDeployment = await openTestDeployment({ seeded: true })
    try {
      const visitor = new Visitor(ipDeployment.env.PORTAL_ORIGIN)
      const { url: pageUrl, answer } = await resolveRedirects(
        visitor,
        ipDeployment.env,
        startFlow(ipDeployment.env).url,
      )
      expect(await answer?.text()).not.toMatch(/data-passkey|Use a passkey/)
      expect(answer?.headers.get('content-security-policy')).not.toContain('passkeys')
      const rejection = await submitForm(visitor, pageUrl, { passkey: '', credential: '{}' })
      expect(parseAlert(await rejection.text())).toMatch(/^Passkeys aren’t supported/)
      const signedIn = await submitForm(visitor, pageUrl, { email: 'owner@example.com', password: DEMO_PASSWORD })
      await resolveRedirects(visitor, ipDeployment.env, new URL(signedIn.headers.get('location') ?? '', pageUrl))
      const account = await visitor.navigate(`${ipDeployment.env.PROVIDER_ORIGIN}/account/passkeys`)
      const factorPage = await visitor.navigate(`${ipDeployment.env.PROVIDER_ORIGIN}/account/second-factor`)
      expect(await factorPage.text()).not.toContain('/account/passkeys')
      expect([account.status, await account.text()]).toEqual([
        404,
        expect.stringContaining('Passkeys need a domain name'),
      ])
    } finally {
      await ipDeployment.close()
    }
  })
})
