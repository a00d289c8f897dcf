import { useStore } from '@nanostores/react'
import { hasLiveVideo } from '../../../domain/live/has-live-video.ts'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $todayEvents } from '../../../stores/live/today-events.ts'
import { formatLastPicture } from './last-picture-label.ts'
import { usePictureTime } from './use-picture-time.ts'
import { formatAge } from '../../../domain/time/relative-time.ts'
import { useClockTick } from './use-now.ts'

/**
 * Line below the name of a camera: a stall or a problem of the camera. Otherwise, lists what applies: that the camera
 * is shared, its model if it has no live video, its last picture if it is asleep, today's last event if it plays.
 */
export function TileSubtitle({ camera, tile }: { camera: Device; tile: TileState }) {
  const now = useClockTick(30_000)
  const takenAt = usePictureTime(camera.device_id, tile.phase === 'asleep')
  const lastEvent = useStore($todayEvents)?.find(({ device_id }) => device_id === camera.device_id)
  if (tile.phase === 'stalled') return <p className="tile-line">Video paused. Reconnecting…</p>
  const isReachable = camera.state === 'awake' || camera.state === 'asleep'
  if (isReachable && camera.state_reason) return <p className="tile-line live-trouble">{camera.state_reason}</p>
  const parts = [
    camera.user_role !== OWNER_ROLE && 'Shared with you',
    !hasLiveVideo(camera) && camera.device_model,
    tile.phase === 'asleep' && takenAt && now && formatLastPicture(takenAt, now.getTime()),
    tile.phase === 'playing' &&
      lastEvent &&
      now &&
      `${lastEvent.title} · ${formatAge(now.getTime() - lastEvent.event_ts)}`,
  ].filter(Boolean)
  return parts.length > 0 && <p className="tile-line">{parts.join(' · ')}</p>
}
