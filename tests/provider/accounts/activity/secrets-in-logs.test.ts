import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN_PATHS, DEMO_HOMES } from '../../../../contract/operator/operator-calls.ts'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import { BRIDGE_PATHS } from '../../../../contract/bridge/bridge-protocol.ts'
import { issueMediaToken } from '../../../../contract/media/media-token.ts'
import { formatMediaUrl, formatSignedContent } from '../../../../contract/media/media-urls.ts'
import { exportClips } from '../../../../contract/events/timeline.ts'
import { getHomeLogName, getUserLogName } from '../../../../provider/accounts/activity/logs.ts'
import { storeBridge } from '../../../../provider/bridge/enroll-bridge.ts'
import type { Env } from '../../../../provider/env.ts'
import { getSetupCode } from '../../../../provider/identity/sign-in/setup-code.ts'
import { createBridgeEvent, TestBridge } from '../../../support/home.ts'
import { openPasskeyProvider, PASSKEY_ACCOUNT_PASSWORD, type PasskeyProvider } from '../../../support/passkeys.ts'
import {
  createNonceAt,
  refreshTokens,
  sendCallAsEdge,
  signInAtProvider,
  submitForm,
  type Tokens,
} from '../../../support/provider.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseRecoveryCodes,
  parseTicket,
  submitPassword,
} from '../../../support/second-factor.ts'
import { WAIT_OPTIONS } from '../../../support/patience.ts'

const EMAIL = 'pat@example.com'
const WRONG_PASSWORD = 'canary-wrong-password'
let passkeyProvider: PasskeyProvider
let providerEnv: Env
beforeAll(async () => {
  passkeyProvider = await openPasskeyProvider()
  providerEnv = (await passkeyProvider.stage.provider.getWorker().getEnv()) as Env
  await passkeyProvider.admin('POST', '', { email: EMAIL, password: PASSKEY_ACCOUNT_PASSWORD })
})
afterAll(() => passkeyProvider.close())

