import type { Hono } from 'hono'
import * as v from 'valibot'
import { activityQuery, getActivity } from '../../../contract/account/activity.ts'
import { ADMIN_PATHS } from '../../../contract/operator/operator-calls.ts'
import { findAccountByEmail } from '../account-rows.ts'
import { requireOperator } from '../../platform/auth/require-operator.ts'
import { badRequest, notFound } from '../../platform/api-error.ts'
import type { AppEnv } from '../../env.ts'
import { serveCall } from '../../platform/http/serve-call.ts'
import { readActivity } from './list-activity.ts'

export function activityRoutes(app: Hono<AppEnv>): void {
  serveCall(app, getActivity, ({ env, account, input, now }) => readActivity(env, account.userId, input, now))

  app.get(`${ADMIN_PATHS.activity}/:email`, requireOperator, async (c) => {
    const query = v.safeParse(activityQuery, c.req.query())
    if (!query.success) throw badRequest('The ID of the last entry is malformed.')
    const account = await findAccountByEmail(c.env.DB, c.req.param('email'))
    if (account === null) throw notFound()
    return c.json({ code: 200, data: await readActivity(c.env, account.userId, query.output, Date.now()) })
  })
}
