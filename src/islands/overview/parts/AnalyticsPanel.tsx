import { useStore } from '@nanostores/react'
import { useLayoutEffect } from 'react'
import { ANALYTICS_STATE_TEXTS, describeSentEvent } from '../../../domain/copy/privacy.ts'
import {
  $analyticsState,
  $sentEvents,
  loadAnalyticsState,
  saveSentEvents,
  setAnalyticsEnabled,
} from '../../../stores/account/analytics-consent.ts'

/** Analytics in this browser: state, switch, and events sent for the current user. */
export function AnalyticsPanel() {
  const analyticsState = useStore($analyticsState)
  // The consent state and the sent events are stored in this browser, so load them before the first paint.
  useLayoutEffect(() => loadAnalyticsState(Date.now()), [])
  return (
    <section className="card overview-panel" aria-labelledby="measured-title">
      <h3 id="measured-title">Usage data</h3>
      <label className="measured-switch">
        <span className="text-small text-ink-2">{ANALYTICS_STATE_TEXTS[analyticsState]}</span>
        <input
          type="checkbox"
          role="switch"
          aria-label="Send usage data from this browser"
          checked={analyticsState === 'on'}
          disabled={analyticsState === 'asked'}
          onChange={({ target }) => setAnalyticsEnabled(target.checked)}
        />
      </label>
      <SentEvents />
      <p className="text-small mt-2">
        <a className="text-action" href="/privacy">
          What we collect and why
        </a>
      </p>
    </section>
  )
}

function SentEvents() {
  const sentEvents = useStore($sentEvents)
  if (sentEvents.length === 0)
    return <p className="text-small text-ink-2 mt-2">This browser hasn’t sent any usage data.</p>
  return (
    <details className="measured-sent mt-2">
      <summary className="text-small">
        {sentEvents.length === 1 ? '1 event sent' : `Last ${sentEvents.length} events sent`}
      </summary>
      <ol tabIndex={0} aria-label="Sent events">
        {sentEvents.map((event) => {
          const { at, what: label, page, more } = describeSentEvent(event)
          return (
            <li key={event.insert_id} className="text-small">
              <b>{label}</b> {page}
              <small className="text-ink-2">
                {at}
                {more && `: ${more}`}
              </small>
            </li>
          )
        })}
      </ol>
      <button type="button" className="btn btn-outline btn-sm" onClick={saveSentEvents}>
        Download
      </button>
    </details>
  )
}
