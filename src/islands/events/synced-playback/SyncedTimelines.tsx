import { useStore } from '@nanostores/react'
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import type { Span } from '../../../domain/time/date-range.ts'
import { timeLabel } from '../../../domain/time/date-formats.ts'
import type { CameraClips } from '../../../domain/events/synced-playback.ts'
import { getTickKind } from '../../../domain/events/timeline-ticks.ts'
import { $cameraNames } from '../../../stores/events/event-cameras.ts'
import { isDragging } from '../../../ui/pointer-state.ts'
import { TickMark } from '../../../ui/TickMark.tsx'

interface SyncedTimelinesProps {
  readonly cameras: readonly CameraClips[]
  readonly span: Span
  /** Current moment, ms UTC. */
  readonly at: number
  readonly onSeek: (at: number) => void
}

const LABEL_INTERVAL_MS = 20_000
const KEY_STEPS_MS: Readonly<Record<string, number>> = {
  ArrowLeft: -1000,
  ArrowDown: -1000,
  ArrowRight: 1000,
  ArrowUp: 1000,
  PageUp: 10_000,
  PageDown: -10_000,
}

/** Two-minute timeline with a playhead. Each camera has one strip with its clips and events. */
export function SyncedTimelines({ cameras, span, at, onSeek }: SyncedTimelinesProps) {
  const names = useStore($cameraNames)
  const track = useRef<HTMLDivElement>(null)
  const seekTo = (pointer: PointerEvent) => {
    const box = track.current?.getBoundingClientRect()
    if (box) onSeek(span.begin + ((pointer.clientX - box.left) / box.width) * (span.end - span.begin))
  }
  const onKeyDown = (key: KeyboardEvent) => {
    const to = key.key === 'Home' ? span.begin : key.key === 'End' ? span.end : at + (KEY_STEPS_MS[key.key] ?? NaN)
    if (Number.isNaN(to)) return
    key.preventDefault()
    onSeek(to)
  }
  return (
    <div className="same-time-strips">
      <ul aria-hidden className="same-time-names">
        {cameras.map(({ deviceId }) => (
          <li key={deviceId}>{names.get(deviceId) ?? 'A camera'}</li>
        ))}
      </ul>
      <div
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label="Position in this two-minute span"
        aria-valuemin={span.begin}
        aria-valuemax={span.end}
        aria-valuenow={Math.round(at)}
        aria-valuetext={timeLabel(at)}
        className="same-time-track"
        onPointerDown={(pointer) => {
          if (pointer.button !== 0) return
          pointer.currentTarget.setPointerCapture(pointer.pointerId)
          seekTo(pointer)
        }}
        onPointerMove={(pointer) => isDragging(pointer) && seekTo(pointer)}
        onKeyDown={onKeyDown}
      >
        <div aria-hidden className="same-time-axis">
          {listLabelTimes(span).map((time) => (
            <span key={time} style={{ left: toPercent(span, time) }}>
              {timeLabel(time)}
            </span>
          ))}
        </div>
        {cameras.map(({ deviceId, clips }) => (
          <ClipStrip key={deviceId} clips={clips} span={span} />
        ))}
        <div aria-hidden className="same-time-head-line" style={{ left: toPercent(span, at) }}>
          <span>{timeLabel(at)}</span>
        </div>
      </div>
    </div>
  )
}

function ClipStrip({ clips, span }: Pick<CameraClips, 'clips'> & { span: Span }) {
  return (
    <div className="same-time-strip">
      {clips.map(({ event, begin, end }) => (
        <i
          key={event.event_id}
          style={{ left: toPercent(span, begin), right: `calc(100% - ${toPercent(span, end)})` }}
        />
      ))}
      {clips
        .filter(({ event: { event_ts } }) => event_ts >= span.begin && event_ts <= span.end)
        .map(({ event }) => (
          <b key={event.event_id} style={{ left: toPercent(span, event.event_ts) }}>
            <TickMark kind={getTickKind(event)} isDark />
          </b>
        ))}
    </div>
  )
}

const toPercent = ({ begin, end }: Span, time: number) =>
  `${(Math.min(1, Math.max(0, (time - begin) / (end - begin))) * 100).toFixed(3)}%`

/**
 * Returns the times to label: multiples of `LABEL_INTERVAL_MS` that leave room for a label at both ends of the span.
 */
function listLabelTimes({ begin, end }: Span): number[] {
  const first = Math.ceil((begin + LABEL_INTERVAL_MS / 5) / LABEL_INTERVAL_MS) * LABEL_INTERVAL_MS
  return Array.from(
    { length: Math.ceil((end - LABEL_INTERVAL_MS / 5 - first) / LABEL_INTERVAL_MS) },
    (_, i) => first + i * LABEL_INTERVAL_MS,
  )
}
