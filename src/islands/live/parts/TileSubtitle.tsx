import { useStore } from '@nanostores/react'
import { hasLiveVideo } from '../../../domain/live/has-live-video.ts'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $today } from '../../../stores/live/today-events.ts'
import { pictureFrom } from './last-picture-label.ts'
import { usePictureTime } from './use-picture-time.ts'
import { ago } from '../../../domain/time/relative-time.ts'
import { useClockTick } from './use-now.ts'

/** Second line below the name: a stall or the camera's problem; otherwise, sharing and the last event. */
export function TileSubtitle({ camera, tile }: { camera: Device; tile: TileState }) {
  const now = useClockTick(30_000)
  const takenAt = usePictureTime(camera.device_id, tile.phase === 'asleep')
  const last = useStore($today)?.find(({ device_id }) => device_id === camera.device_id)
  if (tile.phase === 'stalled') return <p className="tile-line">The picture has stopped. Connecting again.</p>
  const isThere = camera.state === 'awake' || camera.state === 'asleep'
  if (isThere && camera.state_reason) return <p className="tile-line live-trouble">{camera.state_reason}</p>
  const parts = [
    camera.user_role !== OWNER && 'Shared with you',
    !hasLiveVideo(camera) && camera.device_model,
    tile.phase === 'asleep' && takenAt && now && pictureFrom(takenAt, now.getTime()),
    tile.phase === 'playing' && last && now && `${last.title} · ${ago(now.getTime() - last.event_ts)}`,
  ].filter(Boolean)
  return parts.length > 0 && <p className="tile-line">{parts.join(' · ')}</p>
}
