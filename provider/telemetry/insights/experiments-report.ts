import type { SqlStorage } from '@cloudflare/workers-types'
import { newcombe, wilson } from '../../../contract/telemetry/confidence-intervals.ts'
import type { InsightsReport } from '../../../contract/telemetry/insights-report.ts'
import { CAPTURED } from '../../../contract/telemetry/analytics-events.ts'
import { ANALYTICS_EVENTS, VARIANTS } from '../../../contract/telemetry/telemetry-calls.ts'
import type { UtcSpan } from '../utc-days.ts'
import { inParts } from './chunked-scan.ts'

interface Arm {
  readonly seen: number
  readonly bought: number
}
type Row = Arm & { readonly flag: string; readonly variant: string }

const [CONTROL, TREATMENT] = VARIANTS

/**
 * Counts visitors with an exposure, and purchases, per variant. A visitor is an account, or a device if signed out;
 * visitors who saw both variants do not count. Purchases count from the first exposure on. Each visitor is counted in
 * the first chunk that contains an exposure.
 */
export async function summarizeExperiments(sql: SqlStorage, span: UtcSpan): Promise<InsightsReport['experiments']> {
  const flags = new Map<string, Map<string, Arm>>()
  await inParts(sql, span, (part) => {
    for (const { flag, variant, ...its } of armsIn(sql, span, part)) {
      const arms = flags.get(flag) ?? new Map<string, Arm>()
      const sum = arms.get(variant) ?? { seen: 0, bought: 0 }
      arms.set(variant, { seen: sum.seen + its.seen, bought: sum.bought + its.bought })
      flags.set(flag, arms)
    }
  })
  return [...flags]
    .map(([flag, arms]) => summarizeExperiment(flag, arms))
    .toSorted((a, b) => (a.flag < b.flag ? -1 : 1))
}

function armsIn(sql: SqlStorage, span: UtcSpan, part: UtcSpan): Row[] {
  return sql
    .exec<Row & Record<string, number | string>>(
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
      ...[part.from, part.to, span.from, span.to, CAPTURED.exposure],
    )
    .toArray()
}

function summarizeExperiment(flag: string, seen: ReadonlyMap<string, Arm>): InsightsReport['experiments'][number] {
  const arms = VARIANTS.map((variant) => {
    const { seen: people, bought: buyers } = seen.get(variant) ?? { seen: 0, bought: 0 }
    const share = people === 0 ? 0 : buyers / people
    return { variant, seen: people, bought: buyers, share, interval: wilson(buyers, people) }
  })
  const [control, treatment] = arms
  const isWhole = control !== undefined && treatment !== undefined && control.seen > 0 && treatment.seen > 0
  return {
    flag,
    arms,
    difference: isWhole ? newcombe(treatment.bought, treatment.seen, control.bought, control.seen) : null,
  }
}
