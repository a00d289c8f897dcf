import 'cally'
import { type DateRange, isHours, quickRange } from '../domain/time/date-range.ts'
import { resolveRange } from '../domain/events/event-url.ts'
import type { EventFilter } from '../domain/events/event-filter.ts'
import { endLabel, has12HourClock, startLabel } from '../domain/time/hour-label.ts'
import { toDay } from '../domain/time/local-time.ts'
import { useNow } from './use-now.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const WHOLE_DAY = [0, 23] as const

interface DayChoice {
  /** Selected dates, or a number of days until today. */
  readonly chosen: EventFilter['range']
  /** Retention of the plan, null until known. `keptSince`: time since which events are kept, ms UTC. */
  readonly kept: { readonly days: number; readonly keptSince: number } | null
  readonly months: number
  readonly onChange: (range: DateRange) => void
}

/** Calendar of the retention period, with hours if a single day is selected. */
export function DatesPanel({ chosen, kept: retention, months, onChange }: DayChoice) {
  const now = useNow()
  if (now === 0) return null
  const range = resolveRange({ range: chosen }, now)
  const first = retention ? toDay(retention.keptSince) : quickRange(60, now).start

  function choose(value: string): void {
    const [start, end] = value.split('/')
    if (start && end) onChange({ start, end, hours: WHOLE_DAY })
  }

  return (
    <div className="flex flex-col gap-2 p-1">
      <calendar-range
        class="calendar"
        value={`${range.start}/${range.end}`}
        min={first}
        max={toDay(now)}
        today={toDay(now)}
        months={months}
        locale="en-GB"
        onchange={(change: Event) => choose((change.currentTarget as HTMLInputElement).value)}
      >
        {Array.from({ length: months }, (_, offset) => (
          <calendar-month key={offset} offset={offset} />
        ))}
      </calendar-range>
      <p className="text-small text-ink-2 max-w-[30ch] px-2">
        Choose the first and the last day. For one day, press it twice.
      </p>
      {range.start === range.end && <HourChoice range={range} onChange={onChange} />}
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

/** Hours of a single day; the end is always after the start (OPEN-60). */
function HourChoice({ range, onChange }: { range: DateRange } & Pick<DayChoice, 'onChange'>) {
  const [from, to] = range.hours
  const is12Hour = has12HourClock()
  const change = (hours: readonly [number, number]) => onChange({ ...range, hours })
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
            {startLabel(hour, is12Hour)}
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
            {endLabel(hour, is12Hour)}
          </option>
        ))}
      </select>
    </div>
  )
}
