import Maximize from 'lucide-react/icons/maximize'
import Minimize from 'lucide-react/icons/minimize'
import Pause from 'lucide-react/icons/pause'
import PictureInPicture2 from 'lucide-react/icons/picture-in-picture-2'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import ScanSearch from 'lucide-react/icons/scan-search'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import { useStore } from '@nanostores/react'
import { type RefObject, useSyncExternalStore } from 'react'
import type { ClipPlayer, PlayerState } from '../../../media/clip/clip-player.ts'
import { $showsDetections } from '../../../stores/events/show-detections.ts'
import { PlayerMenu } from './PlayerMenu.tsx'
import { EventNavigation } from './EventNavigation.tsx'
import { useIsPhone } from '../../../ui/use-media.ts'
import { durationLabel } from '../../../domain/time/date-formats.ts'

export const SKIP_S = 10

interface PlaybackControlsProps {
  readonly player: ClipPlayer
  readonly state: PlayerState
  /** Element that fills the screen in full-screen mode. */
  readonly frame: RefObject<HTMLElement | null>
  readonly hasDetections: boolean
}

export function PlaybackControls({ player, state, frame, hasDetections }: PlaybackControlsProps) {
  const isPhone = useIsPhone()
  const size = isPhone ? 26 : 20
  const label = state.playing ? 'Pause' : 'Play'
  const Icon = state.playing ? Pause : Play
  return (
    <div className="transport-row flex items-center gap-1 max-md:flex-col max-md:gap-3 max-md:px-4 max-md:pb-4 md:h-11">
      {isPhone && <PlaybackTime state={state} />}
      <div className="flex items-center gap-1 max-md:w-full max-md:justify-between">
        <EventNavigation size={size}>
          <button
            type="button"
            className="transport"
            aria-label="Back 10 seconds"
            title="Back 10 seconds (J)"
            onClick={() => player.skip(-SKIP_S)}
          >
            <RotateCcw size={size} aria-hidden />
          </button>
          <button
            type="button"
            className="transport-play"
            aria-label={label}
            title={`${label} (Space)`}
            onClick={() => player.togglePlayback()}
          >
            <Icon size={isPhone ? 28 : 22} fill="currentColor" strokeWidth={1} aria-hidden />
          </button>
          <button
            type="button"
            className="transport"
            aria-label="Forward 10 seconds"
            title="Forward 10 seconds (L)"
            onClick={() => player.skip(SKIP_S)}
          >
            <RotateCw size={size} aria-hidden />
          </button>
        </EventNavigation>
      </div>
      {!isPhone && <PlaybackTime state={state} />}
      <ExtraControls player={player} state={state} frame={frame} hasDetections={hasDetections} />
    </div>
  )
}

function PlaybackTime({ state: { time, duration } }: { state: PlayerState }) {
  return (
    <p className="text-stage-text-2 text-[14px] whitespace-nowrap max-md:-mt-2 max-md:flex max-md:w-full max-md:justify-between md:ml-3">
      <span className="font-[750] text-white">{durationLabel(time * 1000)}</span>
      <span className="max-md:hidden"> / </span>
      <span>{durationLabel(duration * 1000)}</span>
    </p>
  )
}

function ExtraControls({ player, state, frame, hasDetections }: PlaybackControlsProps) {
  const isFull = useSyncExternalStore(
    subscribeFullScreen,
    () => document.fullscreenElement !== null,
    () => false,
  )
  const hasPictureInPicture = document.pictureInPictureEnabled
  const toggleFullScreen = () => void (isFull ? document.exitFullscreen() : frame.current?.requestFullscreen())
  return (
    <div className="flex items-center gap-1 md:ml-auto">
      <button
        type="button"
        className="btn btn-dark btn-sm min-w-12"
        aria-label={`Speed ${state.rate}`}
        title="Speed"
        onClick={() => player.cycleRate()}
      >
        {state.rate}×
      </button>
      {state.hasSound && (
        <button
          type="button"
          className="transport"
          aria-label={state.muted ? 'Unmute' : 'Mute'}
          title="Sound (M)"
          onClick={() => player.toggleSound()}
        >
          {state.muted ? <VolumeX size={20} aria-hidden /> : <Volume2 size={20} aria-hidden />}
        </button>
      )}
      {hasDetections && <DetectionsSwitch />}
      <PlayerMenu player={player} state={state} />
      {hasPictureInPicture && (
        <button
          type="button"
          className="transport md:max-lg:hidden"
          aria-label="Picture in picture"
          title="Picture in picture"
          onClick={() => void player.togglePictureInPicture()}
        >
          <PictureInPicture2 size={20} aria-hidden />
        </button>
      )}
      {document.fullscreenEnabled && (
        <button
          type="button"
          className="transport"
          aria-label={isFull ? 'Exit full screen' : 'Full screen'}
          title="Full screen (F)"
          onClick={toggleFullScreen}
        >
          {isFull ? <Minimize size={20} aria-hidden /> : <Maximize size={20} aria-hidden />}
        </button>
      )}
    </div>
  )
}

function DetectionsSwitch() {
  const isOn = useStore($showsDetections)
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      className="transport aria-checked:text-[#ffc871]"
      aria-label="Show detections"
      title="Show detections"
      onClick={() => $showsDetections.set(!isOn)}
    >
      <ScanSearch size={20} aria-hidden />
    </button>
  )
}

function subscribeFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
