import { useStore } from '@nanostores/react'
import { Fragment, type KeyboardEvent, memo } from 'react'
import { type HourlyEventCounts as Busy, heatLevel } from '../../../domain/events/event-statistics.ts'
import { eventCountLabel } from '../../../domain/copy/event-labels.ts'
import { hourSpanLabel, wholeHourLabel } from '../../../domain/time/hour-label.ts'
import { $timeline } from '../../../stores/events/timeline.ts'
import { useIsPhone } from '../../../ui/use-media.ts'

const LEVEL_CLASSES = ['bg-sunken', 'heat-1', 'heat-2', 'heat-3', 'heat-4'] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Cell of an hour that has not begun. */
const FUTURE_CLASS = 'inset-ring-line inset-ring'
const BUSIEST_RING = 'ring-primary ring-offset-surface ring-2 ring-offset-1'

interface BusyHoursProps {
  readonly busy: Busy
  readonly rows: HeatMapRows
  /** Sentence beside the heading. */
  readonly sentence: string
  /** True for the smaller layout. With more than four rows, the cells in this layout have less height. */
  readonly compact: boolean
}

/** Meaning of the rows of the heat map: cameras, or the days of one camera. */
export interface HeatMapRows {
  readonly label: string
  /** Sentence below the heat map. */
  readonly note?: string
  /** True if the sentence names the busiest cell, which the heat map then outlines. */
  readonly isBusiestOutlined: boolean
  readonly name: (id: string) => string
  readonly isChosen: (id: string, hour: number) => boolean
  readonly isFuture: (id: string, hour: number) => boolean
  readonly choose: (id: string, hour: number) => void
}

/**
 * Number of events by hour: one row per camera or day, 24 hours across. Except on phones, a click on a cell filters the
 * list by the cell's row and hour, and a second click removes this filter.
 */
export const BusyHours = memo(function BusyHours(props: BusyHoursProps) {
  const { sentence, compact } = props
  const { rows, busiest, max } = props.busy
  const { label, note, isBusiestOutlined, name, isChosen, isFuture, choose } = props.rows
  const isPhone = useIsPhone()
  const isLoading = useStore($timeline).state === 'loading'
  const labelInterval = isPhone ? 6 : 3
  const height = compact && rows.length > 4 ? 'h-[27px] leading-[27px]!' : 'h-[37px] leading-[37px]!'
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
        aria-label={label}
        className="mt-3 grid grid-cols-[104px_repeat(24,minmax(0,1fr))] gap-[3px]"
        onKeyDown={moveCellFocus}
      >
        <span />
        {HOURS.map((hour) => (
          <span key={hour} aria-hidden className="text-micro text-ink-2 h-5 font-[650] whitespace-nowrap">
            {hour % labelInterval === 0 && wholeHourLabel(hour)}
          </span>
        ))}
        {rows.length === 0 && isLoading && (
          <>
            <i aria-hidden className="skeleton heat-wait-names" />
            <i aria-hidden className="skeleton heat-wait-cells" />
          </>
        )}
        {rows.map(({ id, hours }, row) => (
          <Fragment key={id}>
            <span aria-hidden className={`text-small truncate pr-2 font-bold ${height}`}>
              {name(id)}
            </span>
            {hours.map((count, hour) => {
              const isBusiest = isBusiestOutlined && busiest?.id === id && busiest.hour === hour
              const cellClass = `heat-cell ${height} ${isFuture(id, hour) ? FUTURE_CLASS : LEVEL_CLASSES[heatLevel(count, max)]} ${isBusiest ? BUSIEST_RING : ''}`
              const cellLabel = `${name(id)}, ${hourSpanLabel(hour)}: ${eventCountLabel(count)}`
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
                  aria-pressed={isChosen(id, hour)}
                  className={cellClass}
                  onClick={() => choose(id, hour)}
                />
              )
            })}
          </Fragment>
        ))}
      </div>
      {note && <p className="text-small text-ink-2 mt-3">{note}</p>}
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
