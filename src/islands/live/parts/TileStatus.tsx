import Power from 'lucide-react/icons/power'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Sun from 'lucide-react/icons/sun'
import { hasLiveVideo } from '../../../domain/live/has-live-video.ts'
import type { TileState } from '../../../media/live/tile-state-machine.ts'
import { openCamera } from '../../../stores/live/camera-dialog.ts'
import { switchPower } from '../../../stores/live/camera-settings.ts'
import { OWNER } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { retryCamera, wakeCamera } from '../../../stores/live/live-tiles.ts'
import { useAct } from '../../../ui/use-action.ts'
import { Ring } from './WakeProgressRing.tsx'
import { NO_LIVE_PICTURE, rung, sentence, stepWord } from './tile-status-text.ts'

/** Center of a tile that does not play: progress of the connection, or one sentence and one button. */
export function TileStatus({ camera, tile }: { camera: Device; tile: TileState }) {
  const { phase } = tile
  if (phase === 'playing' || phase === 'idle' || phase === 'stalled') return null
  if (phase === 'asleep') return <Asleep deviceId={camera.device_id} />
  if (phase === 'failed') return <Failed camera={camera} tile={tile} />
  const isWaking = phase === 'waking' || tile.wakingAt !== null
  return (
    <>
      {isWaking && <div className="veil" />}
      <div className="tile-middle live-starting" data-late={!isWaking}>
        <Ring from={tile.wakingAt ?? tile.beganAt} />
        <Ladder climbed={rung(phase)} />
        <span>{stepWord(phase)}</span>
      </div>
    </>
  )
}

function Ladder({ climbed }: { climbed: number }) {
  return (
    <div className="live-ladder" aria-hidden="true">
      {[1, 2, 3, 4].map((step) => (
        <i key={step} data-step={climbed >= step ? 'done' : climbed + 1 === step ? 'current' : 'ahead'} />
      ))}
    </div>
  )
}

function Asleep({ deviceId }: { deviceId: string }) {
  return (
    <div className="tile-middle live-asleep">
      <button type="button" className="btn btn-sm btn-white" onClick={() => wakeCamera(deviceId)}>
        <Sun size={18} aria-hidden="true" />
        <span>Wake</span>
      </button>
    </div>
  )
}

function Failed({ camera, tile }: { camera: Device; tile: TileState }) {
  const { device_id, user_role } = camera
  if (tile.reason === 'no-stream' && !hasLiveVideo(camera)) return <NoLivePicture deviceId={device_id} />
  return (
    <div className="tile-middle live-failed">
      <p>{sentence(tile)}</p>
      {tile.reason === 'camera-off' && user_role === OWNER ? (
        <SwitchOn deviceId={device_id} />
      ) : (
        <button type="button" className="btn btn-sm btn-dark" onClick={() => retryCamera(device_id)}>
          <RotateCcw size={16} aria-hidden="true" />
          Try again
        </button>
      )}
      <button type="button" className="live-why" onClick={() => openCamera(device_id, 'details')}>
        Details
      </button>
    </div>
  )
}

/** Shown for a device without live video. This is not an error, so there is no retry button. */
function NoLivePicture({ deviceId }: { deviceId: string }) {
  return (
    <div className="tile-middle live-failed">
      <p>{NO_LIVE_PICTURE}</p>
      <a className="btn btn-sm btn-dark" href={`/events?cameras=${encodeURIComponent(deviceId)}`}>
        Its events
      </a>
      <button type="button" className="live-why" onClick={() => openCamera(deviceId, 'details')}>
        Details
      </button>
    </div>
  )
}

function SwitchOn({ deviceId }: { deviceId: string }) {
  const { isBusy, run } = useAct()
  return (
    <>
      <button
        type="button"
        className="btn btn-sm btn-white"
        aria-disabled={isBusy}
        onClick={() => void run(() => switchPower(deviceId, true))}
      >
        <Power size={16} aria-hidden="true" />
        {isBusy ? 'Switching on' : 'Switch on'}
      </button>
    </>
  )
}
