import { CONNECTION_STEPS, type ConnectionStep } from '../../../media/live/tile-state-machine.ts'

/** Formats the name of a rendition for display: `720p`. A name that is not a number stays unchanged. */
export const formatRenditionName = (name: string): string => (/^\d+$/.test(name) ? `${name}p` : name)

/**
 * Sorts the connection steps by completion time. The order varies: the relay may play before the direct connection is
 * ready.
 */
export function sortStepsByTime(stepTimes: Readonly<Partial<Record<ConnectionStep, number>>>): ConnectionStep[] {
  const at = (step: ConnectionStep) => stepTimes[step] ?? Number.MAX_VALUE
  return CONNECTION_STEPS.toSorted((a, b) => at(a) - at(b))
}
