import { describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import { Authenticator, type CreationOptions, type Twist } from '../../../support/authenticator.ts'
import { openStage } from '../../../support/harness.ts'
import { parsePasskeyForm, namedForEach, PASSWORD, REFUSED, type NamedProvider } from '../../../support/passkeys.ts'
import { startFlow, resolveRedirects, send, submitForm } from '../../../support/provider.ts'
import { parseAlert } from '../../../support/second-factor.ts'
import { Visitor } from '../../../support/visitor.ts'

let named: NamedProvider
let email: string
namedForEach((at) => ({ named, email } = at))

const me = async (token: string) => (await send(named.env, userMe, token)).status
const open = async (visitor: Visitor) => (await visitor.navigate(named.page().href)).text()
const parseStatus = (html: string) => /role="status">([^<]*)</.exec(html)?.[1]?.trim()

describe('adding a passkey', () => {
  test('needs the password, then the new credential; the page lists it and the activity log records it', async () => {
    const visitor = named.person()
    const { access_token: token } = await named.signIn(visitor, email)
    const beside = await visitor.navigate(named.page('/account/second-factor').href)
    expect(await beside.text()).toContain('href="/account/passkeys"')
    expect(await open(visitor)).toContain('No passkey yet')
    expect(parseAlert(await named.post(visitor, { step: 'begin', password: 'wrong' }))).toMatch(/password is not right/)

    const { html } = await named.addPasskey(visitor)
    expect(parseStatus(html)).toMatch(/^The passkey is added/)
    expect(html).toContain('Phone of Pat')
    expect(html).toContain('not used yet')
    const kinds = async () => {
      const { data } = (await (await send(named.env, getActivity, token)).json()) as {
        data: { entries: { kind: string }[] }
      }
      return data.entries.map(({ kind }) => kind)
    }
    await expect.poll(kinds).toContain('passkey-added')
  })

  test('requests a resident key with user verification, other than the registered ones', async () => {
    const { visitor, key } = await named.withPasskey(email)
    const { options } = parsePasskeyForm<CreationOptions>(
      await named.post(visitor, { step: 'begin', password: PASSWORD }),
    )
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: key.id, transports: ['internal'] }],
    })
  })

  test.each<[string, Twist]>([
    ['another origin', { origin: 'http://evil.example' }],
    ['another domain', { rpId: 'evil.example' }],
    ['another challenge', { challenge: 'AAAA' }],
    ['nobody who showed who it is', { verified: false }],
  ])('rejects one made for %s', async (_, twist) => {
    const visitor = named.person()
    await named.signIn(visitor, email)
    expect(parseAlert((await named.addPasskey(visitor, twist)).html)).toMatch(/was not accepted/)
    expect(await open(visitor)).toContain('No passkey yet')
  })

  test('accepts a challenge once, and no passkey twice', async () => {
    const visitor = named.person()
    await named.signIn(visitor, email)
    const { sent, key } = await named.addPasskey(visitor)
    expect(parseAlert(await named.post(visitor, sent))).toMatch(/was sent twice/)
    expect(parseAlert((await named.addPasskey(visitor, {}, key)).html)).toMatch(/in use already/)
  })

  test('allows at most twenty', async () => {
    const { visitor } = await named.withPasskey(email)
    const copy = (n: number) =>
      named.DB.prepare(
        `INSERT INTO passkeys SELECT ?1, user_id, public_key, counter, transports, name, created_at, NULL FROM passkeys
         WHERE user_id = (SELECT user_id FROM accounts WHERE email = ?2) LIMIT 1`,
      ).bind(`copy-${email}-${n}`, email)
    await named.DB.batch(Array.from({ length: 18 }, (_, n) => copy(n)))
    const { options, ticket } = parsePasskeyForm<CreationOptions>(
      await named.post(visitor, { step: 'begin', password: PASSWORD }),
    )
    await named.DB.batch([copy(18)])
    const credential = new Authenticator(named.env.PROVIDER_ORIGIN).create(options)
    const html = await named.post(visitor, { passkey: ticket, credential, name: 'One more' })
    expect(html).toContain('at most 20')
    expect(html).not.toContain('One more')
    expect(await named.post(visitor, { step: 'begin', password: PASSWORD })).not.toContain('data-passkey')
  })

  test('needs a session of a non-demo account, and rejects a form from another site', async () => {
    expect((await named.person().navigate(named.page().href)).status).toBe(403)
    const visitor = named.person()
    await named.signIn(visitor, email)
    const answer = await visitor.fetch(named.page().href, {
      method: 'POST',
      body: new URLSearchParams({ step: 'begin', password: PASSWORD }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(await answer.text()).not.toContain('data-passkey')
    const demo = named.person()
    await named.signIn(demo, 'owner@example.com', DEMO_PASSWORD)
    expect(await open(demo)).toMatch(/\bdemo\b/)
    expect(await named.post(demo, { step: 'begin', password: DEMO_PASSWORD })).not.toContain('data-passkey')
  })
})

describe('removing a passkey', () => {
  test('revokes the passkey and every other session, and works only for its own account', async () => {
    const { visitor, key, tokens } = await named.withPasskey(email)
    const other = named.person()
    await named.account(`other-${email}`)
    await named.signIn(other, `other-${email}`)
    await named.post(other, { step: 'remove', id: key.id, password: PASSWORD })
    const token = await named.tokenOf(key)

    const remove = { step: 'remove', id: key.id }
    expect(await named.post(visitor, remove)).toContain('Your password')
    expect(parseAlert(await named.post(visitor, { ...remove, password: 'wrong' }))).toMatch(/password is not right/)
    expect(parseAlert(await named.post(visitor, { ...remove, password: '' }))).toMatch(/./)
    expect([await me(token), await me(tokens.access_token)]).toEqual([200, 200])
    expect(parseStatus(await named.post(visitor, { ...remove, password: PASSWORD }))).toMatch(/^The passkey is removed/)
    expect([await me(token), await me(tokens.access_token)]).toEqual([401, 200])
    expect(parseAlert(await (await named.answerTo(key)).answer.text())).toBe(REFUSED)
  })

  test('happens when the operator resets every sign-in method besides the password', async () => {
    const { key, tokens } = await named.withPasskey(email)
    const path = `/${email}/second-factor`
    expect((await named.admin('DELETE', path)).status).toBe(200)
    expect(await me(tokens.access_token)).toBe(401)
    expect(await named.opens(key)).toBe(false)
    expect((await named.admin('DELETE', path)).status).toBe(409)
  })

  test('happens with the deletion of the account, but not with a change of its password', async () => {
    const { key } = await named.withPasskey(email)
    await named.admin('PUT', `/${email}`, { password: 'another horse' })
    expect(await named.opens(key)).toBe(true)
    expect((await named.admin('DELETE', `/${email}`)).status).toBe(200)
    expect(await named.opens(key)).toBe(false)
    const left = named.DB.prepare('SELECT count(*) AS n FROM passkeys WHERE credential_id = ?').bind(key.id)
    expect(await left.first('n')).toBe(0)
  })
})

describe('a provider at an IP address', () => {
  test('offers no passkeys, and says why when a visitor tries to use them', async () => {
    const there = await openStage({ seeded: true })
    try {
      const visitor = new Visitor(there.env.PORTAL_ORIGIN)
      const { at, answer } = await resolveRedirects(visitor, there.env, startFlow(there.env).url)
      expect(await answer?.text()).not.toMatch(/data-passkey|Use a passkey/)
      expect(answer?.headers.get('content-security-policy')).not.toContain('passkeys')
      const rejection = await submitForm(visitor, at, { passkey: '', credential: '{}' })
      expect(parseAlert(await rejection.text())).toMatch(/^Passkeys work only/)
      const signedIn = await submitForm(visitor, at, { email: 'owner@example.com', password: DEMO_PASSWORD })
      await resolveRedirects(visitor, there.env, new URL(signedIn.headers.get('location') ?? '', at))
      const account = await visitor.navigate(`${there.env.PROVIDER_ORIGIN}/account/passkeys`)
      const beside = await visitor.navigate(`${there.env.PROVIDER_ORIGIN}/account/second-factor`)
      expect(await beside.text()).not.toContain('/account/passkeys')
      expect([account.status, await account.text()]).toEqual([404, expect.stringContaining('Passkeys need a name')])
    } finally {
      await there.close()
    }
  })
})
