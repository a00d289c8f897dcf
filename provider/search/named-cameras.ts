import type { SqlStorage } from '@cloudflare/workers-types'
import { listDevices } from '../devices/device-rows.ts'
import { placesIn } from '../devices/place-rows.ts'
import type { NamedCamera } from './understand.ts'

/** The cameras of a home as they are called now, and where its owner says that they look. */
export function namedCameras(sql: SqlStorage): NamedCamera[] {
  return listDevices(sql).map(({ device_id, nickname, places }) => {
    const areas = placesIn(places)
    return { device_id, name: nickname, ...(areas.length > 0 ? { areas } : {}) }
  })
}
