import { useStore } from '@nanostores/react'
import Check from 'lucide-react/icons/check'
import Maximize from 'lucide-react/icons/maximize'
import Pause from 'lucide-react/icons/pause'
import Play from 'lucide-react/icons/play'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import SkipBack from 'lucide-react/icons/skip-back'
import SkipForward from 'lucide-react/icons/skip-forward'
import StepBack from 'lucide-react/icons/step-back'
import StepForward from 'lucide-react/icons/step-forward'
import Volume2 from 'lucide-react/icons/volume-2'
import VolumeX from 'lucide-react/icons/volume-x'
import type { ComponentType, ReactNode, RefObject } from 'react'
import { timeLabel } from '../../../domain/time/date-formats.ts'
import { findAdjacentSharedSpans } from '../../../domain/events/synced-playback.ts'
import { PLAYBACK_RATES } from '../../../media/clip/clip-player.ts'
import { type SyncedPlayer, isInSync, type SyncedPlayerState } from '../../../media/sync/synced-player.ts'
import { $sharedSpans, openSyncedMoment } from '../../../stores/events/synced-playback.ts'
import { SKIP_MS, togglePlayerFullScreen } from './use-synced-player-keys.ts'

interface ControlsProps {
  readonly step: SyncedPlayer
  readonly state: SyncedPlayerState
  /** Name of the camera whose clip the other cameras wait for; null if none. */
  readonly waitingFor: string | null
  /** Turns the sound on or off; null if no clip has sound. */
  readonly toggleSound: (() => void) | null
  readonly frame: RefObject<HTMLElement | null>
}

export function Controls({ step, state, waitingFor, toggleSound, frame }: ControlsProps) {
  const { earlier, later } = findAdjacentSharedSpans(useStore($sharedSpans), state.at)
  const label = state.isPlaying ? 'Pause' : 'Play'
  const Icon = state.isPlaying ? Pause : Play
  return (
    <div role="group" aria-label="Playback" className="same-time-controls">
      <span className="same-time-keys">
        <ControlButton
          label="Previous moment with multiple cameras"
          icon={SkipBack}
          disabled={!earlier}
          onClick={() => earlier && openSyncedMoment(earlier.begin)}
        />
        <ControlButton label="Back 10 seconds" keys="J" icon={RotateCcw} onClick={() => step.skip(-SKIP_MS)} />
        <ControlButton label="Previous frame" keys="," icon={StepBack} onClick={() => step.step(-1)} />
        <button
          type="button"
          className="transport-play"
          aria-label={label}
          title={`${label} (Space)`}
          onClick={() => step.toggle()}
        >
          <Icon size={22} fill="currentColor" strokeWidth={1} aria-hidden />
        </button>
        <ControlButton label="Next frame" keys="." icon={StepForward} onClick={() => step.step(1)} />
        <ControlButton label="Forward 10 seconds" keys="L" icon={RotateCw} onClick={() => step.skip(SKIP_MS)} />
        <ControlButton
          label="Next moment with multiple cameras"
          icon={SkipForward}
          disabled={!later}
          onClick={() => later && openSyncedMoment(later.begin)}
        />
      </span>
      <span className="same-time-now">{timeLabel(state.at)}</span>
      <SyncBadge state={state} waitingFor={waitingFor} />
      <span className="same-time-extras">
        <button
          type="button"
          className="btn btn-dark btn-sm"
          aria-label={`Speed ${state.rate}`}
          title="Speed"
          onClick={() => step.setRate(PLAYBACK_RATES.find((rate) => rate > state.rate) ?? PLAYBACK_RATES[0])}
        >
          {state.rate}×
        </button>
        {toggleSound && (
          <ControlButton
            label={state.audibleCamera === null ? 'Unmute' : 'Mute'}
            keys="M"
            icon={state.audibleCamera === null ? VolumeX : Volume2}
            onClick={toggleSound}
          />
        )}
        {document.fullscreenEnabled && (
          <ControlButton
            label="Full screen"
            keys="F"
            icon={Maximize}
            onClick={() => togglePlayerFullScreen(frame.current)}
          />
        )}
      </span>
    </div>
  )
}

interface ControlButtonProps {
  readonly label: string
  readonly keys?: string
  readonly icon: ComponentType<{ size: number }>
  readonly disabled?: boolean
  readonly onClick: () => void
}

function ControlButton({ label, keys, icon: Icon, disabled = false, onClick }: ControlButtonProps): ReactNode {
  return (
    <button
      type="button"
      className="transport"
      aria-label={label}
      title={keys ? `${label} (${keys})` : label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon size={20} aria-hidden />
    </button>
  )
}

/** Measured time difference between the displayed frames. During a wait, names the camera that playback waits for. */
function SyncBadge({ state: { spread }, waitingFor }: { state: SyncedPlayerState; waitingFor: string | null }) {
  if (waitingFor !== null)
    return (
      <span role="status" className="same-time-badge" data-kind="fair">
        Waiting for {waitingFor}
      </span>
    )
  if (spread === null) return null
  const apart = `${(spread / 1000).toFixed(2)} s apart`
  return (
    <span className="same-time-badge" data-kind={isInSync(spread) ? 'good' : 'fair'} data-spread={Math.round(spread)}>
      {isInSync(spread) && <Check size={14} aria-hidden />}
      {isInSync(spread) ? `In sync, ${apart}` : apart}
    </span>
  )
}
