import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../env.ts'
import { insightsOf } from './insights/insights.ts'
import { keepReport } from './error-report-rows.ts'

/** Keeps a masked report, and sees to it that it goes once it is old. `now` in ms UTC. */
export async function takeReport(env: Env, report: ErrorReport, build: string, now: number): Promise<void> {
  await keepReport(env.DB, report, build, now)
  await insightsOf(env).sweepLater(now)
}
