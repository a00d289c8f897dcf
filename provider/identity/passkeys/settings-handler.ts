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
const DEMO_ACCOUNT_MESSAGE = 'This is a shared demo account. Create your own account to add passkeys.'
const UNSUPPORTED_ORIGIN_MESSAGE =
  'Passkeys need a domain name, such as cameras.example.com. Browsers can’t create passkeys for this address.'
const WRONG_PASSWORD_MESSAGE = 'Wrong password. Try again.'
const EXPIRED_CHALLENGE_MESSAGE = 'This page expired or was submitted twice. Start over.'
const INVALID_PASSKEY_MESSAGE = 'We couldn’t verify this passkey, so it wasn’t added. Start over.'
const NOT_STORED_MESSAGE = `This passkey was already added, or you already have ${PASSKEYS_MAX} passkeys. Remove a passkey or use a different device.`
const ADDED_MESSAGE = 'Passkey added. You can now log in with it.'
const REMOVED_MESSAGE =
  'Passkey removed. You’ve been logged out on all other devices. Also delete the passkey from your device.'
const NAME_MAX_LENGTH = 60

interface PasskeySettingsRequest extends SignedInRequest {
  readonly rp: RelyingParty
}

const challengePurpose = ({ account }: PasskeySettingsRequest): ChallengePurpose => `passkey of ${account.userId}`

async function showPasskeys(
  pageRequest: PasskeySettingsRequest,
  messages: Parameters<typeof passkeysPage>[2] = {},
): Promise<SignedInPageResponse> {
  const { env, account, pageAccount } = pageRequest
  return { html: passkeysPage(pageAccount, await listPasskeys(env.DB, account.userId), messages) }
}

async function startPasskeySetup(pageRequest: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const { env, ctx, rp, account, pageAccount, form, now } = pageRequest
  const passkeys = await listPasskeys(env.DB, account.userId)
  if (passkeys.length >= PASSKEYS_MAX) return { html: passkeysPage(pageAccount, passkeys) }
  const passwordError = await confirmPassword(
    env,
    pageRequest,
    { password: form.get('password') ?? '', wrong: WRONG_PASSWORD_MESSAGE },
    now,
  )
  if (passwordError !== null)
    return redisplayForm(passkeysPage(pageAccount, passkeys, { error: passwordError.error }), passwordError)
  const { challenge, ticket } = await createChallenge(env, challengePurpose(pageRequest), now)
  const request = { ticket, options: buildCreationOptions(rp, account, passkeys, challenge) }
  return { html: addPasskeyPage(pageAccount, request, toClientInfo(ctx).device) }
}

/** Stores the new passkey. Its challenge proves that `startPasskeySetup` checked the password. */
async function addPasskey(pageRequest: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const { env, ctx, rp, account, form, now } = pageRequest
  const { userId } = account
  const challenge = await consumeChallenge(env, challengePurpose(pageRequest), form.get('passkey') ?? '', now)
  if (challenge === null) return await showPasskeys(pageRequest, { error: EXPIRED_CHALLENGE_MESSAGE })
  const credential = await verifyRegistration(rp, challenge, form.get('credential') ?? '')
  if (credential === null) return await showPasskeys(pageRequest, { error: INVALID_PASSKEY_MESSAGE })
  const name = (form.get('name') ?? '').trim().slice(0, NAME_MAX_LENGTH) || toClientInfo(ctx).device
  const isStored = await storePasskey(env.DB, { ...credential, userId, name, createdAt: now, lastUsedAt: null })
  if (!isStored) return await showPasskeys(pageRequest, { error: NOT_STORED_MESSAGE })
  return { ...(await showPasskeys(pageRequest, { said: ADDED_MESSAGE })), activity: 'passkey-added' }
}

async function removePasskey(pageRequest: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const { env, account, pageAccount, form, now } = pageRequest
  const passkey = (await listPasskeys(env.DB, account.userId)).find(({ id }) => id === form.get('id'))
  if (!passkey) return await showPasskeys(pageRequest)
  const password = form.get('password')
  if (password === null) return { html: removePasskeyPage(pageAccount, passkey, null) }
  const passwordError = await confirmPassword(env, pageRequest, { password, wrong: WRONG_PASSWORD_MESSAGE }, now)
  if (passwordError !== null)
    return redisplayForm(removePasskeyPage(pageAccount, passkey, passwordError.error), passwordError)
  if (!(await deletePasskey(env.DB, account.userId, passkey.id))) return await showPasskeys(pageRequest)
  return { ...(await showPasskeys(pageRequest, { said: REMOVED_MESSAGE })), activity: 'passkey-removed', ended: true }
}

async function handlePasskeySettings(pageRequest: PasskeySettingsRequest): Promise<SignedInPageResponse> {
  const step = pageRequest.form.get('step')
  if (step === 'begin') return await startPasskeySetup(pageRequest)
  // The passkey script submits `credential` without the field `step`.
  if (pageRequest.form.has('credential')) return await addPasskey(pageRequest)
  return step === 'remove' ? await removePasskey(pageRequest) : await showPasskeys(pageRequest)
}

const renderMessagePage = (text: string, pageAccount: PageAccount) => factorMessagePage(TITLE, text, pageAccount)

/** Creates the handler of `/account/passkeys`, where a user signed in at the provider adds and removes passkeys. */
export function createPasskeySettingsHandler(provider: Provider, env: Env) {
  const rp = getRelyingParty(env)
  return signedInPage(provider, env, {
    path: PASSKEYS_PATH,
    script: rp === null ? undefined : rp.origin + PASSKEY_SCRIPT_PATH,
    renderSentence: renderMessagePage,
    handle: async (pageRequest) => {
      if (rp === null)
        return { html: renderMessagePage(UNSUPPORTED_ORIGIN_MESSAGE, pageRequest.pageAccount), status: 404 }
      if (await isDemoAccount(env.DB, pageRequest.account.userId))
        return { html: renderMessagePage(DEMO_ACCOUNT_MESSAGE, pageRequest.pageAccount) }
      return await handlePasskeySettings({ ...pageRequest, rp })
    },
  })
}