const signInByCall = (password: string) =>
  fetch(`${passkeyProvider.env.PROVIDER_ORIGIN}${userLogin.path}?source=test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password }),
  })

/** Uses the password, codes, passkey and tokens of one account, with right and wrong values. Returns the secrets. */
async function useAccountSecrets(): Promise<Record<string, string | undefined>> {
  const { visitor, key, tokens } = await passkeyProvider.withPasskey(EMAIL)
  const secondFactorPath = '/account/second-factor'
  const totpKey = parseTotpKey(
    await passkeyProvider.post(visitor, { step: 'begin', password: PASSKEY_ACCOUNT_PASSWORD }, secondFactorPath),
  )
  const [recoveryCode] = parseRecoveryCodes(
    await passkeyProvider.post(visitor, { step: 'code', code: generateAppCode(totpKey) }, secondFactorPath),
  )
  await passkeyProvider.post(visitor, { step: 'on', kept: '1' }, secondFactorPath)
  const { page } = await passkeyProvider.signInWithPasskey(key, { challenge: 'AAAA' })
  await passkeyProvider.fetchAccessToken(key)
  const typed = await submitPassword(passkeyProvider.person(), passkeyProvider.env, EMAIL, PASSKEY_ACCOUNT_PASSWORD)
  const ticket = parseTicket(typed.html) ?? ''
  await submitForm(typed.visitor, typed.pageUrl, { ticket, way: 'code', code: '000000' })
  await submitForm(typed.visitor, typed.pageUrl, { ticket, way: 'recovery', code: recoveryCode ?? '' })
  for (const password of [WRONG_PASSWORD, PASSKEY_ACCOUNT_PASSWORD]) await signInByCall(password)
  const next = (await (await refreshTokens(passkeyProvider.env, tokens.refresh_token)).json()) as Tokens
  await submitForm(typed.visitor, typed.pageUrl, {
    setup_code: getSetupCode(providerEnv),
    email: EMAIL,
    password: WRONG_PASSWORD,
  })
  const cookies = [visitor, typed.visitor].flatMap((person) => [...person.cookies.values()].flatMap((jar) => [...jar]))
  return {
    PASSWORD: PASSKEY_ACCOUNT_PASSWORD,
    WRONG: WRONG_PASSWORD,
    'authenticator key': totpKey,
    'recovery code': recoveryCode,
    ticket,
    'setup code': getSetupCode(providerEnv),
    challenge: page.options.challenge,
    'ticket of a passkey': page.ticket,
    'access token': tokens.access_token,
    'refresh token': tokens.refresh_token,
    'ID token': tokens.id_token,
    'next access token': next.access_token,
    'next refresh token': next.refresh_token,
    ...Object.fromEntries(cookies.filter(([, value]) => value !== '')),
  }
}

/**
 * Uses a bridge, a clip, the clip's URL and the URL of an archive, with valid and forged credentials. Returns the
 * secrets.
 */
async function useHomeSecrets(): Promise<Record<string, string | undefined>> {
  const bridge = new TestBridge(passkeyProvider.env.PROVIDER_ORIGIN, 'bridge_c')
  await storeBridge(
    providerEnv,
    bridge.id,
    { key_hash: bridge.keyHash, name: 'C', homes: [DEMO_HOMES.owner] },
    Date.now(),
  )
  await bridge.register('door_c')
  const clip_object = await bridge.upload('door_c', 'clip', 'clip_c', Buffer.from('a clip'))
  await bridge.postEvent(createBridgeEvent('door_c', 'clip_c', { clip_object }))
  const { access_token: token } = await signInAtProvider(
    passkeyProvider.env,
    'owner@example.com',
    passkeyProvider.person(),
  )
  const files = [{ event_id: 'clip_c', name: 'clip.mp4' }]
  const archive = await (
    await sendCallAsEdge(passkeyProvider.env, exportClips, token, { payload: { files, nonce: createNonceAt() } })
  ).json()
  const zip = new URL((archive as { data: { url: string } }).data.url)
  const mediaToken = (
    (await (await sendCallAsEdge(passkeyProvider.env, issueMediaToken, token)).json()) as { data: { pass: string } }
  ).data.pass
  const exp = Date.now() + 60_000
  const sig = createHmac('sha256', passkeyProvider.env.MEDIA_KEY)
    .update(formatSignedContent('clip', 'clip_c', mediaToken, exp))
    .digest('hex')
  const clip = formatMediaUrl(passkeyProvider.env.PROVIDER_ORIGIN, 'clip', 'clip_c', { p: mediaToken, exp, sig })
  const responses = await Promise.all(
    [zip.href, clip, clip.slice(0, -1), clip.replace('exp=', 'exp=9')].map((url) => fetch(url)),
  )
  await Promise.all(responses.map((response) => response.arrayBuffer()))
  const headers = bridge.headers('POST', BRIDGE_PATHS.events, '{}')
  await fetch(passkeyProvider.env.PROVIDER_ORIGIN + BRIDGE_PATHS.events, { method: 'POST', headers, body: '{ }' })
  const archiveSecrets = {
    'seal of an archive': zip.searchParams.get('p'),
    'signature of an archive': zip.searchParams.get('sig'),
  }
  return {
    pass: mediaToken,
    signature: sig,
    'token of the owner': token,
    'key of a bridge': bridge.keyHash,
    'signature of a bridge': headers['x-bridge-signature'],
    ...Object.fromEntries(Object.entries(archiveSecrets).map(([name, value]) => [name, value ?? undefined])),
  }
}

/** Runs `work`, which uses secrets, while tables are missing: the provider then logs internal errors. */
async function runWithMissingTables(work: () => Promise<unknown>): Promise<void> {
  const tables = ['accounts', 'second_factors', 'bridges']
  const rename = (from: string, to: string) =>
    providerEnv.DB.batch(
      tables.map((table) => providerEnv.DB.prepare(`ALTER TABLE ${from}${table} RENAME TO ${to}${table}`)),
    )
  await rename('', 'away_')
  await work().catch(() => undefined)
  await rename('away_', '')
}

async function readLogs(): Promise<string> {
  const { results } = await providerEnv.DB.prepare('SELECT user_id FROM accounts').all<{ user_id: string }>()
  const names = [...results.map(({ user_id }) => getUserLogName(user_id)), getHomeLogName(DEMO_HOMES.owner)]
  const lists = names.map((name) =>
    providerEnv.ACTIVITY.getByName(name).list({ kinds: null, before: null, limit: 20_000 }, Date.now()),
  )
  return JSON.stringify(await Promise.all(lists))
}

test('no secret in use appears in an account log, a home log or provider output', async () => {
  const secrets: Record<string, string | undefined> = {
    ...(await useAccountSecrets()),
    ...(await useHomeSecrets()),
    ADMIN_KEY: passkeyProvider.env.ADMIN_KEY,
  }
  const { outputLines } = passkeyProvider.stage.provider
  await runWithMissingTables(() => Promise.all([signInByCall(PASSKEY_ACCOUNT_PASSWORD), signInByCall(WRONG_PASSWORD)]))
  await runWithMissingTables(useHomeSecrets)
  await runWithMissingTables(() => passkeyProvider.admin('PUT', `/${EMAIL}`, { password: WRONG_PASSWORD }))
  await runWithMissingTables(() => refreshTokens(passkeyProvider.env, secrets['next refresh token'] ?? ''))
  // Submit a code while the stored key of the second factor is unreadable, so that the provider logs this error.
  const pendingSignIn = await submitPassword(
    passkeyProvider.person(),
    passkeyProvider.env,
    EMAIL,
    PASSKEY_ACCOUNT_PASSWORD,
  )
  await providerEnv.DB.prepare("UPDATE second_factors SET secret = 'AAAA'").run()
  const code = { ticket: parseTicket(pendingSignIn.html) ?? '', way: 'code', code: generateAppCode('A'.repeat(32)) }
  await submitForm(pendingSignIn.visitor, pendingSignIn.pageUrl, code)

  // Check first that the logs contain expected texts. Otherwise, finding no secret would prove nothing. The provider
  // writes entries after the response, and log lines even later.
  await vi.waitFor(async () => {
    const log = await readLogs()
    for (const kind of ['sign-in-refused', 'passkey-added', 'export']) expect(log).toContain(kind)
    expect(outputLines.join('\n')).toContain(ADMIN_PATHS.accounts)
    expect(outputLines.join('\n')).toContain('A key for two-step verification can’t be decrypted')
  }, WAIT_OPTIONS)
  const missing = Object.entries(secrets).filter(([, value]) => value === undefined || value.length < 8)
  expect(missing).toEqual([])
  expect(Object.keys(secrets).length).toBeGreaterThan(20)
  const places = { 'a log': await readLogs(), 'the provider output': outputLines.join('\n') }
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, value]) => (text.includes(value ?? '') ? [`${name} in ${place}`] : [])),
  )
  expect(leaks).toEqual([])
})
