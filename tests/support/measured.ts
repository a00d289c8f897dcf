import { createHmac } from 'node:crypto'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { ANALYTICS_API_KEY } from '../../contract/telemetry/analytics-events.ts'
import {
  analyticsBatch,
  formatSignedBatch,
  ANALYTICS_EVENTS,
  type StoredAnalyticsEvent,
} from '../../contract/telemetry/telemetry-calls.ts'
import type { RunEnvironment } from '../../scripts/lib/secrets.ts'
import type { TestDeployment } from './harness.ts'
import type { Visitor } from './visitor.ts'

export const createUuid = (n: number): string => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

/** Returns an event as the analytics library sends it. `at`: ms UTC. */
export const createRawEvent = (n: number, at: number, change: object = {}) => ({
  event_type: ANALYTICS_EVENTS.priceShown,
  insert_id: createUuid(n),
  device_id: createUuid(1),
  user_id: 'user_1a',
  time: at,
  session_id: at - 1000,
  library: 'amplitude-ts/2.47.1',
  platform: 'Web',
  language: 'en-US',
  event_properties: { route: '/account/services', plan: 'unlimited', period: 'annual' },
  ...change,
})

/** Returns the event of `createRawEvent` as the provider stores it. */
export const createStoredEvent = (
  n: number,
  at: number,
  change: Partial<StoredAnalyticsEvent> = {},
): StoredAnalyticsEvent => ({
  id: createUuid(n),
  type: ANALYTICS_EVENTS.priceShown,
  at,
  session: at - 1000,
  device: createUuid(1),
  user: 'user_1a',
  route: '/account/services',
  build: 'test',
  props: { plan: 'unlimited', period: 'annual' },
  ...change,
})

/** Sends a batch to the portal as the analytics library does. `change` adds or overrides headers. */
export const sendBatch = (visitor: Visitor, batch: unknown, change: Record<string, string> = {}): Promise<Response> =>
  visitor.fetch(analyticsBatch.path, {
    method: 'POST',
    body: typeof batch === 'string' ? batch : JSON.stringify(batch),
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      origin: visitor.portalOrigin,
      'sec-fetch-site': 'same-origin',
      ...change,
    },
  })

export const createBatch = (...events: unknown[]) => ({ api_key: ANALYTICS_API_KEY, events, options: {} })

/** Sends a batch to the provider as the edge does. `signature` replaces the edge's signature. */
export function sendSignedBatch(env: RunEnvironment, batch: unknown, signature?: string): Promise<Response> {
  const body = typeof batch === 'string' ? batch : JSON.stringify(batch)
  const edgeSignature = createHmac('sha256', env.MEDIA_KEY).update(formatSignedBatch(body)).digest('hex')
  const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signature ?? edgeSignature }
  return fetch(env.PROVIDER_ORIGIN + analyticsBatch.path, { method: 'POST', headers, body })
}

export async function countStoredEvents(deployment: TestDeployment, type: string): Promise<number> {
  const storage = await deployment.provider.getWorker().getDurableObjectStorage('INSIGHTS', { name: 'all' })
  const [row] = await storage.exec('SELECT count(*) AS n FROM events WHERE type = ?', type)
  return Number(row?.['n'])
}

export async function listStoredEvents(
  deployment: TestDeployment,
  objectName = 'all',
): Promise<StoredAnalyticsEvent[]> {
  const storage = await deployment.provider.getWorker().getDurableObjectStorage('INSIGHTS', { name: objectName })
  const rows = (await storage.exec(
    'SELECT id, type, at, session, device, user, route, build, props FROM events ORDER BY rowid',
  )) as unknown as (StoredAnalyticsEvent & {
    props: string
  })[]
  return rows.map((row) => ({ ...row, props: JSON.parse(row.props) as StoredAnalyticsEvent['props'] }))
}
