import {
  analyticsBatch,
  formatSignedBatch,
  ANALYTICS_BATCH_MAX,
  type StoredAnalyticsEvent,
} from '../../../contract/telemetry/telemetry-calls.ts'
import type { EdgeContext } from '../edge-context.ts'
import type { Settings } from '../settings.ts'
import { buildSignedRequest, sendToSink, type SinkRequest } from './send-to-sink.ts'

/**
 * Sends events to the service at `ANALYTICS_ENDPOINT` or, without one, to the provider (OPEN-102). Splits them into
 * batches, because they can exceed `ANALYTICS_BATCH_MAX`: one web-vitals event becomes one event per metric.
 */
export function forwardAnalyticsEvents(c: EdgeContext, events: readonly StoredAnalyticsEvent[]): void {
  const { settings } = c.var
  for (let from = 0; from < events.length; from += ANALYTICS_BATCH_MAX) {
    const batch = events.slice(from, from + ANALYTICS_BATCH_MAX)
    const request =
      settings.analytics === null
        ? buildProviderRequest(settings, batch)
        : buildServiceRequest(settings.analytics, batch, settings.analyticsSampleRate)
    sendToSink(c, 'Analytics events', request)
  }
}

function buildProviderRequest(settings: Settings, events: readonly StoredAnalyticsEvent[]): SinkRequest {
  const body = JSON.stringify({ events, sample_rate: settings.analyticsSampleRate })
  return buildSignedRequest(settings, analyticsBatch.path, body, formatSignedBatch(body))
}

/** Formats events for the library's own service, HTTP API v2. */
function buildServiceRequest(
  { endpoint, key }: NonNullable<Settings['analytics']>,
  events: readonly StoredAnalyticsEvent[],
  sampleRate: number,
): SinkRequest {
  const body = JSON.stringify({
    api_key: key,
    events: events.map(({ id, type, at, session, device, user, route, build, props }) => ({
      insert_id: id,
      event_type: type,
      time: at,
      session_id: session,
      device_id: device,
      app_version: build,
      ...(user !== '' && { user_id: user }),
      event_properties: { ...props, route, ...(sampleRate > 1 && { sample_rate: sampleRate }) },
    })),
  })
  return { url: endpoint, headers: {}, body }
}
