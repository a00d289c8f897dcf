import { Fragment, memo } from 'react'
import { type BusyHours as Busy, heatLevel } from '../../../domain/event-facts.ts'
import { countLabel } from '../../../domain/event-labels.ts'
import { useIsPhone } from './use-media.ts'

const LEVELS = ['bg-sunken', 'heat-1', 'heat-2', 'heat-3', 'heat-4'] as const
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

interface BusyHoursProps {
  readonly busy: Busy
  readonly names: ReadonlyMap<string, string>
  readonly range: string
  readonly isReady: boolean
  /** Less room: the cells are lower. */
  readonly compact: boolean
}

/** When each camera had events: 24 hours across, a row for each camera. The sentence above says the same in words. */
export const BusyHours = memo(function BusyHours(props: BusyHoursProps) {
  const { names, range, isReady, compact } = props
  const { rows, busiest, max } = props.busy
  const labelled = useIsPhone() ? 6 : 3
  const name = (id: string) => names.get(id) ?? 'A camera'
  const height = compact && rows.length > 4 ? 'h-[27px] leading-[27px]!' : 'h-[37px] leading-[37px]!'
  const sentence = busiest
    ? `${range} · ${name(busiest.deviceId)} is busiest at ${clock(busiest.hour)}, ${countLabel(busiest.count)}`
    : isReady
      ? `${range} · nothing happened`
      : range
  return (
    <section
      aria-label="Busy hours"
      className={`panel flex flex-col p-4.5 pt-4 ${compact ? 'flex-auto' : 'flex-none'}`}
    >
      <div className="flex items-baseline gap-2">
        <h2 className="flex-none text-[16px]! leading-[22px]! font-extrabold!">Busy hours</h2>
        <p className="text-small text-ink-2 min-w-0 truncate max-md:hidden">{sentence}</p>
        <span className="text-micro text-ink-2 ml-auto flex flex-none items-center gap-1.5 font-[650]" aria-hidden>
          Quiet
          {LEVELS.map((level) => (
            <i key={level} className={`h-3 w-[18px] rounded-[4px] ${level}`} />
          ))}
          Busy
        </span>
      </div>
      <div className="mt-3 grid grid-cols-[104px_repeat(24,minmax(0,1fr))] gap-[3px]" aria-hidden>
        <span />
        {HOURS.map((hour) => (
          <span key={hour} className="text-micro text-ink-2 h-5 font-[650] whitespace-nowrap">
            {hour % labelled === 0 && clock(hour)}
          </span>
        ))}
        {rows.map(({ deviceId, hours }) => (
          <Fragment key={deviceId}>
            <span className={`text-small truncate pr-2 font-bold ${height}`}>{name(deviceId)}</span>
            {hours.map((count, hour) => (
              <i
                key={hour}
                title={`${name(deviceId)}, ${clock(hour)}: ${countLabel(count)}`}
                className={`${height} rounded-[4px] ${LEVELS[heatLevel(count, max)]} ${busiest?.deviceId === deviceId && busiest.hour === hour ? 'ring-primary ring-offset-surface ring-2 ring-offset-1' : ''}`}
              />
            ))}
          </Fragment>
        ))}
      </div>
    </section>
  )
})
