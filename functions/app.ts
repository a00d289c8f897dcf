import { Hono } from 'hono'
import { notFound, Refusal, refuse } from './lib/answers.ts'
import type { EdgeContext, EdgeEnv } from './lib/context.ts'
import { csrf } from './lib/csrf.ts'
import { readSettings } from './lib/env.ts'
import { securityHeaders } from './lib/security-headers.ts'
import { auth } from './routes/auth.ts'
import { gateway } from './routes/gateway.ts'
import { health } from './routes/health.ts'
import { media } from './routes/media.ts'
import { pages } from './routes/pages.ts'
import { redirect } from './routes/redirect.ts'

/** The edge: what the portal's pages ask of their own origin. Documents are static assets; only
 * addresses that are no file come here. */
export const app = new Hono<EdgeEnv>()

app.route('/', pages)
app.use(securityHeaders)
app.use(async (c, next) => {
  const result = readSettings(c.env)
  if (!result.ok) throw new Refusal(503, result.problem)
  c.set('settings', result.settings)
  await next()
})
app.use('/api/*', csrf)

app.route('/api/auth', auth)
app.route('/api/redirect', redirect)
app.route('/api/p', gateway)
app.route('/m', media)
app.route('/healthz', health)

app.notFound((c: EdgeContext) => refuse(c, notFound()))
app.onError((error, c) => {
  if (error instanceof Refusal) return refuse(c, error)
  console.error(`${c.req.method} ${c.req.path} failed: ${error.name}: ${error.message}`)
  return refuse(c, new Refusal(500, 'There was a problem with the server. Please try again later.'))
})
