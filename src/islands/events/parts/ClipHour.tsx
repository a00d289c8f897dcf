import { useStore } from '@nanostores/react'
import { memo, type MouseEvent, useEffect, useMemo, useRef } from 'react'
import type { Event } from '../../../../contract/events/events.ts'
import { listEventsOfHour, clockHourSpan, formatClipHour } from '../../../domain/events/clip-hour.ts'
import { getClip } from '../../../domain/events/event-recording.ts'
import type { Span } from '../../../domain/time/date-range.ts'
import { timeLabel } from '../../../domain/time/date-formats.ts'
import { createTicks, findNearestTick } from '../../../domain/events/timeline-ticks.ts'
import { $eventFilter, formatFilteredEventHref, openEvent } from '../../../stores/events/event-url.ts'
import { $events } from '../../../stores/events/events.ts'
import { $playhead } from '../../../stores/events/timeline.ts'
import { paintStrip } from '../../../ui/strip-paint.ts'
import { paintTicks } from '../../../ui/tick-paint.ts'
import { useIsDark } from '../../../ui/use-is-dark.ts'
import { useIsPhone } from '../../../ui/use-media.ts'

/** Maximum horizontal distance between a click or touch and the tick that it selects, CSS pixels. */
const TOUCH_RADIUS_PX = 22

/**
 * Strip and list of the camera's events in the hour of the open clip, including the open event. A click on a tick or a
 * list entry opens its event.
 */
export const ClipHour = memo(function ClipHour({ event, camera }: { event: Event; camera: string }) {
  const listState = useStore($events)
  const all = listState.state === 'ready' ? listState.events : NO_EVENTS
  const events = useMemo(() => listEventsOfHour(event, all), [event, all])
  const span = useMemo(() => clockHourSpan(event.event_ts), [event])
  return (
    <section className="clip-hour" aria-label={`Same hour${camera && ` on ${camera}`}`}>
      <header>
        <h3>Same hour{camera && ` on ${camera}`}</h3>
        <p>{formatClipHour(span)}</p>
      </header>
      <HourStrip events={events} span={span} />
      {events.length === 1 && <p className="clip-alone">No other events.</p>}
      {events.length > 1 && <HourList events={events} openId={event.event_id} />}
    </section>
  )
})

const NO_EVENTS: readonly Event[] = []

const openHourEvent = ({ event_id, device_id }: Event) => openEvent({ eventId: event_id, deviceId: device_id })

function HourStrip({ events, span }: { events: readonly Event[]; span: Span }) {
  const { strip, lane: tickCanvas } = useStripCanvases(events, span)
  const playhead = useStore($playhead)
  const at = playhead === null ? -1 : (playhead - span.begin) / (span.end - span.begin)

  function openNearest(click: MouseEvent): void {
    const { left, width } = click.currentTarget.getBoundingClientRect()
    const tick = findNearestTick(createTicks(events, span, width), click.clientX - left, TOUCH_RADIUS_PX)
    const event = events.find(({ event_id }) => event_id === tick?.ids[0])
    if (event) openHourEvent(event)
  }

  return (
    // Handles only pointers; the list below the strip is the accessible alternative.
    <div aria-hidden className="clip-hour-strip" onClick={openNearest}>
      <canvas ref={tickCanvas} />
      <canvas ref={strip} />
      {at >= 0 && at <= 1 && <span style={{ left: `${at * 100}%` }} />}
    </div>
  )
}

function useStripCanvases(events: readonly Event[], view: Span) {
  const strip = useRef<HTMLCanvasElement>(null)
  const tickCanvas = useRef<HTMLCanvasElement>(null)
  const isDarkPage = useIsDark()
  // In windows wider than a phone, the strip is part of the clip stage, which is always dark.
  const isDark = useIsPhone() === false || isDarkPage
  useEffect(() => {
    const [stripElement, tickElement] = [strip.current, tickCanvas.current]
    if (!stripElement || !tickElement) return
    const runs = events.flatMap((event) => {
      const clip = getClip(event)?.resource
      return clip ? [{ from: clip.begin_time, to: clip.end_time, state: 'recorded' as const }] : []
    })
    const paint = () => {
      paintTicks(tickElement, { ticks: createTicks(events, view, tickElement.clientWidth), taken: null, isDark })
      paintStrip(stripElement, { view, runs, isDark, gapColor: isDark ? '#1d1726' : '#fff' })
    }
    // The observer also reports the first layout. Painting before it would force another layout.
    const observer = new ResizeObserver(paint)
    observer.observe(stripElement)
    return () => observer.disconnect()
  }, [events, view, isDark])
  return { strip, lane: tickCanvas }
}

function HourList({ events, openId }: { events: readonly Event[]; openId: string }) {
  const filter = useStore($eventFilter)
  return (
    <ul>
      {events.map((event) => (
        <li key={event.event_id}>
          <a
            href={formatFilteredEventHref(filter, { eventId: event.event_id, deviceId: event.device_id })}
            aria-current={event.event_id === openId || undefined}
            onClick={(click) => {
              if (click.metaKey || click.ctrlKey || click.shiftKey) return
              click.preventDefault()
              openHourEvent(event)
            }}
          >
            <b>{timeLabel(event.event_ts)}</b> {event.title}
          </a>
        </li>
      ))}
    </ul>
  )
}
