import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ADMIN_PATHS, DEMO_HOMES } from '../../../../contract/operator/operator-calls.ts'
import { userLogin } from '../../../../contract/auth/user-calls.ts'
import { BRIDGE_PATHS } from '../../../../contract/bridge/bridge-protocol.ts'
import { mediaPass } from '../../../../contract/media/media-token.ts'
import { mediaAddress, mediaContent } from '../../../../contract/media/media-urls.ts'
import { exportClips } from '../../../../contract/events/timeline.ts'
import { homeLog, userLog } from '../../../../provider/accounts/activity/logs.ts'
import { storeBridge } from '../../../../provider/bridge/enroll-bridge.ts'
import type { Env } from '../../../../provider/env.ts'
import { setupCode } from '../../../../provider/identity/sign-in/setup-code.ts'
import { makeEvent, TestBridge } from '../../../support/home.ts'
import { openNamed, PASSWORD, type NamedProvider } from '../../../support/passkeys.ts'
import { newNonce, refresh, send, signIn, submitForm, type Tokens } from '../../../support/provider.ts'
import { appCode, parseTotpKey, parseRecoveryCodes, parseTicket, typePassword } from '../../../support/second-factor.ts'
import { patience } from '../../../support/patience.ts'

const EMAIL = 'pat@example.com'
const WRONG = 'canary-wrong-password'
let named: NamedProvider
let bindings: Env
beforeAll(async () => {
  named = await openNamed()
  bindings = (await named.stage.provider.getWorker().getEnv()) as Env
  await named.admin('POST', '', { email: EMAIL, password: PASSWORD })
})
afterAll(() => named.close())

const login = (password: string) =>
  fetch(`${named.env.PROVIDER_ORIGIN}${userLogin.path}?source=test`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: EMAIL, password }),
  })

/** Uses the password, codes, passkey and tokens of one account, with right and wrong values. Returns the secrets. */
async function useAnAccount(): Promise<Record<string, string | undefined>> {
  const { visitor, key, tokens } = await named.withPasskey(EMAIL)
  const factor = '/account/second-factor'
  const app = parseTotpKey(await named.post(visitor, { step: 'begin', password: PASSWORD }, factor))
  const [recovery] = parseRecoveryCodes(await named.post(visitor, { step: 'code', code: appCode(app) }, factor))
  await named.post(visitor, { step: 'on', kept: '1' }, factor)
  const { at } = await named.answerTo(key, { challenge: 'AAAA' })
  await named.tokenOf(key)
  const typed = await typePassword(named.person(), named.env, EMAIL, PASSWORD)
  const ticket = parseTicket(typed.html) ?? ''
  await submitForm(typed.visitor, typed.at, { ticket, way: 'code', code: '000000' })
  await submitForm(typed.visitor, typed.at, { ticket, way: 'recovery', code: recovery ?? '' })
  for (const password of [WRONG, PASSWORD]) await login(password)
  const next = (await (await refresh(named.env, tokens.refresh_token)).json()) as Tokens
  await submitForm(typed.visitor, typed.at, { setup_code: setupCode(bindings), email: EMAIL, password: WRONG })
  const cookies = [visitor, typed.visitor].flatMap((person) => [...person.cookies.values()].flatMap((jar) => [...jar]))
  return {
    ...{ PASSWORD, WRONG, 'key of the app': app, 'recovery code': recovery, ticket, 'setup code': setupCode(bindings) },
    ...{ challenge: at.options.challenge, 'ticket of a passkey': at.ticket },
    ...{ 'access token': tokens.access_token, 'refresh token': tokens.refresh_token, 'ID token': tokens.id_token },
    ...{ 'next access token': next.access_token, 'next refresh token': next.refresh_token },
    ...Object.fromEntries(cookies.filter(([, value]) => value !== '')),
  }
}

/**
 * Uses a bridge, a clip, the clip's URL and the URL of an archive, with valid and forged credentials. Returns the
 * secrets.
 */
