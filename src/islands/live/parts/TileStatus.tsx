import Power from 'lucide-react/icons/power'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Sun from 'lucide-react/icons/sun'
import { hasLiveVideo } from '../../../domain/live/has-live-video.ts'
import type { TileState, TilePhase, PlaybackFailureReason } from '../../../media/live/tile-state-machine.ts'
import { openCameraDialog } from '../../../stores/live/camera-dialog.ts'
import { setCameraPowerState } from '../../../stores/live/camera-settings.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { retryCamera, wakeCamera } from '../../../stores/live/live-tiles.ts'
import { useAction } from '../../../ui/use-action.ts'
import { USUAL_WAKE_S, WakeProgressRing } from './WakeProgressRing.tsx'
import { BRAND_NAME } from '../../../../contract/brand.ts'

const REASON_TEXTS: Record<PlaybackFailureReason, string> = {
  'camera-offline': 'Can’t reach the camera.',
  'camera-off': 'The camera is off.',
  'bridge-off': 'The hub for this camera is offline.',
  'no-stream': 'No live video from this camera right now.',
  'no-service': `Can’t reach ${BRAND_NAME}. Retrying…`,
  'no-answer': 'The camera isn’t responding. Retrying…',
  'udp-blocked': 'This browser or network blocks live video. Try another browser or network.',
  'no-path': 'Couldn’t connect to the camera. Retrying…',
  'connection-lost': 'Lost connection to the camera. Retrying…',
  'no-picture': 'The camera is connected but isn’t sending video.',
  'no-h264': 'This browser can’t play video from this camera. Try another browser.',
  'no-webrtc': 'This browser doesn’t support live video. Try another browser.',
}

/** Text for a device in the camera category that has no live video, because it is not a camera. */
const NO_LIVE_VIDEO_TEXT = 'This device has no live video. View its events instead.'

/** Returns the sentence that was reported with the camera state, if any; else the text for the failure reason. */
function getStatusText(tile: TileState): string {
  return tile.text || REASON_TEXTS[tile.reason ?? 'no-service']
}

/**
 * Returns the number of completed steps, 0 to 4. The steps are: the camera is awake, the signaling socket is open, the
 * connection is established, and the video plays.
 */
function countCompletedSteps(phase: TilePhase): number {
  if (phase === 'playing') return 4
  if (phase === 'waiting-for-keyframe' || phase === 'connected') return 3
  if (phase === 'signalling') return 2
  return phase === 'starting' ? 1 : 0
}

function getStepLabel(phase: TilePhase): string {
  if (phase === 'waking') return `Waking the camera · usually ${USUAL_WAKE_S} s`
  return phase === 'connected' || phase === 'waiting-for-keyframe' ? 'Waiting for video…' : 'Connecting…'
}

/**
 * Center of a tile or of the large video while no video plays: a wake button, the connection progress, or a sentence
 * with buttons. Empty while the tile is idle or stalled.
 */
export function TileStatus({ camera, tile }: { camera: Device; tile: TileState }) {
  const { phase } = tile
  if (phase === 'playing' || phase === 'idle' || phase === 'stalled') return null
  if (phase === 'asleep') return <WakeButton deviceId={camera.device_id} />
  if (phase === 'failed') return <FailedStatus camera={camera} tile={tile} />
  const isWaking = phase === 'waking' || tile.wakingAt !== null
  return (
    <>
      <div className="veil" data-late={!isWaking} />
      <div className="tile-middle live-starting" data-late={!isWaking}>
        <WakeProgressRing startedAt={tile.wakingAt ?? tile.beganAt} />
        <ConnectionProgress completedSteps={countCompletedSteps(phase)} />
        <span>{getStepLabel(phase)}</span>
      </div>
    </>
  )
}

function ConnectionProgress({ completedSteps }: { completedSteps: number }) {
  return (
    <div className="live-ladder" aria-hidden="true">
      {[1, 2, 3, 4].map((step) => (
        <i key={step} data-step={completedSteps >= step ? 'done' : completedSteps + 1 === step ? 'current' : 'ahead'} />
      ))}
    </div>
  )
}

function WakeButton({ deviceId }: { deviceId: string }) {
  return (
    <div className="tile-middle live-asleep">
      <button type="button" className="btn btn-sm btn-white" onClick={() => wakeCamera(deviceId)}>
        <Sun size={18} aria-hidden="true" />
        <span>Wake</span>
      </button>
    </div>
  )
}

function FailedStatus({ camera, tile }: { camera: Device; tile: TileState }) {
  const { device_id, user_role } = camera
  if (tile.reason === 'no-stream' && !hasLiveVideo(camera)) return <NoLiveVideo deviceId={device_id} />
  return (
    <div className="tile-middle live-failed">
      <p>{getStatusText(tile)}</p>
      {tile.reason === 'camera-off' && user_role === OWNER_ROLE ? (
        <SwitchOnButton deviceId={device_id} />
      ) : (
        <button type="button" className="btn btn-sm btn-dark" onClick={() => retryCamera(device_id)}>
          <RotateCcw size={16} aria-hidden="true" />
          Try again
        </button>
      )}
      <button type="button" className="live-why" onClick={() => openCameraDialog(device_id, 'details')}>
        Details
      </button>
    </div>
  )
}

/** Text for a device without live video. There is no retry button, because this state is not an error. */
function NoLiveVideo({ deviceId }: { deviceId: string }) {
  return (
    <div className="tile-middle live-failed">
      <p>{NO_LIVE_VIDEO_TEXT}</p>
      <a className="btn btn-sm btn-dark" href={`/events?cameras=${encodeURIComponent(deviceId)}`}>
        View events
      </a>
      <button type="button" className="live-why" onClick={() => openCameraDialog(deviceId, 'details')}>
        Details
      </button>
    </div>
  )
}

function SwitchOnButton({ deviceId }: { deviceId: string }) {
  const { isBusy, run } = useAction()
  return (
    <>
      <button
        type="button"
        className="btn btn-sm btn-white"
        aria-disabled={isBusy}
        onClick={() => void run(() => setCameraPowerState(deviceId, true))}
      >
        <Power size={16} aria-hidden="true" />
        {isBusy ? 'Turning on…' : 'Turn on'}
      </button>
    </>
  )
}
