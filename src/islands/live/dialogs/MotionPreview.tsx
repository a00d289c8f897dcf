import History from 'lucide-react/icons/history'
import { useState } from 'react'
import type { CameraSettings, MotionTrial } from '../../../../contract/cameras/camera-settings.ts'
import { durationLabel, timeLabel } from '../../../domain/time/date-formats.ts'
import { DEFAULT_FILTER, formatEventAddress } from '../../../domain/events/event-url.ts'
import { trialCoverage, trialList, trialSummary } from '../../../domain/copy/motion-preview.ts'
import { tryOnLastHour } from '../../../stores/live/camera-settings.ts'
import type { Failure } from '../../../stores/shell/report-failure.ts'
import { Problem } from '../../../ui/InlineError.tsx'
import { useAct } from '../../../ui/use-action.ts'

type PreviewEvent = MotionTrial['events'][number]
const SHOWN = 12
const OUTCOMES: Record<PreviewEvent['outcome'], string> = { kept: 'Kept', lost: 'Not recorded', new: 'New' }

interface Props {
  deviceId: string
  settings: CameraSettings
}

/** Motion preview: shows the effect that the unsaved settings would have had on the last hour. */
export function TryMotion({ deviceId, settings }: Props) {
  const [latest, setTried] = useState<{ of: CameraSettings; at: number; trial: MotionTrial } | null>(null)
  const { isBusy, failure, run } = useAct()
  async function tryThem(): Promise<Failure | null> {
    setTried(null)
    const answer = await tryOnLastHour(deviceId, settings)
    if (!answer.ok) return answer
    setTried({ of: settings, at: Date.now(), trial: answer.data })
    return null
  }
  // The result applies only to the settings that were tested.
  const result = latest?.of === settings ? latest : null
  return (
    <div className="try-motion">
      <button type="button" className="btn btn-sm btn-outline" aria-disabled={isBusy} onClick={() => void run(tryThem)}>
        <History size={16} aria-hidden="true" />
        {isBusy ? 'Trying' : 'Try on the last hour'}
      </button>
      <div role="status">
        {result && (
          <>
            <p>{trialSummary(result.trial.events)}</p>
            <p className="text-small">{trialCoverage(result.trial, result.at)}</p>
          </>
        )}
      </div>
      {result && <TriedEvents deviceId={deviceId} events={result.trial.events} />}
      <Problem failure={failure} />
    </div>
  )
}

function TriedEvents({ deviceId, events }: { deviceId: string; events: readonly PreviewEvent[] }) {
  const { shown: visibleEvents, more } = trialList(events, SHOWN)
  if (visibleEvents.length === 0) return null
  return (
    <>
      <ul aria-label="The last hour with these settings">
        {visibleEvents.map((event) => (
          <TriedEvent key={`${event.outcome} ${event.begin}`} deviceId={deviceId} event={event} />
        ))}
      </ul>
      {more > 0 && <p className="text-small">And {more} more.</p>}
    </>
  )
}

function TriedEvent({ deviceId, event: { begin, end, outcome, event_id } }: { deviceId: string; event: PreviewEvent }) {
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
      <b>{OUTCOMES[outcome]}</b>
    </li>
  )
}

const eventUrl = (deviceId: string, eventId: string) =>
  `/events${formatEventAddress({ filter: DEFAULT_FILTER, open: { eventId, deviceId } })}`
