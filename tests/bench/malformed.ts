import { setTimeout as sleep } from 'node:timers/promises'
import { GATEWAY_CALLS } from '../../contract/all-calls.ts'
import { formatGatewayPath, hasQueryPayload, type Call } from '../../contract/wire/call.ts'
import { userLogout } from '../../contract/auth/user-calls.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { signInThroughEdge } from '../support/edge.ts'
import { Visitor } from '../support/visitor.ts'
import type { FaultResult } from './fault-result.ts'
import type { System } from './system.ts'

const LONG_TEXT = 'x'.repeat(60_000)
const DEEPLY_NESTED_JSON = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
/** Request bodies that are not valid JSON, have an unexpected shape, or have the same value in every field. */
const MALFORMED_BODIES: readonly string[] = [
  '',
  'null',
  '[]',
  '"text"',
  '7',
  '{',
  '{"a":',
  '\u0000',
  '{"a":1}trailing',
  "{'a':1}",
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":1}}',
  '{"device_id":"\\ud800"}',
  DEEPLY_NESTED_JSON,
  ...[null, 7, -1, 1e308, '', [], {}, [[[]]], true, "'; DROP TABLE events; --", '../../etc', LONG_TEXT].map(
    putInEveryField,
  ),
]
const MALFORMED_QUERIES: readonly string[] = [
  '',
  '?',
  '?a',
  '?a=1&a=2',
  '?=1',
  '?%',
  '?%00=1',
  '?__proto__=1',
  '?nonce=7',
  `?a=${'x'.repeat(6000)}`,
  '?user_id=somebody',
  '?home_id=../..',
  '?home_id=%27%3B',
  '?count=-1',
  '?page=1e9',
  '?device_id[]=1',
]

/** Returns a request body in which all common fields of the contract's calls have this value. */
function putInEveryField(value: unknown): string {
  const fields = [
    'device_id',
    'device_list',
    'event_id',
    'event_ids',
    'home_id',
    'begin_time',
    'end_time',
    'count',
    'query',
  ]
  const moreFields = [
    'settings',
    'files',
    'email',
    'role',
    'name',
    'nickname',
    'data',
    'order_by',
    'nonce',
    'user_id',
    'env',
  ]
  return JSON.stringify(Object.fromEntries([...fields, ...moreFields].map((field) => [field, value])))
}

/**
 * Sends malformed calls as the owner through the portal. Each response must have a status below 500 and, except with
 * status 204, a JSON `code`.
 */
export async function sendMalformedCalls(system: System): Promise<FaultResult> {
  const visitor = new Visitor(system.origin)
  await signInThroughEdge(visitor)
  let [attempts, heldCount] = [0, 0]
  const statusCounts = new Map<number, number>()
  for (const call of GATEWAY_CALLS.filter((gatewayCall) => gatewayCall !== userLogout)) {
    for (const sample of hasQueryPayload(call.method) ? MALFORMED_QUERIES : MALFORMED_BODIES) {
      const { status, hasErrorCode } = await sendSample(visitor, call, sample)
      attempts++
      statusCounts.set(status, (statusCounts.get(status) ?? 0) + 1)
      if (status < 500 && hasErrorCode) heldCount++
      else console.error(`${call.method} ${call.path} returned ${status} for ${sample.slice(0, 80)}`)
    }
  }
  const note = [...statusCounts].sort().map(([status, count]) => `${count} × ${status}`)
  return {
    guarantee: 'malformed calls: each gets an error code, never a 5xx response',
    attemptCount: attempts,
    heldCount: heldCount,
    note: note.join(', '),
  }
}

/** Delay before retrying a rate-limited call, ms. */
const RETRY_DELAY_MS = 300
const MAX_RETRIES = 20

async function sendSample(
  visitor: Visitor,
  call: Call,
  sample: string,
  retriesLeft = MAX_RETRIES,
): Promise<{ status: number; hasErrorCode: boolean }> {
  const params = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']))
  const path = formatGatewayPath(call, params)
  const answer = hasQueryPayload(call.method)
    ? await visitor.get(path + sample)
    : await visitor.fetch(path, { method: call.method, body: sample, headers: getPageHeaders(visitor) })
  const text = await answer.text()
  if (answer.status === 429 && retriesLeft > 0) {
    await sleep(RETRY_DELAY_MS)
    return sendSample(visitor, call, sample, retriesLeft - 1)
  }
  return { status: answer.status, hasErrorCode: answer.status === 204 || /"code":/.test(text) }
}

const getPageHeaders = (visitor: Visitor): Record<string, string> => ({
  'content-type': 'application/json',
  origin: visitor.portalOrigin,
  'sec-fetch-site': 'same-origin',
  [XSRF_HEADER]: visitor.getCookie(XSRF_COOKIE) ?? '',
})
