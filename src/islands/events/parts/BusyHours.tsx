import { useStore } from '@nanostores/react'
import { Fragment, type KeyboardEvent, memo } from 'react'
import { type HourlyEventCounts as Busy, heatLevel } from '../../../domain/events/event-statistics.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { $eventFilter, changeFilter } from '../../../stores/events/event-url.ts'
import { hourSpanLabel, wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { useIsPhone } from '../../../ui/use-media.ts'

const LEVEL_CLASSES = ['bg-sunken', 'heat-1', 'heat-2', 'heat-3', 'heat-4'] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const BUSIEST_RING = 'ring-primary ring-offset-surface ring-2 ring-offset-1'

interface BusyHoursProps {
  readonly busy: Busy
  readonly names: ReadonlyMap<string, string>
  readonly range: string
  readonly isReady: boolean
  /** True for the smaller layout. With more than four cameras, the cells in this layout have less height. */
  readonly compact: boolean
}

/**
 * Number of events by hour: one row per camera, 24 hours across. Except on phones, a click on a cell filters the list
 * by the cell's camera and hour, and a second click removes this filter.
 */
export const BusyHours = memo(function BusyHours(props: BusyHoursProps) {
  const { names, range, isReady, compact } = props
  const { rows, busiest, max } = props.busy
  const filter = useStore($eventFilter)
  const isChosen = (id: string, hour: number) =>
    filter.hour === hour && filter.cameras.length === 1 && filter.cameras[0] === id
  const isPhone = useIsPhone()
  const labelInterval = isPhone ? 6 : 3
  const name = (id: string) => names.get(id) ?? 'A camera'
  const height = compact && rows.length > 4 ? 'h-[27px] leading-[27px]!' : 'h-[37px] leading-[37px]!'
  const sentence = busiest
    ? `${range} · ${name(busiest.deviceId)} is busiest at ${wholeHourLabel(busiest.hour)}, ${eventCountLabel(busiest.count)}`
    : isReady
      ? `${range} · no events`
      : range
  return (
    <section
      aria-label="Busy hours"
      className={`panel flex flex-col p-4.5 pt-4 ${compact ? 'flex-auto' : 'flex-none'}`}
    >
      <div className="busy-head">
        <h2 className="flex-none text-[16px]! leading-[22px]! font-extrabold!">Busy hours</h2>
        <p className="text-small text-ink-2">{sentence}</p>
        <span className="text-micro text-ink-2 ml-auto flex flex-none items-center gap-1.5 font-[650]" aria-hidden>
          Quiet
          {LEVEL_CLASSES.map((level) => (
            <i key={level} className={`h-3 w-[18px] rounded-[4px] ${level}`} />
          ))}
          Busy
        </span>
      </div>
      <div
        role="group"
        aria-label="Events by camera and hour"
        className="mt-3 grid grid-cols-[104px_repeat(24,minmax(0,1fr))] gap-[3px]"
        onKeyDown={moveCellFocus}
      >
        <span />
        {HOURS.map((hour) => (
          <span key={hour} aria-hidden className="text-micro text-ink-2 h-5 font-[650] whitespace-nowrap">
            {hour % labelInterval === 0 && wholeHourLabel(hour)}
          </span>
        ))}
        {rows.map(({ deviceId, hours }, row) => (
          <Fragment key={deviceId}>
            <span aria-hidden className={`text-small truncate pr-2 font-bold ${height}`}>
              {name(deviceId)}
            </span>
            {hours.map((count, hour) => {
              const isBusiest = busiest?.deviceId === deviceId && busiest.hour === hour
              const cellClass = `heat-cell ${height} ${LEVEL_CLASSES[heatLevel(count, max)]} ${isBusiest ? BUSIEST_RING : ''}`
              const cellLabel = `${name(deviceId)}, ${hourSpanLabel(hour)}: ${eventCountLabel(count)}`
              // On phones, cells are too narrow to tap, so they are not buttons.
              if (isPhone) return <i key={hour} title={cellLabel} className={cellClass} />
              return (
                <button
                  key={hour}
                  type="button"
                  data-cell
                  tabIndex={row === 0 && hour === 0 ? 0 : -1}
                  title={cellLabel}
                  aria-label={cellLabel}
                  aria-pressed={isChosen(deviceId, hour)}
                  className={cellClass}
                  onClick={() =>
                    changeFilter(isChosen(deviceId, hour) ? { cameras: [], hour: null } : { cameras: [deviceId], hour })
                  }
                />
              )
            })}
          </Fragment>
        ))}
      </div>
    </section>
  )
})

function moveCellFocus(key: KeyboardEvent<HTMLElement>): void {
  const cells = [...key.currentTarget.querySelectorAll<HTMLElement>('[data-cell]')]
  const at = cells.findIndex((cell) => cell === key.target)
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -HOURS.length, ArrowDown: HOURS.length }[key.key]
  if (at < 0 || step === undefined) return
  key.preventDefault()
  cells[at + step]?.focus()
}
