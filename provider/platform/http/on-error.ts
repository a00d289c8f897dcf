import type { Context } from 'hono'
import { routePath } from 'hono/route'
import { BodyTooLargeError } from '../../../contract/wire/body-limits.ts'
import { maskValue } from '../../../contract/telemetry/mask-secrets.ts'
import type { AppEnv } from '../../env.ts'
import { ApiError } from '../api-error.ts'
import { reportProviderFailure } from '../../telemetry/error-reporting.ts'
import { getRequestId } from '../../telemetry/request-id.ts'

export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof ApiError) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return c.json({ code: error.code, msg: error.message, data: error.data }, error.status)
  }
  if (error instanceof BodyTooLargeError) return c.json({ code: 413, msg: error.message }, 413)
  const reportContext = { build: c.env.BUILD_ID, request_id: getRequestId(c) }
  console.error(
    JSON.stringify(
      maskValue({
        at: 'provider',
        ...reportContext,
        method: c.req.method,
        path: routePath(c, -1),
        error: error.name,
        msg: error.message,
      }),
    ),
  )
  reportProviderFailure(c, error, Date.now())
  const failure = new ApiError(500, 500)
  return c.json({ code: failure.code, msg: failure.message }, failure.status)
}
