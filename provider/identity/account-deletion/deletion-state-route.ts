import type { Hono } from 'hono'
import { getAccountDeletion } from '../../../contract/account/account-deletion.ts'
import type { AppEnv } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { findSecondFactor } from '../two-factor/second-factor-rows.ts'
import { findDeletionDate } from '../../accounts/deletion/deletion-date-rows.ts'

export function accountDeletionRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getAccountDeletion, async ({ env, account, now }) => ({
    leaves_at: await findDeletionDate(env.DB, account.userId),
    has_two_step: (await findSecondFactor(env.DB, account.userId, now))?.enabledAt != null,
  }))
}
