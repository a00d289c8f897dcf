import { getNewcombeInterval, getWilsonInterval } from '../../../contract/telemetry/confidence-intervals.ts'
import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { VARIANTS } from '../../../contract/telemetry/telemetry-calls.ts'
import type { EventCounts } from './event-counts.ts'

/**
 * Counts, per variant, the people with an exposure and those who bought afterwards. People who saw both variants do not
 * count.
 */
export const summarizeExperiments = ({
  exposures,
  purchases,
}: Pick<EventCounts, 'exposures' | 'purchases'>): InsightsReport['experiments'] =>
  [...exposures]
    .map(([flag, people]) => summarizeExperiment(flag, people, purchases))
    .toSorted((a, b) => (a.flag < b.flag ? -1 : 1))

function summarizeExperiment(
  flag: string,
  exposures: ReadonlyMap<string, { readonly firstAt: number; readonly variants: number }>,
  purchases: ReadonlyMap<string, number>,
): InsightsReport['experiments'][number] {
  const arms = VARIANTS.map((variant, index) => {
    const people = [...exposures].filter(([, { variants }]) => variants === 1 << index)
    const buyers = people.filter(([person, { firstAt }]) => (purchases.get(person) ?? -Infinity) >= firstAt)
    const share = people.length === 0 ? 0 : buyers.length / people.length
    const interval = getWilsonInterval(buyers.length, people.length)
    return { variant, seen: people.length, bought: buyers.length, share, interval }
  })
  const [control, treatment] = arms
  const hasBothVariants = control !== undefined && treatment !== undefined && control.seen > 0 && treatment.seen > 0
  return {
    flag,
    arms,
    difference: hasBothVariants
      ? getNewcombeInterval(treatment.bought, treatment.seen, control.bought, control.seen)
      : null,
  }
}
