import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN_PATHS } from '../../../../contract/operator/operator-calls.ts'
import { BRIDGE_PATHS } from '../../../../contract/bridge/bridge-protocol.ts'
import { openNeighborhood, TestBridge, type Neighborhood } from '../../../support/home.ts'

const MAX_FAILURES = 30
let neighborhood: Neighborhood
beforeAll(async () => {
  neighborhood = await openNeighborhood()
})
afterAll(() => neighborhood.close())

let requestCount = 0
/** Sends each request with a different forged client address, which the server must ignore. */
const fetchWithForgedAddress = (path: string, init: RequestInit) => {
  const headers = new Headers(init.headers)
  headers.set('cf-connecting-ip', `192.0.2.${requestCount++ % 256}`)
  return fetch(neighborhood.stage.env.PROVIDER_ORIGIN + path, { ...init, headers })
}
const buildBasicAuthHeaders = (secret: string) => ({
  authorization: `Basic ${Buffer.from(`${neighborhood.stage.env.OIDC_CLIENT_ID}:${secret}`).toString('base64')}`,
})
const requestToken = (secret: string) =>
  fetchWithForgedAddress('/oauth/token', {
    method: 'POST',
    headers: buildBasicAuthHeaders(secret),
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(43) }),
  })
const fetchAccounts = (key: string) =>
  fetchWithForgedAddress(ADMIN_PATHS.accounts, { headers: { authorization: `Admin ${key}` } })

/**
 * Columns: counter name, credential type, request with wrong credentials, request with correct credentials,
 * expected status of the correct request.
 */
const AUTHENTICATED_ENDPOINTS: [string, string, () => Promise<Response>, () => Promise<Response>, number][] = [
  [
    'bridge',
    'signatures of a bridge',
    () => sendSignedRequest(new TestBridge('', neighborhood.a.bridge.id)),
    () => sendSignedRequest(neighborhood.a.bridge),
    200,
  ],
  [
    'bridge',
    'ids of bridges',
    () => sendSignedRequest(new TestBridge('', 'br_nobody')),
    () => sendSignedRequest(neighborhood.b.bridge),
    200,
  ],
  [
    'client',
    'client secrets',
    () => requestToken('wrong'),
    () => requestToken(neighborhood.stage.env.OIDC_CLIENT_SECRET),
    400,
  ],
  [
    'operator',
    'operator keys',
    () => fetchAccounts('wrong'),
    () => fetchAccounts(neighborhood.stage.env.ADMIN_KEY),
    200,
  ],
]
function sendSignedRequest(bridge: TestBridge): Promise<Response> {
  const path = `${BRIDGE_PATHS.cameras}/nowhere`
  return fetchWithForgedAddress(path, { method: 'DELETE', headers: bridge.headers('DELETE', path) })
}
const getCounters = (kind: string) =>
  neighborhood.stage.provider.getWorker().getDurableObjectStorage('GUARDS', { name: `${kind}:127.0.0.1` })

describe.each(AUTHENTICATED_ENDPOINTS)('%s: wrong %s', (kind, _name, sendWrong, sendCorrect, correctStatus) => {
  test('must wait after 30 in five minutes, while the right one from the same address succeeds', async () => {
    const answers: number[] = []
    for (let n = 0; n < MAX_FAILURES; n++) answers.push((await sendWrong()).status)
    expect(answers).toEqual(answers.map(() => 401))
    const rejection = await sendWrong()
    expect(rejection.status).toBe(429)
    const seconds = Number(rejection.headers.get('retry-after'))
    expect([seconds > 0, seconds <= 300]).toEqual([true, true])
    expect((await sendCorrect()).status).toBe(correctStatus)
    expect((await sendWrong()).status).toBe(429)
    // Expire the counted failures, as a wait of five minutes would.
    await (await getCounters(kind)).exec('UPDATE attempts SET until = 0')
    expect((await sendWrong()).status).toBe(401)
    await (await getCounters(kind)).exec('DELETE FROM attempts')
  })
})

describe('bridge request body', () => {
  const { events, history } = BRIDGE_PATHS
  const body = JSON.stringify({ pad: 'x'.repeat(300_000) })
  const sendBody = async (path: string, change: Record<string, string> = {}, sentBody = body) => {
    const headers = new Headers({ ...neighborhood.a.bridge.headers('POST', path, body), ...change })
    for (const [name, value] of Object.entries(change)) if (value === '') headers.delete(name)
    return (await fetchWithForgedAddress(path, { method: 'POST', headers, body: sentBody })).status
  }

  test('may be long only if its call needs that, and its signature is known before reading', async () => {
    expect([await sendBody(events), await sendBody(history)]).toEqual([413, 400])
    expect(await sendBody(history, { 'content-digest': '' })).toBe(413)
    expect(await sendBody(history, { 'content-digest': 'sha-512=:AAAA:' })).toBe(413)
  })

  test('must match its signature, regardless of the digest that it declares', async () => {
    expect(await sendBody(history, {}, body.replace('x', 'y'))).toBe(401)
    const short = { 'content-digest': neighborhood.a.bridge.headers('POST', history, '{}')['content-digest'] ?? '' }
    expect([await sendBody(history, short), await sendBody(history, short, '{}')]).toEqual([401, 401])
    await (await getCounters('bridge')).exec('DELETE FROM attempts')
  })

  test('from an earlier version, without a digest, is accepted up to the length of a call', async () => {
    const earlier = new Headers(neighborhood.a.bridge.headers('POST', history, '{}'))
    earlier.delete('content-digest')
    expect((await fetchWithForgedAddress(history, { method: 'POST', headers: earlier, body: '{}' })).status).toBe(400)
  })
})
