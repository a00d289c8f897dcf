import { useStore } from '@nanostores/react'
import Power from 'lucide-react/icons/power'
import { Suspense, useEffect, useState } from 'react'
import type { LiveStream } from '../../../../contract/live/live-calls.ts'
import { hasLiveVideo } from '../../../domain/live/has-live-video.ts'
import { listAllowedRenditions } from '../../../media/live/quality-selection.ts'
import { $models, loadCameraModels, DEFAULT_RENDITIONS } from '../../../stores/live/camera-models.ts'
import { setRenditionForAll, setCameraPowerState } from '../../../stores/live/camera-settings.ts'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $pinnedRenditions, pinRendition } from '../../../stores/live/pinned-renditions.ts'
import { $streams } from '../../../stores/live/stream-tickets.ts'
import { $tileAudioByCamera, setTileAudio } from '../../../stores/live/tile-audio.ts'
import { useAction } from '../../../ui/use-action.ts'
import { LazyChangeStreams } from '../add-camera/lazy-change-streams.ts'
import { formatRenditionName } from './connection-labels.ts'
import { PlanRow } from './PlanRow.tsx'

/**
 * Video quality, sound, power and plan of a camera. Only the owner can change power and the best quality, because both
 * affect all viewers. A camera with one rendition has no quality setting.
 */
export function QualitySection({ camera }: { camera: Device }) {
  const { device_id, user_role } = camera
  const stream = useStore($streams)[device_id]
  const hasSound = stream?.audio === true
  const isOwner = user_role === OWNER_ROLE
  const hasOneRendition = stream !== undefined && stream.renditions.length < 2
  const isSoundOn = useStore($tileAudioByCamera)[device_id] === true
  return (
    <div className="camera-section">
      {stream && !hasOneRendition && <BrowserQuality deviceId={device_id} stream={stream} />}
      {isOwner && hasLiveVideo(camera) && !hasOneRendition && <CameraQuality camera={camera} />}
      {hasSound && (
        <label className="switch-row">
          <span>
            <b>Sound</b>
            <small>Applies to this browser until you leave the page.</small>
          </span>
          <input
            type="checkbox"
            role="switch"
            checked={isSoundOn}
            onChange={() => setTileAudio(device_id, !isSoundOn)}
          />
        </label>
      )}
      {isOwner && camera.device_model === RTSP_MODEL && <StreamsRow deviceId={device_id} />}
      {isOwner && <PowerRow camera={camera} />}
      <PlanRow camera={camera} />
    </div>
  )
}

/**
 * Setting for the best quality that viewers of the camera can get. While the renditions of the camera are unknown,
 * lists those of its model, else default renditions (OPEN-52). If saving fails, selects the previous choice again
 * (OPEN-53).
 */
function CameraQuality({ camera }: { camera: Device }) {
  const { device_id, device_model } = camera
  const stream = useStore($streams)[device_id]
  const model = useStore($models)?.find((candidate) => candidate.device_model === device_model)
  const [pending, setPending] = useState<string | null>(null)
  useEffect(() => void loadCameraModels(), [])
  const choices = stream?.renditions ?? model?.resolutions ?? DEFAULT_RENDITIONS
  const current = pending ?? stream?.rendition ?? choices.at(-1)

  async function choose(name: string) {
    if (pending !== null || name === current) return
    setPending(name)
    const isDone = await setRenditionForAll(device_id, name)
    if (isDone && stream) $streams.setKey(device_id, { ...stream, rendition: name })
    setPending(null)
  }

  return (
    <div className="switch-row">
      <span>
        <b>Maximum quality</b>
        <small>Applies to everyone who watches this camera.</small>
      </span>
      <div className="seg" role="group" aria-label="Maximum quality">
        {choices.map((name) => (
          <button key={name} type="button" aria-pressed={name === current} onClick={() => void choose(name)}>
            {formatRenditionName(name)}
          </button>
        ))}
      </div>
    </div>
  )
}

function BrowserQuality({ deviceId, stream: { renditions, rendition } }: { deviceId: string; stream: LiveStream }) {
  const names = listAllowedRenditions({ offered: renditions, chosen: rendition ?? null })
  const pin = useStore($pinnedRenditions)[deviceId] ?? null
  const pinned = pin !== null && names.includes(pin) ? pin : null
  return (
    <div className="switch-row">
      <span>
        <b>Video quality</b>
        <small>Automatic adjusts to the video size and your connection. Applies to this browser only.</small>
      </span>
      <div className="seg" role="group" aria-label="Video quality">
        {[null, ...names].map((name) => (
          <button key={name} type="button" aria-pressed={name === pinned} onClick={() => pinRendition(deviceId, name)}>
            {name === null ? 'Automatic' : formatRenditionName(name)}
          </button>
        ))}
      </div>
    </div>
  )
}

/** Model of the cameras whose addresses the hub stores. */
const RTSP_MODEL = 'PL-RTSP'

function StreamsRow({ deviceId }: { deviceId: string }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <Suspense fallback={<p className="text-small">Loading…</p>}>
        <LazyChangeStreams deviceId={deviceId} close={() => setOpen(false)} />
      </Suspense>
    )
  return (
    <div className="switch-row">
      <span>
        <b>Streams</b>
        <small>Main stream and sub-stream addresses.</small>
      </span>
      <button type="button" className="btn btn-sm btn-outline" onClick={() => setOpen(true)}>
        Change streams
      </button>
    </div>
  )
}

function PowerRow({ camera: { device_id, iot_power, state } }: { camera: Device }) {
  const isOn = iot_power !== 0 && state !== 'switched_off'
  const { isBusy, run } = useAction()
  return (
    <>
      <div className="switch-row">
        <span>
          <b>{isOn ? 'Camera is on' : 'Camera is off'}</b>
          <small>{isOn ? 'Turn off to stop live video and recording.' : 'It doesn’t stream or record.'}</small>
        </span>
        <button
          type="button"
          className="btn btn-sm btn-outline"
          aria-disabled={isBusy}
          onClick={() => void run(() => setCameraPowerState(device_id, !isOn))}
        >
          <Power size={16} aria-hidden="true" />
          {isOn ? 'Turn off' : 'Turn on'}
        </button>
      </div>
    </>
  )
}
