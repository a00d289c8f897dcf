import { useStore } from '@nanostores/react'
import 'cally'
import { useEffect } from 'react'
import { type DateRange, hourLabel, isHours, quickRange } from '../../../domain/date-range.ts'
import { endLabel } from '../../../domain/hour-words.ts'
import { dayOf } from '../../../domain/local-time.ts'
import { rangeOf } from '../../../domain/event-address.ts'
import { $calendarPanels } from '../../../stores/events/calendar.ts'
import { $address, changeFilter } from '../../../stores/events/event-address.ts'
import { $retention, loadRetention } from '../../../stores/events/retention.ts'
import { useNow } from './use-now.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const WHOLE_DAY = [0, 23] as const

/** A calendar of the days that are kept, and the hours of a single one. */
export function DatesPanel() {
  const { filter } = useStore($address)
  const retention = useStore($retention)
  const panels = useStore($calendarPanels)
  const now = useNow()
  useEffect(() => void loadRetention(), [])
  if (now === 0) return null
  const range = rangeOf(filter, now)
  const first = retention ? dayOf(retention.keptSince) : quickRange(60, now).start

  function choose(value: string): void {
    const [start, end] = value.split('/')
    if (start && end) changeFilter({ range: { start, end, hours: WHOLE_DAY } })
  }

  return (
    <div className="flex flex-col gap-2 p-1">
      <calendar-range
        class="calendar"
        value={`${range.start}/${range.end}`}
        min={first}
        max={dayOf(now)}
        today={dayOf(now)}
        months={panels}
        locale="en-GB"
        onchange={(change: Event) => choose((change.currentTarget as HTMLInputElement).value)}
      >
        {Array.from({ length: panels }, (_, offset) => (
          <calendar-month key={offset} offset={offset} />
        ))}
      </calendar-range>
      <p className="text-small text-ink-2 max-w-[30ch] px-2">
        Choose the first and the last day. For one day, press it twice.
      </p>
      {range.start === range.end && <HourChoice range={range} />}
      {retention && (
        <p className="text-small text-ink-2 max-w-[30ch] px-2">
          Your plan keeps {retention.days === 1 ? '1 day' : `${retention.days} days`}.{' '}
          <a className="link" href="/account/products/choose">
            Explore plans
          </a>
        </p>
      )}
    </div>
  )
}

/** From when to when on a single day; an end is always after its beginning (OPEN-60). */
function HourChoice({ range }: { range: DateRange }) {
  const [from, to] = range.hours
  const change = (hours: readonly [number, number]) => changeFilter({ range: { ...range, hours } })
  const withFrom = (hour: number) => change(isHours([hour, to]) ? [hour, to] : [hour, 23])
  return (
    <div className="flex items-center gap-2 px-2">
      <select
        className="input h-9! flex-1"
        aria-label="From"
        value={from}
        onChange={(choice) => withFrom(Number(choice.target.value))}
      >
        {HOURS.map((hour) => (
          <option key={hour} value={hour}>
            {hourLabel(hour)}
          </option>
        ))}
      </select>
      <span aria-hidden>–</span>
      <select
        className="input h-9! flex-1"
        aria-label="To"
        value={to}
        onChange={(choice) => change([from, Number(choice.target.value)])}
      >
        {HOURS.filter((hour) => isHours([from, hour])).map((hour) => (
          <option key={hour} value={hour}>
            {endLabel(hour)}
          </option>
        ))}
      </select>
    </div>
  )
}
