import History from 'lucide-react/icons/history'
import { useState } from 'react'
import type { CameraSettings, MotionPreview } from '../../../../contract/cameras/camera-settings.ts'
import { durationLabel, timeLabel } from '../../../domain/time/date-formats.ts'
import { DEFAULT_FILTER, formatEventsQuery } from '../../../domain/events/event-url.ts'
import { motionPreviewCoverage, listPreviewEvents, motionPreviewSummary } from '../../../domain/copy/motion-preview.ts'
import { previewMotionSettings } from '../../../stores/live/camera-settings.ts'
import type { Failure } from '../../../stores/shell/report-failure.ts'
import { InlineError } from '../../../ui/InlineError.tsx'
import { useAction } from '../../../ui/use-action.ts'

type PreviewEvent = MotionPreview['events'][number]
const MAX_EVENTS = 12
const OUTCOME_NAMES: Record<PreviewEvent['outcome'], string> = { kept: 'Recorded', lost: 'Not recorded', new: 'New' }

interface MotionPreviewProps {
  deviceId: string
  settings: CameraSettings
}

/** Motion preview: shows the effect that `settings` would have had on the last hour. */
export function MotionPreviewPanel({ deviceId, settings }: MotionPreviewProps) {
  const [latest, setLatest] = useState<{ testedSettings: CameraSettings; at: number; trial: MotionPreview } | null>(
    null,
  )
  const { isBusy, failure, run } = useAction()
  async function runPreview(): Promise<Failure | null> {
    setLatest(null)
    const response = await previewMotionSettings(deviceId, settings)
    if (!response.ok) return response
    setLatest({ testedSettings: settings, at: Date.now(), trial: response.data })
    return null
  }
  // The result applies only to the settings that were tested.
  const result = latest?.testedSettings === settings ? latest : null
  return (
    <div className="try-motion">
      <button
        type="button"
        className="btn btn-sm btn-outline"
        aria-disabled={isBusy}
        onClick={() => void run(runPreview)}
      >
        <History size={16} aria-hidden="true" />
        {isBusy ? 'Testing…' : 'Test on the last hour'}
      </button>
      <div role="status">
        {result && (
          <>
            <p>{motionPreviewSummary(result.trial.events)}</p>
            <p className="text-small">{motionPreviewCoverage(result.trial, result.at)}</p>
          </>
        )}
      </div>
      {result && <PreviewEventList deviceId={deviceId} events={result.trial.events} />}
      <InlineError failure={failure} />
    </div>
  )
}

function PreviewEventList({ deviceId, events }: { deviceId: string; events: readonly PreviewEvent[] }) {
  const { shown: visibleEvents, more } = listPreviewEvents(events, MAX_EVENTS)
  if (visibleEvents.length === 0) return null
  return (
    <>
      <ul aria-label="Last hour with these settings">
        {visibleEvents.map((event) => (
          <PreviewEventRow key={`${event.outcome} ${event.begin}`} deviceId={deviceId} event={event} />
        ))}
      </ul>
      {more > 0 && <p className="text-small">And {more} more.</p>}
    </>
  )
}

function PreviewEventRow({
  deviceId,
  event: { begin, end, outcome, event_id },
}: {
  deviceId: string
  event: PreviewEvent
}) {
  const time = (
    <span className="try-motion-when">
      <time dateTime={new Date(begin).toISOString()}>{timeLabel(begin)}</time>
      <small>{durationLabel(end - begin)} long</small>
    </span>
  )
  return (
    <li data-outcome={outcome}>
      {event_id === null ? (
        <span className="try-motion-empty" />
      ) : (
        <img src={`/m/thumb/${event_id}`} width="76" height="43" alt="" loading="lazy" decoding="async" />
      )}
      {event_id === null ? time : <a href={eventUrl(deviceId, event_id)}>{time}</a>}
      <b>{OUTCOME_NAMES[outcome]}</b>
    </li>
  )
}

const eventUrl = (deviceId: string, eventId: string) =>
  `/events${formatEventsQuery({ filter: DEFAULT_FILTER, open: { eventId, deviceId } })}`
