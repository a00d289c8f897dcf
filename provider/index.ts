import { Hono } from 'hono'
import { type AppEnv, missingEnvironment } from './env.ts'
import { onError } from './http/on-error.ts'
import { notFound, Refusal } from './http/refusal.ts'

export { Account } from './account/account.ts'

const app = new Hono<AppEnv>()
app.use(async (c, next) => {
  const missing = missingEnvironment(c.env)
  if (missing !== null) throw new Refusal(503, 503, missing)
  await next()
})
app.get('/healthz', (c) => c.json({ code: 200 }))
app.notFound(() => {
  throw notFound()
})
app.onError(onError)

export default app
