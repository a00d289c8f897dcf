import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { dayLabel, timeLabel } from '../../../domain/time/date-formats.ts'
import { toDay } from '../../../domain/time/local-time.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'
import type { SyncedPlaybackState } from '../../../stores/events/synced-playback.ts'
import { useNow } from '../../../ui/use-now.ts'
import { BackButton } from './BackButton.tsx'
import { CameraChips } from './CameraChips.tsx'
import { Controls } from './Controls.tsx'
import { SyncedCameraGrid } from './SyncedCameraGrid.tsx'
import { SaveAll } from './SaveAllClips.tsx'
import { Strips } from './SyncedTimelines.tsx'
import { useStepKeys } from './use-synced-player-keys.ts'
import { useStep, useStepState } from './use-synced-player.ts'

const NONE: ReadonlySet<string> = new Set()

export function Together({ same }: { same: Extract<SyncedPlaybackState, { state: 'ready' }> }) {
  const step = useStep(same)
  const state = useStepState(step)
  const names = useStore($cameraNames)
  const [large, setLarge] = useState(same.cameras[0]?.deviceId ?? '')
  const [left, leaveOut] = useState(NONE)
  const [sounding, setSounding] = useState(NONE)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => step.leaveOut(left), [step, left])
  const visibleCameras = useMemo(() => same.cameras.filter(({ deviceId }) => !left.has(deviceId)), [same, left])
  const first = visibleCameras.some(({ deviceId }) => deviceId === large) ? large : (visibleCameras[0]?.deviceId ?? '')
  const hear = () => {
    const [any] = sounding.has(first) ? [first] : sounding
    step.hear(state.heard === null ? (any ?? null) : null)
  }
  useStepKeys({ step, frame, hear, cameras: visibleCameras.map(({ deviceId }) => deviceId), makeLarge: setLarge })
  const cameraName = (id: string) => names.get(id) ?? 'A camera'
  const isLate = state.waitingFor !== null ? cameraName(state.waitingFor) : null

  return (
    <div ref={frame} className="same-time-frame">
      <header className="same-time-head">
        <BackButton />
        <div className="same-time-title">
          <h2>Same time</h2>
          <Facts at={state.at} recorded={state.cameras.filter(({ place }) => place === 'during').length} />
        </div>
        <CameraChips cameras={same.cameras} left={left} leaveOut={leaveOut} />
        <SaveAll cameras={visibleCameras} playing={state.cameras} />
      </header>
      <SyncedCameraGrid
        cameras={visibleCameras}
        step={step}
        state={state}
        large={first}
        onLarge={setLarge}
        onSound={(camera) =>
          setSounding((previous) => (previous.has(camera) ? previous : new Set([...previous, camera])))
        }
      />
      <Controls step={step} state={state} waitingFor={isLate} hear={sounding.size > 0 ? hear : null} frame={frame} />
      <Strips cameras={visibleCameras} span={same.span} at={state.at} onSeek={(at) => step.seek(at)} />
    </div>
  )
}

/** Formats the facts of the moment, such as `Sunday 22 November, 09:41:14 · 3 of 6 cameras recorded it`. */
function Facts({ at, recorded }: { at: number; recorded: number }) {
  const all = useStore($eventCameras).length
  const { name, date } = dayLabel(toDay(at), useNow())
  const day = name === 'Today' || name === 'Yesterday' ? `${name}, ${date}` : `${name} ${date}`
  return (
    <p>
      {day}, {timeLabel(at)} · {recorded === 0 ? 'No camera' : `${recorded} of ${Math.max(all, recorded)} cameras`}{' '}
      recorded it
    </p>
  )
}
