import type { Hono } from 'hono'
import * as v from 'valibot'
import { activityQuery, getActivity } from '../../../contract/account/activity.ts'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { findAccountByEmail } from '../account-rows.ts'
import { readAccountAccess } from '../../homes/members/account-access.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { badRequest, notFound } from '../../platform/api-error.ts'
import type { AppEnv } from '../../env.ts'
import { serveCallWithAccess } from '../../platform/http/serve-call.ts'
import { readActivity } from './list-activity.ts'

export function activityRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, getActivity, ({ env, access, input, now }) => readActivity(env, access, input, now))

  app.get(`${ADMIN_PATHS.activity}/:email`, requireOperator, async (c) => {
    const query = v.safeParse(activityQuery, c.req.query())
    if (!query.success) throw badRequest('The ID of the last entry is malformed.')
    const account = await findAccountByEmail(c.env.DB, c.req.param('email'))
    if (account === null) throw notFound()
    const access = await readAccountAccess(c.env, account.userId)
    return c.json({ code: 200, data: await readActivity(c.env, access, query.output, Date.now()) })
  })
}
