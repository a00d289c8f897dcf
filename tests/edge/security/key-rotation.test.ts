import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import type { Env } from '../../../provider/env.ts'
import { decryptText } from '../../../provider/platform/crypto/encrypt-text.ts'
import { readEnvironment, rotateKeysInFile, writePrivateFile } from '../../../scripts/lib/secrets-file.ts'
import { addDemoBridge } from '../../support/demo-bridge.ts'
import { openEdge, signInThroughEdge, type EdgeDeployment } from '../../support/edge.ts'
import { startSignIn, completeSignInPage } from '../../support/sign-in-walk.ts'
import { createBridgeEvent } from '../../support/home.ts'
import { resolveRedirects, submitForm } from '../../support/provider.ts'
import {
  generateAppCode,
  parseTotpKey,
  parseTicket,
  submitPassword,
  type SubmittedPassword,
} from '../../support/second-factor.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeDeployment
let keysFolder: string
let secretsFile: string

beforeAll(async () => {
  keysFolder = mkdtempSync(join(tmpdir(), 'keys-'))
  secretsFile = join(keysFolder, 'secrets.env')
  edge = await openEdge()
  writePrivateFile(secretsFile, edge.deployment.env)
})
afterAll(async () => {
  rmSync(keysFolder, { recursive: true })
  await edge.close()
})

async function rotateKeys(): Promise<void> {
  rotateKeysInFile(secretsFile)
  const bindings = readEnvironment(secretsFile) as Record<string, string>
  await Promise.all([edge.deployment.portal?.restart(bindings), edge.deployment.provider.restart(bindings)])
}
const fetchMeStatus = async (visitor: Visitor) => (await visitor.get('/api/auth/me')).status
const fetchKeyIds = async () => {
  const answer = await fetch(`${edge.deployment.env.PROVIDER_ORIGIN}/oauth/jwks`)
  return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}
function openVisitorWithCookie(cookie: string): Visitor {
  const visitor = edge.visitor()
  visitor.sessionCookie = cookie
  return visitor
}

/** Returns a new browser that has only the known-browser cookies of the browser `before`. */
function copyKnownBrowser(before: Visitor): Visitor {
  const [next, origin] = [edge.visitor(), edge.deployment.env.PROVIDER_ORIGIN]
  for (const [name, value] of listKnownBrowserCookies(before)) next.setCookie(name, value, origin)
  return next
}
const listKnownBrowserCookies = (visitor: Visitor) => {
  const origin = edge.deployment.env.PROVIDER_ORIGIN
  const names = visitor.listCookieNames(origin).filter((name) => /^known_[0-9a-f]{16}$/.test(name))
  return [...names, ...names.map((name) => `${name}.sig`)].map(
    (name) => [name, visitor.getCookie(name, origin) ?? ''] as const,
  )
}
const getProviderEnv = async () => (await edge.deployment.provider.getWorker().getEnv()) as Env
const fetchStatus = async (url: string) => (await fetch(url)).status

async function fetchClipUrl(visitor: Visitor): Promise<string> {
  const answer = await visitor.get('/m/clip/evt_t')
  return answer.headers.get('location') ?? ''
}

async function storeClip(): Promise<void> {
  const bridge = await addDemoBridge(edge.deployment)
  const clip_object = await bridge.upload('door_t', 'clip', 'evt_t', Buffer.from('a whole clip'))
  await bridge.postEvent(createBridgeEvent('door_t', 'evt_t', { clip_object }))
}

const MAYA_CREDENTIALS = { email: 'maya@example.com', password: 'correct horse' }
const enterMayaPassword = (visitor: Visitor) =>
  submitPassword(visitor, edge.deployment.env, MAYA_CREDENTIALS.email, MAYA_CREDENTIALS.password)

