import { useStore } from '@nanostores/react'
import Camera from 'lucide-react/icons/camera'
import Maximize2 from 'lucide-react/icons/maximize-2'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { formatFrameTime, timeLabel } from '../../../domain/time/date-formats.ts'
import type { TimedClip } from '../../../domain/events/synced-playback.ts'
import { captureVideo } from '../../../media/live/capture-frame.ts'
import { hasSound } from '../../../media/clip/clip-player.ts'
import { attachClip } from '../../../media/clip/attach-clip.ts'
import type { SyncedPlayer, SyncedCameraState } from '../../../media/sync/synced-player.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { type ClipSource, refreshClipUrl } from '../../../stores/events/synced-playback.ts'
import { saveFrame } from '../../../stores/shell/save-image.ts'

interface SyncedCameraProps {
  readonly step: SyncedPlayer
  readonly playing: SyncedCameraState
  readonly clip: TimedClip
  /** Null while the clip's source is loading. */
  readonly from: ClipSource | null
  readonly isLarge: boolean
  readonly isHeard: boolean
  readonly onLarge: () => void
  readonly onSound: () => void
}

/**
 * Video of one camera at the current moment, with the capture time of its frame. If the camera has no clip at that
 * moment, the tile shows when its clip begins or ended.
 */
export function SyncedCamera({ step, playing, clip, from, isLarge, isHeard, onLarge, onSound }: SyncedCameraProps) {
  const { camera, isFailed } = playing
  const name = useStore($cameraNames).get(camera) ?? 'A camera'
  const [hasAudio, setHasAudio] = useState(false)
  const video = useRef<HTMLVideoElement>(null)
  const handleSound = () => {
    setHasAudio(true)
    onSound()
  }
  return (
    <figure className="tile same-time-picture" data-place={playing.place}>
      <ClipVideo
        key={clip.event.event_id}
        video={video}
        step={step}
        camera={camera}
        clip={clip}
        from={from}
        label={`${name}: ${clip.event.title}`}
        onSound={handleSound}
      />
      <button
        type="button"
        className="same-time-choose"
        aria-label={isLarge ? `${name} is enlarged` : `Enlarge ${name}`}
        aria-pressed={isLarge}
        onClick={onLarge}
      />
      <CameraHeader name={name} playing={playing} clip={clip} isHeard={isHeard} />
      <figcaption className="tile-bottom">
        <span className="tile-name">{clip.event.title}</span>
        <span className="same-time-buttons">
          {hasAudio && (
            <SoundButton name={name} isHeard={isHeard} hear={() => step.setAudibleCamera(isHeard ? null : camera)} />
          )}
          <SnapshotButton name={name} playing={playing} video={video} />
          {!isLarge && (
            <button type="button" className="tile-btn" aria-hidden tabIndex={-1} onClick={onLarge}>
              <Maximize2 size={18} aria-hidden />
            </button>
          )}
        </span>
      </figcaption>
      {isFailed && (
        <div className="tile-middle" role="alert">
          <p>{from?.state === 'missing' ? from.text : 'The clip stopped loading.'}</p>
          <button type="button" className="btn btn-white btn-sm" onClick={() => void refreshClipUrl(clip.event)}>
            Try again
          </button>
        </div>
      )}
    </figure>
  )
}

type CameraHeaderProps = Pick<SyncedCameraProps, 'playing' | 'clip' | 'isHeard'> & { readonly name: string }

function CameraHeader({ name, playing: { place, picture }, clip, isHeard }: CameraHeaderProps) {
  const clipNote = { before: `starts ${timeLabel(clip.begin)}`, during: '', after: `ended ${timeLabel(clip.end)}` }[
    place
  ]
  return (
    <div className="tile-top">
      <span className="pill">{name}</span>
      {isHeard && (
        <span className="pill">
          <Volume2 size={14} aria-hidden />
          Sound on
        </span>
      )}
      <span className="pill same-time-clock">
        {picture === null || place !== 'during' ? clipNote || '–' : formatFrameTime(picture)}
      </span>
    </div>
  )
}

function SoundButton({ name, isHeard, hear }: { name: string; isHeard: boolean; hear: () => void }) {
  const Icon = isHeard ? Volume2 : VolumeX
  return (
    <button
      type="button"
      className="tile-btn"
      aria-label={isHeard ? `Mute ${name}` : `Unmute ${name}`}
      title={isHeard ? 'Mute' : 'Unmute'}
      onClick={hear}
    >
      <Icon size={18} aria-hidden />
    </button>
  )
}

interface SnapshotButtonProps {
  readonly name: string
  readonly playing: SyncedCameraState
  readonly video: RefObject<HTMLVideoElement | null>
}

function SnapshotButton({ name, playing: { place, picture }, video }: SnapshotButtonProps) {
  if (picture === null || place !== 'during') return null
  const save = () => {
    const element = video.current
    if (element) void saveFrame(() => captureVideo(element), name, picture)
  }
  return (
    <button
      type="button"
      className="tile-btn same-time-snapshot"
      aria-label={`Save a snapshot of ${name}`}
      title="Snapshot"
      onClick={save}
    >
      <Camera size={18} aria-hidden />
    </button>
  )
}

interface ClipVideoProps {
  readonly video: RefObject<HTMLVideoElement | null>
  readonly step: SyncedPlayer
  readonly camera: string
  readonly clip: TimedClip
  readonly from: ClipSource | null
  readonly label: string
  readonly onSound: () => void
}

function ClipVideo({ video, step, camera, clip, from, label, onSound }: ClipVideoProps) {
  const id = clip.event.event_id
  useEffect(() => (video.current ? step.attach(camera, id, video.current) : undefined), [video, step, camera, id])
  useEffect(() => {
    const element = video.current
    if (!element || !from) return
    step.setClipUnavailable(camera, id, from.state === 'missing')
    return from.state === 'ready'
      ? attachClip(element, from, () => step.setClipUnavailable(camera, id, true))
      : undefined
  }, [video, step, camera, id, from])
  return (
    <video
      ref={video}
      // Clips come from another origin; without CORS their frames cannot be saved.
      crossOrigin="anonymous"
      poster={`/m/thumb/${id}`}
      muted
      playsInline
      preload="auto"
      aria-label={label}
      // Checks repeatedly, because the browser detects sound only after it has decoded a part of the clip.
      onTimeUpdate={(event) => hasSound(event.currentTarget) && onSound()}
    />
  )
}
