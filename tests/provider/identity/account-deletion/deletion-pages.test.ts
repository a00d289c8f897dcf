import { describe, expect, test } from 'vitest'
import { getActivity } from '../../../../contract/account/activity.ts'
import { DEMO_PASSWORD } from '../../../../contract/operator/operator-calls.ts'
import { userMe } from '../../../../contract/auth/user-calls.ts'
import type { Call } from '../../../../contract/wire/call.ts'
import { cancelSubscription } from '../../../../contract/billing/cancellation.ts'
import { getAccountDeletion } from '../../../../contract/account/account-deletion.ts'
import { getSubscriptions, type Subscription } from '../../../../contract/billing/subscriptions.ts'
import { createPurchase, previewPurchase } from '../../../../contract/billing/purchase.ts'
import type { Env } from '../../../../provider/env.ts'
import type { PasskeyRequestOptions } from '../../../support/authenticator.ts'
import { addCard } from '../../../support/cards.ts'
import {
  parsePasskeyForm,
  setUpPasskeyProvider,
  PASSKEY_ACCOUNT_PASSWORD,
  type PasskeyProvider,
} from '../../../support/passkeys.ts'
import { startFlow, resolveRedirects, sendCallAsEdge, submitForm } from '../../../support/provider.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseAlert,
  parseRecoveryCodes,
  parseTicket,
} from '../../../support/second-factor.ts'
import type { Visitor } from '../../../support/visitor.ts'
import { DAY_MS } from '../../../../contract/time-units.ts'

type ApiResponse = { readonly data: Record<string, unknown> }
const PAGE_PATH = '/account/delete'

let provider: PasskeyProvider
let email: string
setUpPasskeyProvider((context) => ({ provider, email } = context))

const openPage = async (visitor: Visitor) => (await visitor.navigate(provider.page(PAGE_PATH).href)).text()
const postForm = (visitor: Visitor, fields: Record<string, string>) => provider.post(visitor, fields, PAGE_PATH)
const getUserStatus = async (token: string) => (await sendCallAsEdge(provider.env, userMe, token)).status
const readAccount = async () =>
  (await provider.DB.prepare('SELECT user_id, leaves_at FROM accounts WHERE email = ?').bind(email).first<{
    user_id: string
    leaves_at: number | null
  }>()) ?? { user_id: '', leaves_at: -1 }
const readDeletionTime = async () => (await readAccount()).leaves_at

async function signInVisitor() {
  const visitor = provider.person()
  return { visitor, tokens: await provider.signIn(visitor, email) }
}
const reauthenticate = (visitor: Visitor, fields: Record<string, string> = {}) =>
  postForm(visitor, { step: 'prove', password: PASSKEY_ACCOUNT_PASSWORD, ...fields })
async function deleteAccount(visitor: Visitor) {
  const ticket = parseTicket(await reauthenticate(visitor)) ?? ''
  return { ticket, html: await postForm(visitor, { step: 'delete', ticket }) }
}

