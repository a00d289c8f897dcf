import { getClip } from './event-recording.ts'
import { summarizeVisit, type Visit } from './visits.ts'

/** Returns the visit with the most clip time, and this time in milliseconds, which its card also shows. */
export function findLongestVisit(visits: readonly Visit[]): { visit: Visit; lengthMs: number } | null {
  return visits.reduce<{ visit: Visit; lengthMs: number } | null>((longest, visit) => {
    const lengthMs = getClip(summarizeVisit(visit))?.length ?? 0
    return longest && longest.lengthMs >= lengthMs ? longest : { visit, lengthMs }
  }, null)
}
