import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../env.ts'
import { getInsights } from './insights/insights.ts'
import { saveReport } from './error-report-rows.ts'

/** Stores a masked report and schedules its cleanup. `now` in ms UTC. */
export async function storeErrorReport(env: Env, report: ErrorReport, build: string, now: number): Promise<void> {
  await saveReport(env.DB, report, build, now)
  await getInsights(env).scheduleCleanup(now)
}
