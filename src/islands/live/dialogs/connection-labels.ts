import { STEPS, type Step } from '../../../media/live/tile-state-machine.ts'

/** A rendition as people call it: `720p`; names that are no number of lines stay as they are. */
export const linesText = (name: string): string => (/^\d+$/.test(name) ? `${name}p` : name)

/** The steps to a picture in the order in which they were done; a relay may show one before the direct line is there. */
export function inOrder(done: Readonly<Partial<Record<Step, number>>>): Step[] {
  const at = (step: Step) => done[step] ?? Number.MAX_VALUE
  return STEPS.toSorted((a, b) => at(a) - at(b))
}
