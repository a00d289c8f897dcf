import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS } from '../../../../contract/bridge/bridge-protocol.ts'
import { openNeighborhood, TestBridge, type Neighborhood } from '../../../support/home.ts'

const LIMIT = 30
let town: Neighborhood
beforeAll(async () => {
  town = await openNeighborhood()
})
afterAll(() => town.close())

let requestCount = 0
/** Sends each request with a different forged client address, which the server must ignore. */
const fetchAt = (path: string, init: RequestInit) => {
  const headers = new Headers(init.headers)
  headers.set('cf-connecting-ip', `192.0.2.${requestCount++ % 256}`)
  return fetch(town.stage.env.PROVIDER_ORIGIN + path, { ...init, headers })
}
const basic = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`${town.stage.env.OIDC_CLIENT_ID}:${secret}`).toString('base64')}`,
})
const requestToken = (secret: string) =>
  fetchAt('/oauth/token', {
    method: 'POST',
    headers: basic(secret),
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) }),
  })
const fetchAccounts = (key: string) => fetchAt(ADMIN_PATHS.accounts, { headers: { authorization: `Admin ${key}` } })

/**
 * Per endpoint: the counter, the credentials, a request with wrong ones, a request with right ones, and the status of
 * the latter.
 */
const DOORS: [string, string, () => Promise<Response>, () => Promise<Response>, number][] = [
  [
    'bridge',
    'signatures of a bridge',
    () => sendSignedRequest(new TestBridge('', town.a.bridge.id)),
    () => sendSignedRequest(town.a.bridge),
    200,
  ],
  [
    'bridge',
    'ids of bridges',
    () => sendSignedRequest(new TestBridge('', 'br_nobody')),
    () => sendSignedRequest(town.b.bridge),
    200,
  ],
  ['client', 'client secrets', () => requestToken('wrong'), () => requestToken(town.stage.env.OIDC_CLIENT_SECRET), 400],
  ['operator', 'operator keys', () => fetchAccounts('wrong'), () => fetchAccounts(town.stage.env.ADMIN_KEY), 200],
]
function sendSignedRequest(bridge: TestBridge): Promise<Response> {
  const path = `${BRIDGE_PATHS.cameras}/nowhere`
  return fetchAt(path, { method: 'DELETE', headers: bridge.headers('DELETE', path) })
}
const getCounters = (kind: string) =>
  town.stage.provider.getWorker().getDurableObjectStorage('GUARDS', { name: `${kind}:127.0.0.1` })

describe.each(DOORS)('%s: wrong %s', (kind, _name, wrong, right, status) => {
  test('must wait after 30 in five minutes, while the right one from the same address succeeds', async () => {
    const answers: number[] = []
    for (let n = 0; n < LIMIT; n++) answers.push((await wrong()).status)
    expect(answers).toEqual(answers.map(() => 401))
    const rejection = await wrong()
    expect(rejection.status).toBe(429)
    const seconds = Number(rejection.headers.get('retry-after'))
    expect([seconds > 0, seconds <= 300]).toEqual([true, true])
    expect((await right()).status).toBe(status)
    expect((await wrong()).status).toBe(429)
    // Five minutes later the first failures no longer count.
    await (await getCounters(kind)).exec('UPDATE attempts SET until = 0')
    expect((await wrong()).status).toBe(401)
    await (await getCounters(kind)).exec('DELETE FROM attempts')
  })
})

describe('bridge request body', () => {
  const { events, history } = BRIDGE_PATHS
  const body = JSON.stringify({ pad: 'x'.repeat(300_000) })
  const send = async (path: string, change: Record<string, string> = {}, sent = body) => {
    const headers = new Headers({ ...town.a.bridge.headers('POST', path, body), ...change })
    for (const [name, value] of Object.entries(change)) if (value === '') headers.delete(name)
    return (await fetchAt(path, { method: 'POST', headers, body: sent })).status
  }

  test('may be long only if its call needs that, and its signature is known before reading', async () => {
    expect([await send(events), await send(history)]).toEqual([413, 400])
    expect(await send(history, { 'content-digest': '' })).toBe(413)
    expect(await send(history, { 'content-digest': 'sha-512=:AAAA:' })).toBe(413)
  })

  test('must match its signature, regardless of the digest that it declares', async () => {
    expect(await send(history, {}, body.replace('x', 'y'))).toBe(401)
    const short = { 'content-digest': town.a.bridge.headers('POST', history, '{}')['content-digest'] ?? '' }
    expect([await send(history, short), await send(history, short, '{}')]).toEqual([401, 401])
    await (await getCounters('bridge')).exec('DELETE FROM attempts')
  })

  test('from an earlier version, without a digest, is accepted up to the length of a call', async () => {
    const earlier = new Headers(town.a.bridge.headers('POST', history, '{}'))
    earlier.delete('content-digest')
    expect((await fetchAt(history, { method: 'POST', headers: earlier, body: '{}' })).status).toBe(400)
  })
})
