import type { Hono } from 'hono'
import { getAccountLeave } from '../../contract/leave-account.ts'
import type { AppEnv } from '../env.ts'
import { serve } from '../http/serve.ts'
import { leavesAtOf } from './leaves-at.ts'

/** Mounts what the portal asks about an account that goes. */
export function leaveAccountRoutes(app: Hono<AppEnv>): void {
  serve(app, getAccountLeave, async ({ env, account }) => ({ leaves_at: await leavesAtOf(env.DB, account.userId) }))
}
