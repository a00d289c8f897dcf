import type { Hono } from 'hono'
import type { Env } from '../env.ts'

/** Mounts the routes of provider/media. */
export function mediaRoutes(_app: Hono<{ Bindings: Env }>): void {}
