import { analyticsBatch, batchContent, type MeasuredEvent } from '../../contract/telemetry.ts'
import type { EdgeContext } from './context.ts'
import type { Settings } from './env.ts'
import { forProvider, handOn, type Parcel } from './sink.ts'

/** Hands a batch to the service that `ANALYTICS_ENDPOINT` names, else to the provider (OPEN-102). */
export function forwardEvents(c: EdgeContext, events: readonly MeasuredEvent[]): void {
  const { settings } = c.var
  const parcel = settings.analytics === null ? toProvider(settings, events) : toService(settings.analytics, events)
  handOn(c, 'Measured events', parcel)
}

function toProvider(settings: Settings, events: readonly MeasuredEvent[]): Parcel {
  const body = JSON.stringify({ events })
  return forProvider(settings, analyticsBatch.path, body, batchContent(body))
}

/** In the form of the library's own service, HTTP v2. */
function toService({ endpoint, key }: NonNullable<Settings['analytics']>, events: readonly MeasuredEvent[]): Parcel {
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
