import { useEffect, useState, useSyncExternalStore } from 'react'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { SyncedPlayer, type SyncedPlayerState } from '../../../media/sync/synced-player.ts'
import { saveMomentInUrl } from '../../../stores/events/synced-playback.ts'

/** Minimum interval between two checks that keep the videos in sync, ms. */
const SYNC_INTERVAL_MS = 60
/** Delay between pausing and writing the moment to the URL, ms. Browsers reject frequent URL changes. */
const URL_WRITE_DELAY_MS = 300

const getPageTimeMs = () => performance.now()

interface SyncedPlayerOptions {
  readonly at: number
  readonly span: Span
  readonly cameras: readonly CameraClips[]
}

/**
 * Creates the player for synced playback from the moment `at`. Starts playback when the component mounts, and pauses it
 * when the component unmounts.
 */
export function useSyncedPlayer({ at, span, cameras }: SyncedPlayerOptions): SyncedPlayer {
  const [player] = useState(() => {
    const sources = cameras.map(({ deviceId, clips }) => ({
      camera: deviceId,
      stretches: clips.map(({ event, begin, end }) => ({ id: event.event_id, begin, end })),
    }))
    return new SyncedPlayer(sources, { at, span, now: getPageTimeMs })
  })
  useEffect(() => {
    let frame = 0
    let lastSync = 0
    const tick = (t: number) => {
      frame = requestAnimationFrame(tick)
      if (t - lastSync < SYNC_INTERVAL_MS) return
      lastSync = t
      player.update()
    }
    frame = requestAnimationFrame(tick)
    player.play()
    return () => {
      cancelAnimationFrame(frame)
      player.pause()
    }
  }, [player])
  return player
}

/** Returns the current player state. While playback is paused, writes the moment to the URL. */
export function useSyncedPlayerState(player: SyncedPlayer): SyncedPlayerState {
  const state = useSyncExternalStore(player.subscribe, player.getSnapshot, player.getSnapshot)
  const { at, isPlaying } = state
  useEffect(() => {
    if (isPlaying) return
    const timer = setTimeout(() => saveMomentInUrl(Math.round(at)), URL_WRITE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [at, isPlaying])
  return state
}
