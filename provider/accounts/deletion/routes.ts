import type { Hono } from 'hono'
import { getAccountLeave } from '../../../contract/account/account-deletion.ts'
import type { AppEnv } from '../../env.ts'
import { serve } from '../../platform/http/serve-call.ts'
import { leavesAtOf } from './deletion-date-rows.ts'

/** Mounts what the portal asks about an account that goes. */
export function leaveAccountRoutes(app: Hono<AppEnv>): void {
  serve(app, getAccountLeave, async ({ env, account }) => ({ leaves_at: await leavesAtOf(env.DB, account.userId) }))
}