describe('account deletion', () => {
  test('needs re-authentication and a button, shows the date in 30 days, and signs out other devices', async () => {
    const { visitor, tokens } = await signInVisitor()
    const other = await provider.signIn(provider.person(), email)
    expect(await openPage(visitor)).toContain('Confirm it’s you')
    const confirm = await reauthenticate(visitor)
    expect(parseTicket(confirm)).toMatch(/./)
    expect(await readDeletionTime()).toBeNull()
    const html = await postForm(visitor, { step: 'delete', ticket: parseTicket(confirm) ?? '' })
    const deletionTime = (await readDeletionTime()) ?? 0
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(deletionTime)
    expect(/<h1>([^<]*)<\/h1>/.exec(html)?.[1]).toContain(day)
    expect(Math.abs(deletionTime - Date.now() - 30 * DAY_MS)).toBeLessThan(60_000)
    const deletion = (await (
      await sendCallAsEdge(provider.env, getAccountDeletion, tokens.access_token)
    ).json()) as object
    expect(deletion).toEqual({ code: 200, data: { leaves_at: deletionTime, has_two_step: false } })
    expect([await getUserStatus(tokens.access_token), await getUserStatus(other.access_token)]).toEqual([200, 401])
    const readActivity = async () =>
      JSON.stringify(await (await sendCallAsEdge(provider.env, getActivity, tokens.access_token)).json())
    await expect.poll(readActivity).toContain('account-leaves')
  })

  test('OPEN-180 shows the refund for a canceled plan, makes it, and emails the same amount', async () => {
    const { visitor, tokens } = await signInVisitor()
    const { user_id: userId } = await readAccount()
    const bindings = (await provider.stage.provider.getWorker().getEnv()) as Env
    const { method_id } = await addCard(bindings, userId, '4242')
    const call = async (contractCall: Call, payload: object, params = {}) =>
      (
        (await (
          await sendCallAsEdge(provider.env, contractCall, tokens.access_token, { payload: { ...payload }, params })
        ).json()) as ApiResponse
      ).data
    const plan = { sku: 'unlimited', level: 2, mode: 'annual', quantity: 1 }
    const { quote } = await call(previewPurchase, plan)
    const order = await call(createPurchase, { ...plan, quote, method_id, intent: 'intent_of_deleting_1' })
    expect(order).toMatchObject({ state: 'done' })
    const [subscription] = (await call(getSubscriptions, {}, { uuid: userId }))['subscriptions'] as Subscription[]
    const { subscription_id = '', revision = 0 } = subscription ?? {}
    const cancel = { subscription_id, revision, way: 'end', reason: null, intent: 'intent_of_deleting_2' }
    expect(await call(cancelSubscription, cancel, { billing_provider: 'card' })).toMatchObject({ to_method: 0 })
    expect(await openPage(visitor)).toContain('$108.24 will be refunded')
    await deleteAccount(visitor)
    const charges = async () => await bindings.GATEWAYS.getByName(userId).listCharges()
    await expect.poll(charges).toMatchObject([{ cents: 10_824, refunded: 10_824 }])
    const mail = await provider.DB.prepare("SELECT facts FROM messages WHERE user_id = ? AND kind = 'account_leaves'")
      .bind(userId)
      .first<{ facts: string }>()
    expect(mail?.facts).toContain('$108.24 will be refunded')
  })

  test.each([
    ['a wrong password', { password: 'wrong' }],
    ['no password', { password: '' }],
  ])('does not continue with %s, and says why', async (_, fields) => {
    const { visitor } = await signInVisitor()
    const html = await reauthenticate(visitor, fields)
    expect(parseAlert(html)).toMatch(/\bpassword\b/)
    expect(parseTicket(html)).toBeUndefined()
  })

  test('rejects the button alone, a ticket of another account, a reused ticket and another site', async () => {
    const { visitor } = await signInVisitor()
    expect(parseAlert(await postForm(visitor, { step: 'delete', ticket: '' }))).toMatch(/Nothing was deleted/)
    const otherVisitor = provider.person()
    await provider.addAccount(`other-${email}`)
    await provider.signIn(otherVisitor, `other-${email}`)
    const ticket = parseTicket(await reauthenticate(otherVisitor)) ?? ''
    expect(parseAlert(await postForm(visitor, { step: 'delete', ticket }))).toMatch(/Nothing was deleted/)
    const ownTicket = parseTicket(await reauthenticate(visitor)) ?? ''
    await visitor.fetch(provider.page(PAGE_PATH).href, {
      method: 'POST',
      body: new URLSearchParams({ step: 'delete', ticket: ownTicket }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
    })
    expect(await readDeletionTime()).toBeNull()
    await postForm(visitor, { step: 'delete', ticket: ownTicket })
    await postForm(visitor, { step: 'undo' })
    expect(parseAlert(await postForm(visitor, { step: 'delete', ticket: ownTicket }))).toMatch(/submitted twice/)
    expect(await readDeletionTime()).toBeNull()
  })

  test('needs a session, and is not available to a demo account', async () => {
    const answer = await provider.person().navigate(provider.page(PAGE_PATH).href)
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('Log in first')])
    const demo = provider.person()
    await provider.signIn(demo, 'owner@example.com', DEMO_PASSWORD)
    expect(await openPage(demo)).toContain('demo account')
    expect(await postForm(demo, { step: 'prove', password: DEMO_PASSWORD })).toContain('demo account')
  })

  test('requires a code if there is a second factor, from the app or a recovery code', async () => {
    const { visitor } = await signInVisitor()
    const factorPath = '/account/second-factor'
    const key = parseTotpKey(
      await provider.post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }, factorPath),
    )
    const codes = parseRecoveryCodes(
      await provider.post(visitor, { step: 'code', code: generateAppCode(key) }, factorPath),
    )
    await provider.post(visitor, { step: 'on', kept: '1' }, factorPath)
    expect(await openPage(visitor)).toContain('name="code"')
    expect(parseAlert(await reauthenticate(visitor))).toMatch(/Enter a verification code/)
    expect(parseAlert(await reauthenticate(visitor, { code: '000000' }))).toMatch(/wrong or has expired/)
    expect(parseAlert(await reauthenticate(visitor, { password: 'wrong', code: codes[0] ?? '' }))).toMatch(
      /Wrong password/,
    )
    expect(await reauthenticate(visitor, { code: generateAppCode(key, 1) })).toContain('Delete your account?')
    expect(await reauthenticate(visitor, { code: codes[0] ?? '' })).toContain('Delete your account?')
  })

  test('accepts a passkey of this account instead, but no other passkey and no challenge ticket alone', async () => {
    const { visitor, key } = await provider.withPasskey(email)
    const { options, ticket } = parsePasskeyForm<PasskeyRequestOptions>(await openPage(visitor))
    expect(parseAlert(await postForm(visitor, { step: 'delete', ticket }))).toMatch(/Nothing was deleted/)
    await provider.addAccount(`key-${email}`)
    const { visitor: otherVisitor, key: foreignPasskey } = await provider.withPasskey(`key-${email}`)
    const challenge = parsePasskeyForm<PasskeyRequestOptions>(await openPage(otherVisitor))
    expect(
      parseAlert(await postForm(visitor, { passkey: ticket, credential: foreignPasskey.createAssertion(options) })),
    ).toMatch(/didn’t work/)
    expect(
      parseAlert(
        await postForm(otherVisitor, { passkey: challenge.ticket, credential: key.createAssertion(challenge.options) }),
      ),
    ).toMatch(/didn’t work/)
    const fresh = parsePasskeyForm<PasskeyRequestOptions>(await openPage(visitor))
    const assertion = { passkey: fresh.ticket, credential: key.createAssertion(fresh.options) }
    expect(await postForm(visitor, assertion)).toContain('Delete your account?')
    expect(parseAlert(await postForm(visitor, assertion))).toMatch(/submitted twice/)
  })
})

