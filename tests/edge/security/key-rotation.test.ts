import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import type { Env } from '../../../provider/env.ts'
import { decryptText } from '../../../provider/platform/crypto/encrypt-text.ts'
import { readEnvironment, rotateKeysInFile, writePrivate } from '../../../scripts/lib/secrets-file.ts'
import { openDoor } from '../../support/demo-door.ts'
import { openEdge, signIn, type EdgeStage } from '../../support/edge.ts'
import { startSignIn, walkSignInPage } from '../../support/sign-in-walk.ts'
import { makeEvent } from '../../support/home.ts'
import { resolveRedirects, submitForm } from '../../support/provider.ts'
import { appCode, parseTotpKey, parseTicket, typePassword, type Typed } from '../../support/second-factor.ts'
import type { Visitor } from '../../support/visitor.ts'

let edge: EdgeStage
let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  file = join(folder, 'secrets.env')
  edge = await openEdge()
  writePrivate(file, edge.stage.env)
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await edge.close()
})

async function rotate(): Promise<void> {
  rotateKeysInFile(file)
  const bindings = readEnvironment(file) as Record<string, string>
  await Promise.all([edge.stage.portal?.restart(bindings), edge.stage.provider.restart(bindings)])
}
const me = async (visitor: Visitor) => (await visitor.get('/api/auth/me')).status
const keyIds = async () => {
  const answer = await fetch(`${edge.stage.env.PROVIDER_ORIGIN}/oauth/jwks`)
  return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
}
function holding(cookie: string): Visitor {
  const visitor = edge.visitor()
  visitor.setCookie('__Host-Http-sid', cookie)
  return visitor
}

/** Returns a new browser that has only the known-browser cookies of the browser `before`. */
function knownAs(before: Visitor): Visitor {
  const [next, origin] = [edge.visitor(), edge.stage.env.PROVIDER_ORIGIN]
  for (const [name, value] of listKnownCookies(before)) next.setCookie(name, value, origin)
  return next
}
const listKnownCookies = (visitor: Visitor) => {
  const origin = edge.stage.env.PROVIDER_ORIGIN
  const names = visitor.cookieNames(origin).filter((name) => /^known_[0-9a-f]{16}$/.test(name))
  return [...names, ...names.map((name) => `${name}.sig`)].map(
    (name) => [name, visitor.cookie(name, origin) ?? ''] as const,
  )
}
const bindings = async () => (await edge.stage.provider.getWorker().getEnv()) as Env
const fetchStatus = async (address: string) => (await fetch(address)).status

async function clipAddress(visitor: Visitor): Promise<string> {
  const answer = await visitor.get('/m/clip/evt_t')
  return answer.headers.get('location') ?? ''
}

async function storeClip(): Promise<void> {
  const bridge = await openDoor(edge.stage)
  const clip_object = await bridge.upload('door_t', 'clip', 'evt_t', Buffer.from('a whole clip'))
  await bridge.post(makeEvent('door_t', 'evt_t', { clip_object }))
}

const MAYA = { email: 'maya@example.com', password: 'correct horse' }
const enterMayaPassword = (by: Visitor) => typePassword(by, edge.stage.env, MAYA.email, MAYA.password)

/** Creates Maya's account and turns on its second factor. Returns the key of her authenticator app. */
async function addMaya(by: Visitor): Promise<string> {
  const { PROVIDER_ORIGIN, ADMIN_KEY } = edge.stage.env
  const headers = { authorization: `Admin ${ADMIN_KEY}` }
  await fetch(PROVIDER_ORIGIN + ADMIN_PATHS.accounts, { method: 'POST', headers, body: JSON.stringify(MAYA) })
  const at = await enterMayaPassword(by)
  await resolveRedirects(by, edge.stage.env, new URL(at.answer.headers.get('location') ?? '', at.at))
  const page = new URL('/account/second-factor', PROVIDER_ORIGIN)
  const post = async (fields: Record<string, string>) => (await submitForm(by, page, fields)).text()
  const key = parseTotpKey(await post({ step: 'begin', password: MAYA.password }))
  await post({ step: 'code', code: appCode(key) })
  await post({ step: 'on', kept: '1' })
  return key
}
/** Returns true if the sign-in accepts a code of `key`. Backdates the last used code, as no code works twice. */
async function isCodeAccepted(key: string, at: Typed): Promise<boolean> {
  await (await bindings()).DB.prepare('UPDATE second_factors SET last_step = last_step - 10').run()
  const code = { ticket: parseTicket(at.html) ?? '', way: 'code', code: appCode(key) }
  return (await submitForm(at.visitor, at.at, code)).headers.has('location')
}
const readPurpose = async () =>
  `key of ${await (await bindings()).DB.prepare('SELECT user_id FROM second_factors').first<string>('user_id')}`
const secretAtRest = async () =>
  (await bindings()).DB.prepare('SELECT secret FROM second_factors').first<string>('secret')

