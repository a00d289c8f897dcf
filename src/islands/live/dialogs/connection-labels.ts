import { STEPS, type ConnectionStep } from '../../../media/live/tile-state-machine.ts'

/** Formats the name of a rendition for display: `720p`. A name that is not a number stays unchanged. */
export const linesText = (name: string): string => (/^\d+$/.test(name) ? `${name}p` : name)

/** Sorts the steps by completion time: the relay may play before the direct connection is ready. */
export function inOrder(done: Readonly<Partial<Record<ConnectionStep, number>>>): ConnectionStep[] {
  const at = (step: ConnectionStep) => done[step] ?? Number.MAX_VALUE
  return STEPS.toSorted((a, b) => at(a) - at(b))
}
