import { formatDayCount } from '../domain/copy/counts.ts'
import 'cally'
import { memo } from 'react'
import { type DateRange, isHourRange, toDateRange } from '../domain/time/date-range.ts'
import { resolveRange } from '../domain/events/event-url.ts'
import type { EventFilter } from '../domain/events/event-filter.ts'
import { getFirstWeekday } from '../domain/time/first-weekday.ts'
import { endHourLabel, startHourLabel } from '../domain/time/hour-label.ts'
import { getRegionalFormats } from '../domain/time/regional-formats.ts'
import { toDay } from '../domain/time/local-time.ts'
import { useNow } from './use-now.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const WHOLE_DAY = [0, 23] as const

interface DatesPanelProps {
  /** Selected dates, or a number of days up to today. */
  readonly selectedRange: EventFilter['range']
  /**
   * Longest retention period of the account's plan and visible cameras; null until loaded. `days`: its length.
   * `keptSince`: its start, ms UTC.
   */
  readonly kept: { readonly days: number; readonly keptSince: number } | null
  readonly months: number
  readonly onChange: (range: DateRange) => void
}

/**
 * Calendar that offers the days in the retention period, or the last 60 days until the period has loaded. If a single
 * day is selected, it also offers hours.
 */
export const DatesPanel = memo(function DatesPanel(props: DatesPanelProps) {
  const { selectedRange, kept: retention, months, onChange } = props
  const now = useNow()
  if (now === 0) return null
  const formats = getRegionalFormats()
  const range = resolveRange({ range: selectedRange }, now)
  const firstDay = retention ? toDay(retention.keptSince) : toDateRange(60, now).start

  function selectDays(value: string): void {
    const [start, end] = value.split('/')
    if (start && end) onChange({ start, end, hours: WHOLE_DAY })
  }

  return (
    <div className="flex flex-col gap-2 p-1">
      <calendar-range
        class="calendar"
        value={`${range.start}/${range.end}`}
        min={firstDay}
        max={toDay(now)}
        today={toDay(now)}
        focused-date={range.end}
        months={months}
        locale={formats.locale}
        first-day-of-week={getFirstWeekday(formats) % 7}
        onchange={(change: Event) => selectDays((change.currentTarget as HTMLInputElement).value)}
      >
        {Array.from({ length: months }, (_, offset) => (
          <calendar-month key={offset} offset={offset} />
        ))}
      </calendar-range>
      <p className="text-small text-ink-2 max-w-[30ch] px-2">
        Choose the first and last day. For a single day, select it twice.
      </p>
      {range.start === range.end && <HourChoice range={range} onChange={onChange} />}
      {retention && (
        <p className="text-small text-ink-2 max-w-[30ch] px-2">
          Your plan keeps clips for {formatDayCount(retention.days)}.{' '}
          <a className="link" href="/account/products/choose">
            Explore plans
          </a>
        </p>
      )}
    </div>
  )
})

/** Select fields for the hours of a single day. The end is always after the start, except for 23 to 23 (OPEN-60). */
function HourChoice({ range, onChange }: { range: DateRange } & Pick<DatesPanelProps, 'onChange'>) {
  const [from, to] = range.hours
  const { is12Hour } = getRegionalFormats()
  const changeHours = (hours: readonly [number, number]) => onChange({ ...range, hours })
  const changeStart = (hour: number) => changeHours(isHourRange([hour, to]) ? [hour, to] : [hour, 23])
  return (
    <div className="flex items-center gap-2 px-2">
      <select
        className="input h-9! flex-1"
        aria-label="From"
        value={from}
        onChange={(choice) => changeStart(Number(choice.target.value))}
      >
        {HOURS.map((hour) => (
          <option key={hour} value={hour}>
            {startHourLabel(hour, is12Hour)}
          </option>
        ))}
      </select>
      <span aria-hidden>–</span>
      <select
        className="input h-9! flex-1"
        aria-label="To"
        value={to}
        onChange={(choice) => changeHours([from, Number(choice.target.value)])}
      >
        {HOURS.filter((hour) => isHourRange([from, hour])).map((hour) => (
          <option key={hour} value={hour}>
            {endHourLabel(hour, is12Hour)}
          </option>
        ))}
      </select>
    </div>
  )
}
