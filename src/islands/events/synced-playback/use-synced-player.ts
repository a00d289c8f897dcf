import { useEffect, useState, useSyncExternalStore } from 'react'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { SyncedPlayer, type StepState } from '../../../media/sync/synced-player.ts'
import { saveMomentInUrl } from '../../../stores/events/synced-playback.ts'

/** Interval between checks of the videos, ms. */
const BEAT_MS = 60
/** Time after which a paused moment is written to the URL, ms. Browsers reject frequent URL changes. */
const RESTS_MS = 300

const pageClock = () => performance.now()

interface SyncedPlayerOptions {
  readonly at: number
  readonly span: Span
  readonly cameras: readonly CameraClips[]
}

/** Creates the synced player for a moment, and drives it while the component is mounted. */
export function useStep({ at, span, cameras }: SyncedPlayerOptions): SyncedPlayer {
  const [step] = useState(() => {
    const sources = cameras.map(({ deviceId, clips }) => ({
      camera: deviceId,
      stretches: clips.map(({ event, begin, end }) => ({ id: event.event_id, begin, end })),
    }))
    return new SyncedPlayer(sources, { at, span, now: pageClock })
  })
  useEffect(() => {
    let frame = 0
    let last = 0
    const tick = (t: number) => {
      frame = requestAnimationFrame(tick)
      if (t - last < BEAT_MS) return
      last = t
      step.beat()
    }
    frame = requestAnimationFrame(tick)
    step.play()
    return () => {
      cancelAnimationFrame(frame)
      step.pause()
    }
  }, [step])
  return step
}

/** Returns the current state. Writes the moment to the URL while paused. */
export function useStepState(step: SyncedPlayer): StepState {
  const state = useSyncExternalStore(step.subscribe, step.snapshot, step.snapshot)
  const { at, isPlaying } = state
  useEffect(() => {
    if (isPlaying) return
    const timer = setTimeout(() => saveMomentInUrl(Math.round(at)), RESTS_MS)
    return () => clearTimeout(timer)
  }, [at, isPlaying])
  return state
}
