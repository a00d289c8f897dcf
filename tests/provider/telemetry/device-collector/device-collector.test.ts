import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as v from 'valibot'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import {
  changedSession,
  collectorConfig,
  collectorList,
  COLLECTOR_CLIENT,
  COLLECTOR_VERSION,
  FACTS_PATH,
  finish,
  generateCookie,
  logoFrame,
  newSession,
  storeCookie,
} from '../../../../contract/telemetry/device-collector.ts'
import type { Env } from '../../../../provider/env.ts'
import { openStage, type Stage } from '../../../support/harness.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(() => stage.close())

const newId = () => crypto.randomUUID().replaceAll('-', '')
const buildClientParams = (s: string) => ({ m: COLLECTOR_CLIENT, s, sv: COLLECTOR_VERSION, kddcgid: newId() })
const at = (path: string, query: Record<string, string> = {}) =>
  `${stage.env.PROVIDER_ORIGIN}${path}?${new URLSearchParams(query).toString()}`
const post = (path: string, form: Record<string, string>) =>
  fetch(at(path), { method: 'POST', body: new URLSearchParams(form) })
const startSession = (session: string, query: Record<string, string> = {}, client: string = COLLECTOR_CLIENT) =>
  fetch(at(newSession.path.replace('{sessionId}', session), { kddcgid: newId(), ...query }), {
    method: 'POST',
    headers: { 'client-id': client },
  })

async function list(query: Record<string, string> = {}) {
  const answer = await fetch(at(ADMIN_PATHS.collector, query), {
    headers: { authorization: `Admin ${stage.env.ADMIN_KEY}` },
  })
  return v.parse(collectorList, await answer.json()).data
}
const findSession = async (session: string) => (await list()).sessions.find((entry) => entry.session === session)
const sendFacts = (s: string, body: string, m: string = COLLECTOR_CLIENT) =>
  fetch(at(FACTS_PATH, { s, m }), { method: 'POST', body }).then(({ status }) => status)
/** Moves a session more than a day into the past. */
const age = async (session: string) =>
  (await db())
    .prepare('UPDATE collector_sessions SET begun_at = begun_at - ?1, seen_at = seen_at - ?1 WHERE session = ?2')
    .bind(24 * 3_600_000 + 1, session)
    .run()
const db = async () => ((await stage.provider.getWorker().getEnv()) as Env).DB