describe('a scheduled account deletion', () => {
  test('can be undone after a sign-in, even on day 29, and then deletes nothing', async () => {
    const { visitor, tokens } = await signInVisitor()
    await deleteAccount(visitor)
    const later = provider.person()
    await provider.signIn(later, email)
    await provider.DB.prepare('UPDATE accounts SET leaves_at = ? WHERE email = ?')
      .bind(Date.now() + DAY_MS, email)
      .run()
    expect(await openPage(later)).toContain('value="undo"')
    expect(await postForm(later, { step: 'undo' })).toContain('<h1>Your account won’t be deleted</h1>')
    expect(await readDeletionTime()).toBeNull()
    const { LEAVES } = (await provider.stage.provider.getWorker().getEnv()) as Env
    const { user_id } = await readAccount()
    await LEAVES.getByName(user_id).processDue(Date.now() + 2 * DAY_MS)
    expect([(await readAccount()).user_id, await getUserStatus(tokens.access_token)]).toEqual([user_id, 200])
  })

  test('cannot be undone after the last day, and the account can no longer sign in', async () => {
    const { visitor } = await signInVisitor()
    await deleteAccount(visitor)
    await provider.DB.prepare('UPDATE accounts SET leaves_at = ? WHERE email = ?')
      .bind(Date.now() - 1, email)
      .run()
    expect(await postForm(visitor, { step: 'undo' })).not.toContain('<h1>Your account won’t be deleted</h1>')
    expect(await readDeletionTime()).not.toBeNull()
    const { LEAVES } = (await provider.stage.provider.getWorker().getEnv()) as Env
    await LEAVES.getByName((await readAccount()).user_id).processDue(Date.now())
    expect((await readAccount()).user_id).toBe('')
    const { url: pageUrl } = await resolveRedirects(provider.person(), provider.env, startFlow(provider.env).url)
    const answer = await submitForm(provider.person(), pageUrl, { email, password: PASSKEY_ACCOUNT_PASSWORD })
    expect(answer.headers.get('location')).toBeNull()
  })
})
