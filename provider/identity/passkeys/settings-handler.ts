import type Provider from 'oidc-provider'
import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import { redisplayForm, signedInPage, type SignedInPageResponse, type Visit } from '../pages/signed-in-page.ts'
import { confirmPassword } from '../password/confirm-password.ts'
import { factorSentencePage } from '../two-factor/settings-pages.ts'
import { isDemo } from '../../accounts/account-rows.ts'
import type { PageAccount } from '../pages/account-page-frame.ts'
import { checkCreated, creationOptions } from './webauthn-ceremonies.ts'
import { newChallenge, consumeChallenge, type Purpose } from './challenges.ts'
import { addPasskeyPage, passkeysPage, removePasskeyPage } from './settings-pages.ts'
import { dropPasskey, PASSKEYS_MAX, listPasskeys, putPasskey } from './passkey-rows.ts'
import { PASSKEYS_PATH } from './settings-path.ts'
import { relyingParty, type RelyingParty } from './relying-party.ts'
import { PASSKEY_SCRIPT_PATH } from './browser-script.ts'

const TITLE = 'Your passkeys'
const DEMO =
  'This is a demo account that many people sign in to, so it has no passkeys. An account of your own can have some.'
const NOT_HERE =
  'Passkeys need a name, such as cameras.example.com: browsers make none for the address by which you are here.'
const WRONG = 'That password is not right. Check it and try again.'
const STALE = 'That took longer than five minutes, or was sent twice. Begin again.'
const NOT_MADE = 'This passkey was not accepted: it was not made for this page. Begin again.'
const NOT_KEPT = `This passkey is in use already, or the account has ${PASSKEYS_MAX}. Remove one, then begin again.`
const ADDED = 'The passkey is added. It signs you in from now on.'
const REMOVED = 'The passkey is removed; every other device has been signed out. Delete it on your device too.'
const NAME_MAX = 60

interface PasskeyVisit extends Visit {
  readonly rp: RelyingParty
}

const challengePurpose = ({ account }: PasskeyVisit): Purpose => `passkey of ${account.userId}`

async function show(
  visit: PasskeyVisit,
  messages: Parameters<typeof passkeysPage>[2] = {},
): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount } = visit
  return { html: passkeysPage(pageAccount, await listPasskeys(env.DB, account.userId), messages) }
}

/** Checks the password, then creates the WebAuthn options. */
async function startPasskeySetup(visit: PasskeyVisit): Promise<SignedInPageResponse> {
  const { env, ctx, rp, account, whose: pageAccount, form, now } = visit
  const passkeys = await listPasskeys(env.DB, account.userId)
  if (passkeys.length >= PASSKEYS_MAX) return { html: passkeysPage(pageAccount, passkeys) }
  const wrong = await confirmPassword(env, visit, { password: form.get('password') ?? '', wrong: WRONG }, now)
  if (wrong !== null) return redisplayForm(passkeysPage(pageAccount, passkeys, { error: wrong.error }), wrong)
  const { challenge, ticket } = await newChallenge(env, challengePurpose(visit), now)
  const ask = { ticket, options: creationOptions(rp, account, passkeys, challenge) }
  return { html: addPasskeyPage(pageAccount, ask, toClientInfo(ctx).device) }
}

/** Stores the created passkey. Its challenge proves that the password was right. */
async function add(visit: PasskeyVisit): Promise<SignedInPageResponse> {
  const { env, ctx, rp, account, form, now } = visit
  const { userId } = account
  const challenge = await consumeChallenge(env, challengePurpose(visit), form.get('passkey') ?? '', now)
  if (challenge === null) return await show(visit, { error: STALE })
  const made = await checkCreated(rp, challenge, form.get('credential') ?? '')
  if (made === null) return await show(visit, { error: NOT_MADE })
  const name = (form.get('name') ?? '').trim().slice(0, NAME_MAX) || toClientInfo(ctx).device
  const isStored = await putPasskey(env.DB, { ...made, userId, name, createdAt: now, lastUsedAt: null })
  if (!isStored) return await show(visit, { error: NOT_KEPT })
  return { ...(await show(visit, { said: ADDED })), noted: 'passkey-added' }
}

/** Removes a passkey after a password check; this also signs out every other device. */
async function remove(visit: PasskeyVisit): Promise<SignedInPageResponse> {
  const { env, account, whose: pageAccount, form, now } = visit
  const passkey = (await listPasskeys(env.DB, account.userId)).find(({ id }) => id === form.get('id'))
  if (!passkey) return await show(visit)
  const password = form.get('password')
  if (password === null) return { html: removePasskeyPage(pageAccount, passkey, null) }
  const wrong = await confirmPassword(env, visit, { password, wrong: WRONG }, now)
  if (wrong !== null) return redisplayForm(removePasskeyPage(pageAccount, passkey, wrong.error), wrong)
  if (!(await dropPasskey(env.DB, account.userId, passkey.id))) return await show(visit)
  return { ...(await show(visit, { said: REMOVED })), noted: 'passkey-removed', ended: true }
}

async function answer(visit: PasskeyVisit): Promise<SignedInPageResponse> {
  const step = visit.form.get('step')
  if (step === 'begin') return await startPasskeySetup(visit)
  // When the script submits a passkey response, the form has no `step` field.
  if (visit.form.has('credential')) return await add(visit)
  return step === 'remove' ? await remove(visit) : await show(visit)
}

const sentence = (text: string, pageAccount: PageAccount) => factorSentencePage(TITLE, text, pageAccount)

/** `/account/passkeys`: a user signed in at the provider adds and removes passkeys. */
export function accountPasskeys(provider: Provider, env: Env) {
  const rp = relyingParty(env)
  return signedInPage(provider, env, {
    path: PASSKEYS_PATH,
    script: rp === null ? undefined : rp.origin + PASSKEY_SCRIPT_PATH,
    sentence,
    answer: async (visit) => {
      if (rp === null) return { html: sentence(NOT_HERE, visit.whose), status: 404 }
      if (await isDemo(env.DB, visit.account.userId)) return { html: sentence(DEMO, visit.whose) }
      return await answer({ ...visit, rp })
    },
  })
}
