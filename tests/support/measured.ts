import { createHmac } from 'node:crypto'
import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { ANALYTICS_API_KEY } from '../../contract/telemetry/analytics-events.ts'
import {
  analyticsBatch,
  formatSignedBatch,
  ANALYTICS_EVENTS,
  type StoredAnalyticsEvent,
} from '../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../../provider/env.ts'
import {
  ARCHIVE_NAME,
  listInsightsObjects,
  RETENTION_MS,
  type InsightsObject,
} from '../../provider/telemetry/insights/insights-objects.ts'
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

export const countStoredEvents = async (deployment: TestDeployment, type: string): Promise<number> =>
  (await listStoredEvents(deployment)).filter((event) => event.type === type).length

/** Lists the objects of `Insights` that contain events of a day. */
export const listDayObjects = async (env: Env): Promise<InsightsObject[]> =>
  (await listInsightsObjects(env.DB)).filter(({ name }) => name !== ARCHIVE_NAME)

/** Deletes all events, as the alarm of each object does after the retention. */
export async function deleteStoredEvents(env: Env): Promise<void> {
  for (const { name, day } of await listDayObjects(env))
    await env.INSIGHTS.getByName(name).deleteExpired(day + RETENTION_MS)
}

/** Lists the events of all objects of `Insights`, oldest first. */
export async function listStoredEvents(deployment: TestDeployment): Promise<StoredAnalyticsEvent[]> {
  const worker = deployment.provider.getWorker()
  const events: StoredAnalyticsEvent[] = []
  for (const { name } of await listDayObjects((await worker.getEnv()) as Env)) {
    const storage = await worker.getDurableObjectStorage('INSIGHTS', { name })
    const rows = (await storage.exec('SELECT * FROM events ORDER BY at, id')) as unknown as StoredAnalyticsEvent[]
    events.push(
      ...rows.map((row) => ({ ...row, props: JSON.parse(String(row.props)) as StoredAnalyticsEvent['props'] })),
    )
  }
  return events.toSorted((a, b) => a.at - b.at)
}
