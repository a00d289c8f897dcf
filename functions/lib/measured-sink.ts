import { SIGNATURE_HEADER } from '../../contract/environment.ts'
import { analyticsBatch, batchContent, type MeasuredEvent } from '../../contract/telemetry.ts'
import { hmacHex } from './bytes.ts'
import type { EdgeContext } from './context.ts'
import type { Settings } from './env.ts'

/** A sink that has not answered by then is not waited for. */
export const SINK_TIMEOUT_MS = 4000
/** Batches under way at once in an isolate; what comes on top is lost, so that a slow sink holds no memory. */
export const UNDER_WAY_MAX = 64

let underWay = 0

/**
 * Hands a batch to the service that `ANALYTICS_ENDPOINT` names, else to the provider (OPEN-102). Nobody waits for it, and a
 * failure is one line.
 */
export function forwardEvents(c: EdgeContext, events: readonly MeasuredEvent[]): void {
  if (underWay >= UNDER_WAY_MAX) return console.error('Measured events were lost: too many are under way.')
  underWay += 1
  const task = send(c.var.settings, events)
    .catch(() => console.error('Measured events were not taken.'))
    .finally(() => (underWay -= 1))
  c.executionCtx.waitUntil(task)
}

async function send(settings: Settings, events: readonly MeasuredEvent[]): Promise<void> {
  const { url, headers, body } =
    settings.analytics === null ? toProvider(settings, events) : toService(settings.analytics, events)
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(SINK_TIMEOUT_MS),
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The sink answered ${answer.status}.`)
}

function toProvider(settings: Settings, events: readonly MeasuredEvent[]) {
  const body = JSON.stringify({ events })
  const headers = { [SIGNATURE_HEADER]: hmacHex(settings.MEDIA_KEY, batchContent(body)) }
  return { url: settings.PROVIDER_ORIGIN + analyticsBatch.path, headers, body }
}

/** In the form of the library's own service, HTTP v2. */
function toService({ endpoint, key }: NonNullable<Settings['analytics']>, events: readonly MeasuredEvent[]) {
  const body = JSON.stringify({
    api_key: key,
    events: events.map(({ id, type, at, session, device, user, route, build, props }) => ({
      ...{ insert_id: id, event_type: type, time: at, session_id: session, device_id: device, app_version: build },
      ...(user !== '' && { user_id: user }),
      event_properties: { ...props, route },
    })),
  })
  return { url: endpoint, headers: {}, body }
}
