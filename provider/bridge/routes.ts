import type { Hono } from 'hono'
import type { Env } from '../env.ts'

/** Mounts the routes of provider/bridge. */
export function bridgeRoutes(_app: Hono<{ Bindings: Env }>): void {}
