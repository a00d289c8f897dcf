import { useStore } from '@nanostores/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { formatCameraCount } from '../../../domain/copy/counts.ts'
import { dayLabel, timeLabel } from '../../../domain/time/date-formats.ts'
import { toDay } from '../../../domain/time/local-time.ts'
import { $cameraNames, $eventCameras } from '../../../stores/events/event-cameras.ts'
import type { SyncedPlaybackState } from '../../../stores/events/synced-playback.ts'
import { useNow } from '../../../ui/use-now.ts'
import { BackButton } from './BackButton.tsx'
import { CameraChips } from './CameraChips.tsx'
import { Controls } from './Controls.tsx'
import { SyncedCameraGrid } from './SyncedCameraGrid.tsx'
import { SaveAllClips } from './SaveAllClips.tsx'
import { SyncedTimelines } from './SyncedTimelines.tsx'
import { useSyncedPlayerKeys } from './use-synced-player-keys.ts'
import { useSyncedPlayer, useSyncedPlayerState } from './use-synced-player.ts'

const NO_CAMERAS: ReadonlySet<string> = new Set()

export function SyncedPlayerView({ playback }: { playback: Extract<SyncedPlaybackState, { state: 'ready' }> }) {
  const player = useSyncedPlayer(playback)
  const state = useSyncedPlayerState(player)
  const names = useStore($cameraNames)
  const [largeCameraId, setLarge] = useState(playback.cameras[0]?.deviceId ?? '')
  const [hiddenCameras, setHiddenCameras] = useState(NO_CAMERAS)
  const [camerasWithSound, setCamerasWithSound] = useState(NO_CAMERAS)
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => player.excludeCameras(hiddenCameras), [player, hiddenCameras])
  const visibleCameras = useMemo(
    () => playback.cameras.filter(({ deviceId }) => !hiddenCameras.has(deviceId)),
    [playback, hiddenCameras],
  )
  const largeCamera = visibleCameras.some(({ deviceId }) => deviceId === largeCameraId)
    ? largeCameraId
    : (visibleCameras[0]?.deviceId ?? '')
  const toggleSound = () => {
    const [cameraWithSound] = camerasWithSound.has(largeCamera) ? [largeCamera] : camerasWithSound
    player.setAudibleCamera(state.audibleCamera === null ? (cameraWithSound ?? null) : null)
  }
  useSyncedPlayerKeys({
    player,
    container,
    toggleSound,
    cameras: visibleCameras.map(({ deviceId }) => deviceId),
    makeLarge: setLarge,
  })
  const cameraName = (id: string) => names.get(id) ?? 'A camera'
  const lateCameraName = state.waitingFor !== null ? cameraName(state.waitingFor) : null

  return (
    <div ref={container} className="same-time-frame">
      <header className="same-time-head">
        <BackButton />
        <div className="same-time-title">
          <h2>Same time</h2>
          <MomentSummary at={state.at} recorded={state.cameras.filter(({ place }) => place === 'during').length} />
        </div>
        <CameraChips cameras={playback.cameras} hiddenCameras={hiddenCameras} onHiddenChange={setHiddenCameras} />
        <SaveAllClips cameras={visibleCameras} playing={state.cameras} />
      </header>
      <SyncedCameraGrid
        cameras={visibleCameras}
        step={player}
        state={state}
        large={largeCamera}
        onLarge={setLarge}
        onSound={(camera) =>
          setCamerasWithSound((previous) => (previous.has(camera) ? previous : new Set([...previous, camera])))
        }
      />
      <Controls
        step={player}
        state={state}
        waitingFor={lateCameraName}
        toggleSound={camerasWithSound.size > 0 ? toggleSound : null}
        frame={container}
      />
      <SyncedTimelines cameras={visibleCameras} span={playback.span} at={state.at} onSeek={(at) => player.seek(at)} />
    </div>
  )
}

function MomentSummary({ at, recorded }: { at: number; recorded: number }) {
  const all = useStore($eventCameras).length
  const { name, date } = dayLabel(toDay(at), useNow())
  const day = name === 'Today' || name === 'Yesterday' ? `${name}, ${date}` : `${name} ${date}`
  return (
    <p>
      {day}, {timeLabel(at)} ·{' '}
      {recorded === 0 ? 'No cameras' : `${recorded} of ${formatCameraCount(Math.max(all, recorded))}`} recorded this
      moment
    </p>
  )
}
