import type { Hono } from 'hono'
import { KeyedRateLimiter } from '../../../contract/wire/rate-limiter.ts'
import * as calls from '../../../contract/account/data-export.ts'
import type { AppEnv } from '../../env.ts'
import { enforceRateLimit } from '../../platform/rate-limits/enforce-rate-limit.ts'
import { serveCallWithAccess } from '../../platform/http/serve-call.ts'
import { createExportUrl, estimateExportSize, buildExportArchive } from './export-handlers.ts'

/** Rate limit of the size call. Each call counts the contents of all homes. */
const sizeLimiter = new KeyedRateLimiter({ burst: 20, perSecond: 0.5 })

/** Rate limit of the archive call. An archive can list thousands of events and is stored for a day. */
const archiveLimiter = new KeyedRateLimiter({ burst: 20, perSecond: 0.05 })

export function dataExportRoutes(app: Hono<AppEnv>): void {
  serveCallWithAccess(app, calls.getDataExportSize, ({ env, access, now }) => {
    enforceRateLimit(sizeLimiter, access.userId, now)
    return estimateExportSize(env, access, now)
  })
  serveCallWithAccess(app, calls.exportAccountData, ({ env, account, access, input, now }) => {
    enforceRateLimit(archiveLimiter, account.userId, now)
    return buildExportArchive(env, { account, access }, input, now)
  })
  serveCallWithAccess(app, calls.getDataExportUrl, ({ env, account, access, input, now }) =>
    createExportUrl(env, { account, access }, input.take_id, now),
  )
}
