import { Hono } from 'hono'
import { DurableObject } from 'cloudflare:workers'
export class Session extends DurableObject {}
const app = new Hono()
app.get('/healthz', (c) => c.json({ ok: true }))
export default app