describe('the configuration', () => {
  test('CALL-59 FRAUD-13 says whether to collect what, and for how long it is good', async () => {
    const answer = await fetch(at(collectorConfig.path, buildClientParams(newId())))
    const body = v.parse(collectorConfig.response, await answer.json())
    expect([answer.status, body.ttlms, body.collection.collect]).toEqual([200, 900_000, true])
    expect(answer.headers.get('access-control-allow-origin')).toBe(stage.env.PORTAL_ORIGIN)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each([
    ['another client', { m: 'somebody' }],
    ['a session with markup', { s: '<script>' }],
    ['a version that is too long', { sv: 'x'.repeat(65) }],
    ['no instance', { kddcgid: '' }],
  ])('is refused to %s', async (_, wrong) => {
    expect((await fetch(at(collectorConfig.path, { ...buildClientParams(newId()), ...wrong }))).status).toBe(400)
  })
})

describe('the first-party value', () => {
  test('CALL-60 CALL-61 is made here, and known again', async () => {
    const mine = buildClientParams(newId())
    const { value } = v.parse(generateCookie.response, await (await fetch(at(generateCookie.path, mine))).json())
    expect((await post(storeCookie.path, { ...mine, k: value })).status).toBe(200)
    const other = v.parse(generateCookie.response, await (await fetch(at(generateCookie.path, mine))).json())
    expect(other.value).not.toBe(value)
    for (const k of [`${value}0`, value.replace(/^./, (digit) => (digit === '0' ? '1' : '0')), 'x'.repeat(40)])
      expect((await post(storeCookie.path, { ...mine, k })).status).toBe(500)
  })
})

describe('a session', () => {
  test('CALL-62 FRAUD-24 is new once, and known after that', async () => {
    const session = newId()
    expect((await startSession(session)).status).toBe(201)
    expect((await startSession(session)).status).toBe(200)
    expect(await findSession(session)).toMatchObject({ previous: '', left_at: null, facts: null })
  })

  test('CALL-63 FRAUD-25 that follows another says which', async () => {
    const [before, after] = [newId(), newId()]
    const answer = await startSession(after, { previousSessionID: before })
    expect([200, 201]).toContain(answer.status)
    expect(await findSession(after)).toMatchObject({ previous: before })
    const later = newId()
    await startSession(later)
    await startSession(later, { previousSessionID: after })
    await startSession(later, { previousSessionID: before })
    expect(await findSession(later)).toMatchObject({ previous: after })
    expect(changedSession.path).toBe(newSession.path)
  })

  test('may be begun by the portal’s page with its header, which the browser asks about first', async () => {
    const path = newSession.path.replace('{sessionId}', newId())
    const answer = await fetch(at(path), {
      method: 'OPTIONS',
      headers: { origin: stage.env.PORTAL_ORIGIN, 'access-control-request-headers': 'client-id' },
    })
    expect(answer.headers.get('access-control-allow-origin')).toBe(stage.env.PORTAL_ORIGIN)
    expect(answer.headers.get('access-control-allow-headers')).toBe('client-id')
  })

  test.each([
    ['with a name of another form', () => startSession('a%20b')],
    ['of another client', () => startSession(newId(), {}, 'somebody')],
    ['that follows nonsense', () => startSession(newId(), { previousSessionID: '../x' })],
  ])('%s is refused and not kept', async (_, send) => {
    const before = (await list()).total
    expect((await send()).status).toBe(400)
    expect((await list()).total).toBe(before)
  })

  test('is forgotten a day after it was last heard of, also where nobody comes any more', async () => {
    const [old, reported] = [newId(), newId()]
    for (const id of [old, reported]) {
      await startSession(id)
      await age(id)
    }
    expect(await sendFacts(reported, JSON.stringify({ language: 'en' }))).toBe(200)
    expect((await list()).sessions.map(({ session }) => session)).not.toContain(old)
    const { results } = await (
      await db()
    )
      .prepare('SELECT session FROM collector_sessions WHERE session IN (?1, ?2)')
      .bind(old, reported)
      .all()
    expect(results).toEqual([{ session: reported }])
  })

  test('is shown alone where it is asked for, and the others are counted', async () => {
    const mine = newId()
    await startSession(mine)
    await startSession(newId())
    const { sessions, total } = await list({ session: mine })
    expect([sessions.map(({ session }) => session), total]).toEqual([[mine], 1])
    expect((await list()).total).toBeGreaterThan(1)
    expect(await list({ session: newId() })).toEqual({ sessions: [], total: 0 })
  })
})

describe('who asks', () => {
  const asks = (origin: string, path: string = collectorConfig.path, method = 'GET') =>
    fetch(at(path, path === collectorConfig.path ? buildClientParams(newId()) : {}), {
      method,
      headers: { origin },
    }).then(({ status }) => status)
  test('is a page of the portal or the frame, where the browser says it', async () => {
    expect(await asks(stage.env.PORTAL_ORIGIN)).toBe(200)
    expect(await asks(stage.env.PROVIDER_ORIGIN)).toBe(200)
    for (const origin of ['https://elsewhere.example', 'null', `${stage.env.PORTAL_ORIGIN}.elsewhere.example`])
      expect(await asks(origin)).toBe(403)
  })
  test.each([
    ['POST', finish.path],
    ['POST', FACTS_PATH],
    ['POST', storeCookie.path],
    ['POST', '/session/s1'],
    ['OPTIONS', '/session/s1'],
  ])('may not %s %s from elsewhere', async (method, path) => {
    expect(await asks('https://elsewhere.example', path, method)).toBe(403)
  })
})

describe('the frame', () => {
  test('CALL-64 is a page that the portal alone may hold, and that runs its own script alone', async () => {
    const s = newId()
    const answer = await fetch(at(logoFrame.path, buildClientParams(s)))
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(policy).toContain(`frame-ancestors ${stage.env.PORTAL_ORIGIN}`)
    expect(policy).toMatch(/script-src 'sha256-[^ ']+'(;|$)/)
    expect(await answer.text()).toContain(`data-s="${s}"`)
  })

  test('tells of the device, and what is no fact is not kept', async () => {
    const s = newId()
    await startSession(s)
    const facts = { language: 'en-GB', width: 390, touch: true, email: 'somebody@example.com' }
    expect(await sendFacts(s, '{')).toBe(400)
    expect(await sendFacts(s, JSON.stringify({ language: 'x'.repeat(65) }))).toBe(400)
    expect(await sendFacts(s, JSON.stringify(facts), 'somebody')).toBe(400)
    expect(await sendFacts('../x', JSON.stringify(facts))).toBe(400)
    expect(await sendFacts(s, 'x'.repeat(9000))).toBe(413)
    expect((await findSession(s))?.facts).toBeNull()
    expect(await sendFacts(s, JSON.stringify(facts))).toBe(200)
    expect((await findSession(s))?.facts).toEqual({ language: 'en-GB', width: 390, touch: true })
  })

  test('tells also of a session that was forgotten meanwhile', async () => {
    const s = newId()
    expect(await sendFacts(s, JSON.stringify({ touch: true }))).toBe(200)
    expect(await findSession(s)).toMatchObject({ previous: '', facts: { touch: true } })
    expect((await startSession(s, { previousSessionID: 'before' })).status).toBe(200)
    expect(await findSession(s)).toMatchObject({ previous: 'before', facts: { touch: true } })
  })
})

describe('the end', () => {
  test('CALL-65 of a page is noted, and of a session that is not known nothing is kept', async () => {
    const s = newId()
    await startSession(s)
    const form = { n: 'collect-end', com: 'false', et: '0', s, m: COLLECTOR_CLIENT }
    expect((await post(finish.path, { ...form, n: 'other' })).status).toBe(400)
    expect((await findSession(s))?.left_at).toBeNull()
    expect((await post(finish.path, form)).status).toBe(200)
    const unknown = newId()
    expect((await post(finish.path, { ...form, s: unknown })).status).toBe(200)
    expect(await findSession(unknown)).toBeUndefined()
    expect((await findSession(s))?.left_at).toEqual(expect.any(Number))
  })
})

test('what is kept is shown to the operator alone', async () => {
  expect((await fetch(at(ADMIN_PATHS.collector))).status).toBe(401)
})
