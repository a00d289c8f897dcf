import { useEffect, useState } from 'react'

const LOOKING_DELAY_MS = 1000
const SLOW_DELAY_MS = 8000
const LOOKING_TEXT = 'Looking for your cameras…'
const SLOW_TEXT = 'Still loading. Your connection is slow.'

/**
 * Toolbar while the cameras load. CSS shows the two notes after a delay, so that they also appear before this script
 * has loaded; the status repeats them for screen readers.
 */
export function ToolbarSkeleton() {
  return (
    <div className="live-toolbar" aria-busy="true">
      <div className="live-heading">
        <h1>Cameras</h1>
        <p className="live-count wait-note" aria-hidden="true">
          <i className="spinner" />
          <span className="wait-note-first">{LOOKING_TEXT}</span>
          <span className="wait-note-slow">{SLOW_TEXT}</span>
        </p>
        <LoadingStatus />
      </div>
      <div className="live-filters" aria-hidden="true">
        <i className="skeleton live-bar" />
        <i className="skeleton live-bar" />
        <i className="skeleton live-bar" />
      </div>
      <i className="skeleton live-bar-switch" aria-hidden="true" />
    </div>
  )
}

function LoadingStatus() {
  const [text, setText] = useState('')
  useEffect(() => {
    const timers = [
      setTimeout(() => setText(LOOKING_TEXT), LOOKING_DELAY_MS),
      setTimeout(() => setText(SLOW_TEXT), SLOW_DELAY_MS),
    ]
    return () => timers.forEach((timer) => clearTimeout(timer))
  }, [])
  return (
    <p className="sr-only" role="status">
      {text}
    </p>
  )
}
