import { setTimeout as sleep } from 'node:timers/promises'
import { GATEWAY_CALLS } from '../../contract/all-calls.ts'
import { gatewayPath, isInQuery, type Call } from '../../contract/wire/call.ts'
import { userLogout } from '../../contract/auth/user-calls.ts'
import { XSRF_COOKIE, XSRF_HEADER } from '../../contract/wire/constants.ts'
import { signIn } from '../support/edge.ts'
import { Visitor } from '../support/visitor.ts'
import type { FaultResult } from './fault-result.ts'
import type { System } from './system.ts'

const LONG = 'x'.repeat(60_000)
const DEEP = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
/** Request bodies that are malformed, have another shape, or contain a value that no field accepts. */
const BODIES: readonly string[] = [
  ...['', 'null', '[]', '"text"', '7', '{', '{"a":', '\u0000', '{"a":1}trailing', "{'a':1}"],
  ...['{"__proto__":{"a":1}}', '{"constructor":{"prototype":1}}', '{"device_id":"\\ud800"}', DEEP],
  ...[null, 7, -1, 1e308, '', [], {}, [[[]]], true, "'; DROP TABLE events; --", '../../etc', LONG].map(everywhere),
]
const QUERIES: readonly string[] = [
  ...['', '?', '?a', '?a=1&a=2', '?=1', '?%', '?%00=1', '?__proto__=1', '?nonce=7', `?a=${'x'.repeat(6000)}`],
  ...['?user_id=somebody', '?home_id=../..', '?home_id=%27%3B', '?count=-1', '?page=1e9', '?device_id[]=1'],
]

/** Returns a body that has this value in every field that a call of the contract might have. */
function everywhere(value: unknown): string {
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
  const more = ['settings', 'files', 'email', 'role', 'name', 'nickname', 'data', 'order_by', 'nonce', 'user_id', 'env']
  return JSON.stringify(Object.fromEntries([...fields, ...more].map((field) => [field, value])))
}

/**
 * Sends malformed calls as the owner through the portal. Each response must have a JSON code and a status below 500.
 */
export async function sendMalformed(system: System): Promise<FaultResult> {
  const visitor = new Visitor(system.origin)
  await signIn(visitor)
  let [attempts, held] = [0, 0]
  const kinds = new Map<number, number>()
  for (const call of GATEWAY_CALLS.filter((gatewayCall) => gatewayCall !== userLogout)) {
    for (const sample of isInQuery(call.method) ? QUERIES : BODIES) {
      const { status, isTold } = await send(visitor, call, sample)
      attempts++
      kinds.set(status, (kinds.get(status) ?? 0) + 1)
      if (status < 500 && isTold) held++
      else console.error(`${call.method} ${call.path} answered ${status} to ${sample.slice(0, 80)}`)
    }
  }
  const note = [...kinds].sort().map(([status, count]) => `${count} × ${status}`)
  return {
    promise: 'malformed calls of all kinds: a code and a sentence, never a failure of ours',
    tried: attempts,
    held,
    note: note.join(', '),
  }
}

/** Delay before a rate-limited call is retried, ms, and the number of retries. */
const LATER_MS = 300
const AGAIN = 20

async function send(
  visitor: Visitor,
  call: Call,
  sample: string,
  again = AGAIN,
): Promise<{ status: number; isTold: boolean }> {
  const params = Object.fromEntries([...call.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, 'x']))
  const path = gatewayPath(call, params)
  const answer = isInQuery(call.method)
    ? await visitor.get(path + sample)
    : await visitor.fetch(path, { method: call.method, body: sample, headers: ofPage(visitor) })
  const text = await answer.text()
  if (answer.status === 429 && again > 0) {
    await sleep(LATER_MS)
    return send(visitor, call, sample, again - 1)
  }
  return { status: answer.status, isTold: answer.status === 204 || /"code":/.test(text) }
}

/** Headers that the portal's own page sends with a body. */
const ofPage = (visitor: Visitor): Record<string, string> => ({
  ...{ 'content-type': 'application/json', origin: visitor.portal, 'sec-fetch-site': 'same-origin' },
  [XSRF_HEADER]: visitor.cookie(XSRF_COOKIE) ?? '',
})
