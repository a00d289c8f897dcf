import type { Context } from 'hono'
import type { AppEnv } from '../env.ts'
import { Refusal } from '../base/refusal.ts'

/** The one place that turns a failure into an answer. */
export function onError(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof Refusal) {
    for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
    return c.json({ code: error.code, msg: error.message }, error.status)
  }
  console.error(
    JSON.stringify({ at: 'provider', method: c.req.method, path: c.req.path, error: error.name, msg: error.message }),
  )
  const failure = new Refusal(500, 500)
  return c.json({ code: failure.code, msg: failure.message }, failure.status)
}