/** Creates Maya's account and turns on its second factor. Returns the key of her authenticator app. */
async function addMaya(visitor: Visitor): Promise<string> {
  const { PROVIDER_ORIGIN, ADMIN_KEY } = edge.deployment.env
  const headers = { authorization: `Admin ${ADMIN_KEY}` }
  await fetch(PROVIDER_ORIGIN + ADMIN_PATHS.accounts, {
    method: 'POST',
    headers,
    body: JSON.stringify(MAYA_CREDENTIALS),
  })
  const submitted = await enterMayaPassword(visitor)
  await resolveRedirects(
    visitor,
    edge.deployment.env,
    new URL(submitted.answer.headers.get('location') ?? '', submitted.pageUrl),
  )
  const page = new URL('/account/second-factor', PROVIDER_ORIGIN)
  const post = async (fields: Record<string, string>) => (await submitForm(visitor, page, fields)).text()
  const key = parseTotpKey(await post({ step: 'begin', password: MAYA_CREDENTIALS.password }))
  await post({ step: 'code', code: generateAppCode(key) })
  await post({ step: 'on', kept: '1' })
  return key
}
/** Returns true if the sign-in accepts a code of `key`. Backdates the last used code, because no code works twice. */
async function isCodeAccepted(key: string, submitted: SubmittedPassword): Promise<boolean> {
  await (await getProviderEnv()).DB.prepare('UPDATE second_factors SET last_step = last_step - 10').run()
  const code = { ticket: parseTicket(submitted.html) ?? '', way: 'code', code: generateAppCode(key) }
  return (await submitForm(submitted.visitor, submitted.pageUrl, code)).headers.has('location')
}
const readTotpKeyPurpose = async () =>
  `key of ${await (await getProviderEnv()).DB.prepare('SELECT user_id FROM second_factors').first<string>('user_id')}`
const readStoredSecret = async () =>
  (await getProviderEnv()).DB.prepare('SELECT secret FROM second_factors').first<string>('secret')

