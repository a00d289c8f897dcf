import type Provider from 'oidc-provider'
import { toClientInfo } from '../../accounts/activity/client-info.ts'
import type { Env } from '../../env.ts'
import {
  redisplayForm,
  signedInPage,
  type SignedInPageResponse,
  type SignedInRequest,
} from '../pages/signed-in-page.ts'
import { confirmPassword } from '../password/confirm-password.ts'
import { factorMessagePage } from '../two-factor/settings-pages.ts'
import { isDemoAccount } from '../../accounts/account-rows.ts'
import type { PageAccount } from '../pages/account-page-frame.ts'
import { verifyRegistration, buildCreationOptions } from './webauthn-ceremonies.ts'
import { createChallenge, consumeChallenge, type ChallengePurpose } from './challenges.ts'
import { addPasskeyPage, passkeysPage, removePasskeyPage } from './settings-pages.ts'
import { deletePasskey, PASSKEYS_MAX, listPasskeys, storePasskey } from './passkey-rows.ts'
import { PASSKEYS_PATH } from './settings-path.ts'
import { getRelyingParty, type RelyingParty } from './relying-party.ts'
import { PASSKEY_SCRIPT_PATH } from './browser-script.ts'

const TITLE = 'Your passkeys'
const DEMO_ACCOUNT_MESSAGE =
  'This is a demo account that many people sign in to, so it has no passkeys. An account of your own can have some.'
const UNSUPPORTED_ORIGIN_MESSAGE =
  'Passkeys need a name, such as cameras.example.com: browsers make none for the address by which you are here.'
const WRONG_PASSWORD_MESSAGE = 'That password is not right. Check it and try again.'
const EXPIRED_CHALLENGE_MESSAGE = 'That took longer than five minutes, or was sent twice. Begin again.'
const INVALID_PASSKEY_MESSAGE = 'This passkey was not accepted: it was not made for this page. Begin again.'
const NOT_STORED_MESSAGE = `This passkey is in use already, or the account has ${PASSKEYS_MAX}. Remove one, then begin again.`
const ADDED_MESSAGE = 'The passkey is added. It signs you in from now on.'
const REMOVED_MESSAGE = 'The passkey is removed; every other device has been signed out. Delete it on your device too.'
const NAME_MAX_LENGTH = 60

interface PasskeySettingsRequest extends SignedInRequest {
  readonly rp: RelyingParty
}

const challengePurpose = ({ account }: PasskeySettingsRequest): ChallengePurpose => `passkey of ${account.userId}`

async function showPasskeys(
  visit: PasskeySettingsRequest,
  messages: Parameters<typeof passkeysPage>[2] = {},
): Promise<SignedInPageResponse> {
  const { env, account, pageAccount } = visit
  return { html: passkeysPage(pageAccount, await listPasskeys(env.DB, account.userId), messages) }
}

async function startPasskeySetup(visit: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const { env, ctx, rp, account, pageAccount, form, now } = visit
  const passkeys = await listPasskeys(env.DB, account.userId)
  if (passkeys.length >= PASSKEYS_MAX) return { html: passkeysPage(pageAccount, passkeys) }
  const passwordError = await confirmPassword(
    env,
    visit,
    { password: form.get('password') ?? '', wrong: WRONG_PASSWORD_MESSAGE },
    now,
  )
  if (passwordError !== null)
    return redisplayForm(passkeysPage(pageAccount, passkeys, { error: passwordError.error }), passwordError)
  const { challenge, ticket } = await createChallenge(env, challengePurpose(visit), now)
  const request = { ticket, options: buildCreationOptions(rp, account, passkeys, challenge) }
  return { html: addPasskeyPage(pageAccount, request, toClientInfo(ctx).device) }
}

/** Stores the new passkey. Its challenge proves that `startPasskeySetup` checked the password. */
async function addPasskey(visit: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const { env, ctx, rp, account, form, now } = visit
  const { userId } = account
  const challenge = await consumeChallenge(env, challengePurpose(visit), form.get('passkey') ?? '', now)
  if (challenge === null) return await showPasskeys(visit, { error: EXPIRED_CHALLENGE_MESSAGE })
  const credential = await verifyRegistration(rp, challenge, form.get('credential') ?? '')
  if (credential === null) return await showPasskeys(visit, { error: INVALID_PASSKEY_MESSAGE })
  const name = (form.get('name') ?? '').trim().slice(0, NAME_MAX_LENGTH) || toClientInfo(ctx).device
  const isStored = await storePasskey(env.DB, { ...credential, userId, name, createdAt: now, lastUsedAt: null })
  if (!isStored) return await showPasskeys(visit, { error: NOT_STORED_MESSAGE })
  return { ...(await showPasskeys(visit, { said: ADDED_MESSAGE })), activity: 'passkey-added' }
}

async function removePasskey(visit: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, form, now } = visit
  const passkey = (await listPasskeys(env.DB, account.userId)).find(({ id }) => id === form.get('id'))
  if (!passkey) return await showPasskeys(visit)
  const password = form.get('password')
  if (password === null) return { html: removePasskeyPage(pageAccount, passkey, null) }
  const passwordError = await confirmPassword(env, visit, { password, wrong: WRONG_PASSWORD_MESSAGE }, now)
  if (passwordError !== null)
    return redisplayForm(removePasskeyPage(pageAccount, passkey, passwordError.error), passwordError)
  if (!(await deletePasskey(env.DB, account.userId, passkey.id))) return await showPasskeys(visit)
  return { ...(await showPasskeys(visit, { said: REMOVED_MESSAGE })), activity: 'passkey-removed', ended: true }
}

async function handlePasskeySettings(visit: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const step = visit.form.get('step')
  if (step === 'begin') return await startPasskeySetup(visit)
  // The passkey script submits `credential` without the field `step`.
  if (visit.form.has('credential')) return await addPasskey(visit)
  return step === 'remove' ? await removePasskey(visit) : await showPasskeys(visit)
}

const renderMessagePage = (text: string, pageAccount: PageAccount) => factorMessagePage(TITLE, text, pageAccount)

/** Creates the handler of `/account/passkeys`, where a user signed in at the provider adds and removes passkeys. */
export function createPasskeySettingsHandler(provider: Provider, env: Env) {
  const rp = getRelyingParty(env)
  return signedInPage(provider, env, {
    path: PASSKEYS_PATH,
    script: rp === null ? undefined : rp.origin + PASSKEY_SCRIPT_PATH,
    renderSentence: renderMessagePage,
    handle: async (visit) => {
      if (rp === null) return { html: renderMessagePage(UNSUPPORTED_ORIGIN_MESSAGE, visit.pageAccount), status: 404 }
      if (await isDemoAccount(env.DB, visit.account.userId))
        return { html: renderMessagePage(DEMO_ACCOUNT_MESSAGE, visit.pageAccount) }
      return await handlePasskeySettings({ ...visit, rp })
    },
  })
}
