import { USER_AGENT_MAX } from '../../../contract/wire/constants.ts'
import { maskValue } from '../../../contract/telemetry/mask-secrets.ts'
import { readLoggedEntries } from '../shell/action-log.ts'
import { $liveLogs } from './connection-log.ts'
import type { Device } from '../home/devices.ts'
import { getQualityPreference } from './pinned-renditions.ts'
import { $streams } from './stream-tickets.ts'
import { $tiles, getTileState } from './live-tiles.ts'
import { $connectionResults } from './connection-results.ts'

/** Returns masked diagnostics for a camera that does not play. They contain no names, addresses or tickets. */
export function collectDiagnostics(camera: Device): unknown {
  const { device_id, device_model, firmware_version, state, state_reason, state_since, user_role } = camera
  const stream = $streams.get()[device_id]
  return maskValue({
    product: 'live-view',
    build: import.meta.env.BUILD_ID as unknown,
    time: new Date().toISOString(),
    browser: navigator.userAgent.slice(0, USER_AGENT_MAX),
    online: navigator.onLine,
    camera: { device_id, device_model, firmware_version, state, state_reason, state_since, user_role },
    stream: stream && {
      provider: stream.provider,
      renditions: stream.renditions,
      rendition: stream.rendition ?? null,
      pin: getQualityPreference(device_id).pin,
      dual: stream.dual,
      audio: stream.audio,
      battery: stream.battery,
      ice_servers: stream.ice_servers.length,
    },
    tile: getTileState($tiles.get(), device_id),
    connection: getConnectionResult(device_id),
    log: $liveLogs.get()[device_id] ?? [],
    requests: readLoggedEntries(),
  })
}

function getConnectionResult(deviceId: string): 'connected' | 'failed' | 'none' {
  const { success, failure } = $connectionResults.get()
  if (success.includes(deviceId)) return 'connected'
  return failure.includes(deviceId) ? 'failed' : 'none'
}

export function saveDiagnostics(camera: Device): void {
  const text = JSON.stringify(collectDiagnostics(camera), null, 2)
  const blobUrl = URL.createObjectURL(new Blob([text], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), {
    href: blobUrl,
    download: `camera-${camera.device_id}-${new Date().toISOString().slice(0, 10)}.json`,
  })
  link.click()
  URL.revokeObjectURL(blobUrl)
}
