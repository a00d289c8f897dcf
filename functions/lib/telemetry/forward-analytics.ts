import {
  analyticsBatch,
  batchContent,
  MEASURED_BATCH_MAX,
  type MeasuredEvent,
} from '../../../contract/telemetry/telemetry-calls.ts'
import type { EdgeContext } from '../edge-context.ts'
import type { Settings } from '../settings.ts'
import { forProvider, sendToSink, type SinkRequest } from './send-to-sink.ts'

/**
 * Sends events to the service at `ANALYTICS_ENDPOINT`, else to the provider (OPEN-102). Splits them into batches,
 * because one event of the library can become five.
 */
export function forwardEvents(c: EdgeContext, events: readonly MeasuredEvent[]): void {
  const { settings } = c.var
  for (let from = 0; from < events.length; from += MEASURED_BATCH_MAX) {
    const some = events.slice(from, from + MEASURED_BATCH_MAX)
    const parcel = settings.analytics === null ? toProvider(settings, some) : toService(settings.analytics, some)
    sendToSink(c, 'Measured events', parcel)
  }
}

function toProvider(settings: Settings, events: readonly MeasuredEvent[]): SinkRequest {
  const body = JSON.stringify({ events })
  return forProvider(settings, analyticsBatch.path, body, batchContent(body))
}

/** Formats events for the library's own service, HTTP API v2. */
function toService(
  { endpoint, key }: NonNullable<Settings['analytics']>,
  events: readonly MeasuredEvent[],
): SinkRequest {
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
