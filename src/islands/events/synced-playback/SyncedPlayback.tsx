import { useStore } from '@nanostores/react'
import { useEffect, useRef } from 'react'
import { timeLabel } from '../../../domain/time/date-formats.ts'
import { $sameTime, closeMoment, syncPlaybackWithUrl, retrySameTime } from '../../../stores/events/synced-playback.ts'
import { BackButton } from './BackButton.tsx'
import { Together } from './SyncedPlayer.tsx'

/** Synced playback of one moment on all cameras. Covers the page; Back returns to the previous view. */
export function SyncedPlayback() {
  const same = useStore($sameTime)
  const heading = useRef<HTMLElement>(null)
  useEffect(syncPlaybackWithUrl, [])
  useEffect(() => heading.current?.focus(), [])
  useEscape()
  const isThere = same.state === 'ready' && same.cameras.length > 0
  return (
    <section ref={heading} tabIndex={-1} aria-label="Same time" className="stage same-time">
      {isThere ? <Together key={same.at} same={same} /> : <NothingToPlay />}
    </section>
  )
}

function NothingToPlay() {
  const same = useStore($sameTime)
  return (
    <>
      <header className="same-time-head">
        <BackButton />
        <h2>Same time</h2>
      </header>
      <div className="same-time-empty">
        {same.state === 'failed' && (
          <div role="alert">
            <p>{same.failure.text}</p>
            <button type="button" className="btn btn-white btn-sm" onClick={retrySameTime}>
              Try again
            </button>
          </div>
        )}
        {same.state === 'ready' && (
          <div role="alert">
            <p>No camera recorded anything within a minute of {timeLabel(same.at)}.</p>
            <button type="button" className="btn btn-white btn-sm" onClick={closeMoment}>
              Back to the events
            </button>
          </div>
        )}
        {(same.state === 'loading' || same.state === 'none') && (
          <p role="status">
            <span className="spinner" aria-hidden /> Looking for what the cameras recorded
          </p>
        )}
      </div>
    </>
  )
}

/** Esc returns to the previous view, unless the key closes a dialog or leaves full screen. */
function useEscape(): void {
  useEffect(() => {
    const onKey = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || key.defaultPrevented || document.fullscreenElement) return
      closeMoment()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
