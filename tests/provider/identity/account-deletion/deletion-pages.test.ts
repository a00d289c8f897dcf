import { describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import type { Call } from '../../../../contract/wire/call.ts'
import { cancelSubscription } from '../../../../contract/billing/cancellation.ts'
import { getAccountLeave } from '../../../../contract/account/account-deletion.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase } from '../../../../contract/billing/purchase.ts'
import type { Env } from '../../../../provider/env.ts'
import type { RequestOptions } from '../../../support/authenticator.ts'
import { addCard } from '../../../support/cards.ts'
import { parsePasskeyForm, namedForEach, PASSWORD, type NamedProvider } from '../../../support/passkeys.ts'
import { startFlow, resolveRedirects, send, submitForm } from '../../../support/provider.ts'
import { appCode, parseTotpKey, parseAlert, parseRecoveryCodes, parseTicket } from '../../../support/second-factor.ts'
import type { Visitor } from '../../../support/visitor.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

type Answer = { readonly data: Record<string, unknown> }
const PAGE = '/account/delete'

let named: NamedProvider
let email: string
namedForEach((at) => ({ named, email } = at))

const open = async (visitor: Visitor) => (await visitor.navigate(named.page(PAGE).href)).text()
const post = (visitor: Visitor, fields: Record<string, string>) => named.post(visitor, fields, PAGE)
const me = async (token: string) => (await send(named.env, userMe, token)).status
const row = async () =>
  (await named.DB.prepare('SELECT user_id, leaves_at FROM accounts WHERE email = ?').bind(email).first<{
    user_id: string
    leaves_at: number | null
  }>()) ?? { user_id: '', leaves_at: -1 }
const leavesAt = async () => (await row()).leaves_at

async function signedIn() {
  const visitor = named.person()
  return { visitor, tokens: await named.signIn(visitor, email) }
}
const reauthenticate = (visitor: Visitor, fields: Record<string, string> = {}) =>
  post(visitor, { step: 'prove', password: PASSWORD, ...fields })
async function deleteIt(visitor: Visitor) {
  const ticket = parseTicket(await reauthenticate(visitor)) ?? ''
  return { ticket, html: await post(visitor, { step: 'delete', ticket }) }
}

describe('account deletion', () => {
  test('needs re-authentication and a button, shows the date in 30 days, and signs out other devices', async () => {
    const { visitor, tokens } = await signedIn()
    const other = await named.signIn(named.person(), email)
    expect(await open(visitor)).toContain('First sign in again')
    const confirm = await reauthenticate(visitor)
    expect(parseTicket(confirm)).toMatch(/./)
    expect(await leavesAt()).toBeNull()
    const html = await post(visitor, { step: 'delete', ticket: parseTicket(confirm) ?? '' })
    const until = (await leavesAt()) ?? 0
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(until)
    expect(/<h1>([^<]*)<\/h1>/.exec(html)?.[1]).toContain(day)
    expect(Math.abs(until - Date.now() - 30 * DAY_MS)).toBeLessThan(60_000)
    const deletion = (await (await send(named.env, getAccountLeave, tokens.access_token)).json()) as object
    expect(deletion).toEqual({ code: 200, data: { leaves_at: until } })
    expect([await me(tokens.access_token), await me(other.access_token)]).toEqual([200, 401])
    const kinds = async () => JSON.stringify(await (await send(named.env, getActivity, tokens.access_token)).json())
    await expect.poll(kinds).toContain('account-leaves')
  })

  test('OPEN-180 shows the refund for a canceled plan, makes it, and emails the same amount', async () => {
    const { visitor, tokens } = await signedIn()
    const { user_id: userId } = await row()
    const bindings = (await named.stage.provider.getWorker().getEnv()) as Env
    const { method_id } = await addCard(bindings, userId, '4242')
    const call = async (of: Call, payload: object, params = {}) =>
      ((await (await send(named.env, of, tokens.access_token, { payload: { ...payload }, params })).json()) as Answer)
        .data
    const plan = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 }
    const { quote } = await call(previewPurchase, plan)
    const order = await call(createPurchase, { ...plan, quote, method_id, intent: 'intent_of_deleting_1' })
    expect(order).toMatchObject({ state: 'done' })
    const [sub] = (await call(getSubscriptions, {}, { uuid: userId }))['subscriptions'] as Subscription[]
    const { subscription_id = '', revision = 0 } = sub ?? {}
    const cancel = { subscription_id, revision, way: 'end', reason: null, intent: 'intent_of_deleting_2' }
    expect(await call(cancelSubscription, cancel, { billing_provider: 'card' })).toMatchObject({ to_method: 0 })
    expect(await open(visitor)).toContain('$108.24 is refunded')
    await deleteIt(visitor)
    const charges = async () => await bindings.GATEWAYS.getByName(userId).charges()
    await expect.poll(charges).toMatchObject([{ cents: 10_824, refunded: 10_824 }])
    const mail = await named.DB.prepare("SELECT facts FROM messages WHERE user_id = ? AND kind = 'account_leaves'")
      .bind(userId)
      .first<{ facts: string }>()
    expect(mail?.facts).toContain('$108.24 is refunded')
  })

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['no password', { password: '' }],
  ])('does not continue with %s, and says why', async (_, fields) => {
    const { visitor } = await signedIn()
    const html = await reauthenticate(visitor, fields)
    expect(parseAlert(html)).toMatch(/\bpassword\b/)
    expect(parseTicket(html)).toBeUndefined()
  })

  test('rejects the button alone, a ticket of another account, a reused ticket and another site', async () => {
    const { visitor } = await signedIn()
    expect(parseAlert(await post(visitor, { step: 'delete', ticket: '' }))).toMatch(/Nothing was deleted/)
    const theirs = named.person()
    await named.account(`other-${email}`)
    await named.signIn(theirs, `other-${email}`)
    const ticket = parseTicket(await reauthenticate(theirs)) ?? ''
    expect(parseAlert(await post(visitor, { step: 'delete', ticket }))).toMatch(/Nothing was deleted/)
    const own = parseTicket(await reauthenticate(visitor)) ?? ''
    await visitor.fetch(named.page(PAGE).href, {
      method: 'POST',
      body: new URLSearchParams({ step: 'delete', ticket: own }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(await leavesAt()).toBeNull()
    await post(visitor, { step: 'delete', ticket: own })
    await post(visitor, { step: 'undo' })
    expect(parseAlert(await post(visitor, { step: 'delete', ticket: own }))).toMatch(/sent twice/)
    expect(await leavesAt()).toBeNull()
  })

  test('needs a session, and is not available to a demo account', async () => {
    const answer = await named.person().navigate(named.page(PAGE).href)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Sign in first')])
    const demo = named.person()
    await named.signIn(demo, 'owner@example.com', DEMO_PASSWORD)
    expect(await open(demo)).toContain('demo account')
    expect(await post(demo, { step: 'prove', password: DEMO_PASSWORD })).toContain('demo account')
  })

  test('requires a code if there is a second factor, from the app or a recovery code', async () => {
    const { visitor } = await signedIn()
    const factor = '/account/second-factor'
    const key = parseTotpKey(await named.post(visitor, { step: 'begin', password: PASSWORD }, factor))
    const codes = parseRecoveryCodes(await named.post(visitor, { step: 'code', code: appCode(key) }, factor))
    await named.post(visitor, { step: 'on', kept: '1' }, factor)
    expect(await open(visitor)).toContain('name="code"')
    expect(parseAlert(await reauthenticate(visitor))).toMatch(/not right/)
    expect(parseAlert(await reauthenticate(visitor, { code: '000000' }))).toMatch(/not right, or too old/)
    expect(parseAlert(await reauthenticate(visitor, { password: 'wrong', code: codes[0] ?? '' }))).toMatch(
      /password is not right/,
    )
    expect(await reauthenticate(visitor, { code: appCode(key, 1) })).toContain('for good?')
    expect(await reauthenticate(visitor, { code: codes[0] ?? '' })).toContain('for good?')
  })

  test('accepts a passkey of this account instead, but no other passkey and no challenge ticket alone', async () => {
    const { visitor, key } = await named.withPasskey(email)
    const { options, ticket } = parsePasskeyForm<RequestOptions>(await open(visitor))
    expect(parseAlert(await post(visitor, { step: 'delete', ticket }))).toMatch(/Nothing was deleted/)
    await named.account(`key-${email}`)
    const { visitor: theirs, key: foreign } = await named.withPasskey(`key-${email}`)
    const challenge = parsePasskeyForm<RequestOptions>(await open(theirs))
    expect(parseAlert(await post(visitor, { passkey: ticket, credential: foreign.get(options) }))).toMatch(
      /does not open/,
    )
    expect(
      parseAlert(await post(theirs, { passkey: challenge.ticket, credential: key.get(challenge.options) })),
    ).toMatch(/does not open/)
    const fresh = parsePasskeyForm<RequestOptions>(await open(visitor))
    const assertion = { passkey: fresh.ticket, credential: key.get(fresh.options) }
    expect(await post(visitor, assertion)).toContain('for good?')
    expect(parseAlert(await post(visitor, assertion))).toMatch(/sent twice/)
  })
})

describe('a scheduled account deletion', () => {
  test('can be undone after a sign-in, even on day 29, and then deletes nothing', async () => {
    const { visitor, tokens } = await signedIn()
    await deleteIt(visitor)
    const later = named.person()
    await named.signIn(later, email)
    await named.DB.prepare('UPDATE accounts SET leaves_at = ? WHERE email = ?')
      .bind(Date.now() + DAY_MS, email)
      .run()
    expect(await open(later)).toContain('value="undo"')
    expect(await post(later, { step: 'undo' })).toContain('<h1>Your account stays</h1>')
    expect(await leavesAt()).toBeNull()
    const { LEAVES } = (await named.stage.provider.getWorker().getEnv()) as Env
    const { user_id } = await row()
    await LEAVES.getByName(user_id).processDue(Date.now() + 2 * DAY_MS)
    expect([(await row()).user_id, await me(tokens.access_token)]).toEqual([user_id, 200])
  })

  test('cannot be undone after the last day, and the account can no longer sign in', async () => {
    const { visitor } = await signedIn()
    await deleteIt(visitor)
    await named.DB.prepare('UPDATE accounts SET leaves_at = ? WHERE email = ?')
      .bind(Date.now() - 1, email)
      .run()
    expect(await post(visitor, { step: 'undo' })).not.toContain('<h1>Your account stays</h1>')
    expect(await leavesAt()).not.toBeNull()
    const { LEAVES } = (await named.stage.provider.getWorker().getEnv()) as Env
    await LEAVES.getByName((await row()).user_id).processDue(Date.now())
    expect((await row()).user_id).toBe('')
    const { at } = await resolveRedirects(named.person(), named.env, startFlow(named.env).url)
    const answer = await submitForm(named.person(), at, { email, password: PASSWORD })
    expect(answer.headers.get('location')).toBeNull()
  })
})
