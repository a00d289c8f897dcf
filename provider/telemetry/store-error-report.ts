import type { ErrorReport } from '../../contract/telemetry/telemetry-calls.ts'
import type { Env } from '../env.ts'
import { getArchive } from './insights/insights-objects.ts'
import { saveErrorReport } from './error-report-rows.ts'

/** Stores a masked error report, and schedules the deletion of expired reports. `now` in ms UTC. */
export async function storeErrorReport(env: Env, report: ErrorReport, build: string, now: number): Promise<void> {
  await saveErrorReport(env.DB, report, build, now)
  await getArchive(env).scheduleCleanup(now)
}