describe('key rotation', () => {
  let there: Visitor, away: Visitor, mayas: Visitor
  let first: string, clip: string, factor: string, sealed: string | null, ids: string[]
  /**
   * Sign-ins pending at the first rotation: the owner's (`early`, `pendingUrl`), Maya's after her password (`half`).
   */
  let early: Visitor, pendingUrl: URL, half: Typed

  beforeAll(async () => {
    ;[there, away, early, mayas] = [edge.visitor(), edge.visitor(), edge.visitor(), edge.visitor()]
    await storeClip()
    for (const visitor of [there, away]) await signIn(visitor)
    factor = await addMaya(mayas)
    ;[first, clip, sealed] = [there.cookie('__Host-Http-sid') ?? '', await clipAddress(away), await secretAtRest()]
    ;[pendingUrl, half, ids] = [
      await startSignIn(early, '/live'),
      await enterMayaPassword(edge.visitor()),
      await keyIds(),
    ]
    await resolveRedirects(early, edge.stage.env, pendingUrl)
    await rotate()
  })

  test('signs no account out, and reissues cookies', async () => {
    expect(await keyIds()).toEqual([expect.any(String), ...ids])
    expect(await me(there)).toBe(200)
    expect(there.cookie('__Host-Http-sid')).not.toBe(first)
  })

  test('lets a pending sign-in finish and signs its result with the new key', async () => {
    const callback = await walkSignInPage(early, pendingUrl)
    expect((await early.navigate(callback)).headers.get('location')).toMatch(/^\/user\/callback/)
    expect(await me(early)).toBe(200)
    expect(await isCodeAccepted(factor, half)).toBe(true)
  })

  test('keeps the provider’s single sign-on and its known browsers', async () => {
    const again = await walkSignInPage(there, await startSignIn(there, '/live'), 'owner@example.com', 'not asked for')
    expect((await there.navigate(again)).headers.get('location')).toMatch(/^\/user\/callback/)
    const [[before = '', id = ''] = []] = listKnownCookies(away)
    const knownVisitor = knownAs(away)
    await signIn(knownVisitor)
    const written = listKnownCookies(knownVisitor).filter(([name]) => name !== before && name !== `${before}.sig`)
    expect(written[0]).toEqual([expect.stringMatching(/^known_/), id])
  })

  test('leaves the validity of clip URLs unchanged', async () => {
    expect(await (await fetch(clip)).text()).toBe('a whole clip')
    expect(await fetchStatus(await clipAddress(there))).toBe(200)
    expect(await fetchStatus(`${clip.slice(0, -1)}${clip.endsWith('0') ? '1' : '0'}`)).toBe(403)
  })

  test('keeps second factors working and encrypts each used one with the new key from then on', async () => {
    expect(await isCodeAccepted(factor, await enterMayaPassword(edge.visitor()))).toBe(true)
    const now = await secretAtRest()
    expect(now).not.toBe(sealed)
    expect(await decryptText([readEnvironment(file)['FACTOR_KEY'] ?? ''], await readPurpose(), now ?? '')).toBe(factor)
  })

  test('invalidates everything made with the oldest key on the second rotation, except second factors', async () => {
    const between = await clipAddress(there)
    // Restore the secret that the first key encrypted, as for a user who has not used a code since the rotation.
    await (await bindings()).DB.prepare('UPDATE second_factors SET secret = ?').bind(sealed).run()
    await rotate()
    expect([await me(there), await me(early)]).toEqual([200, 200])
    expect([await me(away), await me(holding(first))]).toEqual([401, 401])
    expect(await keyIds()).toHaveLength(2)
    expect(await keyIds()).not.toContain(ids[0])
    expect(await (await fetch(clip)).text()).toContain('The address is not valid.')
    expect(await fetchStatus(between)).toBe(200)
    expect(await isCodeAccepted(factor, await enterMayaPassword(edge.visitor()))).toBe(true)
  })
})

test('key rotation changes only the key lines, and a file without keys stays unchanged with an error', () => {
  const other = join(folder, 'production.env')
  writeFileSync(other, `# Ours.\nPORTAL_ORIGIN=https://cam.example.com\n${readFileSync(file, 'utf8')}`)
  const [before, text] = [readEnvironment(other), readFileSync(other, 'utf8')]
  rotateKeysInFile(other)
  const after = readEnvironment(other)
  const changed = Object.keys(after).filter((name) => after[name] !== before[name])
  const pairs = ['COOKIE_KEY', 'FACTOR_KEY', 'MEDIA_KEY', 'PROVIDER_COOKIE_KEY']
  expect(changed.sort()).toEqual([...pairs, ...pairs.map((name) => `${name}_OLD`), 'PROVIDER_JWKS'].sort())
  for (const name of pairs) expect(after[`${name}_OLD`]?.split(',')[0]).toBe(before[name])
  expect(readFileSync(other, 'utf8').split('\n')[0]).toBe(text.split('\n')[0])
  writeFileSync(other, 'PORTAL_ORIGIN=https://cam.example.com\n')
  expect(() => rotateKeysInFile(other)).toThrow(/cannot be changed.*Nothing was changed/)
  expect(readFileSync(other, 'utf8')).toBe('PORTAL_ORIGIN=https://cam.example.com\n')
})
