import type { SqlStorage } from '@cloudflare/workers-types'
import { getNewcombeInterval, getWilsonInterval } from '../../../contract/telemetry/confidence-intervals.ts'
import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { AUTOMATIC_EVENTS } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, VARIANTS } from '../../../contract/telemetry/telemetry-calls.ts'
import type { UtcSpan } from '../utc-days.ts'
import { scanInChunks } from './chunked-scan.ts'

interface ExperimentArm {
  readonly seen: number
  readonly bought: number
}
type ArmRow = ExperimentArm & { readonly flag: string; readonly variant: string }

const [CONTROL, TREATMENT] = VARIANTS

/**
 * Counts, per variant, the visitors with an exposure and those who bought afterwards. A visitor is an account, or a
 * device if signed out. Visitors who saw both variants do not count.
 */
export async function summarizeExperiments(sql: SqlStorage, span: UtcSpan): Promise<InsightsReport['experiments']> {
  const flags = new Map<string, Map<string, ExperimentArm>>()
  await scanInChunks(sql, span, (part) => {
    for (const { flag, variant, ...counts } of countArms(sql, span, part)) {
      const arms = flags.get(flag) ?? new Map<string, ExperimentArm>()
      const sum = arms.get(variant) ?? { seen: 0, bought: 0 }
      arms.set(variant, { seen: sum.seen + counts.seen, bought: sum.bought + counts.bought })
      flags.set(flag, arms)
    }
  })
  return [...flags]
    .map(([flag, arms]) => summarizeExperiment(flag, arms))
    .toSorted((a, b) => (a.flag < b.flag ? -1 : 1))
}

function countArms(sql: SqlStorage, span: UtcSpan, part: UtcSpan): ArmRow[] {
  return sql
    .exec<ArmRow & Record<string, number | string>>(
      `WITH first AS (
         SELECT flag, who, min(variant) AS variant, min(at) AS at FROM events
         WHERE type = ?5 AND at >= ?1 AND at < ?2 AND flag IS NOT NULL AND variant IS NOT NULL
         GROUP BY flag, who HAVING min(variant) = max(variant)
       )
       SELECT flag, variant, count(*) AS seen, coalesce(sum(EXISTS (
         SELECT 1 FROM events AS buyer INDEXED BY events_bought WHERE buyer.type = '${ANALYTICS_EVENTS.bought}'
           AND buyer.who = first.who AND buyer.at >= first.at AND buyer.at < ?4)), 0) AS bought
       FROM first
       WHERE NOT EXISTS (SELECT 1 FROM events AS before
           WHERE before.flag = first.flag AND before.who = first.who AND before.variant IN ('${CONTROL}', '${TREATMENT}')
             AND before.at >= ?3 AND before.at < ?1)
         AND NOT EXISTS (SELECT 1 FROM events AS later
           WHERE later.flag = first.flag AND later.who = first.who
             AND later.variant = iif(first.variant = '${CONTROL}', '${TREATMENT}', '${CONTROL}')
             AND later.at >= ?2 AND later.at < ?4)
       GROUP BY flag, variant`,
      part.from,
      part.to,
      span.from,
      span.to,
      AUTOMATIC_EVENTS.exposure,
    )
    .toArray()
}

function summarizeExperiment(
  flag: string,
  countsByVariant: ReadonlyMap<string, ExperimentArm>,
): InsightsReport['experiments'][number] {
  const arms = VARIANTS.map((variant) => {
    const { seen: people, bought: buyers } = countsByVariant.get(variant) ?? { seen: 0, bought: 0 }
    const share = people === 0 ? 0 : buyers / people
    return { variant, seen: people, bought: buyers, share, interval: getWilsonInterval(buyers, people) }
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