async function useAHome(): Promise<Record<string, string | undefined>> {
  const bridge = new TestBridge(named.env.PROVIDER_ORIGIN, 'bridge_c')
  await storeBridge(bindings, bridge.id, { key_hash: bridge.keyHash, name: 'C', homes: [DEMO_HOMES.owner] }, Date.now())
  await bridge.register('door_c')
  const clip_object = await bridge.upload('door_c', 'clip', 'clip_c', Buffer.from('a clip'))
  await bridge.post(makeEvent('door_c', 'clip_c', { clip_object }))
  const { access_token: token } = await signIn(named.env, 'owner@example.com', named.person())
  const files = [{ event_id: 'clip_c', name: 'clip.mp4' }]
  const archive = await (await send(named.env, exportClips, token, { payload: { files, nonce: newNonce() } })).json()
  const zip = new URL((archive as { data: { url: string } }).data.url)
  const p = ((await (await send(named.env, mediaPass, token)).json()) as { data: { pass: string } }).data.pass
  const exp = Date.now() + 60_000
  const sig = createHmac('sha256', named.env.MEDIA_KEY)
    .update(mediaContent('clip', 'clip_c', p, exp))
    .digest('hex')
  const clip = mediaAddress(named.env.PROVIDER_ORIGIN, 'clip', 'clip_c', { p, exp, sig })
  const responses = await Promise.all(
    [zip.href, clip, clip.slice(0, -1), clip.replace('exp=', 'exp=9')].map((url) => fetch(url)),
  )
  await Promise.all(responses.map((response) => response.arrayBuffer()))
  const headers = bridge.headers('POST', BRIDGE_PATHS.events, '{}')
  await fetch(named.env.PROVIDER_ORIGIN + BRIDGE_PATHS.events, { method: 'POST', headers, body: '{ }' })
  const seals = { 'seal of an archive': zip.searchParams.get('p'), 'signature of it': zip.searchParams.get('sig') }
  return {
    ...{ pass: p, signature: sig, 'token of the owner': token, 'key of a bridge': bridge.keyHash },
    ...{ 'signature of a bridge': headers['x-bridge-signature'] },
    ...Object.fromEntries(Object.entries(seals).map(([name, value]) => [name, value ?? undefined])),
  }
}

/** Runs `work`, which uses secrets, while tables are missing, so that the provider logs internal errors. */
async function failInside(work: () => Promise<unknown>): Promise<void> {
  const tables = ['accounts', 'second_factors', 'bridges']
  const rename = (from: string, to: string) =>
    bindings.DB.batch(tables.map((table) => bindings.DB.prepare(`ALTER TABLE ${from}${table} RENAME TO ${to}${table}`)))
  await rename('', 'away_')
  await work().catch(() => undefined)
  await rename('away_', '')
}

async function logged(): Promise<string> {
  const { results } = await bindings.DB.prepare('SELECT user_id FROM accounts').all<{ user_id: string }>()
  const names = [...results.map(({ user_id }) => userLog(user_id)), homeLog(DEMO_HOMES.owner)]
  const lists = names.map((name) =>
    bindings.ACTIVITY.getByName(name).list({ kinds: null, before: null, limit: 20_000 }, Date.now()),
  )
  return JSON.stringify(await Promise.all(lists))
}

test('no secret in use appears in an account log, a home log or provider output', async () => {
  const secrets: Record<string, string | undefined> = {
    ...(await useAnAccount()),
    ...(await useAHome()),
    ADMIN_KEY: named.env.ADMIN_KEY,
  }
  const { printed } = named.stage.provider
  await failInside(() => Promise.all([login(PASSWORD), login(WRONG)]))
  await failInside(useAHome)
  await failInside(() => named.admin('PUT', `/${EMAIL}`, { password: WRONG }))
  await failInside(() => refresh(named.env, secrets['next refresh token'] ?? ''))
  // Submit a code while the stored key of the second factor is unreadable, so that the provider logs this error.
  const typed = await typePassword(named.person(), named.env, EMAIL, PASSWORD)
  await bindings.DB.prepare("UPDATE second_factors SET secret = 'AAAA'").run()
  const code = { ticket: parseTicket(typed.html) ?? '', way: 'code', code: appCode('A'.repeat(32)) }
  await submitForm(typed.visitor, typed.at, code)

  // Check first that the logs contain expected texts. Otherwise, finding no secret would prove nothing. The provider
  // writes entries after the response, and log lines even later.
  await vi.waitFor(async () => {
    const log = await logged()
    for (const kind of ['sign-in-refused', 'passkey-added', 'export']) expect(log).toContain(kind)
    expect(printed.join('\n')).toContain(ADMIN_PATHS.accounts)
    expect(printed.join('\n')).toContain('A second factor cannot be read')
  }, patience)
  const missing = Object.entries(secrets).filter(([, value]) => value === undefined || value.length < 8)
  expect(missing).toEqual([])
  expect(Object.keys(secrets).length).toBeGreaterThan(20)
  const places = { 'a log': await logged(), 'what is printed': printed.join('\n') }
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    Object.entries(secrets).flatMap(([name, value]) => (text.includes(value ?? '') ? [`${name} in ${place}`] : [])),
  )
  expect(leaks).toEqual([])
})
