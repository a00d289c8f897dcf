import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { timeLabel } from '../../../domain/time/date-formats.ts'
import {
  $syncedPlayback,
  closeSyncedPlayback,
  syncPlaybackWithUrl,
  retrySyncedPlayback,
} from '../../../stores/events/synced-playback.ts'
import { BackButton } from './BackButton.tsx'
import { SyncedPlayerView } from './SyncedPlayer.tsx'

/** Synced playback of one moment on all cameras. Covers the page; Back returns to the previous view. */
export function SyncedPlayback() {
  const playback = useStore($syncedPlayback)
  const section = useRef<HTMLElement>(null)
  useEffect(syncPlaybackWithUrl, [])
  useEffect(() => section.current?.focus(), [])
  useEffect(() => {
    const page = document.documentElement
    page.dataset['synced'] = ''
    return () => void delete page.dataset['synced']
  }, [])
  useCloseOnEscape()
  const hasCameras = playback.state === 'ready' && playback.cameras.length > 0
  return (
    <section ref={section} tabIndex={-1} aria-label="Same time" className="stage same-time">
      {hasCameras ? <SyncedPlayerView key={playback.at} playback={playback} /> : <NothingToPlay />}
    </section>
  )
}

function NothingToPlay() {
  const playback = useStore($syncedPlayback)
  return (
    <>
      <header className="same-time-head">
        <BackButton />
        <h2>Same time</h2>
      </header>
      <div className="same-time-empty">
        {playback.state === 'failed' && (
          <div role="alert">
            <p>{playback.failure.text}</p>
            <button type="button" className="btn btn-white btn-sm" onClick={retrySyncedPlayback}>
              Try again
            </button>
          </div>
        )}
        {playback.state === 'ready' && (
          <div role="alert">
            <p>Your cameras didn’t record anything within a minute of {timeLabel(playback.at)}.</p>
            <button type="button" className="btn btn-white btn-sm" onClick={closeSyncedPlayback}>
              Back to events
            </button>
          </div>
        )}
        {(playback.state === 'loading' || playback.state === 'none') && (
          <p role="status">
            <span className="spinner" aria-hidden /> Loading clips
          </p>
        )}
      </div>
    </>
  )
}

/** Returns to the previous view on Esc, unless the key leaves full screen or another listener has handled it. */
function useCloseOnEscape(): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || key.defaultPrevented || document.fullscreenElement) return
      closeSyncedPlayback()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
