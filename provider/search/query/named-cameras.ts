import type { SqlStorage } from '@cloudflare/workers-types'
import { listDeviceRows } from '../../homes/devices/device-rows.ts'
import { parseCameraAreas } from '../../homes/devices/camera-area-rows.ts'
import type { NamedCamera } from './parse-query.ts'

export function listNamedCameras(sql: SqlStorage): NamedCamera[] {
  return listDeviceRows(sql).map(({ device_id, nickname, places }) => {
    const areas = parseCameraAreas(places)
    return { device_id, name: nickname, ...(areas.length > 0 ? { areas } : {}) }
  })
}