describe('key rotation', () => {
  let activeVisitor: Visitor, idleVisitor: Visitor, mayaVisitor: Visitor
  let firstCookie: string, clipUrl: string, totpKey: string, encryptedSecret: string | null, oldKeyIds: string[]
  /** Two sign-ins that are pending at the first rotation: one by the owner, and one by Maya after her password. */
  let pendingVisitor: Visitor, pendingUrl: URL, mayaPendingSignIn: SubmittedPassword

  beforeAll(async () => {
    ;[activeVisitor, idleVisitor, pendingVisitor, mayaVisitor] = [
      edge.visitor(),
      edge.visitor(),
      edge.visitor(),
      edge.visitor(),
    ]
    await storeClip()
    for (const visitor of [activeVisitor, idleVisitor]) await signInThroughEdge(visitor)
    totpKey = await addMaya(mayaVisitor)
    ;[firstCookie, clipUrl, encryptedSecret] = [
      activeVisitor.sessionCookie ?? '',
      await fetchClipUrl(idleVisitor),
      await readStoredSecret(),
    ]
    ;[pendingUrl, mayaPendingSignIn, oldKeyIds] = [
      await startSignIn(pendingVisitor, '/live'),
      await enterMayaPassword(edge.visitor()),
      await fetchKeyIds(),
    ]
    await resolveRedirects(pendingVisitor, edge.deployment.env, pendingUrl)
    await rotateKeys()
  })

  test('signs no account out, and reissues cookies', async () => {
    expect(await fetchKeyIds()).toEqual([expect.any(String), ...oldKeyIds])
    expect(await fetchMeStatus(activeVisitor)).toBe(200)
    expect(activeVisitor.sessionCookie).not.toBe(firstCookie)
  })

  test('lets a pending sign-in finish and signs its result with the new key', async () => {
    const callback = await completeSignInPage(pendingVisitor, pendingUrl)
    expect((await pendingVisitor.navigate(callback)).headers.get('location')).toMatch(/^\/user\/callback/)
    expect(await fetchMeStatus(pendingVisitor)).toBe(200)
    expect(await isCodeAccepted(totpKey, mayaPendingSignIn)).toBe(true)
  })

  test('keeps the provider’s single sign-on and its known browsers', async () => {
    const again = await completeSignInPage(
      activeVisitor,
      await startSignIn(activeVisitor, '/live'),
      'owner@example.com',
      'not asked for',
    )
    expect((await activeVisitor.navigate(again)).headers.get('location')).toMatch(/^\/user\/callback/)
    const [[before = '', id = ''] = []] = listKnownBrowserCookies(idleVisitor)
    const knownVisitor = copyKnownBrowser(idleVisitor)
    await signInThroughEdge(knownVisitor)
    const written = listKnownBrowserCookies(knownVisitor).filter(
      ([name]) => name !== before && name !== `${before}.sig`,
    )
    expect(written[0]).toEqual([expect.stringMatching(/^known_/), id])
  })

  test('leaves the validity of clip URLs unchanged', async () => {
    expect(await (await fetch(clipUrl)).text()).toBe('a whole clip')
    expect(await fetchStatus(await fetchClipUrl(activeVisitor))).toBe(200)
    expect(await fetchStatus(`${clipUrl.slice(0, -1)}${clipUrl.endsWith('0') ? '1' : '0'}`)).toBe(403)
  })

  test('keeps second factors working and encrypts each used one with the new key from then on', async () => {
    expect(await isCodeAccepted(totpKey, await enterMayaPassword(edge.visitor()))).toBe(true)
    const now = await readStoredSecret()
    expect(now).not.toBe(encryptedSecret)
    expect(
      await decryptText([readEnvironment(secretsFile)['FACTOR_KEY'] ?? ''], await readTotpKeyPurpose(), now ?? ''),
    ).toBe(totpKey)
  })

  test('invalidates everything made with the oldest key on the second rotation, except second factors', async () => {
    const laterClipUrl = await fetchClipUrl(activeVisitor)
    // Restore the secret that the first key encrypted, as for a user who has not used a code since the rotation.
    await (await getProviderEnv()).DB.prepare('UPDATE second_factors SET secret = ?').bind(encryptedSecret).run()
    await rotateKeys()
    expect([await fetchMeStatus(activeVisitor), await fetchMeStatus(pendingVisitor)]).toEqual([200, 200])
    expect([await fetchMeStatus(idleVisitor), await fetchMeStatus(openVisitorWithCookie(firstCookie))]).toEqual([
      401, 401,
    ])
    expect(await fetchKeyIds()).toHaveLength(2)
    expect(await fetchKeyIds()).not.toContain(oldKeyIds[0])
    expect(await (await fetch(clipUrl)).text()).toContain('The URL isn’t valid.')
    expect(await fetchStatus(laterClipUrl)).toBe(200)
    expect(await isCodeAccepted(totpKey, await enterMayaPassword(edge.visitor()))).toBe(true)
  })
})

test('key rotation changes only the key lines, and a file without keys stays unchanged with an error', () => {
  const other = join(keysFolder, 'production.env')
  writeFileSync(other, `# Ours.\nPORTAL_ORIGIN=https://cam.example.com\n${readFileSync(secretsFile, 'utf8')}`)
  const [before, text] = [readEnvironment(other), readFileSync(other, 'utf8')]
  rotateKeysInFile(other)
  const after = readEnvironment(other)
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  const pairs = ['COOKIE_KEY', 'FACTOR_KEY', 'MEDIA_KEY', 'PROVIDER_COOKIE_KEY']
  expect(changed.sort()).toEqual([...pairs, ...pairs.map((name) => `${name}_OLD`), 'PROVIDER_JWKS'].sort())
  for (const name of pairs) expect(after[`${name}_OLD`]?.split(',')[0]).toBe(before[name])
  expect(readFileSync(other, 'utf8').split('\n')[0]).toBe(text.split('\n')[0])
  writeFileSync(other, 'PORTAL_ORIGIN=https://cam.example.com\n')
  expect(() => rotateKeysInFile(other)).toThrow(/can't be changed.*Nothing was changed/)
  expect(readFileSync(other, 'utf8')).toBe('PORTAL_ORIGIN=https://cam.example.com\n')
})
