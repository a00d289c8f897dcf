import type { TickKind } from '../domain/events/timeline-ticks.ts'
import { getTickColor } from './tick-paint.ts'

const TICK_PATHS: Readonly<Record<TickKind, string>> = {
  motion: 'M3.5 0a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-3 0v-9A1.5 1.5 0 0 1 3.5 0z',
  person: 'M3.5 0a3 3 0 0 1 1.2 5.75V11a1.2 1.2 0 0 1-2.4 0V5.75A3 3 0 0 1 3.5 0z',
  sound: 'M3.5 0l3 3-1.8 1.8V11a1.2 1.2 0 0 1-2.4 0V4.8L.5 3z',
}

export function TickMark({ kind, isDark }: { kind: TickKind; isDark: boolean }) {
  return (
    <svg aria-hidden width="7" height="12" viewBox="0 0 7 12" fill={getTickColor(kind, isDark)}>
      <path d={TICK_PATHS[kind]} />
    </svg>
  )
}
